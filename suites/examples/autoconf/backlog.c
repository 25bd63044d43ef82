/* backlog.c - the defect: woken up, the writer looks whether to stop before it looks for
 * a line, and a line that came in before is never written. */
#include "config.h"

#include "backlog.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stddef.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static sem_t more;
static pthread_t thread;
static int waiting, written;
static bool closing;

static bool stopped(void) {
    pthread_mutex_lock(&guard);
    bool stop = closing;
    pthread_mutex_unlock(&guard);
    return stop;
}

static void write_all(void) {
    pthread_mutex_lock(&guard);
    written += waiting;
    waiting = 0;
    pthread_mutex_unlock(&guard);
}

static void *writer(void *arg) {
    for (;;) {
        sem_wait(&more);
        if (stopped()) return arg;
        write_all();
    }
}

void backlog_open(void) {
    sem_init(&more, 0, 0);
    pthread_create(&thread, NULL, writer, NULL);
}

void backlog_add(int line) {
    (void)line;
    pthread_mutex_lock(&guard);
    waiting++;
    pthread_mutex_unlock(&guard);
    sem_post(&more);
}

int backlog_close(void) {
    pthread_mutex_lock(&guard);
    closing = true;
    pthread_mutex_unlock(&guard);
    sem_post(&more);
    pthread_join(thread, NULL);
    sem_destroy(&more);
    return written;
}
