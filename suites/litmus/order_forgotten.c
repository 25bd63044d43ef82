/* order_forgotten.c - the order differs, and the result forgets it.
 *
 * As in order_decides both threads append under the lock in either order; what
 * is printed is the sum of what was appended.
 *
 * label: benign
 * expect: determinism guard|terms|used confirmed benign
 * twin: order_decides.c */
#include <pthread.h>
#include <stdio.h>
#if __has_include(<heddle.h>)
#include <heddle.h>
#else
#define HEDDLE_DETERMINISTIC(name)
#endif

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static int terms[2];
static int used;

static void *append(void *term) {
    pthread_mutex_lock(&guard);
    terms[used] = *(int *)term;
    used++;
    pthread_mutex_unlock(&guard);
    return NULL;
}

int main(void) {
    static int three = 3, four = 4;
    HEDDLE_DETERMINISTIC("collect") {
        pthread_t t1, t2;
        pthread_create(&t1, NULL, append, &three);
        pthread_create(&t2, NULL, append, &four);
        pthread_join(t1, NULL);
        pthread_join(t2, NULL);
    }
    printf("%d\n", terms[0] + terms[1]);
    return 0;
}
