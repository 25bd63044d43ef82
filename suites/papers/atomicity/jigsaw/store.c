/* store.c - resource stores, loaded on demand.
 *
 * Each store has its lock. The manager counts how many are loaded, so that it need not
 * ask them all; it does so without a lock, as the server of the paper did: loading and
 * unloading of different stores lose each other's counts. */
#include "jigsaw.h"

#include <stdio.h>
#include <string.h>

static struct store stores[STORES];
static int store_number;
long loaded_stores; /* the defect */

void store_manager_init(int number) {
    store_number = number;
    for (int i = 0; i < number; i++) {
        pthread_mutex_init(&stores[i].lock, NULL);
        snprintf(stores[i].directory, sizeof stores[i].directory, "dir%d", i);
    }
}

/* What reading the store's file would do. */
static void fill(struct store *self) {
    self->count = RESOURCES;
    for (int i = 0; i < self->count; i++) {
        struct resource *r = &self->resources[i];
        r->name[0] = (char)('a' + i);
        r->name[1] = '\0';
        r->length = 100 * (i + 1);
    }
}

void store_load(struct store *self) {
    if (self->loaded) return;
    fill(self);
    self->loaded = true;
    loaded_stores++;
}

void store_unload(struct store *self) {
    self->loaded = false;
    self->count = 0;
    loaded_stores--;
}

struct store *store_enter(const char *directory) {
    for (int i = 0; i < store_number; i++) {
        struct store *s = &stores[i];
        if (strcmp(s->directory, directory) != 0) continue;
        pthread_mutex_lock(&s->lock);
        store_load(s);
        s->users++;
        pthread_mutex_unlock(&s->lock);
        return s;
    }
    return NULL;
}

void store_leave(struct store *self) {
    pthread_mutex_lock(&self->lock);
    self->users--;
    pthread_mutex_unlock(&self->lock);
}

long store_lookup(struct store *self, const char *name) {
    long length = -1;
    pthread_mutex_lock(&self->lock);
    for (int i = 0; i < self->count && length < 0; i++) {
        if (strcmp(self->resources[i].name, name) == 0) {
            self->resources[i].hits++;
            length = self->resources[i].length;
        }
    }
    pthread_mutex_unlock(&self->lock);
    return length;
}

int store_shrink(void) {
    int unloaded = 0;
    for (int i = 0; i < store_number; i++) {
        pthread_mutex_lock(&stores[i].lock);
        if (stores[i].loaded && stores[i].users == 0) {
            store_unload(&stores[i]);
            unloaded++;
        }
        pthread_mutex_unlock(&stores[i].lock);
    }
    return unloaded;
}

int store_count_loaded(void) {
    int loaded = 0;
    for (int i = 0; i < store_number; i++) {
        pthread_mutex_lock(&stores[i].lock);
        loaded += stores[i].loaded;
        pthread_mutex_unlock(&stores[i].lock);
    }
    return loaded;
}

long store_loaded(void) { return loaded_stores; }
