/* primitive.h - a synchronisation object of the program: mutex, condition, ...
 *
 * The program's memory (a pthread_mutex_t, a sem_t) holds nothing of ours but a
 * number in four of its bytes, the tag; what the object is and who waits for it
 * is here, in memory of this execution. A tag that is not the number of a
 * primitive at that very address (zero from a static initialiser, bytes of a
 * stack frame, a copy of a mutex) means: not met yet. Finding one is an index,
 * not a search. */
#ifndef HD_PRIMITIVE_H
#define HD_PRIMITIVE_H

#include "heap.h"
#include "place.h"
#include "sched.h"

#include "trace/trace.h" /* enum hd_sync_kind */

struct hd_primitive {
    struct hd_place place; /* key: address of the tag */
    uint32_t *tag;
    uint8_t kind; /* enum hd_sync_kind */
    uint8_t type; /* mutex: PTHREAD_MUTEX_...; otherwise the owner file's */
    uint8_t flags;
    bool destroyed; /* using it from now on is misuse: told when the use takes place */
    uint32_t owner;   /* thread id + 1 of a writer or holder; 0: nobody */
    uint32_t count;   /* recursion, readers, permits, arrivals */
    uint32_t initial; /* barrier: participants; semaphore: first count */
    uint32_t episode;
    uint32_t waiting; /* read-write lock: writers who are to go before readers */
    void *where;      /* pc of the acquisition that holds it */
    void *more;       /* owner file's own, in passing memory */
    const struct hd_block *block; /* of the heap, that it lies in; NULL: elsewhere */
};

/* One who holds a read-write lock for reading, now or before; primitive->more of
 * such a lock is the first of them. */
struct hd_reader {
    uint32_t thread; /* id + 1 */
    uint32_t count;  /* how often; 0: not any more */
    void *where;     /* pc of the first of these acquisitions */
    struct hd_reader *next;
};

/* The primitive at this tag; made anew when there is none. One of another kind
 * is misuse: ends the execution with a message. */
struct hd_primitive *hd_primitive_get(void *tag, enum hd_sync_kind kind, void *pc);
/* The one with this number, if it is at this tag; NULL: it is not. */
struct hd_primitive *hd_primitive_numbered(uint32_t number, const void *tag);
/* Start again from nothing, as an init function does. */
struct hd_primitive *hd_primitive_new(void *tag, enum hd_sync_kind kind);
void hd_primitive_destroy(struct hd_primitive *primitive);
/* These bytes are about to be freed: a mutex in them that somebody holds is misuse. */
void hd_primitives_freed(uintptr_t address, size_t size, void *pc);

/* The primitive whose place this is, or NULL (a thread's end, a variable). */
struct hd_primitive *hd_primitive_of(const struct hd_place *place);

/* pthread/cond.c: the condition this thread waits on without having been
 * signaled, or NULL (it may stand before the mutex of one). */
const struct hd_primitive *hd_waited_condition(const struct hd_thread *thread);

/* A word for messages: "mutex", "condition variable", ... */
const char *hd_primitive_word(const struct hd_primitive *primitive);

#endif
