/* vector_class.h - a growing array with synchronised methods. */
#ifndef VECTOR_CLASS_H
#define VECTOR_CLASS_H

#include <pthread.h>
#include <stdbool.h>

struct vector {
    pthread_mutex_t lock;
    int *data;
    int capacity, count;
    int mod_count; /* changes so far: iterators compare it, without the lock */
};

enum { NOT_THERE = -1, CHANGED_MEANWHILE = -2, NO_ELEMENT = 0 };

struct vector *vector_new(int capacity);
struct vector *vector_copy(struct vector *from); /* as many slots as it had, then its elements */
void vector_free(struct vector *self);

int vector_size(struct vector *self);
bool vector_is_empty(struct vector *self);
int vector_capacity(struct vector *self);
void vector_ensure_capacity(struct vector *self, int least);
void vector_trim(struct vector *self);
void vector_set_size(struct vector *self, int size);

int vector_get(struct vector *self, int at);
int vector_first(struct vector *self);
int vector_last(struct vector *self);
int vector_index_of(struct vector *self, int element);
bool vector_contains(struct vector *self, int element);
int vector_to_array(struct vector *self, int *out, int room); /* how many there are */
long vector_hash(struct vector *self);

void vector_add(struct vector *self, int element);
int vector_set(struct vector *self, int at, int element);
void vector_insert(struct vector *self, int at, int element);
int vector_remove_at(struct vector *self, int at);
bool vector_remove(struct vector *self, int element);
void vector_clear(struct vector *self);

/* With another one. Those that walk it answer CHANGED_MEANWHILE if it changed. */
bool vector_add_all(struct vector *self, struct vector *from);
bool vector_insert_all(struct vector *self, int at, struct vector *from);
int vector_contains_all(struct vector *self, struct vector *of);
int vector_remove_all(struct vector *self, struct vector *of);
int vector_retain_all(struct vector *self, struct vector *of);
int vector_equals(struct vector *self, struct vector *to);

#endif
