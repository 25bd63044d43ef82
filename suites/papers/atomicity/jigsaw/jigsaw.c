/* jigsaw.c - a web server and its clients, in one process.
 *
 * After jigsaw of Wang and Stoller: the core of an HTTP server. Workers take
 * connections from a queue; resources live in stores, a directory each, which are
 * loaded when they are first asked for and unloaded when nobody uses them. The manager
 * counts loaded stores without a lock (store.c): two loads at once, and the count is
 * one too small for ever. Clients are threads of the same process. At the end the
 * server asserts that the counter is right.
 *
 * The test has one client, whose connection and one more that nobody waits for are in the
 * queue before the workers start: 8,000 schedules. If the client put it there itself
 * there would be three times as many, with three clients far more than can be searched.
 *
 * label: harmful
 * expect: race loaded_stores confirmed harmful
 * expect: atomicity serve confirmed harmful
 * expect: failure assertion
 * budget: 10000
 * native: may fail
 * tsan: race loaded_stores */
#include "jigsaw.h"

#include "../../arguments.h"
#include <assert.h>

enum { CLIENTS = 3, WORKERS = 3 };

static struct arguments args;
static long refused[CLIENTS];

static void open_connection(struct connection *c, int directory, int name) {
    c->answered = false;
    snprintf(c->request, sizeof c->request, "GET /dir%d/%c HTTP/1.0", directory, 'a' + name);
    queue_put(c);
}

static void await_answer(struct connection *c, int client) {
    queue_await(c);
    if (strncmp(c->answer, "HTTP/1.0 200", 12) != 0) refused[client]++;
}

static void *client(void *number) {
    int self = *(int *)number;
    for (int i = 0; i < 1500; i++) {
        struct connection c;
        open_connection(&c, (self * 3 + i) % STORES, i % 10);
        await_answer(&c, self);
    }
    return NULL;
}

/* Test: two connections, and a client that waits for the first. */
static struct connection both[2];

static void *only_client(void *number) {
    await_answer(&both[0], *(int *)number);
    return NULL;
}

int main(int argc, char **argv) {
    args = arguments_read(argc, argv);
    store_manager_init(args.bench ? STORES : 2);
    for (int i = 0; i < 2 && !args.bench; i++) open_connection(&both[i], i, 0);

    int workers = args.sequential ? 1 : args.bench ? WORKERS : 2;
    pthread_t threads[WORKERS];
    for (int i = 0; i < workers; i++) pthread_create(&threads[i], NULL, worker, NULL);
    run_threads(args.bench ? CLIENTS : 1, args.bench ? client : only_client, false);
    queue_stop();
    for (int i = 0; i < workers; i++) pthread_join(threads[i], NULL);

    long lost = refused[0] + refused[1] + refused[2];
    printf("%ld served, %ld refused\n", worker_served(), lost);
    assert(store_loaded() == store_count_loaded());
    return 0;
}
