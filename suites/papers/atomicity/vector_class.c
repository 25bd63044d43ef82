/* vector_class.c - see vector_class.h.
 *
 * Every method takes the lock of its own object. Some ask another object twice: its size
 * and then its elements, or element after element. Between two questions the other
 * one may change. */
#include "vector_class.h"
#include "collection.h"

struct vector *vector_new(int capacity) {
    struct vector *self = calloc(1, sizeof *self);
    if (!self) abort();
    monitor_init(&self->lock);
    self->capacity = capacity;
    self->data = calloc((size_t)capacity + 1, sizeof *self->data);
    if (!self->data) abort();
    return self;
}

void vector_free(struct vector *self) {
    pthread_mutex_destroy(&self->lock);
    free(self->data);
    free(self);
}

/* The lock is held. */
static void grow(struct vector *self, int least) {
    if (least <= self->capacity) return;
    int capacity = 2 * self->capacity > least ? 2 * self->capacity : least;
    int *data = calloc((size_t)capacity + 1, sizeof *data);
    if (!data) abort();
    memcpy(data, self->data, (size_t)self->count * sizeof *data);
    free(self->data);
    self->data = data;
    self->capacity = capacity;
}

struct vector *vector_copy(struct vector *from) {
    int count = vector_size(from);
    struct vector *self = vector_new(count);
    self->count = count;
    vector_to_array(from, self->data, count); /* into no room: nothing is copied */
    return self;
}

int vector_size(struct vector *self) {
    pthread_mutex_lock(&self->lock);
    int count = self->count;
    pthread_mutex_unlock(&self->lock);
    return count;
}

bool vector_is_empty(struct vector *self) {
    pthread_mutex_lock(&self->lock);
    bool empty = self->count == 0;
    pthread_mutex_unlock(&self->lock);
    return empty;
}

int vector_capacity(struct vector *self) {
    pthread_mutex_lock(&self->lock);
    int capacity = self->capacity;
    pthread_mutex_unlock(&self->lock);
    return capacity;
}

void vector_ensure_capacity(struct vector *self, int least) {
    pthread_mutex_lock(&self->lock);
    self->mod_count++;
    grow(self, least);
    pthread_mutex_unlock(&self->lock);
}

void vector_trim(struct vector *self) {
    pthread_mutex_lock(&self->lock);
    self->mod_count++;
    self->capacity = self->count;
    pthread_mutex_unlock(&self->lock);
}

void vector_set_size(struct vector *self, int size) {
    pthread_mutex_lock(&self->lock);
    self->mod_count++;
    grow(self, size);
    for (int i = self->count; i < size; i++) self->data[i] = NO_ELEMENT;
    self->count = size;
    pthread_mutex_unlock(&self->lock);
}

int vector_get(struct vector *self, int at) {
    pthread_mutex_lock(&self->lock);
    int element = at < self->count ? self->data[at] : NOT_THERE;
    pthread_mutex_unlock(&self->lock);
    return element;
}

int vector_first(struct vector *self) { return vector_get(self, 0); }

int vector_last(struct vector *self) {
    pthread_mutex_lock(&self->lock);
    int element = self->count ? self->data[self->count - 1] : NOT_THERE;
    pthread_mutex_unlock(&self->lock);
    return element;
}

int vector_index_of(struct vector *self, int element) {
    pthread_mutex_lock(&self->lock);
    int at = self->count - 1;
    while (at >= 0 && self->data[at] != element) at--;
    pthread_mutex_unlock(&self->lock);
    return at;
}

bool vector_contains(struct vector *self, int element) { return vector_index_of(self, element) >= 0; }

int vector_to_array(struct vector *self, int *out, int room) {
    pthread_mutex_lock(&self->lock);
    int count = self->count;
    if (count <= room) memcpy(out, self->data, (size_t)count * sizeof *out);
    pthread_mutex_unlock(&self->lock);
    return count;
}

long vector_hash(struct vector *self) {
    long hash = 1;
    pthread_mutex_lock(&self->lock);
    for (int i = 0; i < self->count; i++) hash = 31 * hash + self->data[i];
    pthread_mutex_unlock(&self->lock);
    return hash;
}

void vector_add(struct vector *self, int element) {
    pthread_mutex_lock(&self->lock);
    self->mod_count++;
    grow(self, self->count + 1);
    self->data[self->count++] = element;
    pthread_mutex_unlock(&self->lock);
}

int vector_set(struct vector *self, int at, int element) {
    pthread_mutex_lock(&self->lock);
    int old = at < self->count ? self->data[at] : NOT_THERE;
    if (at < self->count) self->data[at] = element;
    pthread_mutex_unlock(&self->lock);
    return old;
}

