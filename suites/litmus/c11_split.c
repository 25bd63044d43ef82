/* c11_split.c - the lost update with C11 threads.
 *
 * Another library, the same defect: mtx_unlock between looking and writing back.
 * Both threads look first, and the count ends at 1.
 *
 * label: harmful
 * expect: atomicity increment confirmed harmful
 * expect: failure exit
 * twin: c11_whole.c */
#include <threads.h>

static once_flag once = ONCE_FLAG_INIT;
static mtx_t lock;
static int count;

static void make_lock(void) {
    mtx_init(&lock, mtx_plain);
}

void increment(void) {
    mtx_lock(&lock);
    int seen = count;
    mtx_unlock(&lock);
    mtx_lock(&lock);
    count = seen + 1;
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
