/* stores.c - functions of libc that store a result where the caller wants it, and of which
 * nothing else is to be said.
 *
 * The result is made aside, and stored when it is there: each word in its turn, as if the
 * program had written it (hold.h). */
#define _GNU_SOURCE
#include "files.h"
#include "hold.h"
#include "stream.h"

#include "../access.h"
#include "../heap.h"
#include "../pthread/kernel.h"

#include <arpa/inet.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

static long answer(long result) {
    if ((unsigned long)result < -4095UL) return result;
    errno = (int)-result;
    return -1;
}

/* ---- numbers whose state is the caller's ----------------------------------------------- */

#define DRAWS(type, name, state_type, count)                                             \
    HD_TAKEN type name(state_type state[count]) {                                              \
        state_type aside[count];                                                         \
        memcpy(aside, hd_take(state, sizeof aside, HD_PC()), sizeof aside);              \
        type result = HD_REAL(name)(aside);                                              \
        hd_give(state, aside, sizeof aside, HD_PC());                                    \
        return result;                                                                   \
    }
DRAWS(double, erand48, unsigned short, 3)
DRAWS(long, nrand48, unsigned short, 3)
DRAWS(long, jrand48, unsigned short, 3)

HD_TAKEN int rand_r(unsigned *state) {
    unsigned aside = *(const unsigned *)hd_take(state, sizeof *state, HD_PC());
    int result = HD_REAL(rand_r)(&aside);
    hd_give(state, &aside, sizeof aside, HD_PC());
    return result;
}

/* ---- texts ----------------------------------------------------------------------------- */

#undef strerror_r
HD_TAKEN char *strerror_r(int code, char *to, size_t room) { /* may answer with its own */
    char aside[256];
    size_t most = room < sizeof aside ? room : sizeof aside;
    char *result = HD_REAL(strerror_r)(code, aside, most);
    if (result != aside) return result;
    hd_give(to, aside, HD_REAL(strlen)(aside) + 1, HD_PC());
    return to;
}
extern int __xpg_strerror_r(int code, char *to, size_t room);
HD_TAKEN int __xpg_strerror_r(int code, char *to, size_t room) {
    char aside[256] = "";
    size_t most = room < sizeof aside ? room : sizeof aside;
    int result = HD_REAL(__xpg_strerror_r)(code, aside, most);
    if (most) hd_give(to, aside, HD_REAL(strlen)(aside) + 1, HD_PC());
    return result;
}

HD_TAKEN size_t strftime(char *to, size_t room, const char *format, const struct tm *at) {
    char aside[512], *text = room <= sizeof aside ? aside : hd_passing(room);
    size_t length;
    struct tm when = *(const struct tm *)hd_take(at, sizeof *at, HD_PC());
    if (hd_watched()) format = hd_hold_string(format, SIZE_MAX, &length, HD_PC());
    size_t used = HD_REAL(strftime)(text, room, format, &when);
    if (used > 0) hd_give(to, text, used + 1, HD_PC());
    return used;
}

HD_TAKEN void swab(const void *restrict from, void *restrict to, ssize_t n) {
    if (n < 2) return;
    size_t size = (size_t)n & ~1UL;
    char aside[512], *text = size <= sizeof aside ? aside : hd_passing(size);
    HD_REAL(swab)(hd_take(from, size, HD_PC()), text, (ssize_t)size);
    hd_give(to, text, size, HD_PC());
}

/* ---- who and where we are --------------------------------------------------------------- */

/* The kernel's answer counts its end, too. */
static long current_folder(char *aside, size_t room, void *pc) {
    hd_hidden_step(HD_KEY_FILES, false, pc);
    return hd_kernel(SYS_getcwd, (long)aside, (long)room, 0, 0, 0, 0);
}

HD_TAKEN char *getcwd(char *to, size_t room) {
    char aside[PATH_MAX];
    if (!hd_inside() || (to && room == 0)) return HD_REAL(getcwd)(to, room);
    long used = current_folder(aside, sizeof aside, HD_PC());
    if (used > 0 && room && (size_t)used > room) used = -ERANGE;
    if (used > 0 && !to) to = hd_heap_resize(NULL, room ? room : (size_t)used, HD_PC());
    if (!to) used = -ENOMEM;
    if (answer(used) < 0) return NULL;
    hd_give(to, aside, (size_t)used, HD_PC());
    return to;
}

HD_TAKEN int gethostname(char *to, size_t room) {
    char aside[HOST_NAME_MAX + 1];
    size_t most = room < sizeof aside ? room : sizeof aside;
    int result = HD_REAL(gethostname)(aside, most);
    if (result == 0) hd_give(to, aside, HD_REAL(strnlen)(aside, most - 1) + 1, HD_PC());
    return result;
}

HD_TAKEN int uname(struct utsname *to) {
    struct utsname aside;
    int result = HD_REAL(uname)(&aside);
    if (result == 0) hd_give(to, &aside, sizeof aside, HD_PC());
    return result;
}

/* ---- files ------------------------------------------------------------------------------ */

#define TELLS(name, parameters, arguments)                                               \
    HD_TAKEN int name parameters {                                                       \
        struct stat aside;                                                               \
        hd_hidden_step(HD_KEY_FILES, false, HD_PC());                                    \
        int result = HD_REAL(name) arguments;                                            \
        if (result == 0) hd_give(to, &aside, sizeof aside, HD_PC());                     \
        return result;                                                                   \
    }
TELLS(stat, (const char *restrict path, struct stat *restrict to), (path, &aside))
TELLS(lstat, (const char *restrict path, struct stat *restrict to), (path, &aside))
TELLS(fstatat, (int folder, const char *restrict path, struct stat *restrict to, int flags),
      (folder, path, &aside, flags))
#if __WORDSIZE == 64 /* where it is the same */
extern __typeof__(stat) hd_stat64 __asm__("stat64");
extern __typeof__(lstat) hd_lstat64 __asm__("lstat64");
extern __typeof__(fstatat) hd_fstatat64 __asm__("fstatat64");
HD_ALIAS(hd_stat64, stat);
HD_ALIAS(hd_lstat64, lstat);
HD_ALIAS(hd_fstatat64, fstatat);
#endif

HD_TAKEN char *realpath(const char *restrict path, char *restrict to) {
    char aside[PATH_MAX];
    hd_hidden_step(HD_KEY_FILES, false, HD_PC());
    if (!to || !hd_inside()) return HD_REAL(realpath)(path, to);
    if (!HD_REAL(realpath)(path, aside)) return NULL;
    hd_give(to, aside, HD_REAL(strlen)(aside) + 1, HD_PC());
    return to;
}

/* ---- addresses --------------------------------------------------------------------------- */

HD_TAKEN const char *inet_ntop(int family, const void *restrict from, char *restrict to, socklen_t room) {
    char aside[INET6_ADDRSTRLEN];
    size_t size = family == AF_INET6 ? 16 : 4;
    socklen_t most = room < sizeof aside ? room : (socklen_t)sizeof aside;
    if (!HD_REAL(inet_ntop)(family, hd_take(from, size, HD_PC()), aside, most)) return NULL;
    hd_give(to, aside, HD_REAL(strlen)(aside) + 1, HD_PC());
    return to;
}

HD_TAKEN int inet_pton(int family, const char *restrict from, void *restrict to) {
    char aside[16];
    size_t length;
    if (hd_watched()) from = hd_hold_string(from, SIZE_MAX, &length, HD_PC());
    int result = HD_REAL(inet_pton)(family, from, aside);
    if (result == 1) hd_give(to, aside, family == AF_INET6 ? 16 : 4, HD_PC());
    return result;
}
