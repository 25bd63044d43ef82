/* real.c - finding libc's own definitions. */
#define _GNU_SOURCE
#include "real.h"

#include "runtime.h"

#include <dlfcn.h>

void *hd_real_named(const char *name) { return dlsym(RTLD_NEXT, name); }

void hd_real_find(struct hd_real *real) {
#define X(type, name, parameters) *(void **)&real->name = hd_real_named(#name);
    HD_REAL_FUNCTIONS
#undef X
}
