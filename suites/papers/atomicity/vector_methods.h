/* vector_methods.h - the vector's methods as the driver calls them. */
#ifndef VECTOR_METHODS_H
#define VECTOR_METHODS_H

#include "collection.h"
#include "vector_class.h"

static void *vector_make(int which) {
    struct vector *v = vector_new(2);
    vector_add(v, which ? 2 : 1); /* [1 2] and [2 1] */
    vector_add(v, which ? 1 : 2);
    return v;
}

static void vector_release(void *self) { vector_free(self); }

static void vector_print(void *self) {
    struct vector *v = self;
    printf(" [");
    for (int i = 0; i < v->count; i++) printf(i ? " %d" : "%d", v->data[i]);
    printf("]");
}

/* What a copy holds is what its maker sees. */
static long call_copy(void *self, void *other) {
    (void)self;
    struct vector *copy = vector_copy(other);
    long hash = vector_hash(copy);
    vector_free(copy);
    return hash;
}

#define CALL(name, expression)                                                           \
    static long call_##name(void *self, void *other) {                                   \
        struct vector *v = self, *o = other;                                             \
        (void)o;                                                                         \
        return (expression);                                                             \
    }
CALL(add_all, vector_add_all(v, o))
CALL(insert_all, vector_insert_all(v, 1, o))
CALL(contains_all, vector_contains_all(v, o))
CALL(remove_all, vector_remove_all(v, o))
CALL(retain_all, vector_retain_all(v, o))
CALL(equals, vector_equals(v, o))
CALL(size, vector_size(v))
CALL(is_empty, vector_is_empty(v))
CALL(capacity, vector_capacity(v))
CALL(ensure_capacity, (vector_ensure_capacity(v, 8), 0))
CALL(trim, (vector_trim(v), 0))
CALL(set_size, (vector_set_size(v, 1), 0))
CALL(get, vector_get(v, 1))
CALL(first, vector_first(v))
CALL(last, vector_last(v))
CALL(index_of, vector_index_of(v, 2))
CALL(contains, vector_contains(v, 2))
CALL(hash, vector_hash(v))
CALL(add, (vector_add(v, 7), 0))
CALL(set, vector_set(v, 1, 7))
CALL(insert, (vector_insert(v, 0, 7), 0))
CALL(remove_at, vector_remove_at(v, 0))
CALL(remove, vector_remove(v, 2))
CALL(clear, (vector_clear(v), 0))
#undef CALL

#define VECTOR_METHODS                                                                   \
    {"copy", true, call_copy}, {"add_all", true, call_add_all},                          \
        {"insert_all", true, call_insert_all}, {"contains_all", true, call_contains_all},\
        {"remove_all", true, call_remove_all}, {"retain_all", true, call_retain_all},    \
        {"equals", true, call_equals}, {"size", false, call_size},                       \
        {"is_empty", false, call_is_empty}, {"capacity", false, call_capacity},          \
        {"ensure_capacity", false, call_ensure_capacity}, {"trim", false, call_trim},    \
        {"set_size", false, call_set_size}, {"get", false, call_get},                    \
        {"first", false, call_first}, {"last", false, call_last},                        \
        {"index_of", false, call_index_of}, {"contains", false, call_contains},          \
        {"hash", false, call_hash}, {"add", false, call_add}, {"set", false, call_set},  \
        {"insert", false, call_insert}, {"remove_at", false, call_remove_at},            \
        {"remove", false, call_remove}, {"clear", false, call_clear}

#endif
