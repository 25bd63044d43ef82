/* names_data.c - every variable with static storage, flattened and sorted.
 *
 * Read once per module, at the first question: all units are walked for
 * variables whose location is a plain address, also those inside functions
 * (`counter` in `next` is next.counter). Two statics of one name in different
 * files are told apart by the file. */
#include "names_inner.h"

#include <gelf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* DW_OP_addr, or an index into .debug_addr as clang writes it. */
static bool static_address(Dwarf_Die *die, uint64_t *out) {
    Dwarf_Attribute attribute, indirect;
    Dwarf_Op *expression;
    Dwarf_Addr address;
    size_t length;
    if (!dwarf_attr_integrate(die, DW_AT_location, &attribute)) return false;
    if (dwarf_getlocation(&attribute, &expression, &length) != 0) return false;
    if (length < 1 || length > 2) return false;
    uint64_t plus = 0;
    if (length == 2) {
        if (expression[1].atom != DW_OP_plus_uconst) return false;
        plus = expression[1].number;
    }
    if (expression[0].atom == DW_OP_addr) {
        *out = expression[0].number + plus;
        return true;
    }
    if (expression[0].atom != DW_OP_addrx && expression[0].atom != DW_OP_GNU_addr_index)
        return false;
    if (dwarf_getlocation_attr(&attribute, &expression[0], &indirect) != 0) return false;
    if (dwarf_formaddr(&indirect, &address) != 0) return false;
    *out = address + plus;
    return true;
}

static void add_global(struct hd_module_names *self, uint32_t unit, Dwarf_Die *die,
                       const char *scope) {
    struct hd_global made = {.unit = unit};
    Dwarf_Attribute attribute;
    if (!static_address(die, &made.address)) return;
    made.name = hd_die_name(self, die);
    if (!made.name) return;
    if (scope) made.name = hd_arena_print(self->arena, "%s.%s", scope, made.name);
    made.type = hd_type_of(self, die);
    made.size = made.type ? self->types[made.type].size : 0;
    made.internal = !dwarf_attr_integrate(die, DW_AT_external, &attribute);
    HD_ARENA_FIT(self->arena, self->globals, self->global_room, self->global_count);
    self->globals[self->global_count++] = made;
}

static void walk(struct hd_module_names *self, uint32_t unit, Dwarf_Die *parent,
                 const char *scope, unsigned depth) {
    Dwarf_Die die;
    if (depth > HD_NAMES_DEPTH || dwarf_child(parent, &die) != 0) return;
    do {
        switch (dwarf_tag(&die)) {
        case DW_TAG_variable:
            add_global(self, unit, &die, scope);
            break;
        case DW_TAG_subprogram:
        case DW_TAG_inlined_subroutine: {
            const char *name = hd_die_name(self, &die);
            walk(self, unit, &die, name ? name : scope, depth + 1);
            break;
        }
        case DW_TAG_lexical_block:
        case DW_TAG_namespace:
        case DW_TAG_module:
            walk(self, unit, &die, scope, depth + 1);
            break;
        default:
            break;
        }
    } while (dwarf_siblingof(&die, &die) == 0);
}

static int by_address(const void *left, const void *right) {
    const struct hd_global *a = left, *b = right;
    if (a->address != b->address) return a->address < b->address ? -1 : 1;
    if (a->size != b->size) return a->size > b->size ? -1 : 1; /* the fullest is kept */
    return strcmp(a->name, b->name);
}

static int by_name(const void *left, const void *right) {
    const struct hd_global *const *a = left, *const *b = right;
    int order = strcmp((*a)->name, (*b)->name);
    return order ? order : (*a)->address < (*b)->address ? -1 : 1;
}

static const char *unit_file(struct hd_module_names *self, uint32_t unit) {
    Dwarf_Attribute attribute;
    struct hd_unit *of = &self->units[unit];
    const char *name = dwarf_attr(&of->die, DW_AT_name, &attribute)
                           ? dwarf_formstring(&attribute)
                           : NULL;
    return name ? hd_unit_file(self, of, name) : "?";
}

