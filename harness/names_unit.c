/* names_unit.c - from an address of code to function, file and line.
 *
 * Compilation units are found by their ranges, which are read once: clang writes
 * no .debug_aranges, so libdw's own index cannot be relied on. A unit's
 * functions are flattened when the first address in it is asked for. */
#include "names_inner.h"

#include <stdlib.h>
#include <string.h>

static void add_ranges(struct hd_module_names *self, Dwarf_Die *die, uint32_t unit) {
    Dwarf_Addr base, low, high;
    ptrdiff_t at = 0;
    while ((at = dwarf_ranges(die, at, &base, &low, &high)) > 0) {
        if (low >= high) continue;
        HD_ARENA_FIT(self->arena, self->ranges, self->range_room, self->range_count);
        self->ranges[self->range_count++] = (struct hd_unit_range){low, high, unit};
    }
}

static int by_low(const void *left, const void *right) {
    const struct hd_unit_range *a = left, *b = right;
    if (a->low != b->low) return a->low < b->low ? -1 : 1;
    return a->unit < b->unit ? -1 : a->unit > b->unit;
}

void hd_units_read(struct hd_module_names *self) {
    Dwarf_CU *cu = NULL;
    uint8_t type;
    Dwarf_Die die, inner;
    if (self->units_read) return;
    self->units_read = true;
    while (self->dwarf &&
           dwarf_get_units(self->dwarf, cu, &cu, NULL, &type, &die, &inner) == 0) {
        if (type != DW_UT_compile && type != DW_UT_skeleton) continue;
        HD_ARENA_FIT(self->arena, self->units, self->unit_room, self->unit_count);
        struct hd_unit *unit = &self->units[self->unit_count];
        Dwarf_Attribute attribute;
        unit->die = die;
        unit->inner = type == DW_UT_skeleton && inner.addr ? inner : die;
        unit->folder = dwarf_attr(&die, DW_AT_comp_dir, &attribute)
                           ? dwarf_formstring(&attribute)
                           : NULL;
        add_ranges(self, &die, (uint32_t)self->unit_count);
        self->unit_count++;
    }
    if (self->range_count)
        qsort(self->ranges, self->range_count, sizeof *self->ranges, by_low);
}

struct hd_unit *hd_unit_at(struct hd_module_names *self, uint64_t address) {
    hd_units_read(self);
    size_t low = 0, high = self->range_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (self->ranges[middle].low <= address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == 0 || address >= self->ranges[low - 1].high) return NULL;
    return &self->units[self->ranges[low - 1].unit];
}

/* ---- functions ---------------------------------------------------------- */

static void add_spans(struct hd_module_names *self, struct hd_unit *unit, Dwarf_Die *die,
                      unsigned depth) {
    Dwarf_Addr base, low, high;
    Dwarf_Attribute attribute;
    ptrdiff_t at = 0;
    const char *name = NULL;
    while ((at = dwarf_ranges(die, at, &base, &low, &high)) > 0) {
        if (low >= high) continue;
        if (!name) name = hd_die_name(self, die);
        if (!name) return;
        HD_ARENA_FIT(self->arena, unit->spans, unit->span_room, unit->span_count);
        unit->spans[unit->span_count++] = (struct hd_span){
            low,   high, HD_NO_ID,
            depth, name, !dwarf_attr_integrate(die, DW_AT_external, &attribute),
            *die};
    }
}

static void walk(struct hd_module_names *self, struct hd_unit *unit, Dwarf_Die *parent,
                 unsigned depth) {
    Dwarf_Die die;
    if (depth > HD_NAMES_DEPTH || dwarf_child(parent, &die) != 0) return;
    do {
        switch (dwarf_tag(&die)) {
        case DW_TAG_subprogram:
        case DW_TAG_inlined_subroutine:
            add_spans(self, unit, &die, depth);
            walk(self, unit, &die, depth + 1);
            break;
        case DW_TAG_lexical_block:
        case DW_TAG_namespace:
        case DW_TAG_module:
            walk(self, unit, &die, depth + 1);
            break;
        default:
            break;
        }
    } while (dwarf_siblingof(&die, &die) == 0);
}

static int by_span(const void *left, const void *right) {
    const struct hd_span *a = left, *b = right;
    if (a->low != b->low) return a->low < b->low ? -1 : 1;
    if (a->depth != b->depth) return a->depth < b->depth ? -1 : 1;
    return a->high > b->high ? -1 : a->high < b->high;
}

