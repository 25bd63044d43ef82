/* filesystem.c - N threads take an inode each and look for a free block; blocks
 * collide from the fourteenth thread on. After "Dynamic partial-order reduction
 * for model checking software", section 5. */
#include <pthread.h>
#include <stdbool.h>
#ifndef N
#define N 20
#endif
enum { BLOCKS = 26, INODES = 32 };
static pthread_mutex_t inode_lock[INODES], block_lock[BLOCKS];
static int inode[INODES];
static bool busy[BLOCKS];

static void *user(void *arg) {
    int i = (int)(long)arg % INODES;
    pthread_mutex_lock(&inode_lock[i]);
    if (inode[i] == 0) {
        int b = i * 2 % BLOCKS;
        for (;;) {
            pthread_mutex_lock(&block_lock[b]);
            if (!busy[b]) {
                busy[b] = true;
                inode[i] = b + 1;
                pthread_mutex_unlock(&block_lock[b]);
                break;
            }
            pthread_mutex_unlock(&block_lock[b]);
            b = (b + 1) % BLOCKS;
        }
    }
    pthread_mutex_unlock(&inode_lock[i]);
    return NULL;
}

int main(void) {
    pthread_t thread[N];
    for (int i = 0; i < INODES; i++) pthread_mutex_init(&inode_lock[i], NULL);
    for (int i = 0; i < BLOCKS; i++) pthread_mutex_init(&block_lock[i], NULL);
    for (long i = 0; i < N; i++) pthread_create(&thread[i], NULL, user, (void *)i);
    for (int i = 0; i < N; i++) pthread_join(thread[i], NULL);
    return 0;
}
