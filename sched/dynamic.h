/* dynamic.h - what a loaded file says to the dynamic linker: the names that it
 * defines, and those that it asks others for. */
#ifndef HD_DYNAMIC_H
#define HD_DYNAMIC_H

#include <link.h>
#include <stdbool.h>
#include <stdint.h>

struct hd_dynamic {
    uintptr_t base;
    const ElfW(Sym) *symbols;
    const char *strings;
    const uint16_t *versions; /* by symbol, or NULL */
    const uint32_t *hash;     /* the table of DT_GNU_HASH */
};

/* False: it has no such table. */
bool hd_dynamic_read(const struct dl_phdr_info *info, struct hd_dynamic *out);

/* Where it defines this, in the version that a program gets; or NULL. */
void *hd_dynamic_find(const struct hd_dynamic *self, const char *name);

/* Every name that it does not define; false from `each`, or a table that cannot be
 * right, ends it with false. */
bool hd_dynamic_imports(const struct hd_dynamic *self, bool (*each)(const char *name, void *argument),
                        void *argument);

#endif
