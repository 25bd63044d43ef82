/* string_buffer.c - a buffer appended to another while it is cut (Lourenço et al.:
 * StringBuffer).
 *
 * The example of Flanagan and Freund: append asks the other buffer for its length
 * in one transaction and for so many characters in another. Cut in between, it has
 * fewer. Published: 1 anomaly, 1 warning. (The refinement that forgives a second
 * transaction which reads both values would forgive this one.)
 *
 * anomalies: 1
 * anomaly: RwR length get_chars in append
 * label: harmful
 * expect: atomicity append confirmed harmful
 * expect: failure exit
 * native: may fail
 * tsan: clean
 * twin: string_buffer_tm.c */
#include "atomic.h"

#include <stdbool.h>
#include <string.h>

struct buffer {
    int count;
    char value[16];
};

LOCK(guard);
static struct buffer source;
static struct buffer target; /* of the appending thread */
static bool out_of_bounds;

int length(struct buffer *b) {
    ATOMIC(guard) { return b->count; }
    return 0;
}

/* Whether there were so many; what lies behind the end is copied all the same. */
bool get_chars(struct buffer *b, int end, char *to) {
    bool all = false;
    ATOMIC(guard) {
        all = end <= b->count;
        memcpy(to, b->value, (size_t)end);
    }
    return all;
}

void delete_end(struct buffer *b, int begin) {
    ATOMIC(guard) {
        memset(b->value + begin, 0, (size_t)(b->count - begin));
        b->count = begin;
    }
}

void append(struct buffer *b, struct buffer *other) {
    int more = length(other);
    if (get_chars(other, more, b->value + b->count)) {
        b->count += more;
    } else {
        out_of_bounds = true;
    }
}

static void *thread(void *number) {
    if (*(int *)number == 0) {
        append(&target, &source);
    } else {
        delete_end(&source, 1);
    }
    return NULL;
}

enum { THREADS = 2 };

static void prepare(void) {
    strcpy(source.value, "abc");
    source.count = 3;
    target.count = 0;
    out_of_bounds = false;
}

static const char *wrong(void) { return out_of_bounds ? "out of bounds" : NULL; }

#include "rounds.h"
