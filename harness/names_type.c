/* names_type.c - types out of DWARF, flattened to what paths need.
 *
 * A type is read once and known by a number from then on: members with their
 * offsets, elements with their sizes. Pointers are not followed here (the type
 * behind one is read when somebody asks), so a list node is a type of finite
 * size. */
#include "names_inner.h"

#include <string.h>

/* The place of a DIE in the file. Type units of DWARF 4 live in a section of
 * their own, whose offsets start at 0 again. */
static uint64_t key_of(Dwarf_Die *die) {
    Dwarf_Half version = 0;
    uint8_t unit = 0;
    dwarf_cu_info(die->cu, &version, &unit, NULL, NULL, NULL, NULL, NULL);
    bool apart = version == 4 && unit == DW_UT_type;
    return (uint64_t)dwarf_dieoffset(die) * 2 + apart + 1;
}

static struct hd_type_key *slot(struct hd_module_names *self, uint64_t key) {
    size_t mask = self->type_key_count - 1;
    size_t at = (size_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & mask;
    while (self->type_keys[at].type && self->type_keys[at].key != key)
        at = (at + 1) & mask;
    return &self->type_keys[at];
}

static struct hd_type_key *key_slot(struct hd_module_names *self, uint64_t key) {
    if (self->type_count * 2 + 2 > self->type_key_count) {
        struct hd_type_key *old = self->type_keys;
        size_t count = self->type_key_count;
        self->type_key_count = count ? count * 2 : 256;
        self->type_keys = hd_arena_array(self->arena, self->type_key_count, sizeof *old);
        for (size_t i = 0; i < count; i++) {
            if (old[i].type) *slot(self, old[i].key) = old[i];
        }
    }
    return slot(self, key);
}

/* Number 0 stays free: it means "not known". */
static uint32_t add_type(struct hd_module_names *self, enum hd_type_shape shape) {
    if (self->type_count == 0) self->type_count = 1;
    HD_ARENA_FIT(self->arena, self->types, self->type_room, self->type_count);
    self->types[self->type_count].shape = shape;
    return (uint32_t)self->type_count++;
}

static bool number(Dwarf_Die *die, unsigned name, uint64_t *out) {
    Dwarf_Attribute attribute;
    Dwarf_Word value;
    if (!dwarf_attr_integrate(die, name, &attribute)) return false;
    if (dwarf_formudata(&attribute, &value) != 0) return false;
    *out = value;
    return true;
}

/* A constant, or in old DWARF an expression that adds one. */
static uint64_t member_offset(Dwarf_Die *die) {
    Dwarf_Attribute attribute;
    Dwarf_Op *expression;
    Dwarf_Word value;
    size_t length;
    if (!dwarf_attr_integrate(die, DW_AT_data_member_location, &attribute)) return 0;
    if (dwarf_formudata(&attribute, &value) == 0) return value;
    if (dwarf_getlocation(&attribute, &expression, &length) == 0 && length == 1 &&
        expression[0].atom == DW_OP_plus_uconst) {
        return expression[0].number;
    }
    return 0;
}

static void place_bits(Dwarf_Die *die, uint64_t bits, struct hd_member *member) {
    uint64_t from, storage, first;
    if (number(die, DW_AT_data_bit_offset, &from)) {
        first = from;
    } else if (number(die, DW_AT_bit_offset, &from)) {
        /* DWARF 3 counts from the most significant bit of the storage unit. */
        if (!number(die, DW_AT_byte_size, &storage)) storage = member->size;
        first = member->offset * 8 + (storage * 8 - from - bits);
    } else {
        first = member->offset * 8;
    }
    member->offset = first / 8;
    member->size = (first + bits + 7) / 8 - member->offset;
    member->bits = true;
}

static bool has(Dwarf_Die *die, unsigned name) {
    Dwarf_Attribute attribute;
    return dwarf_attr(die, name, &attribute) != NULL;
}

static void read_members(struct hd_module_names *self, uint32_t id, Dwarf_Die *type,
                         unsigned depth) {
    struct hd_member *members = NULL;
    size_t count = 0, room = 0;
    Dwarf_Die die;
    if (dwarf_child(type, &die) != 0) return;
    do {
        int tag = dwarf_tag(&die);
        bool base = tag == DW_TAG_inheritance;
        /* A static member has its storage elsewhere. */
        if (!base && (tag != DW_TAG_member || has(&die, DW_AT_external) ||
                      has(&die, DW_AT_declaration))) {
            continue;
        }
        Dwarf_Attribute attribute;
        Dwarf_Die inner;
        struct hd_member member = {NULL, member_offset(&die), 0, 0, false};
        uint64_t bits;
        if (dwarf_attr_integrate(&die, DW_AT_type, &attribute) &&
            dwarf_formref_die(&attribute, &inner)) {
            member.type = hd_type_read(self, &inner, depth + 1);
            member.size = self->types[member.type].size;
        }
        if (!base) member.name = dwarf_diename(&die);
        if (number(&die, DW_AT_bit_size, &bits)) place_bits(&die, bits, &member);
        HD_ARENA_FIT(self->arena, members, room, count);
        members[count++] = member;
    } while (dwarf_siblingof(&die, &die) == 0);
    self->types[id].members = members;
    self->types[id].member_count = (uint32_t)count;
}

/* The number of elements of one dimension; 0: not known. */
static uint64_t dimension(Dwarf_Die *die) {
    Dwarf_Attribute attribute;
    Dwarf_Sword upper;
    uint64_t count;
    if (number(die, DW_AT_count, &count)) return count;
    if (!dwarf_attr_integrate(die, DW_AT_upper_bound, &attribute)) return 0;
    if (dwarf_formsdata(&attribute, &upper) != 0 || upper < 0) return 0;
    return (uint64_t)upper + 1;
}

/* int a[2][3] is one DIE with two subranges: here two arrays, one in the other.
 * The outermost keeps the number that was given to the DIE. */
static void read_array(struct hd_module_names *self, uint32_t id, Dwarf_Die *type,
                       unsigned depth) {
    enum { DIMENSIONS = 16 };
    uint64_t counts[DIMENSIONS];
    unsigned dimensions = 0;
    Dwarf_Attribute attribute;
    Dwarf_Die die, inner;
    uint32_t element = 0;
    if (dwarf_attr_integrate(type, DW_AT_type, &attribute) &&
        dwarf_formref_die(&attribute, &inner)) {
        element = hd_type_read(self, &inner, depth + 1);
    }
    if (dwarf_child(type, &die) == 0) {
        do {
            if (dwarf_tag(&die) == DW_TAG_subrange_type && dimensions < DIMENSIONS) {
                counts[dimensions++] = dimension(&die);
            }
        } while (dwarf_siblingof(&die, &die) == 0);
    }
    while (dimensions-- > 0) {
        uint32_t array = dimensions ? add_type(self, HD_SHAPE_ARRAY) : id;
        uint64_t size;
        if (__builtin_mul_overflow(self->types[element].size, counts[dimensions], &size))
            size = 0;
        self->types[array].shape = HD_SHAPE_ARRAY;
        self->types[array].element = element;
        self->types[array].size = size;
        element = array;
    }
}

/* Through typedefs and qualifiers. False: void, or broken. */
static bool peel(Dwarf_Die *type, const char **alias) {
    for (unsigned depth = 0; depth < HD_NAMES_DEPTH; depth++) {
        Dwarf_Attribute attribute;
        switch (dwarf_tag(type)) {
        case DW_TAG_typedef:
            if (!*alias) *alias = dwarf_diename(type);
            break;
        case DW_TAG_const_type:
        case DW_TAG_volatile_type:
        case DW_TAG_restrict_type:
        case DW_TAG_atomic_type:
        case DW_TAG_shared_type:
            break;
        default:
            return true;
        }
        if (!dwarf_attr_integrate(type, DW_AT_type, &attribute)) return false;
        if (!dwarf_formref_die(&attribute, type)) return false;
    }
    return false;
}

static enum hd_number number_of(Dwarf_Die *type) {
    uint64_t encoding;
    if (!number(type, DW_AT_encoding, &encoding)) return HD_NUMBER_UNSIGNED;
    return encoding == DW_ATE_float                                         ? HD_NUMBER_REAL
           : encoding == DW_ATE_signed || encoding == DW_ATE_signed_char ? HD_NUMBER_SIGNED
                                                                          : HD_NUMBER_UNSIGNED;
}

uint32_t hd_type_read(struct hd_module_names *self, Dwarf_Die *given, unsigned depth) {
    Dwarf_Die type = *given;
    Dwarf_Attribute attribute;
    const char *alias = NULL;
    if (self->type_count == 0) add_type(self, HD_SHAPE_SCALAR);
    if (depth > HD_NAMES_DEPTH || !peel(&type, &alias)) return 0;
    uint64_t key = key_of(&type);
    struct hd_type_key *place = key_slot(self, key);
    if (place->type) return place->type;

    /* The number is given before members are read, so that a type that contains
     * itself, which only a broken file has, finds it and stops. */
    uint32_t id = add_type(self, HD_SHAPE_SCALAR);
    *key_slot(self, key) = (struct hd_type_key){key, id};
    struct hd_type *made = &self->types[id];
    uint64_t size = 0;
    number(&type, DW_AT_byte_size, &size);
    made->size = size;
    made->name = dwarf_diename(&type);
    if (!made->name) made->name = alias;
    switch (dwarf_tag(&type)) {
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
        made->shape = HD_SHAPE_STRUCT;
        read_members(self, id, &type, depth);
        break;
    case DW_TAG_union_type:
        made->shape = HD_SHAPE_UNION;
        read_members(self, id, &type, depth);
        break;
    case DW_TAG_array_type:
        read_array(self, id, &type, depth);
        if (size) self->types[id].size = size;
        break;
    case DW_TAG_pointer_type:
        made->shape = HD_SHAPE_POINTER;
        if (!made->size) made->size = sizeof(void *);
        if (!dwarf_attr_integrate(&type, DW_AT_type, &attribute) ||
            !dwarf_formref_die(&attribute, &made->target)) {
            made->target.addr = NULL;
        }
        break;
    case DW_TAG_base_type:
        made->number = number_of(&type);
        break;
    default:
        break;
    }
    return id;
}

uint32_t hd_type_of(struct hd_module_names *self, Dwarf_Die *die) {
    Dwarf_Attribute attribute;
    Dwarf_Die type;
    if (!dwarf_attr_integrate(die, DW_AT_type, &attribute)) return 0;
    if (!dwarf_formref_die(&attribute, &type)) return 0;
    return hd_type_read(self, &type, 0);
}

const char *hd_names_type(const struct hd_module_names *self, uint32_t type) {
    return self->types[type].name;
}

uint64_t hd_names_scalar(const struct hd_module_names *self, uint32_t type) {
    const struct hd_type *of = &self->types[type];
    return of->shape == HD_SHAPE_SCALAR || of->shape == HD_SHAPE_POINTER ? of->size : 0;
}
