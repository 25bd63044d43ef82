/* stream.h - a FILE, as threads meet at it.
 *
 * Every stdio call is one step on its stream: enter, libc's function, leave. The
 * stream is hidden state (access.h): calls are points once two threads have used
 * it unordered. Between enter and leave it belongs to the thread, as it does to
 * one that called flockfile; so libc's own lock is never found taken, also when a
 * call comes back into the program (fopencookie) and others run meanwhile.
 *
 * Standard output is one thing for printf and for write(1): same place. */
#ifndef HD_STREAM_H
#define HD_STREAM_H

#include "libc.h"

#include "../shadow.h"

#include <stdio.h>

struct hd_stream {
    FILE *file;
    uint32_t tag;
    uint32_t within;  /* real calls being made: libc's lock is taken */
    struct hd_primitive *primitive; /* owner, count: who has it, how often */
    struct hd_var *var;
    struct hd_memory_file *memory; /* of open_memstream, or NULL */
    struct hd_stream *next; /* of its bucket */
};

/* What libc stores of one is made here, and given to the program when it is flushed. */
struct hd_memory_file {
    char *at, **to;
    size_t size, *to_size;
};
void hd_memory_file_give(const struct hd_memory_file *self, void *pc); /* NULL: nothing */
void hd_memory_files_give(void *pc); /* of all streams */

/* NULL in all that follows: nothing to watch. */
struct hd_stream *hd_stream_of(FILE *file);

/* It is this thread's turn, and its stream. `write`: for more than a look. */
struct hd_stream *hd_stream_enter(FILE *file, enum hd_kind kind, bool write, void *pc);
void hd_stream_leave(struct hd_stream *stream);
/* The same after output of so many bytes; none if negative. */
void hd_stream_wrote(struct hd_stream *stream, long bytes, void *pc);
/* The FILE is gone. */
void hd_stream_forget(struct hd_stream *stream);

/* All of them, but those in the middle of a call. */
int hd_stdio_flush(void);

/* write(2) to descriptors 0, 1, 2: a step on the stream's place, nothing held. */
void hd_stream_step(FILE *file, enum hd_kind kind, void *pc);

/* Hidden state without a FILE, by key. */
void hd_hidden_step(enum hd_hidden key, bool write, void *pc);

#endif
