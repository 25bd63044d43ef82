/* names_heap.c - what was allocated here?
 *
 * malloc knows a size and a place. The type is guessed from what could take its
 * result there, nearest first:
 *   a variable declared on the line of the call;
 *   the variables, parameters and the result of the function;
 *   members of what those point to (`q->slots = malloc(...)`);
 *   pointers with static storage in the file (`shared = malloc(...)`).
 * A function whose result points to anything wraps malloc: then the one that called
 * it is asked instead.
 * The first group in which a type fits the size decides, and one type must fit
 * alone: two that fit are as good as none, for a wrong name is worse than an
 * offset. A size fits if it holds whole elements, or the struct and some of the
 * open array at its end. */
#include "names_inner.h"

#include <string.h>

/* How well a type fits, the best first. */
enum fit { EXACT, MULTIPLE, OPEN, FITS };

struct group {
    uint32_t type[FITS]; /* 0: none */
    bool two[FITS];
};

struct search {
    struct hd_module_names *self;
    uint64_t size;
    int line;         /* of the call; 0: not known */
    uint32_t on_line; /* declared there */
    struct group own, members;
    bool anything; /* some member could take memory of any kind */
};

/* The type that a pointer of this type points to; for an array of pointers, one of
 * them. 0: it is no pointer, or one to void. */
static uint32_t target_of(struct hd_module_names *self, uint32_t type) {
    for (unsigned depth = 0; depth < HD_NAMES_DEPTH; depth++) {
        if (!type || self->types[type].shape != HD_SHAPE_ARRAY) break;
        type = self->types[type].element;
    }
    if (!type || self->types[type].shape != HD_SHAPE_POINTER) return 0;
    Dwarf_Die target = self->types[type].target;
    return target.addr ? hd_type_read(self, &target, 0) : 0;
}

static bool fits(const struct search *search, const struct hd_type *type) {
    if (!type->name || !type->size) return false;
    if (search->size % type->size == 0) return true;
    return hd_type_open(search->self, type) && search->size > type->size;
}

static void add(const struct search *search, struct group *group, uint32_t type) {
    const struct hd_type *found = &search->self->types[type];
    enum fit fit = found->size == search->size             ? EXACT
                   : hd_type_open(search->self, found) ? OPEN
                                                       : MULTIPLE;
    if (group->type[fit] && group->type[fit] != type) group->two[fit] = true;
    group->type[fit] = type;
}

static bool is_record(const struct hd_type *type) {
    return type->shape == HD_SHAPE_STRUCT || type->shape == HD_SHAPE_UNION;
}

/* Members of a struct that could take the result. A char or void pointer takes
 * anything, so nothing is known then but what fits exactly. */
static void consider_members(struct search *search, uint32_t type) {
    struct hd_module_names *self = search->self;
    if (!is_record(&self->types[type])) return;
    for (uint32_t i = 0; i < self->types[type].member_count; i++) {
        uint32_t member = self->types[type].members[i].type;
        if (!member || self->types[type].members[i].bits) continue;
        uint32_t target = target_of(self, member);
        const struct hd_type *found = &self->types[target];
        if (!target) {
            search->anything |= self->types[member].shape == HD_SHAPE_POINTER;
        } else if (!is_record(found) && found->size <= 1) {
            search->anything |= found->size == 1;
        } else if (fits(search, found)) {
            add(search, &search->members, target);
        }
    }
}

static void consider(struct search *search, uint32_t pointer, int line) {
    uint32_t type = target_of(search->self, pointer);
    for (unsigned depth = 0; type && depth < 3; depth++) { /* node **: *at = malloc(...) */
        const struct hd_type *found = &search->self->types[type];
        if (fits(search, found) && line && line == search->line && depth == 0) {
            if (!search->on_line) search->on_line = type;
        } else if (fits(search, found) && is_record(found)) {
            add(search, &search->own, type);
        }
        consider_members(search, type);
        type = target_of(search->self, type);
    }
}

