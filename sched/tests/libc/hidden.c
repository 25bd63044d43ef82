/* hidden.c - two threads and something that libc hides; argv[1] says what. */
#include <heddle.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *what;
static long got[2];

static void *use(void *slot) {
    long *to = slot;
    int first = to == &got[0];
    if (!strcmp(what, "rand")) {
        *to = rand();
    } else if (!strcmp(what, "environ")) {
        if (first) setenv("SET_BY_A_THREAD", "1", 1);
        else *to = getenv("SET_BY_A_THREAD") != NULL;
    } else if (!strcmp(what, "getenv")) {
        *to = getenv("PATH") != NULL;
    } else if (!strcmp(what, "strtok")) {
        char text[] = "a b";
        strtok(text, " ");
        char *next = strtok(NULL, " ");
        *to = next != NULL;
    } else if (!strcmp(what, "gmtime")) {
        time_t at = first ? 0 : 86400;
        *to = gmtime(&at)->tm_mday;
    }
    return NULL;
}

int main(int argc, char **argv) {
    what = argc > 1 ? argv[1] : "rand";
    pthread_t one, two;
    pthread_create(&one, NULL, use, &got[0]);
    pthread_create(&two, NULL, use, &got[1]);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    heddle_observe("one", got[0]);
    heddle_observe("two", got[1]);
    return 0;
}
