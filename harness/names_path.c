/* names_path.c - bytes inside a variable, as one would write them.
 *
 * From a type, an offset and a length to ".slots[3].used". What is touched is
 * followed down as long as one part holds all of it; where it is more than one,
 * the path ends with the parts: "[2..5]", ".first..last", ".{a,b}" for bit
 * fields that share their bytes. Bytes that no part holds are "+offset", and so
 * are those of a part whose name is reserved for the implementation: a mutex is
 * `guard`, not `guard.__data.__lock`. */
#include "names_inner.h"

#include <stdio.h>

struct out {
    char *at;
    size_t room;
};

/* A table of a million elements has as many names: not through printf. */
static void put(struct out *out, const char *text) {
    for (; *text && out->room > 1; text++, out->room--) *out->at++ = *text;
    *out->at = '\0';
}

static void put_number(struct out *out, uint64_t number) {
    char digits[24], *at = digits + sizeof digits - 1;
    *at = '\0';
    do *--at = (char)('0' + number % 10);
    while (number /= 10);
    put(out, at);
}

static void put_offset(struct out *out, uint64_t offset) {
    if (offset == 0) return;
    put(out, "+");
    put_number(out, offset);
}

/* One element, or several. */
static void put_elements(struct out *out, uint64_t first, uint64_t last) {
    put(out, "[");
    put_number(out, first);
    if (last != first) {
        put(out, "..");
        put_number(out, last);
    }
    put(out, "]");
}

bool hd_type_open(const struct hd_module_names *self, const struct hd_type *type) {
    if (type->shape != HD_SHAPE_STRUCT || !type->member_count) return false;
    const struct hd_member *last = &type->members[type->member_count - 1];
    return self->types[last->type].shape == HD_SHAPE_ARRAY && last->size == 0;
}

/* Where it ends. */
static uint64_t end_of(const struct hd_member *member, bool open) {
    return open ? UINT64_MAX : member->offset + member->size;
}

static bool touches(const struct hd_member *member, uint64_t end, uint64_t offset,
                    uint64_t size) {
    return member->offset < offset + size && offset < end;
}

static bool holds(const struct hd_member *member, uint64_t offset, uint64_t size) {
    return member->offset <= offset && offset + size <= member->offset + member->size;
}

/* Whose inside is nobody's business: the C and C++ libraries' own types. */
static bool opaque(const struct hd_type *type) {
    const char *name = type->member_count ? type->members[0].name : NULL;
    return name && name[0] == '_' &&
           (name[1] == '_' || (name[1] >= 'A' && name[1] <= 'Z'));
}

static const char *shown(const struct hd_member *member) {
    return member->name ? member->name : "?";
}

static void walk(const struct hd_module_names *self, uint32_t type, uint64_t offset,
                 uint64_t size, struct out *out, unsigned depth);

/* Does the path end at a scalar of exactly these bytes? Which member of a union
 * was meant is told by the size of the access. */
static bool fits(const struct hd_module_names *self, uint32_t id, uint64_t offset,
                 uint64_t size, unsigned depth) {
    const struct hd_type *type = &self->types[id];
    if (depth > HD_NAMES_DEPTH) return false;
    switch (type->shape) {
    case HD_SHAPE_SCALAR:
    case HD_SHAPE_POINTER:
        return offset == 0 && size == type->size;
    case HD_SHAPE_ARRAY: {
        uint64_t each = self->types[type->element].size;
        return each && fits(self, type->element, offset % each, size, depth + 1);
    }
    case HD_SHAPE_STRUCT:
    case HD_SHAPE_UNION:
        for (uint32_t i = 0; i < type->member_count; i++) {
            const struct hd_member *member = &type->members[i];
            if (holds(member, offset, size) && !member->bits &&
                fits(self, member->type, offset - member->offset, size, depth + 1)) {
                return true;
            }
        }
        return false;
    }
    return false;
}

static void descend(const struct hd_module_names *self, const struct hd_member *member,
                    uint64_t offset, uint64_t size, struct out *out, unsigned depth) {
    if (member->name) {
        put(out, ".");
        put(out, member->name);
    }
    if (!member->bits)
        walk(self, member->type, offset - member->offset, size, out, depth + 1);
}

static void walk_union(const struct hd_module_names *self, const struct hd_type *type,
                       uint64_t offset, uint64_t size, struct out *out, unsigned depth) {
    const struct hd_member *first = NULL;
    for (uint32_t i = 0; i < type->member_count; i++) {
        const struct hd_member *member = &type->members[i];
        if (!holds(member, offset, size)) continue;
        if (!first) first = member;
        if (!member->bits &&
            fits(self, member->type, offset - member->offset, size, depth)) {
            first = member;
            break;
        }
    }
    if (first && !(offset == 0 && size == type->size && type->member_count > 1 &&
                   !fits(self, first->type, offset, size, depth))) {
        descend(self, first, offset, size, out, depth);
    } else {
        put_offset(out, offset);
    }
}

