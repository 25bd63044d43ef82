/* plain_flag.c - a hint in a plain variable.
 *
 * The flag says whether a precomputed answer is there. It is read without any
 * order: a race. Seen or not seen, the answer is the same, computed or copied,
 * so neither order changes the outcome.
 *
 * label: benign
 * expect: race ready confirmed benign
 * twin: message_passing_flag.c */
#include <pthread.h>
#include <stdio.h>

static int ready;
static int data;
static int answer;

static void *sender(void *arg) {
    (void)arg;
    data = 42;
    ready = 1;
    return NULL;
}

static void *receiver(void *arg) {
    (void)arg;
    answer = ready ? data : 6 * 7;
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, sender, NULL);
    pthread_create(&t2, NULL, receiver, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    printf("%d\n", answer);
    return 0;
}
