/* limits.c - resource limits and the mask of new files.
 *
 * They outlive an execution in the kernel, so what the program sets is put back. A
 * hard limit that was lowered cannot be raised again, so it is only remembered: the
 * soft one, which is what the kernel goes by, is set, and who asks is told as if
 * both were. */
#define _GNU_SOURCE
#include "../limits.h"

#include "../pthread/block.h"
#include "../pthread/kernel.h"
#include "libc.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

struct hd_limit_state {
    bool changed, masked;
    mode_t mask; /* what umask answered at the first change */
    struct rlimit before[RLIM_NLIMITS];
    rlim_t hard[RLIM_NLIMITS]; /* as the program knows them */
};

static long kernel(int which, const struct rlimit *set, struct rlimit *get) {
    return hd_kernel(SYS_prlimit64, 0, which, (long)set, (long)get, 0, 0);
}

void hd_limits_keep(void) {
    if (!hd_rt->limits) hd_rt->limits = hd_own(sizeof *hd_rt->limits);
    struct hd_limit_state *self = hd_rt->limits;
    for (int i = 0; i < RLIM_NLIMITS; i++) {
        if (kernel(i, NULL, &self->before[i]) < 0) self->before[i] = (struct rlimit){0};
        self->hard[i] = self->before[i].rlim_max;
    }
}

void hd_limits_restore(void) {
    struct hd_limit_state *self = hd_rt->limits;
    if (!self) return;
    for (int i = 0; self->changed && i < RLIM_NLIMITS; i++) {
        kernel(i, &self->before[i], NULL);
        self->hard[i] = self->before[i].rlim_max;
    }
    if (self->masked) hd_kernel(SYS_umask, self->mask, 0, 0, 0, 0, 0);
    self->changed = self->masked = false;
}

static int answer(long result) {
    if (result >= 0) return (int)result;
    errno = (int)-result;
    return -1;
}

static long change(int which, const struct rlimit *set) {
    struct hd_limit_state *self = hd_rt->limits;
    if (set->rlim_cur > set->rlim_max) return -EINVAL;
    if (set->rlim_max > self->hard[which]) return -EPERM;
    const struct rlimit soft = {set->rlim_cur, self->before[which].rlim_max};
    long rc = kernel(which, &soft, NULL);
    if (rc < 0) return rc;
    self->hard[which] = set->rlim_max;
    self->changed = true;
    return 0;
}

static int limit(int which, const struct rlimit *set, struct rlimit *get, void *pc) {
    if (!hd_inside() || !hd_rt->limits || which < 0 || which >= RLIM_NLIMITS) {
        return answer(kernel(which, set, get));
    }
    hd_step(HD_NONE, hd_pseudo(HD_KEY_PROCESS), set ? HD_MODE_WRITE : HD_MODE_READ, pc);
    struct rlimit now;
    long rc = kernel(which, NULL, &now);
    if (rc == 0) now.rlim_max = hd_rt->limits->hard[which];
    if (rc == 0 && set) rc = change(which, set);
    if (rc == 0 && get) *get = now;
    return answer(rc);
}

HD_TAKEN int setrlimit(__rlimit_resource_t which, const struct rlimit *set) {
    return limit((int)which, set, NULL, HD_PC());
}
HD_TAKEN int getrlimit(__rlimit_resource_t which, struct rlimit *get) {
    return limit((int)which, NULL, get, HD_PC());
}
HD_TAKEN int prlimit(pid_t process, enum __rlimit_resource which, const struct rlimit *set,
                     struct rlimit *get) {
    if (process != 0 && process != getpid()) {
        return answer(hd_kernel(SYS_prlimit64, process, (long)which, (long)set, (long)get, 0, 0));
    }
    return limit((int)which, set, get, HD_PC());
}

/* The same: rlim_t has 64 bits on every machine that heddle knows. */
HD_TAKEN int setrlimit64(__rlimit_resource_t which, const struct rlimit64 *set) {
    return limit((int)which, (const struct rlimit *)set, NULL, HD_PC());
}
HD_TAKEN int getrlimit64(__rlimit_resource_t which, struct rlimit64 *get) {
    return limit((int)which, NULL, (struct rlimit *)get, HD_PC());
}
HD_TAKEN int prlimit64(pid_t process, enum __rlimit_resource which, const struct rlimit64 *set,
                       struct rlimit64 *get) {
    return prlimit(process, which, (const struct rlimit *)set, (struct rlimit *)get);
}

HD_TAKEN mode_t umask(mode_t mask) {
    if (hd_inside()) hd_step(HD_NONE, hd_pseudo(HD_KEY_PROCESS), HD_MODE_WRITE, HD_PC());
    mode_t before = (mode_t)hd_kernel(SYS_umask, mask, 0, 0, 0, 0, 0);
    struct hd_limit_state *self = hd_booted ? hd_rt->limits : NULL;
    if (self && hd_inside() && !self->masked) {
        self->mask = before;
        self->masked = true;
    }
    return before;
}
