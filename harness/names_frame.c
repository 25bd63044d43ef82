/* names_frame.c - bytes of a stack, as the local that they are.
 *
 * The trace tells of a call where its function is and what the stack and frame
 * pointers were at its entry (HD_OBJECT_FRAME). The function's frame base follows
 * from them, by the unwind tables where it is the canonical frame address, and
 * with it the locals that live in memory: those of its blocks and of functions
 * that were inlined, parameters too. */
#include "names_inner.h"

#include <gelf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 4 }; /* locals that may share their bytes, named together */

/* In memory, at a place of the frame; or where a word of the frame points to. */
static bool find_place(Dwarf_Die *die, struct hd_local *local) {
    Dwarf_Attribute attribute;
    Dwarf_Op *expression;
    Dwarf_Addr base, low, high;
    ptrdiff_t next = 0;
    size_t length;
    if (!dwarf_attr_integrate(die, DW_AT_location, &attribute)) return false;
    while ((next = dwarf_getlocations(&attribute, next, &base, &low, &high, &expression,
                                      &length)) > 0) {
        if (length < 1 || length > 2) continue;
        if (length == 2 && expression[1].atom != DW_OP_deref) continue;
        switch (expression[0].atom) {
        case DW_OP_fbreg: local->base = HD_BASE_FRAME; break;
        case DW_OP_breg6: local->base = HD_BASE_FP; break; /* rbp */
        case DW_OP_breg7: local->base = HD_BASE_SP; break; /* rsp */
        default: continue;
        }
        local->at = (int64_t)expression[0].number;
        local->pointed = length == 2;
        return true;
    }
    return false;
}

/* The nth of its name in the function, in the order in which they are written. */
static unsigned namesakes(const struct hd_frame_names *frame, const char *owner,
                          const char *name) {
    unsigned count = 0;
    for (size_t i = 0; i < frame->local_count; i++) {
        const struct hd_local *local = &frame->locals[i];
        count += strcmp(local->name, name) == 0 && strcmp(local->owner, owner) == 0;
    }
    return count;
}

static void add_local(struct hd_module_names *self, struct hd_frame_names *frame,
                      Dwarf_Die *die, const char *owner) {
    struct hd_local local = {.owner = owner};
    if (!find_place(die, &local)) return;
    local.name = hd_die_name(self, die);
    if (!local.name) return;
    local.nth = namesakes(frame, owner, local.name);
    local.type = hd_type_of(self, die);
    local.size = local.type ? self->types[local.type].size : 0;
    HD_ARENA_FIT(self->arena, frame->locals, frame->local_room, frame->local_count);
    frame->locals[frame->local_count++] = local;
}

static void walk(struct hd_module_names *self, struct hd_frame_names *frame,
                 Dwarf_Die *parent, const char *owner, unsigned depth) {
    Dwarf_Die die;
    if (depth > HD_NAMES_DEPTH || dwarf_child(parent, &die) != 0) return;
    do {
        const char *name;
        switch (dwarf_tag(&die)) {
        case DW_TAG_variable:
        case DW_TAG_formal_parameter:
            add_local(self, frame, &die, owner);
            break;
        case DW_TAG_inlined_subroutine:
            name = hd_die_name(self, &die);
            walk(self, frame, &die, name ? name : owner, depth + 1);
            break;
        case DW_TAG_lexical_block:
            walk(self, frame, &die, owner, depth + 1);
            break;
        default:
            break;
        }
    } while (dwarf_siblingof(&die, &die) == 0);
}

static void read_base(struct hd_frame_names *frame, Dwarf_Die *function) {
    Dwarf_Attribute attribute;
    Dwarf_Op *expression;
    size_t length;
    frame->base = HD_BASE_UNKNOWN;
    if (!dwarf_attr_integrate(function, DW_AT_frame_base, &attribute) ||
        dwarf_getlocation(&attribute, &expression, &length) != 0 || length != 1) {
        return;
    }
    switch (expression[0].atom) {
    case DW_OP_call_frame_cfa: frame->base = HD_BASE_CFA; break;
    case DW_OP_reg6: frame->base = HD_BASE_FP; break;
    case DW_OP_reg7: frame->base = HD_BASE_SP; break;
    default: break;
    }
}

static struct hd_frame_names *frame_at(struct hd_module_names *self, uint64_t code) {
    struct hd_unit *unit = hd_unit_at(self, code);
    if (!unit) return NULL;
    hd_spans_read(self, unit);
    const struct hd_span *span = hd_span_at(unit, code);
    if (!span) return NULL;
    while (span->parent != HD_NO_ID)
        span = &unit->spans[span->parent];
    Dwarf_Die function = span->die;
    uint64_t key = (uint64_t)dwarf_dieoffset(&function);
    for (size_t i = 0; i < self->frame_count; i++) {
        if (self->frames[i].key == key) return &self->frames[i];
    }
    struct hd_frame_names made = {.key = key, .name = span->name};
    read_base(&made, &function);
    walk(self, &made, &function, made.name, 0);
    HD_ARENA_FIT(self->arena, self->frames, self->frame_room, self->frame_count);
    self->frames[self->frame_count] = made;
    return &self->frames[self->frame_count++];
}

/* The rule by which the canonical frame address is found at this place of the code;
 * calls of a function are told with the same one, so that it is asked for once. */
