/* used_when_there.c - a configuration that is there before anybody can use it.
 *
 * used_early repaired: main sets the pointer before it starts the thread.
 *
 * label: clean
 * expect: clean
 * twin: used_early.c */
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
    config = &the_one;
    pthread_create(&thread, NULL, reader, NULL);
    pthread_join(thread, NULL);
    return 0;
}
