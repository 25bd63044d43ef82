/* cache.h - a cache for values that are slow to come by.
 *
 * Many threads look values up, under the read side of one lock; a missing value
 * is loaded by the caller's function without any lock, because that may take
 * long, and stored under the write side. When there is no place left, the entry
 * that was not used for the longest time is evicted.
 *
 * What holds whenever nobody has the write lock:
 *   (1) at most one entry for a key;
 *   (2) an entry's value was the right one at some time since its key was last
 *       invalidated. */
#ifndef CACHE_H
#define CACHE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

enum { CACHE_MOST = 16 };

typedef int cache_load(int key, void *context);

struct cache_entry {
    bool used;
    int key;
    int value;
    atomic_ulong last_use; /* written by readers: they hold the lock for reading only */
};

struct cache {
    pthread_rwlock_t lock;
    cache_load *load;
    void *context;
    size_t capacity;
    struct cache_entry entries[CACHE_MOST];
    unsigned long generation; /* counts invalidations, guarded by the lock */
    atomic_ulong clock;       /* counts uses */
    atomic_ulong hits, misses;
};

void cache_init(struct cache *c, size_t capacity, cache_load *load, void *context);
void cache_destroy(struct cache *c);

/* The value of the key, from the cache or loaded. */
int cache_get(struct cache *c, int key);
/* The value if it is there; loads nothing and counts as no use. */
bool cache_peek(struct cache *c, int key, int *value);

/* The key's value has changed: the next get loads it anew. */
void cache_invalidate(struct cache *c, int key);

size_t cache_count(struct cache *c);

#endif
