/* used_early.c - a configuration that is used before it is there.
 *
 * The thread counts on main being done first. Where it is not, it follows a null
 * pointer, and that is the end: the writing that races with its reading is not
 * reached in such an execution.
 *
 * label: harmful
 * expect: race config confirmed harmful
 * expect: failure crash
 * twin: used_when_there.c */
#include <pthread.h>
#include <stdio.h>

struct config {
    int limit;
};

static struct config the_one = {3};
static struct config *config;

static void *reader(void *arg) {
    (void)arg;
    printf("%d\n", config->limit);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, reader, NULL);
    config = &the_one;
    pthread_join(thread, NULL);
    return 0;
}
