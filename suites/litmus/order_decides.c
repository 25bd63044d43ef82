/* order_decides.c - the result depends on the schedule.
 *
 * Both threads append under the lock: no race, no torn update, every run is
 * serial. But the region is meant to be deterministic, and the text is LR or
 * RL, whoever takes the lock first.
 *
 * label: harmful
 * expect: determinism guard|text|used confirmed harmful
 * twin: each_own_slot.c
 * twin: order_forgotten.c
 * twin: det_max_locked.c */
#include <pthread.h>
#include <stdio.h>
#if __has_include(<heddle.h>)
#include <heddle.h>
#else
#define HEDDLE_DETERMINISTIC(name)
#endif

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static char text[3];
static int used;

static void *append(void *letter) {
    pthread_mutex_lock(&guard);
    text[used] = *(char *)letter;
    used++;
    pthread_mutex_unlock(&guard);
    return NULL;
}

int main(void) {
    static char left = 'L', right = 'R';
    HEDDLE_DETERMINISTIC("join two halves") {
        pthread_t t1, t2;
        pthread_create(&t1, NULL, append, &left);
        pthread_create(&t2, NULL, append, &right);
        pthread_join(t1, NULL);
        pthread_join(t2, NULL);
    }
    puts(text);
    return 0;
}
