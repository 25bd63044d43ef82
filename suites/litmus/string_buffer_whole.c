/* string_buffer_whole.c - appending a buffer that cannot shrink meanwhile.
 *
 * append holds the other buffer's lock, too, from asking the length to copying
 * the text. Locks are always taken in the order target, other.
 *
 * label: clean
 * expect: clean
 * twin: string_buffer_append.c */
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

void append(struct buffer *self, struct buffer *from) {
    pthread_mutex_lock(&self->lock);
    pthread_mutex_lock(&from->lock);
    int length = from->length;
    assert(length <= from->length);
    memcpy(self->text + self->length, from->text, (size_t)length);
    self->length += length;
    pthread_mutex_unlock(&from->lock);
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
