/* indexer.c - N threads put four messages each in a hash table of 128 slots; they
 * collide from the twelfth thread on. After "Dynamic partial-order reduction for
 * model checking software", section 5. */
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 15
#endif
enum { SLOTS = 128, MESSAGES = 4 };
static atomic_int table[SLOTS];

static void *indexer(void *arg) {
    for (int m = 1; m <= MESSAGES; m++) {
        int message = m * 11 + (int)(long)arg;
        int slot = message * 7 % SLOTS, empty = 0;
        while (!atomic_compare_exchange_strong(&table[slot], &empty, message)) {
            slot = (slot + 1) % SLOTS;
            empty = 0;
        }
    }
    return NULL;
}

int main(void) {
    pthread_t thread[N];
    for (long i = 0; i < N; i++) pthread_create(&thread[i], NULL, indexer, (void *)i);
    for (int i = 0; i < N; i++) pthread_join(thread[i], NULL);
    return 0;
}
