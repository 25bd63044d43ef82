/* line_early.c - a slot of a log that is counted before it is written.
 *
 * The writer reserves a line under the lock and fills it without; the reader
 * prints all lines that are reserved. What it finds is the line, or none yet:
 * another string, of another length.
 *
 * label: harmful
 * expect: race lines confirmed harmful
 * expect: atomicity put confirmed harmful
 * twin: line_whole.c */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char lines[2][8];
static int count;

void put(const char *text) {
    pthread_mutex_lock(&lock);
    int slot = count++;
    pthread_mutex_unlock(&lock);
    strcpy(lines[slot], text);
}

static void *writer(void *arg) {
    (void)arg;
    put("one");
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    pthread_mutex_lock(&lock);
    for (int i = 0; i < count; i++) puts(lines[i]);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
