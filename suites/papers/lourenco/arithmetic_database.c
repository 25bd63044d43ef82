/* arithmetic_database.c - expressions and their results, in two tables (Lourenço et al.:
 * Arithmetic Database).
 *
 * A result has a key and a value; an expression has the key of its result. To put
 * in an expression takes four transactions: look for the result; if it is not
 * there, ask for the largest key and put it in with the next one; put in the
 * expression. Two threads may give one key to two results. From the thesis of
 * Teixeira. Published: 1 anomaly, which spans all four, and 2 warnings, each for a
 * part of it.
 *
 * anomalies: 1
 * anomaly: RwW get_key_by_result|get_max_key get_max_key|insert_result in insert
 * label: harmful
 * expect: atomicity insert confirmed harmful
 * expect: failure exit
 * native: may fail
 * tsan: clean
 * twin: arithmetic_database_tm.c */
#include "atomic.h"

#include <stdbool.h>

enum { THREADS = 2, ROOM = 4, NONE = -1 };

LOCK(guard);
static struct {
    int count;
    int key[ROOM], value[ROOM];
} results;
static struct {
    int count;
    int left[ROOM], right[ROOM], key[ROOM]; /* left + right has the result `key` */
} expressions;

int get_key_by_result(int value) {
    ATOMIC(guard) {
        for (int i = 0; i < results.count; i++) {
            if (results.value[i] == value) {
                return results.key[i];
            }
        }
    }
    return NONE;
}

int get_max_key(void) {
    int most = 0;
    ATOMIC(guard) {
        for (int i = 0; i < results.count; i++) {
            most = results.key[i] > most ? results.key[i] : most;
        }
    }
    return most;
}

void insert_result(int key, int value) {
    ATOMIC(guard) {
        results.key[results.count] = key;
        results.value[results.count] = value;
        results.count++;
    }
}

void insert_expression(int left, int right, int key) {
    ATOMIC(guard) {
        expressions.left[expressions.count] = left;
        expressions.right[expressions.count] = right;
        expressions.key[expressions.count] = key;
        expressions.count++;
    }
}

void insert(int left, int right) {
    int key = get_key_by_result(left + right);
    if (key == NONE) {
        key = get_max_key() + 1;
        insert_result(key, left + right);
    }
    insert_expression(left, right, key);
}

static void *thread(void *number) {
    int me = *(int *)number;
    insert(me, 2 * me + 3);
    return NULL;
}

static void prepare(void) { results.count = expressions.count = 0; }

/* Keys are unique, and every expression has its result. */
static const char *wrong(void) {
    for (int i = 1; i < results.count; i++) {
        for (int j = 0; j < i; j++) {
            if (results.key[i] == results.key[j]) {
                return "a key for two results";
            }
        }
    }
    for (int i = 0; i < expressions.count; i++) {
        int sum = expressions.left[i] + expressions.right[i];
        if (get_key_by_result(sum) != expressions.key[i]) {
            return "an expression without its result";
        }
    }
    return NULL;
}

#include "rounds.h"
