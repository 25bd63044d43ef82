/* cache.c - a handful of entries, searched in a row, behind one reader-writer lock. */
#include "cache.h"

#include <string.h>

void cache_init(struct cache *c, size_t capacity, cache_load *load, void *context) {
    memset(c, 0, sizeof *c);
    pthread_rwlock_init(&c->lock, NULL);
    c->capacity = capacity < CACHE_MOST ? capacity : CACHE_MOST;
    c->load = load;
    c->context = context;
}

void cache_destroy(struct cache *c) { pthread_rwlock_destroy(&c->lock); }

/* With the lock held, either side. */
static struct cache_entry *find(struct cache *c, int key) {
    for (size_t i = 0; i < c->capacity; i++) {
        if (c->entries[i].used && c->entries[i].key == key) {
            return &c->entries[i];
        }
    }
    return NULL;
}

static void touch(struct cache *c, struct cache_entry *e) {
    atomic_store(&e->last_use, atomic_fetch_add(&c->clock, 1) + 1);
}

/* With the lock held for writing: a free entry, or the one to evict. */
static struct cache_entry *place(struct cache *c) {
    struct cache_entry *oldest = &c->entries[0];
    for (size_t i = 0; i < c->capacity; i++) {
        struct cache_entry *e = &c->entries[i];
        if (!e->used) {
            return e;
        }
        if (atomic_load(&e->last_use) < atomic_load(&oldest->last_use)) {
            oldest = e;
        }
    }
    return oldest;
}

static void store(struct cache *c, int key, int value) {
    struct cache_entry *e = place(c);
    e->used = true;
    e->key = key;
    e->value = value;
    touch(c, e);
}

/* What was loaded while the lock was free, into the cache. */
static int keep(struct cache *c, int key, int value, unsigned long generation) {
    pthread_rwlock_wrlock(&c->lock);
#ifdef DEFECT
    /* The key was missing a moment ago, so it can be stored right away. But
     * another thread may have missed it, too, and stored it meanwhile: two
     * entries for one key, and an invalidation finds only the first. */
    if (generation == c->generation) {
        store(c, key, value);
    }
#else
    struct cache_entry *e = find(c, key);
    if (e) {
        value = e->value;
        touch(c, e);
    } else if (generation == c->generation) {
        store(c, key, value);
    }
#endif
    pthread_rwlock_unlock(&c->lock);
    return value;
}

int cache_get(struct cache *c, int key) {
    int value = 0;
    pthread_rwlock_rdlock(&c->lock);
    struct cache_entry *e = find(c, key);
    if (e) {
        value = e->value;
        touch(c, e);
    }
    unsigned long generation = c->generation;
    pthread_rwlock_unlock(&c->lock);
    if (e) {
        atomic_fetch_add(&c->hits, 1);
        return value;
    }
    atomic_fetch_add(&c->misses, 1);
    value = c->load(key, c->context);
    return keep(c, key, value, generation);
}

bool cache_peek(struct cache *c, int key, int *value) {
    pthread_rwlock_rdlock(&c->lock);
    struct cache_entry *e = find(c, key);
    if (e) {
        *value = e->value;
    }
    pthread_rwlock_unlock(&c->lock);
    return e != NULL;
}

void cache_invalidate(struct cache *c, int key) {
    pthread_rwlock_wrlock(&c->lock);
    c->generation++; /* what is being loaded right now may be out of date */
    struct cache_entry *e = find(c, key);
    if (e) {
        e->used = false;
    }
    pthread_rwlock_unlock(&c->lock);
}

size_t cache_count(struct cache *c) {
    size_t count = 0;
    pthread_rwlock_rdlock(&c->lock);
    for (size_t i = 0; i < c->capacity; i++) {
        count += c->entries[i].used;
    }
    pthread_rwlock_unlock(&c->lock);
    return count;
}