void hd_spans_read(struct hd_module_names *self, struct hd_unit *unit) {
    if (unit->spans_read) return;
    unit->spans_read = true;
    walk(self, unit, &unit->inner, 0);
    if (!unit->span_count) return;
    qsort(unit->spans, unit->span_count, sizeof *unit->spans, by_span);
    /* Spans nest, so the smallest one around each is on the stack of open ones. */
    uint32_t open = HD_NO_ID;
    for (uint32_t i = 0; i < unit->span_count; i++) {
        while (open != HD_NO_ID && unit->spans[open].high < unit->spans[i].high) {
            open = unit->spans[open].parent;
        }
        unit->spans[i].parent = open;
        open = i;
    }
}

/* The last span that starts at or before the address is the innermost one that
 * could hold it; if it has ended, one around it may not have. */
const struct hd_span *hd_span_at(const struct hd_unit *unit, uint64_t address) {
    size_t low = 0, high = unit->span_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (unit->spans[middle].low <= address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == 0) return NULL;
    uint32_t at = (uint32_t)low - 1;
    while (at != HD_NO_ID && unit->spans[at].high <= address)
        at = unit->spans[at].parent;
    return at == HD_NO_ID ? NULL : &unit->spans[at];
}

/* ---- lines -------------------------------------------------------------- */

const char *hd_unit_file(struct hd_module_names *self, struct hd_unit *unit,
                         const char *given) {
    for (size_t i = 0; i < unit->file_count; i++) {
        if (unit->files[i].given == given) return unit->files[i].shown;
    }
    const char *shown = given;
    size_t length = unit->folder ? strlen(unit->folder) : 0;
    if (length && strncmp(given, unit->folder, length) == 0 && given[length] == '/') {
        shown = given + length + strspn(given + length, "/");
    }
    while (strncmp(shown, "./", 2) == 0)
        shown += 1 + strspn(shown + 1, "/");
    HD_ARENA_FIT(self->arena, unit->files, unit->file_room, unit->file_count);
    unit->files[unit->file_count++] = (struct hd_file_name){given, shown};
    return shown;
}

static uint64_t line_address(struct hd_unit *unit, size_t index) {
    Dwarf_Addr address = 0;
    dwarf_lineaddr(dwarf_onesrcline(unit->lines, index), &address);
    return address;
}

static void find_line(struct hd_module_names *self, struct hd_unit *unit,
                      uint64_t address, struct hd_code_name *out) {
    if (!unit->lines_read) {
        unit->lines_read = true;
        if (dwarf_getsrclines(&unit->die, &unit->lines, &unit->line_count) != 0) {
            unit->line_count = 0;
        }
    }
    size_t low = 0, high = unit->line_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (line_address(unit, middle) <= address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    /* Line 0 marks code that the compiler made up: what came before it is nearer
     * to the truth than nothing. */
    while (low-- > 0) {
        Dwarf_Line *line = dwarf_onesrcline(unit->lines, low);
        bool end = true;
        int number = 0;
        if (dwarf_lineendsequence(line, &end) != 0 || end) return;
        if (dwarf_lineno(line, &number) != 0) return;
        if (number == 0) continue;
        const char *file = dwarf_linesrc(line, NULL, NULL);
        out->line = (uint32_t)number;
        out->file = file ? hd_unit_file(self, unit, file) : NULL;
        return;
    }
}

bool hd_names_code(struct hd_module_names *self, uint64_t address,
                   struct hd_code_name *out) {
    memset(out, 0, sizeof *out);
    struct hd_unit *unit = hd_unit_at(self, address);
    if (unit) {
        hd_spans_read(self, unit);
        const struct hd_span *span = hd_span_at(unit, address);
        if (span) {
            out->function = span->name;
            while (span->parent != HD_NO_ID)
                span = &unit->spans[span->parent];
            out->outer = span->name;
            out->internal = span->internal;
        }
        find_line(self, unit, address, out);
    }
    if (!out->function) {
        hd_symbols_read(self);
        const struct hd_symbol *symbol = hd_symbol_at(&self->code, address);
        if (symbol) {
            out->function = out->outer = symbol->name;
            out->internal = symbol->local;
        }
    }
    return out->function || out->file;
}
