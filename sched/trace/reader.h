/* reader.h - the inside of an open trace.
 *
 * Whatever form a trace came in, this is what it is read from: a binary file,
 * the user's own or an unnamed spool. */
#ifndef HD_READER_H
#define HD_READER_H

#include "decode.h"
#include "tables.h"

#define HD_RUN_EVENTS 4096 /* handed out at once: 64 kB stay in the cache */

struct hd_trace {
    char *path; /* as the user named it */
    int fd;
    uint64_t size; /* of the file, as far as it is read */
    bool partial;  /* a file that was cut short is wanted */
    uint64_t events;
    struct hd_tables tables;
    struct hd_limit limits[256];

    /* where hd_trace_next is */
    uint64_t next_chunk; /* offset of the next chunk's header */
    uint64_t at, end;    /* offsets of the next token of this chunk, and of its end */
    uint64_t left;       /* events left in it */
    bool begun;          /* the decoder has seen events */
    struct hd_decoder decoder;
    struct hd_event run[HD_RUN_EVENTS]; /* what is handed out */
    unsigned char *window;
    uint64_t window_from;
    size_t window_bytes;
};

enum hd_open {
    HD_OPEN_WHOLE,
    HD_OPEN_PARTIAL, /* as far as it is whole */
    HD_OPEN_TABLES,  /* for its tables and length: nobody will ask for granules */
};

/* Reads the file behind `fd` (taken over) as a binary trace. */
struct hd_trace *hd_trace_open_fd(int fd, const char *path, enum hd_open how,
                                  struct hd_error *err);

/* An unnamed file for what is too large for memory, or -1. */
int hd_spool(struct hd_error *err);

/* Turn text into a binary trace written to `out` (taken over). `in` stays the
 * caller's. */
int hd_text_read(int in, const char *path, int out, struct hd_error *err);
int hd_std_read(int in, const char *path, int out, struct hd_error *err);

#endif
