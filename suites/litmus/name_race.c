/* name_race.c - a string buffer with two users at once.
 *
 * Both threads copy into the same buffer. The name that stays depends on who
 * copies last, and byte by byte it may be neither.
 *
 * label: harmful
 * expect: race name confirmed harmful
 * twin: name_handed_over.c */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char name[8] = "none";

static void *author(void *arg) {
    (void)arg;
    strcpy(name, "left");
    return NULL;
}

static void *editor(void *arg) {
    (void)arg;
    strcpy(name, "right");
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, author, NULL);
    pthread_create(&t2, NULL, editor, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    puts(name);
    return 0;
}
