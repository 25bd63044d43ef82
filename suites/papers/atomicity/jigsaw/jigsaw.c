/* jigsaw.c - a web server and its clients, in one process.
 *
 * After jigsaw of Wang and Stoller: the core of an HTTP server. Workers take
 * connections from a queue; resources live in stores, a directory each, which are
 * loaded when they are first asked for and unloaded when nobody uses them. The manager
 * counts loaded stores without a lock (store.c): two loads at once, and the count is
 * one too small for ever. Clients are threads of the same process. At the end the
 * server asserts that the counter is right.
 *
 * label: harmful
 * expect: race loaded_stores confirmed harmful
 * expect: atomicity serve confirmed harmful
 * expect: failure assertion
 * budget: 5000
 * native: may fail
 * tsan: race loaded_stores */
#include "jigsaw.h"

#include "../../arguments.h"
#include <assert.h>

enum { CLIENTS = 3, WORKERS = 3 };

static struct arguments args;
static int requests; /* of each client */
static long refused[CLIENTS];

static void ask(int client, int i) {
    struct connection c = {.answered = false};
    snprintf(c.request, sizeof c.request, "GET /dir%d/%c HTTP/1.0", (client * 3 + i) % STORES, 'a' + i % 10);
    queue_put(&c);
    queue_await(&c);
    if (strncmp(c.answer, "HTTP/1.0 200", 12) != 0) refused[client]++;
}

static void *client(void *number) {
    for (int i = 0; i < requests; i++) ask(*(int *)number, i);
    return NULL;
}

/* Test: two connections that nobody waits for. */
static void ask_twice(struct connection *both) {
    for (int i = 0; i < 2; i++) {
        snprintf(both[i].request, sizeof both[i].request, "GET /dir%d/a HTTP/1.0", i);
        queue_put(&both[i]);
    }
}

int main(int argc, char **argv) {
    args = arguments_read(argc, argv);
    store_manager_init(args.bench ? STORES : 2);
    requests = 1500;
    static struct connection both[2];
    if (!args.bench) ask_twice(both);

    int workers = args.sequential ? 1 : args.bench ? WORKERS : 2;
    pthread_t threads[WORKERS];
    for (int i = 0; i < workers; i++) pthread_create(&threads[i], NULL, worker, NULL);
    if (args.bench) run_threads(CLIENTS, client, false);
    queue_stop();
    for (int i = 0; i < workers; i++) pthread_join(threads[i], NULL);

    long lost = refused[0] + refused[1] + refused[2];
    printf("%ld served, %ld refused\n", worker_served(), lost);
    assert(store_loaded() == store_count_loaded());
    return 0;
}