void vector_insert(struct vector *self, int at, int element) {
    pthread_mutex_lock(&self->lock);
    self->mod_count++;
    grow(self, self->count + 1);
    if (at > self->count) at = self->count;
    memmove(self->data + at + 1, self->data + at, (size_t)(self->count - at) * sizeof *self->data);
    self->data[at] = element;
    self->count++;
    pthread_mutex_unlock(&self->lock);
}

int vector_remove_at(struct vector *self, int at) {
    pthread_mutex_lock(&self->lock);
    int old = NOT_THERE;
    if (at < self->count) {
        self->mod_count++;
        old = self->data[at];
        self->count--;
        memmove(self->data + at, self->data + at + 1, (size_t)(self->count - at) * sizeof *self->data);
    }
    pthread_mutex_unlock(&self->lock);
    return old;
}

bool vector_remove(struct vector *self, int element) {
    pthread_mutex_lock(&self->lock);
    int at = vector_index_of(self, element);
    if (at >= 0) vector_remove_at(self, at);
    pthread_mutex_unlock(&self->lock);
    return at >= 0;
}

void vector_clear(struct vector *self) {
    pthread_mutex_lock(&self->lock);
    self->mod_count++;
    self->count = 0;
    pthread_mutex_unlock(&self->lock);
}

/* All elements of the other in one question: as an array of their own. */
static int *elements_of(struct vector *other, int *count) {
    pthread_mutex_lock(&other->lock);
    *count = other->count;
    int *copy = malloc((size_t)other->count * sizeof *copy + 1);
    if (!copy) abort();
    memcpy(copy, other->data, (size_t)other->count * sizeof *copy);
    pthread_mutex_unlock(&other->lock);
    return copy;
}

bool vector_insert_all(struct vector *self, int at, struct vector *from) {
    pthread_mutex_lock(&self->lock);
    self->mod_count++;
    int more;
    int *elements = elements_of(from, &more);
    grow(self, self->count + more);
    if (at > self->count) at = self->count;
    memmove(self->data + at + more, self->data + at, (size_t)(self->count - at) * sizeof *self->data);
    memcpy(self->data + at, elements, (size_t)more * sizeof *self->data);
    self->count += more;
    free(elements);
    pthread_mutex_unlock(&self->lock);
    return more > 0;
}

bool vector_add_all(struct vector *self, struct vector *from) { return vector_insert_all(self, 1 << 30, from); }

/* An iterator: its questions take the lock one by one, but that for changes none. */
struct walk {
    struct vector *over;
    int at, mod_count;
};

static struct walk walk_begin(struct vector *over) { return (struct walk){over, 0, over->mod_count}; }

/* 1 and an element; 0: the end; CHANGED_MEANWHILE. */
static int walk_next(struct walk *w, int *element) {
    if (w->at == vector_size(w->over)) return 0;
    if (w->mod_count != w->over->mod_count) return CHANGED_MEANWHILE;
    *element = vector_get(w->over, w->at++);
    return 1;
}

int vector_contains_all(struct vector *self, struct vector *of) {
    pthread_mutex_lock(&self->lock);
    struct walk walk = walk_begin(of);
    int element, more, all = 1;
    while (all == 1 && (more = walk_next(&walk, &element)) != 0) {
        if (more < 0) all = more;
        else if (!vector_contains(self, element)) all = 0;
    }
    pthread_mutex_unlock(&self->lock);
    return all;
}

/* Keeps or removes, element by element, what the other contains at that moment. */
static int filter(struct vector *self, struct vector *of, bool keep) {
    int removed = 0;
    pthread_mutex_lock(&self->lock);
    for (int i = 0; i < self->count;) {
        if (vector_contains(of, self->data[i]) != keep) {
            vector_remove_at(self, i);
            removed++;
        } else {
            i++;
        }
    }
    pthread_mutex_unlock(&self->lock);
    return removed;
}

int vector_remove_all(struct vector *self, struct vector *of) { return filter(self, of, false); }
int vector_retain_all(struct vector *self, struct vector *of) { return filter(self, of, true); }

int vector_equals(struct vector *self, struct vector *to) {
    pthread_mutex_lock(&self->lock);
    struct walk walk = walk_begin(to);
    int element, more, equal = 1, at = 0;
    while (equal == 1 && (more = walk_next(&walk, &element)) != 0) {
        if (more < 0) equal = more;
        else if (at >= self->count || self->data[at++] != element) equal = 0;
    }
    if (equal == 1 && at < self->count) equal = 0;
    pthread_mutex_unlock(&self->lock);
    return equal;
}
