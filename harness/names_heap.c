/* names_heap.c - what was allocated here?
 *
 * malloc knows a size and a place. The type is guessed from the function around
 * the call: it almost always has a variable, a parameter or a result that
 * points to what was allocated. A variable declared on the line of the call is
 * believed if its type fits the size; otherwise one type must fit alone. Two
 * that fit are as good as none: a wrong name is worse than an offset. */
#include "names_inner.h"

#include <string.h>

struct search {
    struct hd_module_names *self;
    uint64_t size;
    int line;
    uint32_t on_line; /* declared where the call is */
    uint32_t exact, multiple;
    bool two_exact, two_multiple;
};

static void consider(struct search *search, uint32_t pointer, int line) {
    struct hd_module_names *self = search->self;
    if (!pointer || self->types[pointer].shape != HD_SHAPE_POINTER) return;
    Dwarf_Die target = self->types[pointer].target;
    if (!target.addr) return;
    uint32_t type = hd_type_read(self, &target, 0);
    const struct hd_type *found = &self->types[type];
    if (!type || !found->name || !found->size || search->size % found->size != 0) return;
    if (line && line == search->line) {
        if (!search->on_line) search->on_line = type;
        return;
    }
    if (found->shape != HD_SHAPE_STRUCT && found->shape != HD_SHAPE_UNION) return;
    if (found->size == search->size) {
        if (search->exact && search->exact != type) search->two_exact = true;
        search->exact = type;
    } else {
        if (search->multiple && search->multiple != type) search->two_multiple = true;
        search->multiple = type;
    }
}

static void walk(struct search *search, Dwarf_Die *parent, unsigned depth) {
    Dwarf_Die die;
    if (depth > HD_NAMES_DEPTH || dwarf_child(parent, &die) != 0) return;
    do {
        int tag = dwarf_tag(&die), line = 0;
        if (tag == DW_TAG_variable || tag == DW_TAG_formal_parameter) {
            Dwarf_Attribute attribute;
            Dwarf_Word number;
            if (dwarf_attr_integrate(&die, DW_AT_decl_line, &attribute) &&
                dwarf_formudata(&attribute, &number) == 0 && number < INT32_MAX) {
                line = (int)number;
            }
            consider(search, hd_type_of(search->self, &die),
                     tag == DW_TAG_variable ? line : 0);
        } else if (tag == DW_TAG_lexical_block) {
            walk(search, &die, depth + 1);
        }
    } while (dwarf_siblingof(&die, &die) == 0);
}

uint32_t hd_names_allocated(struct hd_module_names *self, uint64_t address,
                            uint64_t size) {
    struct hd_code_name code;
    struct hd_unit *unit = hd_unit_at(self, address);
    if (!unit || size == 0 || !hd_names_code(self, address, &code)) return 0;
    const struct hd_span *span = hd_span_at(unit, address);
    struct search search = {.self = self, .size = size, .line = (int)code.line};
    if (!span) return 0;
    /* Adding types moves tables, but never the spans. */
    Dwarf_Die function = span->die;
    walk(&search, &function, 0);
    consider(&search, hd_type_of(self, &function), 0);
    if (search.on_line) return search.on_line;
    if (search.exact) return search.two_exact ? 0 : search.exact;
    return search.two_multiple ? 0 : search.multiple;
}
