/* ended_halfway.c - the program looks at a half-done change and ends.
 *
 * Both numbers change in a lock region each; main reads them in one, says whether they
 * agree and, if not, ends at once, before the second has changed. That the change never
 * came to its second half does not mean that nobody came in between.
 *
 * label: harmful
 * expect: high-level-race a confirmed harmful
 * twin: ended_whole.c */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int a, b;

static void *writer(void *arg) {
    pthread_mutex_lock(&lock);
    a = 1;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    b = 1;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    pthread_mutex_lock(&lock);
    int x = a, y = b;
    pthread_mutex_unlock(&lock);
    if (x != y) {
        puts("they differ");
        return 0;
    }
    pthread_join(thread, NULL);
    puts("they agree");
    return 0;
}
