/* names_fixture.c - variables of every shape and functions in every position.
 *
 * Built as a library by test_names, with each compiler and DWARF version, and
 * asked where its things are. */
#include "names_fixture.h"

#include <pthread.h>
#include <stdlib.h>

struct slot {
    int used;
    char key[12];
    struct slot *next;
};
typedef struct slot slot_t;

struct {
    pthread_mutex_t guard;
    int count;
    slot_t slots[8];
    union {
        long number;
        char bytes[8];
        struct {
            short low, high;
        } halves;
    } any;
    struct {
        int hidden;
    };
    unsigned one : 3, two : 5;
    unsigned alone : 8;
    volatile int last;
} table;

int plain;
static long private_one = 1;
int matrix[3][4];
slot_t *pointer;
const char *words[] = {"a", "b"};
double numbers[100];
int flexible_open[];
int flexible_open[5] = {1};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int *counter(void) {
    static int calls;
    calls++;
    return &calls;
}

const struct data_probe *data_probes(size_t *count) {
    static struct data_probe probes[32];
    size_t n = 0;
#define PROBE(expression, wanted) \
    probes[n++] = (struct data_probe){(const volatile void *)&(expression), sizeof(expression), wanted}
#define BYTES(start, bytes, wanted) \
    probes[n++] = (struct data_probe){(const volatile char *)&table + (start), bytes, wanted}
    PROBE(plain, "plain");
    PROBE(private_one, "private_one");
    PROBE(table.count, "table.count");
    PROBE(table.slots[3].used, "table.slots[3].used");
    PROBE(table.slots[7].key[11], "table.slots[7].key[11]");
    PROBE(table.slots[0].next, "table.slots[0].next");
    PROBE(table.slots[2], "table.slots[2]");
    PROBE(table.any.number, "table.any.number");
    PROBE(table.any.bytes[5], "table.any.bytes[5]");
    PROBE(table.any.halves.high, "table.any.halves.high");
    PROBE(table.hidden, "table.hidden");
    PROBE(table.last, "table.last");
    PROBE(table.guard, "table.guard");
    PROBE(table, "table");
    PROBE(lock, "lock");
    PROBE(matrix[2][1], "matrix[2][1]");
    PROBE(matrix[1], "matrix[1]");
    PROBE(pointer, "pointer");
    PROBE(words[1], "words[1]");
    PROBE(numbers[99], "numbers[99]");
    PROBE(flexible_open[4], "flexible_open[4]");
    probes[n++] = (struct data_probe){counter(), sizeof(int), "counter.calls"};
    probes[n++] = (struct data_probe){&numbers[2], 3 * sizeof(double), "numbers[2..4]"};
    probes[n++] = (struct data_probe){(char *)&plain + 2, 1, "plain+2"};
    BYTES(offsetof(__typeof__(table), hidden) + 4, 1, "table.{one,two}");
    BYTES(offsetof(__typeof__(table), hidden) + 5, 1, "table.alone");
    BYTES(offsetof(__typeof__(table), slots[1]), 8, "table.slots[1].used..key");
    BYTES(4, 4, "table.guard+4");
    *count = n;
    return probes;
}

static __attribute__((noinline)) const void *where(void) {
    return __builtin_extract_return_addr(__builtin_return_address(0));
}

static struct code_probe codes[8];
static size_t code_count;

#define HERE(function_name, outer_name, is_internal)                                       \
    do {                                                                                   \
        const void *after = where();                                                       \
        codes[code_count++] =                                                              \
            (struct code_probe){after, __LINE__, function_name, outer_name, is_internal};  \
    } while (0)

static inline __attribute__((always_inline)) void innermost(void) {
    HERE("innermost", "outermost", 0);
}

static inline __attribute__((always_inline)) void middle(void) {
    innermost();
    HERE("middle", "outermost", 0);
}

__attribute__((noinline)) void outermost(void) {
    HERE("outermost", "outermost", 0);
    middle();
    HERE("outermost", "outermost", 0);
}

static __attribute__((noinline)) void hidden_one(void) { HERE("hidden_one", "hidden_one", 1); }

const struct code_probe *code_probes(size_t *count) {
    code_count = 0;
    outermost();
    hidden_one();
    *count = code_count;
    return codes;
}

/* What does an allocation hold? */
const void *alloc_after[3];

__attribute__((noinline)) void *take(size_t size) {
    alloc_after[0] = __builtin_extract_return_addr(__builtin_return_address(0));
    return malloc(size);
}

slot_t *allocate_one(void) {
    slot_t *made = take(sizeof *made);
    made->used = 0;
    return made;
}

void *allocate_buffer(size_t size) {
    void *made = take(size);
    return made;
}
