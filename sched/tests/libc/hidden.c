/* hidden.c - two threads and something that libc hides; argv[1] says what. */
#define _GNU_SOURCE
#include <heddle.h>

#include <arpa/inet.h>
#include <pthread.h>
#include <pwd.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

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
    } else if (!strcmp(what, "folder")) {
        char path[4096];
        if (first) *to = chdir("/usr");
        else *to = getcwd(path, sizeof path) && !strcmp(path, "/usr");
    } else if (!strcmp(what, "user")) {
        *to = getpwuid(first ? 0 : 1)->pw_uid;
    } else if (!strcmp(what, "address")) {
        *to = inet_ntoa((struct in_addr){htonl(first ? 0x01010101 : 0x02020202)})[0];
    } else if (!strcmp(what, "hsearch")) {
        *to = hsearch((ENTRY){"key", "data"}, first ? ENTER : FIND) != NULL;
    } else if (!strcmp(what, "variable")) {
        static char *other[] = {"SET_BY_A_THREAD=1", NULL};
        if (first) environ = other;
        else *to = getenv("SET_BY_A_THREAD") != NULL;
    }
    return NULL;
}

int main(int argc, char **argv) {
    what = argc > 1 ? argv[1] : "rand";
    pthread_t one, two;
    if (!strcmp(what, "hsearch")) hcreate(8);
    pthread_create(&one, NULL, use, &got[0]);
    pthread_create(&two, NULL, use, &got[1]);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    heddle_observe("one", got[0]);
    heddle_observe("two", got[1]);
    return 0;
}
