/* arguments.c - see arguments.h.
 *
 * A string that others may change meanwhile is passed on as a copy; then the list of
 * arguments is made anew, all of it in memory, where the platforms put what does not
 * fit into registers: eight bytes each, sixteen and aligned for a long double. */
#include "arguments.h"

#include <string.h>

struct conversion { /* %[flags][width][.precision][length]letter */
    bool wide_from, exact_from; /* width, precision: an argument */
    long precision;             /* -1: none */
    unsigned longs;             /* how long an integer is: 1, or more */
    bool long_double;
    char letter; /* 0: not understood */
};

static const char *parse(const char *at, struct conversion *to) {
    *to = (struct conversion){.precision = -1};
    at += HD_REAL(strspn)(at, "#0- +'I");
    if (*at == '*') {
        to->wide_from = true;
        at++;
    }
    at += HD_REAL(strspn)(at, "0123456789");
    if (*at == '.') {
        at++;
        to->precision = 0;
        to->exact_from = *at == '*';
        if (to->exact_from) at++;
        for (; *at >= '0' && *at <= '9' && to->precision < (1 << 30); at++) {
            to->precision = to->precision * 10 + (*at - '0');
        }
    }
    for (;; at++) {
        if (*at == 'l' || *at == 'q' || *at == 'j' || *at == 'z' || *at == 't' || *at == 'Z') {
            to->longs++;
        } else if (*at == 'L') {
            to->longs++;
            to->long_double = true;
        } else if (*at != 'h') {
            break;
        }
    }
    to->letter = *at;
    return *at ? at + 1 : at;
}

struct filling {
    struct hd_arguments *to;
    va_list from;
    size_t used;  /* slots */
    bool changed; /* some string is a copy */
};

static void put(struct filling *self, const void *value, size_t bytes) {
    memcpy(&self->to->slots[self->used], value, bytes);
    self->used += (bytes + 7) / 8;
}

static int put_int(struct filling *self) {
    int value = va_arg(self->from, int);
    put(self, &value, sizeof value);
    return value;
}

static void put_string(struct filling *self, const struct conversion *it, void *pc) {
    const char *s = va_arg(self->from, const char *), *held = s;
    size_t length;
    if (s && !it->longs) {
        held = hd_hold_string_aside(s, it->precision < 0 ? SIZE_MAX : (size_t)it->precision, &length, pc);
    }
    self->changed = self->changed || held != s;
    put(self, &held, sizeof held);
}

/* False: nothing is known of what follows. */
static bool put_one(struct filling *self, struct conversion *it, void *pc) {
    if (it->wide_from) put_int(self);
    if (it->exact_from) it->precision = put_int(self);
    switch (it->letter) {
    case 'd': case 'i': case 'o': case 'u': case 'x': case 'X':
        if (it->longs) {
            long value = va_arg(self->from, long);
            put(self, &value, sizeof value);
        } else {
            put_int(self);
        }
        return true;
    case 'c': case 'C': put_int(self); return true;
    case 'a': case 'A': case 'e': case 'E': case 'f': case 'F': case 'g': case 'G':
        if (it->long_double) {
            long double value = va_arg(self->from, long double);
            self->used += self->used & 1;
            put(self, &value, sizeof value);
        } else {
            double value = va_arg(self->from, double);
            put(self, &value, sizeof value);
        }
        return true;
    case 's': put_string(self, it, pc); return true;
    case 'S': case 'p': case 'n': {
        void *value = va_arg(self->from, void *);
        put(self, &value, sizeof value);
        return true;
    }
    case 'm': case '%': return true;
    default: return false;
    }
}

/* All arguments are in memory, none is left in registers. */
static void list_in_memory(va_list *list, void *slots) {
#if defined(__x86_64__)
    struct {
        unsigned gp_offset, fp_offset;
        void *overflow, *registers;
    } raw = {6 * 8, 6 * 8 + 8 * 16, slots, NULL};
#elif defined(__aarch64__)
    struct {
        void *stack, *gr_top, *vr_top;
        int gr_offset, vr_offset;
    } raw = {slots, NULL, NULL, 0, 0};
#endif
    _Static_assert(sizeof raw == sizeof *list, "this is how the platform lays out a va_list");
    memcpy(list, &raw, sizeof raw);
}

void hd_hold_arguments(struct hd_arguments *self, const char *format, va_list args, void *pc) {
    va_copy(self->list, args);
    if (!hd_watched()) return;
    struct filling filling = {.to = self};
    va_copy(filling.from, args);
    bool known = true;
    const char *at = HD_REAL(strchrnul)(format, '%');
    for (; known && *at; at = HD_REAL(strchrnul)(at, '%')) {
        struct conversion it;
        at = parse(at + 1, &it);
        /* one conversion has at most four slots: width, precision, a long double aligned */
        known = filling.used + 5 <= 2 * HD_ARGUMENTS && put_one(&filling, &it, pc);
    }
    va_end(filling.from);
    if (known && filling.changed) list_in_memory(&self->list, self->slots);
}
