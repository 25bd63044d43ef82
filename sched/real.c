/* real.c - finding libc's own definitions. */
#define _GNU_SOURCE
#include "real.h"

#include "dynamic.h"
#include "runtime.h"

#include <dlfcn.h>

/* dlsym itself is not asked for by name: a program that does so is told by that
 * (confined.c). The program has no name there. */
static int find_dlsym(struct dl_phdr_info *info, size_t size, void *found) {
    struct hd_dynamic dynamic;
    (void)size;
    if (!info->dlpi_name[0]) return 0;
    if (hd_dynamic_read(info, &dynamic)) *(void **)found = hd_dynamic_find(&dynamic, "dlsym");
    return *(void **)found != NULL;
}

void *hd_real_named(const char *name) {
    void *(*find)(void *, const char *) = NULL;
    dl_iterate_phdr(find_dlsym, &find);
    if (!find) hd_give_up("libc has no dlsym");
    if (hd_booted) hd_rt->entered = true;
    return find(RTLD_NEXT, name);
}

void hd_real_find(struct hd_real *real) {
#define X(type, name, parameters) *(void **)&real->name = hd_real_named(#name);
    HD_REAL_FUNCTIONS
#undef X
}
