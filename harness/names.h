/* names.h - from addresses in a module to what the programmer calls them.
 *
 * A trace and a message of the runtime speak of (module, address). This turns
 * code into function, file and line, and data into a path like
 * `table.slots[3].used`, from DWARF by libdw; where there is none, from the
 * symbol table; where there is none either, not at all.
 *
 * Addresses are those of the ELF file (load address subtracted). A code address
 * lies inside the instruction it speaks of: a return address less one.
 *
 * Everything is read when it is first asked for and kept: types and globals are
 * flattened into tables, so that naming each of a million variables costs two
 * binary searches. What is handed out lives until hd_names_close;
 * a module that is opened again soon, and is the same file, has its tables still. */
#ifndef HD_NAMES_MODULE_H
#define HD_NAMES_MODULE_H

#include "sched/trace/error.h"
#include "sched/trace/trace.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hd_module_names;

/* NULL with err: no such file, or not ELF. A file without names opens. */
struct hd_module_names *hd_names_open(const char *path, struct hd_error *err);
void hd_names_close(struct hd_module_names *self);
const char *hd_names_build_id(const struct hd_module_names *self); /* hex, or "" */

struct hd_code_name {
    const char *function; /* innermost: the inlined one, if it was inlined */
    const char *outer;    /* the function that it was inlined into, or the same */
    const char *file;     /* as the compiler wrote it; NULL: not known */
    uint32_t line;        /* 0: not known */
    bool internal;        /* `outer` has internal linkage */
};

/* False: nothing is known of it. */
bool hd_names_code(struct hd_module_names *self, uint64_t address,
                   struct hd_code_name *out);

/* The path of `size` bytes of static storage at `address`, written to `buffer`
 * (cut if it does not fit). False: nothing is known. */
bool hd_names_data(struct hd_module_names *self, uint64_t address, uint64_t size,
                   char *buffer, size_t room);
/* How `size` bytes of static storage are to be read: as the program does, if they are one
 * number. */
enum hd_number { HD_NUMBER_UNSIGNED, HD_NUMBER_SIGNED, HD_NUMBER_REAL };
enum hd_number hd_names_number(struct hd_module_names *self, uint64_t address, uint64_t size);
/* The variable that holds `address` as a whole. NULL: none. */
const char *hd_names_variable(struct hd_module_names *self, uint64_t address,
                              uint64_t *start, uint64_t *size);

/* A call, by what the runtime saw at its entry (HD_OBJECT_FRAME). */
struct hd_frame_place {
    uint64_t code;   /* in the function */
    uint64_t sp, fp; /* offsets in the stack */
    const char *which; /* written after the function's name: "", "#0.1" */
};
/* The path of `size` bytes at offset `at` of the stack, "f.table[2]"; where locals of
 * separate blocks share them, all: "f.a/f.b". Its length; 0: not one of its locals. */
size_t hd_names_local(struct hd_module_names *self, const struct hd_frame_place *place,
                      uint64_t at, uint64_t size, char *buffer, size_t room);

/* From where to where its locals lie; low > high: it has none that are known. */
void hd_names_extent(struct hd_module_names *self, const struct hd_frame_place *place,
                     uint64_t *low, uint64_t *high);
/* The same for memory to which the word at offset `pointer` of the stack points, and
 * for an offset in that memory. */
size_t hd_names_array(struct hd_module_names *self, const struct hd_frame_place *place,
                      uint64_t pointer, uint64_t offset, uint64_t size, char *buffer,
                      size_t room);

/* What was probably allocated: the type that something in the allocating function
 * points to, or in that which `caller` is a place of (0: not known), if one fits `size`
 * and no other does. 0: not known. */
uint32_t hd_names_allocated(struct hd_module_names *self, uint64_t address, uint64_t caller,
                            uint64_t size);
const char *hd_names_type(const struct hd_module_names *self, uint32_t type);
/* Bytes of a number or a pointer; 0: it is none. */
uint64_t hd_names_scalar(const struct hd_module_names *self, uint32_t type);
/* The path inside a block of `total` bytes that holds one such, or an array of
 * them: "[2].next". Starts with '.', '[' or '+', or is empty. */
void hd_names_inside(const struct hd_module_names *self, uint32_t type, uint64_t total,
                     uint64_t offset, uint64_t size, char *buffer, size_t room);

/* ---- whole traces and messages ----------------------------------------- */

/* Append names to a binary trace that was recorded by a program: sites, labels,
 * globals, heap objects, locks, variables. What has a name keeps it. 0, or -1
 * with err. A module that is missing or was built anew since gives no names;
 * `note` (of `room` bytes, may be NULL) then says which, else it is empty. */
int hd_names_apply(const char *trace_path, char *note, size_t room, struct hd_error *err);
/* Functions only: which of them are transactions may be said by name. */
int hd_names_apply_labels(const char *trace_path, struct hd_error *err);

/* A variable for a report: its name and, on the heap, where it came from:
 * "node#2.next (allocated in push, list.c:41)". */
const char *hd_names_report(const struct hd_trace *trace, uint32_t variable, char *buffer,
                            size_t room);

/* Modules by the last part of their path. */
struct hd_name_book;
struct hd_name_book *hd_book_new(void); /* NULL: out of memory */
void hd_book_free(struct hd_name_book *book);
void hd_book_add(struct hd_name_book *book, const char *path); /* opened when needed */
struct hd_module_names *hd_book_module(struct hd_name_book *book, const char *tail,
                                       size_t length);

/* A message of the runtime with names in place of its brackets:
 * "[prog+0x11d6]" is code, "[&prog+0x4060]" data; what it says of heap blocks and stacks
 * goes by the names of traces, too. What is not known stays. */
void hd_book_text(struct hd_name_book *book, const char *text, char *buffer, size_t room);
/* The same without files and lines: they move. */
void hd_book_about(struct hd_name_book *book, const char *text, char *buffer, size_t room);

#endif
