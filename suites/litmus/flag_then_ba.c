/* flag_then_ba.c - the opposite order only after a flag.
 *
 * The second thread spins until the first one has raised the flag, which it does
 * when it has given both locks back. The two orders are never under way at the
 * same time; the lock graph does not know the flag.
 *
 * label: refutable
 * expect: deadlock a b refuted
 * twin: ab_while_ba.c */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
static atomic_int done;
static int moved;

static void *forward(void *arg) {
    (void)arg;
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    moved++;
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    atomic_store(&done, 1);
    return NULL;
}

static void *backward(void *arg) {
    (void)arg;
    while (!atomic_load(&done)) {
        sched_yield();
    }
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    moved--;
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, forward, NULL);
    pthread_create(&t2, NULL, backward, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return moved;
}