/* May the program change what is there? */
static bool writable(struct hd_module_names *self, uint64_t address) {
    size_t count = 0;
    bool found = false;
    if (elf_getphdrnum(self->elf, &count) != 0) return true;
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr segment;
        if (!gelf_getphdr(self->elf, (int)i, &segment)) break;
        if (address < segment.p_vaddr || address - segment.p_vaddr >= segment.p_memsz)
            continue;
        if (segment.p_type == PT_GNU_RELRO) return false;
        if (segment.p_type == PT_LOAD) found = segment.p_flags & PF_W;
    }
    return found;
}

/* Statics of one name: put the file before it. Constants do not count: nobody
 * races for them, and heddle's own runtime brings some along. */
static void tell_apart(struct hd_module_names *self) {
    size_t count = 0;
    struct hd_global **names =
        hd_arena_array(self->arena, self->global_count + 1, sizeof *names);
    for (size_t i = 0; i < self->global_count; i++) {
        if (writable(self, self->globals[i].address)) names[count++] = &self->globals[i];
    }
    qsort(names, count, sizeof *names, by_name);
    for (size_t i = 0, end; i < count; i = end) {
        const char *same = names[i]->name;
        for (end = i + 1; end < count && strcmp(names[end]->name, same) == 0;)
            end++;
        for (size_t k = i; end - i > 1 && k < end; k++) {
            if (!names[k]->internal) continue;
            names[k]->name = hd_arena_print(self->arena, "%s:%s",
                                            unit_file(self, names[k]->unit), same);
        }
    }
}

static void read_globals(struct hd_module_names *self) {
    if (self->globals_read) return;
    self->globals_read = true;
    hd_units_read(self);
    hd_symbols_read(self);
    for (uint32_t i = 0; i < self->unit_count; i++)
        walk(self, i, &self->units[i].inner, NULL, 0);
    if (!self->global_count) return;
    qsort(self->globals, self->global_count, sizeof *self->globals, by_address);
    size_t kept = 0;
    for (size_t i = 0; i < self->global_count; i++) {
        struct hd_global *global = &self->globals[i];
        if (kept && self->globals[kept - 1].address == global->address) continue;
        /* An array that ends open has its real size in the symbol table only. */
        const struct hd_symbol *symbol = hd_symbol_at(&self->data, global->address);
        if (symbol && symbol->address == global->address && symbol->size > global->size) {
            global->size = symbol->size;
        }
        self->globals[kept++] = *global;
    }
    self->global_count = kept;
    tell_apart(self);
}

static const struct hd_global *global_at(struct hd_module_names *self, uint64_t address) {
    read_globals(self);
    size_t low = 0, high = self->global_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (self->globals[middle].address <= address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == 0) return NULL;
    const struct hd_global *found = &self->globals[low - 1];
    return address - found->address < found->size ? found : NULL;
}

const char *hd_names_variable(struct hd_module_names *self, uint64_t address,
                              uint64_t *start, uint64_t *size) {
    const struct hd_global *global = global_at(self, address);
    if (global) {
        *start = global->address;
        *size = global->size;
        return global->name;
    }
    const struct hd_symbol *symbol = hd_symbol_at(&self->data, address);
    if (!symbol) return NULL;
    *start = symbol->address;
    *size = symbol->size;
    return symbol->name;
}

bool hd_names_data(struct hd_module_names *self, uint64_t address, uint64_t size,
                   char *buffer, size_t room) {
    const struct hd_global *global = global_at(self, address);
    uint64_t start, whole;
    const char *name = hd_names_variable(self, address, &start, &whole);
    if (!name || room == 0) return false;
    int used = snprintf(buffer, room, "%s", name);
    if (used < 0 || (size_t)used >= room) return true;
    hd_type_path(self, global ? global->type : 0, address - start, size, buffer + used,
                 room - (size_t)used);
    return true;
}

enum hd_number hd_names_number(struct hd_module_names *self, uint64_t address, uint64_t size) {
    const struct hd_global *global = global_at(self, address);
    const struct hd_type *type =
        global ? hd_type_scalar(self, global->type, address - global->address, size) : NULL;
    return type ? type->number : HD_NUMBER_UNSIGNED;
}