static int line_of(Dwarf_Die *die) {
    Dwarf_Attribute attribute;
    Dwarf_Word number;
    if (!dwarf_attr_integrate(die, DW_AT_decl_line, &attribute)) return 0;
    if (dwarf_formudata(&attribute, &number) != 0 || number >= INT32_MAX) return 0;
    return (int)number;
}

static void walk(struct search *search, Dwarf_Die *parent, unsigned depth) {
    Dwarf_Die die;
    if (depth > HD_NAMES_DEPTH || dwarf_child(parent, &die) != 0) return;
    do {
        int tag = dwarf_tag(&die);
        if (tag == DW_TAG_variable || tag == DW_TAG_formal_parameter) {
            consider(search, hd_type_of(search->self, &die),
                     tag == DW_TAG_variable ? line_of(&die) : 0);
        } else if (tag == DW_TAG_lexical_block) {
            walk(search, &die, depth + 1);
        }
    } while (dwarf_siblingof(&die, &die) == 0);
}

/* Pointers with static storage, in this file. */
static void walk_statics(struct search *search, struct group *group, Dwarf_Die *unit) {
    Dwarf_Die die;
    if (dwarf_child(unit, &die) != 0) return;
    do {
        if (dwarf_tag(&die) != DW_TAG_variable) continue;
        uint32_t type = target_of(search->self, hd_type_of(search->self, &die));
        const struct hd_type *found = &search->self->types[type];
        if (type && is_record(found) && fits(search, found)) add(search, group, type);
    } while (dwarf_siblingof(&die, &die) == 0);
}

/* True: the group decides, and `type` is what it says. */
static bool decides(const struct group *group, bool exact_only, uint32_t *type) {
    *type = 0;
    for (int fit = EXACT; fit < (exact_only ? MULTIPLE : FITS); fit++) {
        if (!group->type[fit]) continue;
        if (!group->two[fit]) *type = group->type[fit];
        return true;
    }
    return false;
}

/* Does it return a pointer to void or to characters? */
static bool wraps(struct hd_module_names *self, Dwarf_Die *function) {
    uint32_t type = hd_type_of(self, function);
    if (!type || self->types[type].shape != HD_SHAPE_POINTER) return false;
    uint32_t target = target_of(self, type);
    return !target || (self->types[target].shape == HD_SHAPE_SCALAR && self->types[target].size == 1);
}

/* `called`: the address is that of the call, so that its line means something. */
static uint32_t search_function(struct hd_module_names *self, uint64_t address,
                                uint64_t size, bool called, bool *wrapper) {
    struct hd_code_name code;
    struct hd_unit *unit = hd_unit_at(self, address);
    *wrapper = false;
    if (!unit || size == 0 || !hd_names_code(self, address, &code)) return 0;
    const struct hd_span *span = hd_span_at(unit, address);
    struct search search = {.self = self, .size = size, .line = called ? (int)code.line : 0};
    if (!span) return 0;
    /* Adding types moves tables, but never the spans. */
    Dwarf_Die function = span->die, file = unit->inner;
    struct group statics = {0};
    uint32_t type;
    walk(&search, &function, 0);
    consider(&search, hd_type_of(self, &function), 0);
    if (search.on_line) return search.on_line;
    if (decides(&search.own, false, &type)) return type;
    if (decides(&search.members, search.anything, &type)) return type;
    *wrapper = wraps(self, &function);
    if (*wrapper) return 0;
    walk_statics(&search, &statics, &file);
    decides(&statics, true, &type);
    return type;
}

uint32_t hd_names_allocated(struct hd_module_names *self, uint64_t address, uint64_t caller,
                            uint64_t size) {
    bool wrapper;
    uint32_t type = search_function(self, address, size, true, &wrapper);
    return wrapper && caller ? search_function(self, caller, size, false, &wrapper) : type;
}
