#!/bin/sh
# test_names_heap.sh - what was allocated goes by its type, where one can be told.
PATH=$BUILD/bin:$PATH
unset HEDDLE_OPTIONS
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
is() { if [ "$2" = "$3" ]; then echo "ok $1"; else echo "not ok $1: $2, not $3"; fi; }
cat > heap.c <<'C'
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
struct item {
    long key;
    struct item *next;
};
struct slot {
    int a, b, c;
};
struct queue {
    pthread_mutex_t lock;
    struct item *head;
    struct slot *slots;
    int n;
};
struct open {
    int n;
    long each[];
};
struct settings {
    int verbose, level;
    double x, y;
};
struct two { /* as large as an item */
    double x, y;
};
static struct settings *shared;
static struct item *table[4];
static void *xmalloc(size_t n) {
    void *p = malloc(n);
    if (!p) abort();
    return p;
}
static struct queue *queue_new(void) {
    struct queue *q;
    q = malloc(sizeof *q);
    memset(q, 0, sizeof *q);
    q->slots = calloc(5, sizeof *q->slots);
    return q;
}
static struct item *item_new(long key) {
    struct item *i = xmalloc(sizeof(struct item));
    i->key = key;
    i->next = NULL;
    return i;
}
static void push(struct item *at) {
    at->next = malloc(sizeof *at->next);
    at->next->key = 1;
}
static void into(struct item **at) { *at = calloc(1, sizeof **at); }
static long *either(struct item *item, struct two *two) {
    long *words = (long *)two;
    words = malloc(item ? sizeof *item : sizeof *two);
    words[1] = 0;
    return words;
}
static void *work(void *v) {
    void **all = v;
    struct queue *q = all[0];
    q->n++;
    q->slots[2].b++;
    struct item *i = all[1];
    i->key++;
    i->next->key++;
    ((struct item *)all[2])->key++;
    ((struct open *)all[3])->each[4]++;
    ((struct open *)all[3])->n++;
    shared->level++;
    ((struct settings *)all[4])[3].x++;
    ((int *)all[5])[3]++;
    table[1]->key++;
    ((long *)all[6])[1]++;
    return NULL;
}
int main(void) {
    pthread_t t;
    void *all[8];
    all[0] = queue_new();
    struct item *one = item_new(1);
    push(one);
    all[1] = one;
    struct item *two;
    into(&two);
    all[2] = two;
    struct open *o = malloc(sizeof *o + 6 * sizeof(long));
    o->n = 0;
    o->each[4] = 0;
    all[3] = o;
    shared = malloc(sizeof *shared);
    shared->level = 0;
    struct settings *many = malloc(4 * sizeof(struct settings));
    many[3].x = 0;
    many = realloc(many, 5 * sizeof(struct settings));
    all[4] = many;
    int *numbers = malloc(7 * sizeof(int));
    numbers[3] = 0;
    all[5] = numbers;
    table[1] = item_new(4);
    all[6] = either(one, NULL);
    pthread_create(&t, NULL, work, all);
    work(all);
    pthread_join(t, NULL);
}
C
clang=clang; command -v clang > /dev/null || clang=
for how in gcc:-O0 gcc:-O1 gcc:-O2 ${clang:+clang:-O0}; do
    HEDDLE_CC=${how%:*} heddle-cc -g ${how#*:} heap.c -o heap || { echo "not ok $how builds"; continue; }
    heddle run -q --trace t ./heap > out 2>&1
    seen=" $(heddle trace t | sed -n 's/^0\.1 wr \([^ ]*\) .*/\1/p' | sed 's/~[0-9]*$//' | sort -u | tr '\n' ' ')"
    for name in queue#0.n slot#1[2].b item#2.key item#3.key item#4.key open#5.each[4] open#5.n \
        settings#6.level settings#8[3].x int#9[3] item#10.key; do
        case $seen in *" $name "*) echo "ok $how: $name" ;; *) echo "not ok $how: $name: $seen" ;; esac
    done
    case $seen in *" block#11+8 "*) echo "ok $how: two types that fit are none" ;; *) echo "not ok $how: two types that fit are none: $seen" ;; esac
done