static void find_rule(struct hd_module_names *self, struct hd_frame_names *frame, uint64_t code) {
    Dwarf_CFI *tables[2] = {dwarf_getcfi_elf(self->elf), dwarf_getcfi(self->dwarf)};
    frame->rule = HD_BASE_UNKNOWN;
    frame->rule_code = code;
    for (int i = 0; i < 2; i++) {
        Dwarf_Frame *found;
        Dwarf_Op *rule;
        size_t length;
        if (!tables[i] || dwarf_cfi_addrframe(tables[i], code, &found) != 0) continue;
        if (dwarf_frame_cfa(found, &rule, &length) == 0 && length == 1 &&
            rule[0].atom == DW_OP_bregx && (rule[0].number == 6 || rule[0].number == 7)) {
            frame->rule = rule[0].number == 6 ? HD_BASE_FP : HD_BASE_SP;
            frame->rule_offset = rule[0].number2;
        }
        free(found);
        return;
    }
}

static bool canonical(struct hd_module_names *self, const struct hd_frame_place *place,
                      struct hd_frame_names *frame, uint64_t *out) {
    if (frame->rule_code != place->code) find_rule(self, frame, place->code);
    *out = (frame->rule == HD_BASE_FP ? place->fp : place->sp) + frame->rule_offset;
    return frame->rule != HD_BASE_UNKNOWN;
}

static bool known_machine(struct hd_module_names *self) {
    GElf_Ehdr header;
    return gelf_getehdr(self->elf, &header) && header.e_machine == EM_X86_64;
}

/* Where the call has this local, or the pointer to it. */
static bool place_of(struct hd_module_names *self, const struct hd_frame_place *place,
                     struct hd_frame_names *frame, const struct hd_local *local,
                     uint64_t *at) {
    enum hd_base base = local->base == HD_BASE_FRAME ? frame->base : local->base;
    if (base == HD_BASE_CFA) {
        if (!canonical(self, place, frame, at)) return false;
    } else if (base == HD_BASE_FP || base == HD_BASE_SP) {
        *at = base == HD_BASE_FP ? place->fp : place->sp;
    } else {
        return false;
    }
    *at += (uint64_t)local->at;
    return true;
}

static size_t put(const struct hd_frame_place *place, const struct hd_local *local,
                  const char *path, char *buffer, size_t room) {
    char number[24] = "";
    if (local->nth) snprintf(number, sizeof number, "#%u", local->nth);
    int length = snprintf(buffer, room, "%s%s.%s%s%s", local->owner, place->which,
                          local->name, number, path);
    return length < 0 || (size_t)length >= room ? 0 : (size_t)length;
}

void hd_names_extent(struct hd_module_names *self, const struct hd_frame_place *place,
                     uint64_t *low, uint64_t *high) {
    struct hd_frame_names *frame = known_machine(self) ? frame_at(self, place->code) : NULL;
    *low = UINT64_MAX;
    *high = 0;
    for (size_t i = 0; frame && i < frame->local_count; i++) {
        const struct hd_local *local = &frame->locals[i];
        uint64_t start;
        if (local->pointed || !place_of(self, place, frame, local, &start)) continue;
        if (start < *low) *low = start;
        if (start + local->size > *high) *high = start + local->size;
    }
}

size_t hd_names_local(struct hd_module_names *self, const struct hd_frame_place *place,
                      uint64_t at, uint64_t size, char *buffer, size_t room) {
    struct hd_frame_names *frame = known_machine(self) ? frame_at(self, place->code) : NULL;
    if (!frame) return 0;
    size_t used = 0, found = 0;
    for (size_t i = 0; i < frame->local_count && found < SLOTS; i++) {
        const struct hd_local *local = &frame->locals[i];
        uint64_t start;
        char path[512];
        if (local->pointed || used + 2 >= room) continue;
        if (!place_of(self, place, frame, local, &start) || at - start >= local->size) continue;
        hd_type_path(self, local->type, at - start, size, path, sizeof path);
        size_t length = put(place, local, path, buffer + used + (used > 0),
                            room - used - (used > 0));
        if (length == 0) break;
        if (used) buffer[used++] = '/';
        used += length;
        found++;
    }
    return used;
}

size_t hd_names_array(struct hd_module_names *self, const struct hd_frame_place *place,
                      uint64_t pointer, uint64_t offset, uint64_t size, char *buffer,
                      size_t room) {
    struct hd_frame_names *frame = known_machine(self) ? frame_at(self, place->code) : NULL;
    const struct hd_local *found = NULL;
    if (!frame) return 0;
    for (size_t i = 0; i < frame->local_count; i++) {
        const struct hd_local *local = &frame->locals[i];
        uint64_t start;
        if (!place_of(self, place, frame, local, &start) || start != pointer) continue;
        if (local->pointed || self->types[local->type].shape == HD_SHAPE_POINTER) found = local;
    }
    if (!found) return 0;
    char path[512];
    uint32_t type = found->type;
    if (found->pointed) {
        hd_type_path(self, type, offset, size, path, sizeof path);
    } else {
        Dwarf_Die target = self->types[type].target;
        type = target.addr ? hd_type_read(self, &target, 0) : 0;
        hd_names_inside(self, type, UINT64_MAX, offset, size, path, sizeof path);
    }
    return put(place, found, path, buffer, room);
}
