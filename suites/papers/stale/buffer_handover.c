/* buffer_handover.c - work taken from one buffer, results put into another.
 *
 * After Artho, Havelund and Biere, Fig. 5: a worker takes a value under the
 * buffer's lock, computes outside of it and adds the result under it. The value
 * outlives its lock region, so block-local atomicity warns where it can follow the
 * value (heddle's `stale` on a trace with data flow). A recorded trace has none, and
 * what `stale:flow=split` guesses from is not here either: the result goes into another
 * variable. Take and put of one worker enclose those of another, so the whole is not
 * serializable either.
 * Yet a value that was taken belongs to its taker alone, and the order of results
 * does not matter: the sum is always the same.
 *
 * label: benign
 * expect: atomicity work_off confirmed benign
 * native: deterministic
 * tsan: clean */
#include "../arguments.h"

enum { ROOM = 4096 };

struct buffer {
    pthread_mutex_t lock;
    long item[ROOM];
    int count;
};

static struct buffer todo = {.lock = PTHREAD_MUTEX_INITIALIZER};
static struct buffer done = {.lock = PTHREAD_MUTEX_INITIALIZER};

bool buffer_next(struct buffer *self, long *item) {
    pthread_mutex_lock(&self->lock);
    bool any = self->count > 0;
    if (any) *item = self->item[--self->count];
    pthread_mutex_unlock(&self->lock);
    return any;
}

void buffer_add(struct buffer *self, long item) {
    pthread_mutex_lock(&self->lock);
    self->item[self->count++] = item;
    pthread_mutex_unlock(&self->lock);
}

/* Greatest divisor, the slow way. */
static long compute(long n) {
    long best = 1;
    for (long d = 2; d < n; d++) {
        if (n % d == 0) best = d;
    }
    return best;
}

bool work_off(void) {
    long item;
    if (!buffer_next(&todo, &item)) return false;
    buffer_add(&done, compute(item));
    return true;
}

static void *worker(void *number) {
    (void)number;
    while (work_off()) {
    }
    return NULL;
}

int main(int argc, char **argv) {
    struct arguments args = arguments_read(argc, argv);
    int items = args.bench ? ROOM : 2;
    for (int i = 0; i < items; i++) buffer_add(&todo, 1000 + i * 17);
    run_threads(2, worker, args.sequential);
    long sum = 0;
    for (int i = 0; i < done.count; i++) sum += done.item[i];
    printf("%d results, sum %ld\n", done.count, sum);
    return done.count == items ? 0 : 1;
}
