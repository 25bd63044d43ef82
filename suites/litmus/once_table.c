/* once_table.c - a table filled once, read by everybody afterwards.
 *
 * The table is written inside pthread_once and read outside of it, never with a
 * lock. Whoever returns from pthread_once comes after the filling.
 *
 * label: refutable
 * expect: race table refuted
 * twin: lazy_init_race.c */
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int table[2];

static void fill(void) {
    table[0] = 3;
    table[1] = 4;
}

static void *user(void *arg) {
    (void)arg;
    pthread_once(&once, fill);
    assert(table[0] + table[1] == 7);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, user, NULL);
    pthread_create(&t2, NULL, user, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
