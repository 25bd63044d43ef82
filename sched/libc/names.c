/* names.c - libc's own definitions, found when they are first needed. */
#include "libc.h"

static const char *const names[HD_LIBC_COUNT] = {
#define HD_LIBC(name) #name,
#include "names.def"
#undef HD_LIBC
};

void *hd_libc_find(enum hd_libc_name number) {
    _Static_assert(HD_LIBC_COUNT <= sizeof hd_rt->libc / sizeof *hd_rt->libc, "too many names");
    void *found = hd_real_named(names[number]);
    if (!found) hd_give_up("the program calls %s, which libc does not have", names[number]);
    if (hd_booted) hd_rt->libc[number] = found;
    return found;
}
