/* given_race.c CASE - what a function stores or reads through a pointer, while another
 * thread looks there or changes it: two results, by who comes first. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

static pthread_t id;
static void *result;
static sem_t sem;
static int value;
static struct timespec now;
static time_t seconds;
static struct tm day, late = {.tm_mday = 32, .tm_year = 70};
static char text[8];
static char *end, *grown;
static size_t room;
static unsigned chance = 1;
static int pair[2];
static struct stat file;
static struct sigaction old;
static struct utsname name;
static char made[4200];

/* Into `made`, or NULL: it is none of these. */
static int fill(const char *which) {
    if (strcmp(which, "strerror_r") == 0) return strerror_r(9999, made, 80) != NULL;
    if (strcmp(which, "ctime_r") == 0) return ctime_r(&(time_t){0}, made) != NULL;
    if (strcmp(which, "asctime_r") == 0) return asctime_r(&late, made) != NULL;
    if (strcmp(which, "strftime") == 0) return strftime(made, 80, "%Y", &late) > 0;
    if (strcmp(which, "swab") == 0) return swab("ab", made, 2), 1;
    if (strcmp(which, "getcwd") == 0) return getcwd(made, sizeof made) != NULL;
    if (strcmp(which, "gethostname") == 0) return gethostname(made, 80) == 0;
    if (strcmp(which, "realpath") == 0) return realpath("/", made) != NULL;
    if (strcmp(which, "inet_pton") == 0) return inet_pton(AF_INET, "7.7.7.7", made);
    if (strcmp(which, "snprintf") == 0) return snprintf(made, 8, "%s", "x");
    return 0;
}

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
    } else if (strcmp(which, "rand_r") == 0) {
        rand_r(&chance);
    } else if (strcmp(which, "pipe") == 0) {
        if (pipe(pair)) abort();
    } else if (strcmp(which, "stat") == 0) {
        stat("/", &file);
    } else if (strcmp(which, "sigaction") == 0) {
        sigaction(SIGINT, &(struct sigaction){.sa_handler = SIG_IGN}, NULL);
        sigaction(SIGINT, NULL, &old);
    } else if (strcmp(which, "uname") == 0) {
        uname(&name);
    } else if (strcmp(which, "getline") == 0) {
        FILE *lines = fopen("/etc/passwd", "r");
        if (getline(&grown, &room, lines) < 0) abort();
    } else if (strcmp(which, "open_memstream") == 0) {
        FILE *text_file = open_memstream(&grown, &room);
        fputs("x", text_file);
        fclose(text_file);
        if (room != 1 || strcmp(grown, "x")) abort();
    } else if (strcmp(which, "fflush") == 0) {
        FILE *text_file = open_memstream(&grown, &room);
        fputs("x", text_file);
        fflush(text_file);
        if (room != 1 || strcmp(grown, "x")) abort();
    } else if (!fill(which)) {
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
    return (void *)(long)(id != 0 || result || value || now.tv_sec || seconds || end || day.tm_mday || late.tm_mon ||
                          grown || chance != 1 || pair[0] || file.st_mode || old.sa_handler || name.sysname[0] ||
                          made[0]);
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
