/* hashtable.c - java.util.Hashtable, every pair of its methods.
 *
 * After Hashtable of Wang and Stoller: chains in buckets, every method holds its lock.
 * put_all walks the other table key by key, equals asks it for its size and then key by
 * key; both see tables that never were, if the other one changes meanwhile. What equals
 * answers then some serial order answers, too, what put_all answers none does. An
 * iterator reads the counter of changes without the lock and gives up if it moved.
 *
 * label: harmful
 * expect: atomicity hashtable_put_all confirmed harmful
 * expect: atomicity hashtable_equals confirmed benign
 * expect: race mod_count confirmed harmful
 * budget: 2000
 * native: varies
 * tsan: race hashtable_put_all|next_key */
#include "collection.h"

enum { NOT_THERE = -1, CHANGED_MEANWHILE = -2, MOST_BUCKETS = 32 };

struct entry {
    int key, value;
    struct entry *next;
};

struct hashtable {
    pthread_mutex_t lock;
    struct entry *buckets[MOST_BUCKETS];
    int bucket_count, count;
    int mod_count; /* changes so far: iterators compare it, without the lock */
};

int hashtable_put(struct hashtable *self, int key, int value);

static void *hashtable_make(int which) {
    struct hashtable *self = calloc(1, sizeof *self);
    if (!self) abort();
    monitor_init(&self->lock);
    self->bucket_count = 2;
    hashtable_put(self, 1 + which, 10);
    hashtable_put(self, 2 + which, 20);
    return self;
}

static void drop(struct hashtable *self) {
    for (int b = 0; b < self->bucket_count; b++) {
        while (self->buckets[b]) {
            struct entry *first = self->buckets[b];
            self->buckets[b] = first->next;
            free(first);
        }
    }
    self->count = 0;
}

static void hashtable_release(void *self) {
    struct hashtable *t = self;
    drop(t);
    pthread_mutex_destroy(&t->lock);
    free(t);
}

static int bucket_of(const struct hashtable *self, int key) { return key * 7 % self->bucket_count; }

/* The lock is held. */
static struct entry *find(struct hashtable *self, int key) {
    struct entry *e = self->buckets[bucket_of(self, key)];
    while (e && e->key != key) e = e->next;
    return e;
}

/* By key, whatever the buckets. */
static void hashtable_print(void *self) {
    printf(" {");
    for (int key = 0; key < 16; key++) {
        struct entry *e = find(self, key);
        if (e) printf(" %d=%d", key, e->value);
    }
    printf(" }");
}

int hashtable_size(struct hashtable *self) {
    pthread_mutex_lock(&self->lock);
    int count = self->count;
    pthread_mutex_unlock(&self->lock);
    return count;
}

int hashtable_get(struct hashtable *self, int key) {
    pthread_mutex_lock(&self->lock);
    struct entry *e = find(self, key);
    int value = e ? e->value : NOT_THERE;
    pthread_mutex_unlock(&self->lock);
    return value;
}

bool hashtable_contains_value(struct hashtable *self, int value) {
    bool found = false;
    pthread_mutex_lock(&self->lock);
    for (int b = 0; b < self->bucket_count; b++) {
        for (struct entry *e = self->buckets[b]; e; e = e->next) found = found || e->value == value;
    }
    pthread_mutex_unlock(&self->lock);
    return found;
}

/* Twice the buckets. */
void hashtable_rehash(struct hashtable *self) {
    pthread_mutex_lock(&self->lock);
    self->mod_count++;
    struct entry *all = NULL;
    for (int b = 0; b < self->bucket_count; b++) {
        while (self->buckets[b]) {
            struct entry *e = self->buckets[b];
            self->buckets[b] = e->next;
            e->next = all;
            all = e;
        }
    }
    if (self->bucket_count < MOST_BUCKETS) self->bucket_count *= 2;
    while (all) {
        struct entry *e = all;
        all = e->next;
        int b = bucket_of(self, e->key);
        e->next = self->buckets[b];
        self->buckets[b] = e;
    }
    pthread_mutex_unlock(&self->lock);
}

/* The old value, or NOT_THERE. */
int hashtable_put(struct hashtable *self, int key, int value) {
    int old = NOT_THERE;
    pthread_mutex_lock(&self->lock);
    struct entry *e = find(self, key);
    if (e) {
        old = e->value;
        e->value = value;
    } else {
        self->mod_count++;
        if (self->count >= 2 * self->bucket_count) hashtable_rehash(self);
        e = malloc(sizeof *e);
        if (!e) abort();
        int b = bucket_of(self, key);
        *e = (struct entry){key, value, self->buckets[b]};
        self->buckets[b] = e;
        self->count++;
    }
    pthread_mutex_unlock(&self->lock);
    return old;
}

