/* process.c - what belongs to the process and cannot be taken back: who it is, to what
 * it belongs, where its root is (beyond.h). */
#define _GNU_SOURCE
#include "../beyond.h"

#include "../pthread/block.h"
#include "libc.h"

#include <grp.h>
#include <sched.h>
#include <spawn.h>
#include <sys/fsuid.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <unistd.h>

#define BEYOND(type, name, parameters, arguments, what)                                  \
    HD_TAKEN type name parameters {                                                      \
        type(*real) parameters = (type(*) parameters)(uintptr_t)hd_real_named(#name);    \
        if (hd_inside()) hd_step(HD_NONE, hd_pseudo(HD_KEY_PROCESS), HD_MODE_WRITE, HD_PC()); \
        type result = real arguments;                                                    \
        if (result != (type)-1) hd_beyond(what);                                         \
        return result;                                                                   \
    }

#define WHO "changes its user or group"
BEYOND(int, setuid, (uid_t user), (user), WHO)
BEYOND(int, seteuid, (uid_t user), (user), WHO)
BEYOND(int, setreuid, (uid_t real_, uid_t effective), (real_, effective), WHO)
BEYOND(int, setresuid, (uid_t real_, uid_t effective, uid_t saved), (real_, effective, saved), WHO)
BEYOND(int, setgid, (gid_t group), (group), WHO)
BEYOND(int, setegid, (gid_t group), (group), WHO)
BEYOND(int, setregid, (gid_t real_, gid_t effective), (real_, effective), WHO)
BEYOND(int, setresgid, (gid_t real_, gid_t effective, gid_t saved), (real_, effective, saved), WHO)
BEYOND(int, setgroups, (size_t count, const gid_t *list), (count, list), WHO)
BEYOND(int, initgroups, (const char *user, gid_t group), (user, group), WHO)
BEYOND(int, setfsuid, (uid_t user), (user), WHO)
BEYOND(int, setfsgid, (gid_t group), (group), WHO)

#define WHERE "leaves its session or process group"
BEYOND(pid_t, setsid, (void), (), WHERE)
BEYOND(int, setpgid, (pid_t process, pid_t group), (process, group), WHERE)
BEYOND(int, setpgrp, (void), (), WHERE)

BEYOND(int, chroot, (const char *path), (path), "changes its root directory")
BEYOND(int, unshare, (int flags), (flags), "leaves a namespace")
BEYOND(int, setns, (int fd, int type_), (fd, type_), "leaves a namespace")
BEYOND(int, personality, (unsigned long value), (value), "changes its personality")

#define LOCKS "locks memory"
BEYOND(int, mlock, (const void *at, size_t size), (at, size), LOCKS)
BEYOND(int, mlock2, (const void *at, size_t size, unsigned flags), (at, size, flags), LOCKS)
BEYOND(int, mlockall, (int flags), (flags), LOCKS)

/* ---- processes -------------------------------------------------------------------------- */

#define SPAWNS(name)                                                                     \
    HD_TAKEN int name(pid_t *process, const char *path,                                  \
                      const posix_spawn_file_actions_t *actions,                         \
                      const posix_spawnattr_t *attributes, char *const *arguments,       \
                      char *const *environment) {                                        \
        __typeof__(&name) real = (__typeof__(&name))(uintptr_t)hd_real_named(#name);     \
        pid_t made = 0;                                                                  \
        if (hd_inside()) hd_step(HD_NONE, hd_pseudo(HD_KEY_PROCESS), HD_MODE_WRITE, HD_PC()); \
        int result = real(&made, path, actions, attributes, arguments, environment);     \
        if (result == 0 && hd_inside()) hd_beyond_child(made);                           \
        if (result == 0 && process) *process = made;                                     \
        return result;                                                                   \
    }
SPAWNS(posix_spawn)
SPAWNS(posix_spawnp)
