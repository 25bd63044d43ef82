/* tls_copy_same.c - each thread copies the setting, which is set anew to the same.
 *
 * A thread keeps its own copy of the setting in thread-local memory and reads the
 * shared one without a lock, while the other one stores the value that it has anyway.
 *
 * label: benign
 * expect: race setting confirmed benign
 * twin: tls_copy_after_post.c */
#include <pthread.h>
#include <stdio.h>

static int setting = 3;
static _Thread_local int mine;
static int used;

static void *one(void *arg) {
    (void)arg;
    mine = setting;
    used = mine * 2;
    return NULL;
}

static void *two(void *arg) {
    (void)arg;
    setting = 3;
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, one, NULL);
    pthread_create(&t2, NULL, two, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    printf("%d\n", used);
    return 0;
}
