/* jigsaw.h - the parts of the web server.
 *
 * A connection comes in at the queue, a worker takes it, parses the request, finds the
 * resource through the store that holds its directory, and answers. */
#ifndef JIGSAW_H
#define JIGSAW_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/* ---- http.c: requests and answers ------------------------------------------ */

struct http_request {
    char method[8];
    char directory[16], name[16]; /* /directory/name */
};

bool http_parse(const char *text, struct http_request *out);
void http_answer(char *out, size_t size, int status, const char *body, long length);

/* ---- store.c: directories, loaded when they are asked for ------------------- */

enum { STORES = 8, RESOURCES = 8 };

struct resource {
    char name[16];
    long length, hits; /* hits: guarded by the store's lock */
};

struct store {
    pthread_mutex_t lock;
    char directory[16];
    bool loaded; /* guarded by lock, as all below */
    int users;
    struct resource resources[RESOURCES];
    int count;
};

void store_manager_init(int stores);
struct store *store_enter(const char *directory); /* loads it; NULL: there is none */
void store_leave(struct store *self);
long store_lookup(struct store *self, const char *name); /* its length, or -1 */
int store_shrink(void);      /* unloads what nobody uses; how many */
int store_count_loaded(void); /* by asking each */
long store_loaded(void);     /* by the counter */

/* ---- connection.c: the queue between clients and workers --------------------- */

struct connection {
    char request[64];
    char answer[96];
    bool answered; /* guarded by the queue's lock */
};

void queue_put(struct connection *c);
struct connection *queue_take(void); /* NULL: the server stops */
void queue_answered(struct connection *c);
void queue_await(struct connection *c);
void queue_stop(void);

/* ---- worker.c ------------------------------------------------------------------ */

void serve(struct connection *c);
void *worker(void *number);
long worker_served(void);

#endif