int hashtable_remove(struct hashtable *self, int key) {
    int old = NOT_THERE;
    pthread_mutex_lock(&self->lock);
    for (struct entry **at = &self->buckets[bucket_of(self, key)]; *at; at = &(*at)->next) {
        if ((*at)->key != key) continue;
        struct entry *e = *at;
        self->mod_count++;
        *at = e->next;
        old = e->value;
        free(e);
        self->count--;
        break;
    }
    pthread_mutex_unlock(&self->lock);
    return old;
}

void hashtable_clear(struct hashtable *self) {
    pthread_mutex_lock(&self->lock);
    self->mod_count++;
    drop(self);
    pthread_mutex_unlock(&self->lock);
}

/* An iterator: the key after `key`, smallest first; NOT_THERE: the end. */
static int next_key(struct hashtable *self, int key, int mod_count) {
    if (mod_count != self->mod_count) return CHANGED_MEANWHILE;
    int next = NOT_THERE;
    pthread_mutex_lock(&self->lock);
    for (int b = 0; b < self->bucket_count; b++) {
        for (struct entry *e = self->buckets[b]; e; e = e->next) {
            if (e->key > key && (next == NOT_THERE || e->key < next)) next = e->key;
        }
    }
    pthread_mutex_unlock(&self->lock);
    return next;
}

int hashtable_put_all(struct hashtable *self, struct hashtable *from) {
    pthread_mutex_lock(&self->lock);
    int key = -1, mod_count = from->mod_count;
    while ((key = next_key(from, key, mod_count)) >= 0) {
        int value = hashtable_get(from, key);
        hashtable_put(self, key, value);
    }
    pthread_mutex_unlock(&self->lock);
    return key;
}

int hashtable_equals(struct hashtable *self, struct hashtable *to) {
    pthread_mutex_lock(&self->lock);
    int equal = hashtable_size(to) == self->count;
    for (int key = -1, mod_count = self->mod_count; equal;) {
        key = next_key(self, key, mod_count);
        if (key < 0) break;
        equal = hashtable_get(to, key) == hashtable_get(self, key);
    }
    pthread_mutex_unlock(&self->lock);
    return equal;
}

long hashtable_hash(struct hashtable *self) {
    long hash = 0;
    pthread_mutex_lock(&self->lock);
    for (int b = 0; b < self->bucket_count; b++) {
        for (struct entry *e = self->buckets[b]; e; e = e->next) hash += e->key ^ e->value;
    }
    pthread_mutex_unlock(&self->lock);
    return hash;
}

#define CALL(name, expression)                                                           \
    static long call_##name(void *self, void *other) {                                   \
        struct hashtable *t = self, *o = other;                                          \
        (void)o;                                                                         \
        return (expression);                                                             \
    }
CALL(put_all, hashtable_put_all(t, o))
CALL(equals, hashtable_equals(t, o))
CALL(size, hashtable_size(t))
CALL(is_empty, hashtable_size(t) == 0)
CALL(get, hashtable_get(t, 2))
CALL(contains_value, hashtable_contains_value(t, 20))
CALL(put, hashtable_put(t, 5, 50))
CALL(replace, hashtable_put(t, 2, 50))
CALL(remove, hashtable_remove(t, 2))
CALL(clear, (hashtable_clear(t), 0))
CALL(rehash, (hashtable_rehash(t), 0))
CALL(hash, hashtable_hash(t))

static const struct method methods[] = {
    {"put_all", true, call_put_all},
    {"equals", true, call_equals},
    {"size", false, call_size},
    {"is_empty", false, call_is_empty},
    {"get", false, call_get},
    {"contains_value", false, call_contains_value},
    {"put", false, call_put},
    {"replace", false, call_replace},
    {"remove", false, call_remove},
    {"clear", false, call_clear},
    {"rehash", false, call_rehash},
    {"hash", false, call_hash},
};

int main(int argc, char **argv) {
    static const struct class hashtable = {hashtable_make, hashtable_release, hashtable_print,
                                           methods, (int)(sizeof methods / sizeof *methods)};
    return drive(&hashtable, argc, argv);
}
