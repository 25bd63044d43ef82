/* libc.h - what every file that stands in for a part of libc begins with.
 *
 * libc's own definition of a name is looked up when it is first needed, and kept
 * by number: HD_REAL(strlen)(s). The numbers are those of names.def. */
#ifndef HD_LIBC_H
#define HD_LIBC_H

#include "../pthread/taken.h"

enum hd_libc_name {
#define HD_LIBC(name) HD_LIBC_##name,
#include "names.def"
#undef HD_LIBC
    HD_LIBC_COUNT,
    HD_LIBC_LAST_PURE = HD_LIBC_wcscpy
};

/* Ends the run with a message when libc has no such name. */
void *hd_libc_find(enum hd_libc_name number);

static inline void *hd_libc_real(enum hd_libc_name number) {
    void *found = hd_booted ? hd_rt->libc[number] : NULL;
    if (number > HD_LIBC_LAST_PURE && hd_booted) hd_rt->entered = true;
    return hd_likely(found != NULL) ? found : hd_libc_find(number);
}

#define HD_REAL(name) ((__typeof__(&name))hd_libc_real(HD_LIBC_##name))

#endif
