/* string_buffer_append.c - appending a buffer that shrinks meanwhile.
 *
 * append holds its own lock, but asks the other buffer for its length and then
 * for its text in two calls. If the other one is cut to nothing in between, the
 * length is stale and get_chars is asked for text that is not there. Serially
 * the length always fits.
 *
 * label: harmful
 * expect: atomicity append confirmed harmful
 * expect: failure assertion
 * twin: string_buffer_whole.c */
#include <assert.h>
#include <pthread.h>
#include <string.h>

struct buffer {
    pthread_mutex_t lock;
    int length;
    char text[16];
};

static struct buffer target = {PTHREAD_MUTEX_INITIALIZER, 2, "ab"};
static struct buffer other = {PTHREAD_MUTEX_INITIALIZER, 3, "cde"};

int length_of(struct buffer *b) {
    pthread_mutex_lock(&b->lock);
    int length = b->length;
    pthread_mutex_unlock(&b->lock);
    return length;
}

void get_chars(struct buffer *b, int length, char *out) {
    pthread_mutex_lock(&b->lock);
    assert(length <= b->length);
    memcpy(out, b->text, (size_t)length);
    pthread_mutex_unlock(&b->lock);
}

void append(struct buffer *self, struct buffer *from) {
    pthread_mutex_lock(&self->lock);
    int length = length_of(from);
    get_chars(from, length, self->text + self->length);
    self->length += length;
    pthread_mutex_unlock(&self->lock);
}

void cut(struct buffer *b) {
    pthread_mutex_lock(&b->lock);
    b->length = 0;
    pthread_mutex_unlock(&b->lock);
}

static void *appender(void *arg) {
    (void)arg;
    append(&target, &other);
    return NULL;
}

static void *cutter(void *arg) {
    (void)arg;
    cut(&other);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, appender, NULL);
    pthread_create(&t2, NULL, cutter, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
