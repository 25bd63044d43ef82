/* table.c - a small hash table with one lock for its chains and all counts. */
#include "table.h"

#include <pthread.h>
#include <stdlib.h>

enum { BUCKETS = 4 };

struct table {
    pthread_mutex_t lock;
    struct object *buckets[BUCKETS];
    size_t count;
};

static struct object **bucket(struct table *t, int key) {
    return &t->buckets[(unsigned)key % BUCKETS];
}

struct table *table_make(void) {
    struct table *t = calloc(1, sizeof *t);
    if (t) {
        pthread_mutex_init(&t->lock, NULL);
    }
    return t;
}

bool table_free(struct table *t) {
    pthread_mutex_lock(&t->lock);
    bool empty = t->count == 0;
    pthread_mutex_unlock(&t->lock);
    if (empty) {
        pthread_mutex_destroy(&t->lock);
        free(t);
    }
    return empty;
}

/* Both with the lock held. */
static struct object *find(struct table *t, int key) {
    struct object *o = *bucket(t, key);
    while (o && o->key != key) {
        o = o->next;
    }
    return o;
}

static void unlink_object(struct table *t, struct object *o) {
    struct object **at = bucket(t, o->key);
    while (*at != o) {
        at = &(*at)->next;
    }
    *at = o->next;
    t->count--;
}

struct object *table_acquire(struct table *t, int key) {
    pthread_mutex_lock(&t->lock);
    struct object *o = find(t, key);
    if (o) {
        o->references++;
    }
    pthread_mutex_unlock(&t->lock);
    return o;
}

struct object *table_create(struct table *t, int key, int value, bool *made) {
    struct object *spare = malloc(sizeof *spare);
    if (!spare) {
        return NULL;
    }
    *spare = (struct object){key, value, OBJECT_LIVE, 1, t, NULL};
    pthread_mutex_lock(&t->lock);
    struct object *o = find(t, key);
    if (made) {
        *made = !o;
    }
    if (o) {
        o->references++;
    } else {
        o = spare;
        spare = NULL;
        o->next = *bucket(t, key);
        *bucket(t, key) = o;
        t->count++;
    }
    pthread_mutex_unlock(&t->lock);
    free(spare);
    return o;
}

void object_hold(struct object *o) {
    pthread_mutex_lock(&o->table->lock);
    o->references++;
    pthread_mutex_unlock(&o->table->lock);
}

static void dispose(struct object *o) {
    o->stamp = OBJECT_DEAD; /* whoever still looks shall see it */
    free(o);
}

void object_release(struct object *o) {
    struct table *t = o->table;
#ifdef DEFECT
    /* Count down in a short region, and unlink in another one only if it was the
     * last reference: most releases are spared the search. But between the two
     * the object is in the table with no references, and can be acquired. */
    pthread_mutex_lock(&t->lock);
    bool last = --o->references == 0;
    pthread_mutex_unlock(&t->lock);
    if (last) {
        pthread_mutex_lock(&t->lock);
        unlink_object(t, o);
        pthread_mutex_unlock(&t->lock);
        dispose(o);
    }
#else
    pthread_mutex_lock(&t->lock);
    bool last = --o->references == 0;
    if (last) {
        unlink_object(t, o);
    }
    pthread_mutex_unlock(&t->lock);
    if (last) {
        dispose(o);
    }
#endif
}

size_t table_each(struct table *t, void visit(struct object *o, void *context), void *context) {
    pthread_mutex_lock(&t->lock);
    size_t count = t->count;
    for (int i = 0; i < BUCKETS && visit; i++) {
        for (struct object *o = t->buckets[i]; o; o = o->next) {
            visit(o, context);
        }
    }
    pthread_mutex_unlock(&t->lock);
    return count;
}
