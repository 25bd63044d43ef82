/* logger.c - a logger that numbers its lines.
 *
 * Number and text go into the buffer in one region, so the lines stand in the
 * order of their numbers. Both orders of the two writers are fine.
 *
 * label: clean
 * expect: clean
 * twin: logger_two_steps.c */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct { int number; const char *text; } lines[2];
static int used;
static int numbers;

void log_line(const char *text) {
    pthread_mutex_lock(&lock);
    int number = numbers++;
    lines[used].number = number;
    lines[used].text = text;
    used++;
    pthread_mutex_unlock(&lock);
}

static void *left(void *arg) {
    (void)arg;
    log_line("left");
    return NULL;
}

static void *right(void *arg) {
    (void)arg;
    log_line("right");
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, left, NULL);
    pthread_create(&t2, NULL, right, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(lines[0].number < lines[1].number);
    printf("%s\n%s\n", lines[0].text, lines[1].text);
    return 0;
}
