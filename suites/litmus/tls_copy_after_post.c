/* tls_copy_after_post.c - the copy is made when the setting is final.
 *
 * The setting is changed and then announced; the copy in thread-local memory is made
 * after that. No lock, one order.
 *
 * label: refutable
 * expect: race setting refuted
 * twin: tls_copy_same.c */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t final;
static int setting = 3;
static _Thread_local int mine;
static int used;

static void *one(void *arg) {
    (void)arg;
    sem_wait(&final);
    mine = setting++;
    used = mine * 2;
    return NULL;
}

static void *two(void *arg) {
    (void)arg;
    setting = 4;
    sem_post(&final);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    sem_init(&final, 0, 0);
    pthread_create(&t1, NULL, one, NULL);
    pthread_create(&t2, NULL, two, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    printf("%d\n", used);
    return 0;
}
