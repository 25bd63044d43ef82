/* load.c - libraries that come while the program runs. */
#include "libc.h"

#include "../module.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>

/* Does the library call heddle at its accesses? Its dynamic symbols tell. */
static bool instrumented(const struct link_map *map) {
    const ElfW(Sym) *symbols = NULL;
    const char *names = NULL;
    const ElfW(Dyn) *entry;
    for (entry = map->l_ld; entry->d_tag != DT_NULL; entry++) {
        if (entry->d_tag == DT_SYMTAB) symbols = (const void *)entry->d_un.d_ptr;
        if (entry->d_tag == DT_STRTAB) names = (const void *)entry->d_un.d_ptr;
    }
    /* The table of names follows the table of symbols. */
    if (!symbols || !names || (const char *)symbols >= names) return true;
    for (const ElfW(Sym) *at = symbols; (const char *)(at + 1) <= names; at++) {
        if (at->st_shndx == SHN_UNDEF && strncmp(names + at->st_name, "__tsan_", 7) == 0) return true;
    }
    return false;
}

static void *loaded(void *handle) {
    struct link_map *map = handle;
    if (!handle || !hd_inside()) return handle;
    hd_rt->loaded = hd_rt->ever_loaded = true;
    hd_module_scan();
    if (map->l_name && map->l_name[0] && !instrumented(map)) {
        const char *tail = strrchr(map->l_name, '/');
        hd_note("%s was loaded and is not built by heddle-cc: its accesses are not seen",
                tail ? tail + 1 : map->l_name);
    }
    return handle;
}

/* libc looks at who calls (for $ORIGIN and RPATH): with RTLD_NEXT gone that would
 * be this file, which is in the program itself. */
HD_TAKEN void *dlopen(const char *path, int flags) { return loaded(HD_REAL(dlopen)(path, flags)); }

HD_TAKEN int dlclose(void *handle) {
    int result = HD_REAL(dlclose)(handle);
    if (hd_inside()) hd_module_scan();
    return result;
}
