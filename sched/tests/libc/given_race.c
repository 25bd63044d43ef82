/* given_race.c CASE - what a function stores or reads through a pointer, while another
 * thread looks there or changes it: two results, by who comes first. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static pthread_t id;
static void *result;
static sem_t sem;
static int value;
static struct timespec now;
static time_t seconds;
static struct tm day, late = {.tm_mday = 32, .tm_year = 70};
static char text[8];
static char *end;

static void *five(void *nothing) { return (char *)nothing + 5; }

static void act(const char *which) {
    pthread_t thread;
    if (strcmp(which, "create") == 0) {
        pthread_create(&id, NULL, five, NULL);
    } else if (strcmp(which, "join") == 0) {
        pthread_create(&thread, NULL, five, NULL);
        pthread_join(thread, &result);
    } else if (strcmp(which, "semaphore") == 0) {
        sem_init(&sem, 0, 3);
        sem_getvalue(&sem, &value);
    } else if (strcmp(which, "clock") == 0) {
        clock_gettime(CLOCK_REALTIME, &now);
    } else if (strcmp(which, "time") == 0) {
        time(&seconds);
    } else if (strcmp(which, "number") == 0) {
        strtol("12x", &end, 10);
    } else if (strcmp(which, "gmtime_r") == 0) {
        gmtime_r(&(time_t){86400}, &day);
    } else if (strcmp(which, "mktime") == 0) {
        mktime(&late);
    } else if (strcmp(which, "scan") == 0) {
        sscanf("42", "%d", &value);
    } else {
        text[0] = '7';
    }
}

static void *look(void *which) {
    if (strcmp(which, "atoi") == 0) return (void *)(long)atoi(text);
    if (strcmp(which, "printf") == 0) {
        char out[16];
        snprintf(out, sizeof out, "%s", text);
        return (void *)(long)out[0];
    }
    return (void *)(long)(id != 0 || result || value || now.tv_sec || seconds || end || day.tm_mday || late.tm_mon);
}

int main(int argc, char **argv) {
    pthread_t thread;
    void *seen;
    if (argc < 2) return 2;
    pthread_create(&thread, NULL, look, argv[1]);
    act(argv[1]);
    pthread_join(thread, &seen);
    puts(seen ? "late" : "early");
    return 0;
}
