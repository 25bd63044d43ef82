/* table.h - a table of objects that live as long as somebody holds them.
 *
 * An object is found by its key. Whoever acquires it holds a reference and gives
 * it back by releasing; with the last reference the object leaves the table and
 * is freed.
 *
 * References are counted under the table's lock, both ways. That is what makes
 * (2) true; an atomic count without the lock would not be enough:
 *   (1) an object is in the table exactly as long as it has references;
 *   (2) acquire never returns an object that somebody is about to free. */
#ifndef TABLE_H
#define TABLE_H

#include <stdbool.h>
#include <stddef.h>

struct table;

struct object {
    int key;
    int value;
    unsigned stamp; /* OBJECT_LIVE until it is freed */
    /* The rest is the table's. */
    unsigned references;
    struct table *table;
    struct object *next;
};

enum { OBJECT_LIVE = 0x600d, OBJECT_DEAD = 0xdead };

/* NULL: no memory. */
struct table *table_make(void);
/* False, and nothing is freed: objects are still held. */
bool table_free(struct table *t);

/* The object of that key with a reference for the caller. create makes it when
 * there is none; `made` (may be NULL) tells which it was. NULL: no memory. */
struct object *table_create(struct table *t, int key, int value, bool *made);
/* NULL: there is no such object. */
struct object *table_acquire(struct table *t, int key);
void object_hold(struct object *o);
void object_release(struct object *o);

/* How many objects there are; calls visit for each, under the lock. */
size_t table_each(struct table *t, void visit(struct object *o, void *context), void *context);

#endif
