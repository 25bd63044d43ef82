/* string_buffer.c - java.lang.StringBuffer, every pair of its methods.
 *
 * After StringBuffer of Wang and Stoller: every method holds its lock. append of
 * another buffer asks it for its length and then for its text; if the other one is cut
 * in between, it is asked for text that it does not have, and refuses. (In Java that
 * is an exception, which the paper counts as benign; a user who gets one where no
 * serial order gives one may see it differently, and so does heddle.)
 *
 * label: harmful
 * expect: atomicity string_buffer_append confirmed harmful
 * budget: 2000
 * native: varies
 * tsan: clean */
#include "collection.h"

struct string_buffer {
    pthread_mutex_t lock;
    char *text;
    int capacity, count;
};

enum { NOT_THERE = -1 };

static void *string_buffer_make(int which) {
    struct string_buffer *self = calloc(1, sizeof *self);
    if (!self) abort();
    monitor_init(&self->lock);
    self->capacity = 4;
    self->text = calloc(1, (size_t)self->capacity + 1);
    if (!self->text) abort();
    self->count = 2;
    memcpy(self->text, which ? "cd" : "ab", 2);
    return self;
}

static void string_buffer_release(void *self) {
    struct string_buffer *b = self;
    pthread_mutex_destroy(&b->lock);
    free(b->text);
    free(b);
}

static void string_buffer_print(void *self) {
    struct string_buffer *b = self;
    printf(" \"%.*s\"", b->count, b->text);
}

/* The lock is held. */
static void grow(struct string_buffer *self, int least) {
    if (least <= self->capacity) return;
    int capacity = 2 * self->capacity > least ? 2 * self->capacity : least;
    char *text = calloc(1, (size_t)capacity + 1);
    if (!text) abort();
    memcpy(text, self->text, (size_t)self->count);
    free(self->text);
    self->text = text;
    self->capacity = capacity;
}

int string_buffer_length(struct string_buffer *self) {
    pthread_mutex_lock(&self->lock);
    int count = self->count;
    pthread_mutex_unlock(&self->lock);
    return count;
}

int string_buffer_capacity(struct string_buffer *self) {
    pthread_mutex_lock(&self->lock);
    int capacity = self->capacity;
    pthread_mutex_unlock(&self->lock);
    return capacity;
}

/* False: there is no such text. */
bool string_buffer_get_chars(struct string_buffer *self, int from, int to, char *out) {
    pthread_mutex_lock(&self->lock);
    bool there = from <= to && to <= self->count;
    if (there) memcpy(out, self->text + from, (size_t)(to - from));
    pthread_mutex_unlock(&self->lock);
    return there;
}

/* Its new length, or NOT_THERE if the other one shrank meanwhile. */
int string_buffer_append(struct string_buffer *self, struct string_buffer *other) {
    pthread_mutex_lock(&self->lock);
    int more = string_buffer_length(other);
    grow(self, self->count + more);
    bool there = string_buffer_get_chars(other, 0, more, self->text + self->count);
    if (there) self->count += more;
    int result = there ? self->count : NOT_THERE;
    pthread_mutex_unlock(&self->lock);
    return result;
}

int string_buffer_char_at(struct string_buffer *self, int at) {
    pthread_mutex_lock(&self->lock);
    int c = at < self->count ? self->text[at] : NOT_THERE;
    pthread_mutex_unlock(&self->lock);
    return c;
}

void string_buffer_set_char_at(struct string_buffer *self, int at, char c) {
    pthread_mutex_lock(&self->lock);
    if (at < self->count) self->text[at] = c;
    pthread_mutex_unlock(&self->lock);
}

void string_buffer_append_char(struct string_buffer *self, char c) {
    pthread_mutex_lock(&self->lock);
    grow(self, self->count + 1);
    self->text[self->count++] = c;
    pthread_mutex_unlock(&self->lock);
}

void string_buffer_insert(struct string_buffer *self, int at, char c) {
    pthread_mutex_lock(&self->lock);
    grow(self, self->count + 1);
    if (at > self->count) at = self->count;
    memmove(self->text + at + 1, self->text + at, (size_t)(self->count - at));
    self->text[at] = c;
    self->count++;
    pthread_mutex_unlock(&self->lock);
}

void string_buffer_delete(struct string_buffer *self, int from, int to) {
    pthread_mutex_lock(&self->lock);
    if (to > self->count) to = self->count;
    if (from < to) {
        memmove(self->text + from, self->text + to, (size_t)(self->count - to));
        self->count -= to - from;
    }
    pthread_mutex_unlock(&self->lock);
}

void string_buffer_set_length(struct string_buffer *self, int length) {
    pthread_mutex_lock(&self->lock);
    grow(self, length);
    if (length > self->count) memset(self->text + self->count, ' ', (size_t)(length - self->count));
    self->count = length;
    pthread_mutex_unlock(&self->lock);
}

void string_buffer_reverse(struct string_buffer *self) {
    pthread_mutex_lock(&self->lock);
    for (int i = 0, j = self->count - 1; i < j; i++, j--) {
        char c = self->text[i];
        self->text[i] = self->text[j];
        self->text[j] = c;
    }
    pthread_mutex_unlock(&self->lock);
}

int string_buffer_index_of(struct string_buffer *self, char c) {
    pthread_mutex_lock(&self->lock);
    int at = 0;
    while (at < self->count && self->text[at] != c) at++;
    if (at == self->count) at = NOT_THERE;
    pthread_mutex_unlock(&self->lock);
    return at;
}

void string_buffer_ensure_capacity(struct string_buffer *self, int least) {
    pthread_mutex_lock(&self->lock);
    grow(self, least);
    pthread_mutex_unlock(&self->lock);
}

#define CALL(name, expression)                                                           \
    static long call_##name(void *self, void *other) {                                   \
        struct string_buffer *b = self, *o = other;                                      \
        (void)o;                                                                         \
        return (expression);                                                             \
    }
CALL(append, string_buffer_append(b, o))
CALL(length, string_buffer_length(b))
CALL(capacity, string_buffer_capacity(b))
CALL(char_at, string_buffer_char_at(b, 1))
CALL(set_char_at, (string_buffer_set_char_at(b, 0, 'x'), 0))
CALL(append_char, (string_buffer_append_char(b, 'x'), 0))
CALL(insert, (string_buffer_insert(b, 1, 'x'), 0))
CALL(delete, (string_buffer_delete(b, 0, 1), 0))
CALL(set_length, (string_buffer_set_length(b, 1), 0))
CALL(reverse, (string_buffer_reverse(b), 0))
CALL(index_of, string_buffer_index_of(b, 'b'))
CALL(ensure_capacity, (string_buffer_ensure_capacity(b, 9), 0))

static const struct method methods[] = {
    {"append", true, call_append},
    {"length", false, call_length},
    {"capacity", false, call_capacity},
    {"char_at", false, call_char_at},
    {"set_char_at", false, call_set_char_at},
    {"append_char", false, call_append_char},
    {"insert", false, call_insert},
    {"delete", false, call_delete},
    {"set_length", false, call_set_length},
    {"reverse", false, call_reverse},
    {"index_of", false, call_index_of},
    {"ensure_capacity", false, call_ensure_capacity},
};

int main(int argc, char **argv) {
    static const struct class string_buffer = {string_buffer_make, string_buffer_release,
                                               string_buffer_print, methods,
                                               (int)(sizeof methods / sizeof *methods)};
    return drive(&string_buffer, argc, argv);
}
