/* worker.c - one connection after the other. */
#include "jigsaw.h"

#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long served; /* guarded by lock */

void serve(struct connection *c) {
    struct http_request request;
    if (!http_parse(c->request, &request) || strcmp(request.method, "GET") != 0) {
        http_answer(c->answer, sizeof c->answer, 400, "what?", 5);
        return;
    }
    struct store *store = store_enter(request.directory);
    long length = store ? store_lookup(store, request.name) : -1;
    if (store) store_leave(store);
    http_answer(c->answer, sizeof c->answer, length < 0 ? 404 : 200, request.name, length < 0 ? 0 : length);
}

void *worker(void *number) {
    (void)number;
    for (struct connection *c; (c = queue_take()) != NULL;) {
        serve(c);
        queue_answered(c);
        pthread_mutex_lock(&lock);
        bool tidy = ++served % 64 == 0;
        pthread_mutex_unlock(&lock);
        if (tidy) store_shrink();
    }
    return NULL;
}

long worker_served(void) { return served; }
