/* name_handed_over.c - a string buffer with one user at a time.
 *
 * The string functions touch the buffer without any lock; a semaphore hands it
 * from one thread to the next.
 *
 * label: refutable
 * expect: race name refuted
 * twin: name_race.c */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>

static sem_t written;
static char name[8] = "none";

static void *author(void *arg) {
    (void)arg;
    strcpy(name, "left");
    sem_post(&written);
    return NULL;
}

static void *editor(void *arg) {
    (void)arg;
    sem_wait(&written);
    assert(strcmp(name, "left") == 0);
    strcpy(name, "right");
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    sem_init(&written, 0, 0);
    pthread_create(&t1, NULL, author, NULL);
    pthread_create(&t2, NULL, editor, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return strcmp(name, "right");
}
