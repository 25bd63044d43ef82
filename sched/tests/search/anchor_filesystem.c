/* N threads allocate a block for an inode each, 32 inodes and 26 blocks with a
 * lock each: 2 classes for N = 14, 32 for N = 18, 128 for N = 20. */
#include <pthread.h>
#include <stdint.h>
#ifndef N
#define N 14
#endif
enum { BLOCKS = 26, INODES = 32 };
static pthread_mutex_t lock_inode[INODES], lock_block[BLOCKS];
static int inode[INODES], busy[BLOCKS];
static void *allocate(void *arg) {
    int i = (int)(intptr_t)arg % INODES;
    pthread_mutex_lock(&lock_inode[i]);
    if (inode[i] == 0) {
        for (int b = (i * 2) % BLOCKS;; b = (b + 1) % BLOCKS) {
            pthread_mutex_lock(&lock_block[b]);
            if (!busy[b]) {
                busy[b] = 1;
                inode[i] = b + 1;
                pthread_mutex_unlock(&lock_block[b]);
                break;
            }
            pthread_mutex_unlock(&lock_block[b]);
        }
    }
    pthread_mutex_unlock(&lock_inode[i]);
    return arg;
}
int main(void) {
    pthread_t thread[N];
    for (int i = 0; i < INODES; i++) pthread_mutex_init(&lock_inode[i], NULL);
    for (int i = 0; i < BLOCKS; i++) pthread_mutex_init(&lock_block[i], NULL);
    for (int i = 0; i < N; i++) pthread_create(&thread[i], NULL, allocate, (void *)(intptr_t)i);
    for (int i = 0; i < N; i++) pthread_join(thread[i], NULL);
    return 0;
}
