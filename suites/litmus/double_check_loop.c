/* double_check_loop.c - a stale copy that is checked before use.
 *
 * The computation runs outside of the lock on a copy, and the result is stored
 * only if the field still has the value of the copy; else all is done again.
 * A foreign store between copy and check makes a cycle (read, foreign write,
 * read), so the violation is real, but the retry makes up for it: the field
 * ends at 2 in every interleaving. A store fails only if the other one
 * succeeded, hence two rounds at most.
 *
 * label: benign
 * expect: atomicity increment confirmed benign
 * twin: split_increment.c */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int field;

void increment(void) {
    int done = 0;
    while (!done) {
        pthread_mutex_lock(&lock);
        int copy = field;
        pthread_mutex_unlock(&lock);
        int next = copy + 1;
        pthread_mutex_lock(&lock);
        if (field == copy) {
            field = next;
            done = 1;
        }
        pthread_mutex_unlock(&lock);
    }
}

static void *worker(void *arg) {
    (void)arg;
    increment();
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return field == 2 ? 0 : 1;
}
