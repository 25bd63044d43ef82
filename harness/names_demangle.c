/* names_demangle.c - the names of C++ functions and variables, without a library.
 *
 * Only what names a place in the program is wanted: `Queue::push` out of
 * _ZN5Queue4pushEi. Arguments are dropped; templates, operators and everything
 * else that is not a chain of plain names is not understood, and the caller
 * falls back on what DWARF says. */
#include "names_inner.h"

#include <ctype.h>
#include <string.h>

struct text {
    char *at;
    size_t room;
    const char *last; /* the component before, for constructors */
    size_t last_length;
};

static bool add(struct text *to, const char *text, size_t length) {
    if (length + 1 > to->room) return false;
    memcpy(to->at, text, length);
    to->at += length;
    to->room -= length;
    *to->at = '\0';
    return true;
}

static bool component(struct text *to, bool first, const char *text, size_t length) {
    static const char hidden[] = "_GLOBAL__N";
    if (length >= sizeof hidden - 1 && memcmp(text, hidden, sizeof hidden - 1) == 0) {
        text = "(anonymous)";
        length = strlen(text);
    }
    to->last = text;
    to->last_length = length;
    return (first || add(to, "::", 2)) && add(to, text, length);
}

/* <number> <that many letters> */
static const char *source_name(struct text *to, const char *at, bool first) {
    size_t length = 0;
    while (isdigit((unsigned char)*at) && length < 4096)
        length = length * 10 + (size_t)(*at++ - '0');
    if (length == 0 || strnlen(at, length) < length || !component(to, first, at, length))
        return NULL;
    return at + length;
}

bool hd_demangle(const char *mangled, char *buffer, size_t room) {
    struct text to = {buffer, room, NULL, 0};
    if (strncmp(mangled, "_Z", 2) != 0) return false;
    const char *at = mangled + 2;
    if (*at == 'L') at++; /* internal linkage */
    if (isdigit((unsigned char)*at)) {
        at = source_name(&to, at, true);
        return at && *at != 'I';
    }
    if (*at != 'N') return false;
    at++;
    at += strspn(at, "KVrRO"); /* qualifiers of a member function */
    bool first = true;
    if (strncmp(at, "St", 2) == 0) {
        if (!component(&to, true, "std", 3)) return false;
        at += 2;
        first = false;
    }
    while (at && *at != 'E') {
        if (*at == 'L') at++;
        if (isdigit((unsigned char)*at)) {
            at = source_name(&to, at, first);
        } else if ((*at == 'C' || *at == 'D') && isdigit((unsigned char)at[1]) &&
                   !first) {
            char name[256];
            int used = snprintf(name, sizeof name, "%s%.*s", *at == 'D' ? "~" : "",
                                (int)to.last_length, to.last);
            if (used >= (int)sizeof name || !add(&to, "::", 2) ||
                !add(&to, name, (size_t)used)) {
                return false;
            }
            at += 2;
        } else {
            return false;
        }
        first = false;
    }
    return at && !first;
}

const char *hd_die_name(struct hd_module_names *self, Dwarf_Die *die) {
    Dwarf_Attribute attribute;
    char text[512];
    if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute) ||
        dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attribute)) {
        const char *mangled = dwarf_formstring(&attribute);
        if (mangled && hd_demangle(mangled, text, sizeof text)) {
            return hd_arena_string(self->arena, text);
        }
    }
    if (!dwarf_attr_integrate(die, DW_AT_name, &attribute)) return NULL;
    return dwarf_formstring(&attribute);
}
