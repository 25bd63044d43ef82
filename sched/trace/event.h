/* event.h - one thing that one thread did.
 *
 * An event holds ids, never addresses: a trace must mean the same in a process
 * that never ran the program. The tables that give ids their meaning are in
 * trace.h. An event's place in the trace (its sequence number, from 0) is its
 * identity; witnesses are lists of such numbers. */
#ifndef HD_EVENT_H
#define HD_EVENT_H

#include <stdbool.h>
#include <stdint.h>

enum hd_kind {
#define HD_EVENT(tail, word, obj, aux) HD_##tail,
#include "event.def"
#undef HD_EVENT
    HD_KIND_COUNT
};

/* What an operand of an event names. */
enum hd_operand {
    HD_OPERAND_NOTHING,
    HD_OPERAND_VARIABLE,
    HD_OPERAND_SYNC,     /* lock, condition, barrier, semaphore, once, stream */
    HD_OPERAND_THREAD,
    HD_OPERAND_OBJECT,   /* an allocation */
    HD_OPERAND_LABEL,    /* a function or the name of a region */
    HD_OPERAND_REGISTER,
    HD_OPERAND_ORDER,    /* enum hd_order */
    HD_OPERAND_NUMBER,
};

/* Memory orders, numbered as the compilers' __ATOMIC_ constants are. */
enum hd_order {
    HD_RELAXED,
    HD_CONSUME,
    HD_ACQUIRE_ORDER,
    HD_RELEASE_ORDER,
    HD_ACQ_REL,
    HD_SEQ_CST,
    HD_VOLATILE, /* a volatile access: stays visible, orders nothing */
    HD_ORDER_COUNT
};

enum hd_event_flag {
    HD_FLAG_READ = 1,          /* acquire, release: shared mode of a reader-writer lock */
    HD_FLAG_TRY = 2,           /* acquire: could not have blocked */
    HD_FLAG_DETERMINISTIC = 4, /* begin: a deterministic region, not an atomic one */
    HD_FLAG_FAILED = 8,        /* vrd: a compare-exchange that failed */
    HD_FLAG_ENTRY = 16,        /* enter: the first function of a thread, or main */
    HD_FLAG_MORE = 32,         /* rd, wr: the thread's next event belongs to the same operation */
    HD_FLAG_PART = 64,         /* rd, wr: so does the one before */
    HD_FLAG_FREES = 128,       /* wr: by what frees the memory */
    HD_FLAG_COUNT = 8          /* how many bits there are; others must be 0 */
};

#define HD_NO_ID UINT32_MAX /* an operand or a site that is not there */

/* An operand that the kind does not have is HD_NO_ID; a reader takes 0 as well.
 * begin and txb may lack their label, rd and wr their register (HD_NO_ID); all
 * other operands must be there. */
struct hd_event {
    uint32_t obj;
    uint32_t aux;
    uint32_t site; /* HD_NO_ID: unknown */
    uint16_t thread;
    uint8_t kind;  /* enum hd_kind */
    uint8_t flags; /* enum hd_event_flag */
};

_Static_assert(sizeof(struct hd_event) == 16, "events are written to disk as they are");

const char *hd_kind_word(enum hd_kind kind);
enum hd_operand hd_kind_obj(enum hd_kind kind);
enum hd_operand hd_kind_aux(enum hd_kind kind);
int hd_kind_find(const char *word, uint32_t length); /* HD_KIND_COUNT: no such word */
bool hd_kind_obj_optional(enum hd_kind kind); /* may be HD_NO_ID */
bool hd_kind_aux_optional(enum hd_kind kind);
const char *hd_order_word(enum hd_order order);
int hd_order_find(const char *word, uint32_t length); /* HD_ORDER_COUNT: none */
const char *hd_flag_word(unsigned bit);               /* by place of the bit */
int hd_flag_find(const char *word, uint32_t length);  /* HD_FLAG_COUNT: none */

static inline int hd_kind_is_access(unsigned kind) { return kind >= HD_READ && kind <= HD_VRMW; }
static inline int hd_kind_is_plain(unsigned kind) { return kind == HD_READ || kind == HD_WRITE; }
/* Says how the trace ends; nothing that was done. */
static inline int hd_kind_is_end(unsigned kind) { return kind == HD_STANDS || kind == HD_AWAITS; }
static inline int hd_kind_writes(unsigned kind) {
    return kind == HD_WRITE || kind == HD_VWRITE || kind == HD_VRMW;
}
static inline int hd_kind_reads(unsigned kind) {
    return kind == HD_READ || kind == HD_VREAD || kind == HD_VRMW;
}

#endif
