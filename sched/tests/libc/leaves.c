/* leaves.c - an execution that leaves everything lying about. The next one must
 * see nothing of it: descriptors, directory, standard output, mappings, strtok,
 * environment, locale, random numbers, standard input. */
#define _GNU_SOURCE
#include <heddle.h>

#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void *nothing(void *unused) { return unused; }

int main(void) {
    int first = open("/dev/null", O_RDONLY), pair[2];
    heddle_observe("fd", first);
    if (pipe(pair) < 0) return 1;
    FILE *file = fopen("/dev/null", "w");
    heddle_observe("file", fileno(file));
    char name[1000];
    heddle_observe_text("cwd", getcwd(name, sizeof name));
    if (chdir("/") < 0) return 1;
    void *map = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    static void *before;
    heddle_observe("fresh", before == NULL && *(int *)map == 0);
    before = map;
    *(int *)map = 1;
    heddle_observe("token", strtok(NULL, " ") == NULL);
    char words[] = "a b c";
    strtok(words, " ");
    heddle_observe("env", getenv("LEFT_BY_A_TEST") == NULL);
    setenv("LEFT_BY_A_TEST", "1", 1);
    heddle_observe("locale", !strcmp(setlocale(LC_ALL, NULL), "C"));
    setlocale(LC_ALL, "C.UTF-8");
    heddle_observe("rand", rand());
    heddle_observe("input", getchar());
    pthread_t thread;
    pthread_create(&thread, NULL, nothing, NULL);
    pthread_join(thread, NULL);
    puts("seen");
    fflush(stdout);
    if (dup2(first, 1) < 0) return 1;
    close(2);
    return 0;
}