static void walk_struct(const struct hd_module_names *self, const struct hd_type *type,
                        uint64_t offset, uint64_t size, struct out *out, unsigned depth) {
    const struct hd_member *first = NULL, *last = NULL;
    unsigned count = 0;
    bool bits = true, open = hd_type_open(self, type);
    for (uint32_t i = 0; i < type->member_count; i++) {
        const struct hd_member *member = &type->members[i];
        bool rest = open && i + 1 == type->member_count;
        if (!touches(member, end_of(member, rest), offset, size)) continue;
        if (!first) first = member;
        last = member;
        bits = bits && member->bits;
        count++;
    }
    if (count == 0) {
        put_offset(out, offset);
    } else if (count == 1 && (first->bits || holds(first, offset, size) ||
                              (open && last == &type->members[type->member_count - 1] &&
                               first->offset <= offset))) {
        descend(self, first, offset, size, out, depth);
    } else if (bits && count > 1) {
        const char *joint = ".{";
        for (const struct hd_member *member = first; member <= last; member++) {
            if (!touches(member, end_of(member, false), offset, size) || !member->name) continue;
            put(out, joint);
            put(out, member->name);
            joint = ",";
        }
        put(out, "}");
    } else if (offset == 0 && size >= type->size) {
        return; /* all of it */
    } else if (count == 1) {
        descend(self, first, first->offset, first->size, out, depth);
    } else {
        put(out, ".");
        put(out, shown(first));
        put(out, "..");
        put(out, shown(last));
    }
}

static void walk(const struct hd_module_names *self, uint32_t id, uint64_t offset,
                 uint64_t size, struct out *out, unsigned depth) {
    const struct hd_type *type = &self->types[id];
    if (depth > HD_NAMES_DEPTH) return;
    if (opaque(type)) {
        put_offset(out, offset);
    } else if (type->shape == HD_SHAPE_STRUCT) {
        walk_struct(self, type, offset, size, out, depth);
    } else if (type->shape == HD_SHAPE_UNION) {
        walk_union(self, type, offset, size, out, depth);
    } else if (type->shape == HD_SHAPE_ARRAY && self->types[type->element].size) {
        uint64_t each = self->types[type->element].size;
        uint64_t first = offset / each, last = (offset + size - 1) / each;
        if (first == last || offset || size < type->size) put_elements(out, first, last);
        if (first == last) walk(self, type->element, offset % each, size, out, depth + 1);
    } else {
        put_offset(out, offset);
    }
}

void hd_type_path(const struct hd_module_names *self, uint32_t type, uint64_t offset,
                  uint64_t size, char *buffer, size_t room) {
    struct out out = {buffer, room};
    if (room == 0) return;
    buffer[0] = '\0';
    if (size == 0) size = 1;
    if (offset > UINT64_MAX - size) return;
    if (type) {
        walk(self, type, offset, size, &out, 0);
    } else {
        put_offset(&out, offset);
    }
}

void hd_names_inside(const struct hd_module_names *self, uint32_t type, uint64_t total,
                     uint64_t offset, uint64_t size, char *buffer, size_t room) {
    uint64_t each = type ? self->types[type].size : 0;
    if (size == 0) size = 1;
    if (!each || total <= each || hd_type_open(self, &self->types[type])) {
        hd_type_path(self, type, offset, size, buffer, room);
        return;
    }
    uint64_t first = offset / each, last = (offset + size - 1) / each;
    struct out out = {buffer, room};
    if (room == 0) return;
    put_elements(&out, first, last);
    if (first == last) hd_type_path(self, type, offset % each, size, out.at, out.room);
}

const struct hd_type *hd_type_scalar(const struct hd_module_names *self, uint32_t id,
                                     uint64_t offset, uint64_t size) {
    for (unsigned depth = 0; depth < HD_NAMES_DEPTH; depth++) {
        const struct hd_type *type = &self->types[id];
        const struct hd_member *inside = NULL;
        switch (type->shape) {
        case HD_SHAPE_SCALAR:
        case HD_SHAPE_POINTER:
            return offset == 0 && size == type->size ? type : NULL;
        case HD_SHAPE_ARRAY:
            if (!self->types[type->element].size) return NULL;
            offset %= self->types[type->element].size;
            id = type->element;
            continue;
        case HD_SHAPE_STRUCT:
        case HD_SHAPE_UNION:
            for (uint32_t i = 0; i < type->member_count && !inside; i++) {
                const struct hd_member *member = &type->members[i];
                if (!holds(member, offset, size) || member->bits) continue;
                if (fits(self, member->type, offset - member->offset, size, 0)) inside = member;
            }
            if (!inside) return NULL;
            offset -= inside->offset;
            id = inside->type;
        }
    }
    return NULL;
}
