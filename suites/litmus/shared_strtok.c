/* shared_strtok.c - two threads take strings of their own apart, with strtok.
 *
 * Nothing of the program's is shared; but where strtok goes on is one place for the
 * whole process, and whoever begins a string makes the other go on in it.
 *
 * label: harmful
 * expect: race strtok.position confirmed harmful
 * twin: own_strtok.c */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static int words[2];

static void *count(void *arg) {
    int mine = *(int *)arg;
    char text[] = "a b";
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) words[mine]++;
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
