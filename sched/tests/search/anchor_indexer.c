/* N threads put four words each into a hash table of 128 cells: 8 classes for
 * N = 12, 4,096 for N = 15. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#ifndef N
#define N 12
#endif
enum { SIZE = 128, MOST = 4 };
static atomic_int table[SIZE];
static void *insert(void *arg) {
    int self = (int)(intptr_t)arg;
    for (int m = 1; m <= MOST; m++) {
        int word = m * 11 + self, h = (word * 7) % SIZE, empty = 0;
        while (!atomic_compare_exchange_strong(&table[h], &empty, word)) {
            h = (h + 1) % SIZE;
            empty = 0;
        }
    }
    return arg;
}
int main(void) {
    pthread_t thread[N];
    for (int i = 0; i < N; i++) pthread_create(&thread[i], NULL, insert, (void *)(intptr_t)i);
    for (int i = 0; i < N; i++) pthread_join(thread[i], NULL);
    return 0;
}
