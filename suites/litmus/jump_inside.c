/* jump_inside.c - a function jumps within itself, and looks at a limit twice.
 *
 * The two looks are of one call, in two critical sections; what they yield differs
 * where the writer comes in between.
 *
 * label: harmful
 * expect: atomicity parse confirmed harmful
 * expect: failure assertion
 * twin: jump_out.c */
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int limit = 3;

static int get(void) {
    pthread_mutex_lock(&lock);
    int value = limit;
    pthread_mutex_unlock(&lock);
    return value;
}

static void fail(jmp_buf *back) { longjmp(*back, 1); }

void parse(void) {
    jmp_buf back;
    static int first;
    if (setjmp(back) == 0) {
        first = get();
        fail(&back);
    }
    assert(first == get());
}

static void *reader(void *arg) {
    parse();
    return arg;
}

static void *writer(void *arg) {
    pthread_mutex_lock(&lock);
    limit = 4;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, reader, NULL);
    pthread_create(&t2, NULL, writer, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
