/* token_chain.c - the writer is two hand-overs away.
 *
 * parity looks twice, as in two_reads_one_answer. The thread that looks gives a
 * token to a second one, which gives it to the writer: the write comes after
 * both looks, by a chain that goes through somebody who touches nothing.
 *
 * label: refutable
 * expect: atomicity parity refuted
 * twin: two_reads_one_answer.c */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t first_token, second_token;
static int count;

int parity(void) {
    pthread_mutex_lock(&lock);
    int even = count % 2 == 0;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    int odd = count % 2 == 1;
    pthread_mutex_unlock(&lock);
    return even + odd;
}

static void *reader(void *arg) {
    (void)arg;
    assert(parity() == 1);
    sem_post(&first_token);
    return NULL;
}

static void *messenger(void *arg) {
    (void)arg;
    sem_wait(&first_token);
    sem_post(&second_token);
    return NULL;
}

static void *writer(void *arg) {
    (void)arg;
    sem_wait(&second_token);
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t1, t2, t3;
    sem_init(&first_token, 0, 0);
    sem_init(&second_token, 0, 0);
    pthread_create(&t1, NULL, reader, NULL);
    pthread_create(&t2, NULL, messenger, NULL);
    pthread_create(&t3, NULL, writer, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    pthread_join(t3, NULL);
    return 0;
}
