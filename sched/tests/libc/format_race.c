/* format_race.c - strings that another thread changes while they are printed. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define FORMAT "%5d|%s|%.2s|%-*.*s|%ld|%f|%Lf|%c|%%|%s|%e|%d%d%d%d|%.3Lf|%hhd|%zu|%p"
#define PRINT(out, first, second, third)                                                 \
    snprintf(out, sizeof(out), FORMAT, 42, first, second, 6, 1, third, 7L, 2.5, long_one, 'z',  \
             "literal", 3.0, 1, 2, 3, 4, long_one, 5, sizeof(int), (void *)0)

static char text[8] = "aa", other[8] = "xyz";
static long double long_one = 1.5L;

static void *set(void *nothing) {
    text[0] = 'b';
    other[1] = 'q';
    return nothing;
}

int main(void) {
    pthread_t thread;
    char out[200], want[200];
    pthread_create(&thread, NULL, set, NULL);
    PRINT(out, text, other, other);
    pthread_join(thread, NULL);
    for (int i = 0; i < 4; i++) { /* no other argument may have moved */
        PRINT(want, i & 1 ? "ba" : "aa", i & 2 ? "xqz" : "xyz", "xyz");
        if (strcmp(want, out) == 0) {
            printf("%d\n", i);
            return 0;
        }
    }
    return 1;
}
