/* c11_whole.c - an increment with C11 threads.
 *
 * call_once makes the mutex before anybody uses it, and the increment is one
 * region: 2, always.
 *
 * label: clean
 * expect: clean
 * twin: c11_split.c */
#include <threads.h>

static once_flag once = ONCE_FLAG_INIT;
static mtx_t lock;
static int count;

static void make_lock(void) {
    mtx_init(&lock, mtx_plain);
}

void increment(void) {
    mtx_lock(&lock);
    count++;
    mtx_unlock(&lock);
}

static int worker(void *arg) {
    (void)arg;
    call_once(&once, make_lock);
    increment();
    return 0;
}

int main(void) {
    thrd_t t1, t2;
    thrd_create(&t1, worker, NULL);
    thrd_create(&t2, worker, NULL);
    thrd_join(t1, NULL);
    thrd_join(t2, NULL);
    return count == 2 ? 0 : 1;
}
