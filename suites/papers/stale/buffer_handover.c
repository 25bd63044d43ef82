/* buffer_handover.c - work taken from a buffer, results put back into it.
 *
 * After Artho, Havelund and Biere, Fig. 5: a worker takes a value from the buffer under
 * the lock, computes outside of it and adds the result under it. The value
 * outlives its lock region, so block-local atomicity warns where it can follow the
 * value (heddle's `stale` on a trace with data flow). A recorded trace has none, and
 * what `stale:flow=split` guesses from is not here either: the result goes into another
 * slot. Take and put of one worker enclose those of another, so the whole is not
 * serializable either.
 * Yet a value that was taken belongs to its taker alone, its slot being free, and the
 * order of results does not matter: the sum is always the same. The figure takes for
 * granted that there is always another value; here the workers stop when there is none.
 *
 * label: benign
 * expect: atomicity work_off confirmed benign
 * native: deterministic
 * tsan: clean */
#include "../arguments.h"

enum { ROOM = 4096 };

/* Values are at the front, results at the back; what is between is free. */
struct buffer {
    long slot[ROOM];
    int left; /* values */
    int done; /* results */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct buffer buffer; /* guarded by lock */

static bool buffer_next(struct buffer *self, long *value) {
    bool any = self->left > 0;
    if (any) *value = self->slot[--self->left];
    return any;
}

static void buffer_add(struct buffer *self, long result) {
    self->done++;
    self->slot[ROOM - self->done] = result;
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
    long value;
    pthread_mutex_lock(&lock);
    bool any = buffer_next(&buffer, &value);
    pthread_mutex_unlock(&lock);
    if (!any) return false;
    long result = compute(value);
    pthread_mutex_lock(&lock);
    buffer_add(&buffer, result);
    pthread_mutex_unlock(&lock);
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
    pthread_mutex_lock(&lock);
    for (int i = 0; i < items; i++) buffer.slot[buffer.left++] = 1000 + i * 17;
    pthread_mutex_unlock(&lock);
    run_threads(2, worker, args.sequential);
    long sum = 0;
    for (int i = 0; i < buffer.done; i++) sum += buffer.slot[ROOM - 1 - i];
    printf("%d results, sum %ld\n", buffer.done, sum);
    return buffer.done == items ? 0 : 1;
}
