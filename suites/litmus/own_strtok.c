/* own_strtok.c - two threads take strings of their own apart, with strtok_r.
 *
 * Each says itself where it goes on.
 *
 * label: clean
 * expect: clean
 * twin: shared_strtok.c */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static int words[2];

static void *count(void *arg) {
    int mine = *(int *)arg;
    char text[] = "a b", *rest;
    char *word = strtok_r(text, " ", &rest);
    for (; word; word = strtok_r(NULL, " ", &rest)) words[mine]++;
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int numbers[2] = {0, 1};
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, count, &numbers[i]);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    printf("%d %d\n", words[0], words[1]);
    return 0;
}
