/* line_whole.c - a slot of a log that is written before it is counted.
 *
 * line_early repaired: the writer fills the line under the lock. What is printed
 * still depends on who is first, and either is as it should be.
 *
 * label: clean
 * expect: clean
 * twin: line_early.c */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char lines[2][8];
static int count;

void put(const char *text) {
    pthread_mutex_lock(&lock);
    strcpy(lines[count], text);
    count++;
    pthread_mutex_unlock(&lock);
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
