/* cookie.c - a stream whose writer is the program itself, and switches: another
 * thread that wants the stream meanwhile must wait in heddle, not in libc. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <sys/types.h>

static FILE *stream;
static int inside, most, calls;

static ssize_t take(void *cookie, const char *data, size_t size) {
    (void)cookie;
    (void)data;
    inside++;
    if (inside > most) most = inside;
    for (int i = 0; i < 5; i++) sched_yield();
    calls++;
    inside--;
    return (ssize_t)size;
}

static void *speak(void *unused) {
    for (int i = 0; i < 3; i++) fprintf(stream, "text %d\n", i);
    return unused;
}

int main(void) {
    cookie_io_functions_t functions = {.write = take};
    stream = fopencookie(NULL, "w", functions);
    setvbuf(stream, NULL, _IOLBF, 0);
    pthread_t one, two;
    pthread_create(&one, NULL, speak, NULL);
    pthread_create(&two, NULL, speak, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    fclose(stream);
    printf("%d at once, %s\n", most, calls >= 6 ? "all came" : "some are missing");
    return 0;
}
