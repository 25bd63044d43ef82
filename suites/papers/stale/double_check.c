/* double_check.c - compute outside of the lock, and look again before writing.
 *
 * After Artho, Havelund and Biere, Fig. 6 (from Flanagan and Freund): a value is
 * copied under the lock, a long computation works on the copy, and the result is
 * written only if the value is still the same; otherwise all is done again. The
 * copy is used in a second lock region, which block-local atomicity calls stale where
 * it can follow the value (heddle's `stale` on a trace with data flow; without,
 * `stale:flow=split` takes a variable that is read again before it is written for
 * fresh). Another thread may write in between, but then the result is thrown away.
 * In the end every update took effect once, and since all apply the same function
 * the value is the same in all orders.
 *
 * label: benign
 * expect: atomicity do_transaction confirmed benign
 * native: deterministic
 * tsan: clean */
#include "../arguments.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned long field = 1;
static int rounds;

static unsigned long f(unsigned long value) { /* stands for a long computation */
    for (int i = 0; i < 16; i++) value = value * 2862933555777941757UL + 3037000493UL;
    return value;
}

void do_transaction(void) {
    bool done = false;
    while (!done) {
        pthread_mutex_lock(&lock);
        unsigned long value = field;
        pthread_mutex_unlock(&lock);

        unsigned long computed = f(value);

        pthread_mutex_lock(&lock);
        if (value == field) {
            field = computed;
            done = true;
        }
        pthread_mutex_unlock(&lock);
    }
}

static void *worker(void *number) {
    (void)number;
    for (int i = 0; i < rounds; i++) do_transaction();
    return NULL;
}

int main(int argc, char **argv) {
    struct arguments args = arguments_read(argc, argv);
    rounds = args.bench ? 50000 : 1;
    run_threads(2, worker, args.sequential);
    printf("%lx\n", field);
    return 0;
}
