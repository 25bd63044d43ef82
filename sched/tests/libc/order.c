/* order.c - two threads that print; argv[1] says how.
 * plain: two outcomes. alone: each to a buffer of its own, one outcome, no points.
 * locked: four pieces under flockfile, two outcomes. unlocked: the same without it.
 * mixed: printf against write(1). try: ftrylockfile may fail. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *how;

static void *speak(void *word) {
    const char *text = word;
    if (!strcmp(how, "plain")) {
        puts(text);
    } else if (!strcmp(how, "alone")) {
        char *at = NULL;
        size_t size = 0;
        FILE *mine = open_memstream(&at, &size);
        for (int i = 0; i < 50; i++) fprintf(mine, "%s%d", text, i);
        fclose(mine);
        free(at);
    } else if (!strcmp(how, "locked")) {
        flockfile(stdout);
        putchar(text[0]);
        fputs(text, stdout);
        funlockfile(stdout);
    } else if (!strcmp(how, "unlocked")) {
        putchar(text[0]);
        fputs(text, stdout);
    } else if (!strcmp(how, "mixed")) {
        if (text[0] == 'a') {
            puts(text);
            fflush(stdout);
        } else if (write(1, "B\n", 2) != 2) {
            abort();
        }
    } else if (!strcmp(how, "try")) {
        if (ftrylockfile(stdout) == 0) {
            putchar(text[0]);
            funlockfile(stdout);
        }
    } else if (!strcmp(how, "wrong")) {
        funlockfile(stdout);
    }
    return NULL;
}

int main(int argc, char **argv) {
    how = argc > 1 ? argv[1] : "plain";
    static char a[] = "aa", b[] = "bb";
    pthread_t one, two;
    pthread_create(&one, NULL, speak, a);
    pthread_create(&two, NULL, speak, b);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
