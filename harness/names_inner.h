/* names_inner.h - the tables of one module, shared by the names_*.c files. */
#ifndef HD_NAMES_INNER_H
#define HD_NAMES_INNER_H

#include "names.h"

#include "checkers/arena.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <sys/stat.h>

/* Debug information comes from files that anybody may have written. */
enum { HD_NAMES_DEPTH = 128 };

struct hd_symbol {
    uint64_t address, size;
    const char *name;
    bool local;
};

struct hd_symbols {
    struct hd_symbol *at; /* by address */
    size_t count;
};

/* A stretch of code that one function, inlined or not, was compiled to. */
struct hd_span {
    uint64_t low, high;
    uint32_t parent; /* the smallest span around it, or HD_NO_ID */
    uint32_t depth;  /* of its DIE; orders spans that start together */
    const char *name;
    bool internal;
    Dwarf_Die die;
};

struct hd_unit {
    Dwarf_Die die;      /* has the lines */
    Dwarf_Die inner;    /* has everything else; the same but for split DWARF */
    const char *folder; /* the compilation's, or NULL */
    bool spans_read, lines_read;
    struct hd_span *spans; /* by (low, depth) */
    size_t span_count, span_room;
    Dwarf_Lines *lines;
    size_t line_count;
    struct hd_file_name {
        const char *given, *shown;
    } * files;
    size_t file_count, file_room;
};

struct hd_unit_range {
    uint64_t low, high;
    uint32_t unit;
};

enum hd_type_shape {
    HD_SHAPE_SCALAR,
    HD_SHAPE_STRUCT,
    HD_SHAPE_UNION,
    HD_SHAPE_ARRAY,
    HD_SHAPE_POINTER
};

struct hd_member {
    const char *name;      /* NULL: anonymous, or a base class */
    uint64_t offset, size; /* bytes that hold it */
    uint32_t type;
    bool bits; /* a bit field */
};

struct hd_type {
    enum hd_type_shape shape;
    uint64_t size;
    const char *name;
    enum hd_number number; /* SCALAR */
    uint32_t element; /* ARRAY */
    struct hd_member *members;
    uint32_t member_count;
    Dwarf_Die target; /* POINTER: the type it points to; addr NULL: void */
};

struct hd_global {
    uint64_t address, size;
    const char *name;
    uint32_t type; /* 0: not known */
    uint32_t unit;
    bool internal;
};

/* What a place in a frame is counted from: the function's frame base, which is one of
 * the others; the canonical frame address; the frame or stack pointer. */
enum hd_base { HD_BASE_UNKNOWN, HD_BASE_FRAME, HD_BASE_CFA, HD_BASE_FP, HD_BASE_SP };

struct hd_local {
    enum hd_base base;
    int64_t at;
    uint64_t size;
    bool pointed; /* a pointer to it is there: an array of variable size */
    const char *owner, *name; /* the function it is written in, maybe inlined */
    unsigned nth;             /* of that name there, from 0 */
    uint32_t type;
};

/* The locals of one function. */
struct hd_frame_names {
    uint64_t key; /* of its DIE */
    const char *name;
    enum hd_base base;
    uint64_t rule_code; /* for this place of the code: the canonical frame address is */
    enum hd_base rule;  /* so much from this one of the pointers */
    uint64_t rule_offset;
    struct hd_local *locals;
    size_t local_count, local_room;
};

struct hd_type_key {
    uint64_t key;
    uint32_t type; /* 0: free */
};

struct hd_module_names {
    struct hd_arena *arena;
    int fd;
    struct stat file; /* what it was when it was opened */
    Elf *elf;
    Dwarf *dwarf; /* NULL: no debug information */
    char build_id[80];
    bool symbols_read, units_read, globals_read;
    struct hd_symbols code, data;
    struct hd_unit *units;
    size_t unit_count, unit_room;
    struct hd_unit_range *ranges; /* by low */
    size_t range_count, range_room;
    struct hd_global *globals; /* by address */
    size_t global_count, global_room;
    struct hd_frame_names *frames; /* of functions that were asked for */
    size_t frame_count, frame_room;
    struct hd_type *types; /* from 1 */
    size_t type_count, type_room;
    struct hd_type_key *type_keys;
    size_t type_key_count; /* a power of two */
};

/* names_symbol.c */
void hd_symbols_read(struct hd_module_names *self);
const struct hd_symbol *hd_symbol_at(const struct hd_symbols *symbols, uint64_t address);

/* names_unit.c */
void hd_units_read(struct hd_module_names *self);
struct hd_unit *hd_unit_at(struct hd_module_names *self, uint64_t address);
void hd_spans_read(struct hd_module_names *self, struct hd_unit *unit);
const struct hd_span *hd_span_at(const struct hd_unit *unit, uint64_t address);
/* The file of a line, the compilation's folder stripped. */
const char *hd_unit_file(struct hd_module_names *self, struct hd_unit *unit,
                         const char *given);

/* names_type.c */
uint32_t hd_type_of(struct hd_module_names *self,
                    Dwarf_Die *die); /* of its DW_AT_type; 0: none */
uint32_t hd_type_read(struct hd_module_names *self, Dwarf_Die *type, unsigned depth);

/* names_path.c */
/* Does an array of unknown length come last, so that there may be more of it? */
bool hd_type_open(const struct hd_module_names *self, const struct hd_type *type);
/* The number or pointer that is exactly these bytes of it. NULL: there is none. */
const struct hd_type *hd_type_scalar(const struct hd_module_names *self, uint32_t id,
                                     uint64_t offset, uint64_t size);
void hd_type_path(const struct hd_module_names *self, uint32_t type, uint64_t offset,
                  uint64_t size, char *buffer, size_t room);

/* names_demangle.c: a plain C++ name without its arguments. False: not one. */
bool hd_demangle(const char *mangled, char *buffer, size_t room);

/* A function's or variable's name: C as written, C++ with its scopes. */
const char *hd_die_name(struct hd_module_names *self, Dwarf_Die *die);

#endif
