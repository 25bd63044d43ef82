/* file_system.c - names of files: looking at them, changing them; and descriptors
 * that are made in passing. */
#include "files.h"
#include "stream.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <unistd.h>

static void changes(void *pc) {
    if (!hd_inside()) return;
    hd_hidden_step(HD_KEY_FILES, true, pc);
    if (hd_rt->explore) hd_note("files written by an execution are not put back before the next");
}

#define CHANGES(name, parameters, arguments)                                             \
    HD_TAKEN int name parameters {                                                       \
        changes(HD_PC());                                                                \
        return HD_REAL(name) arguments;                                                  \
    }
#define LOOKS(name, parameters, arguments)                                               \
    HD_TAKEN int name parameters {                                                       \
        hd_hidden_step(HD_KEY_FILES, false, HD_PC());                                    \
        return HD_REAL(name) arguments;                                                  \
    }
#define MAKES(type, name, parameters, arguments)                                         \
    HD_TAKEN type name parameters {                                                      \
        hd_files_open(HD_PC());                                                          \
        return HD_REAL(name) arguments;                                                  \
    }

CHANGES(rename, (const char *from, const char *to), (from, to))
CHANGES(unlink, (const char *path), (path))
CHANGES(remove, (const char *path), (path))
CHANGES(mkdir, (const char *path, mode_t mode), (path, mode))
CHANGES(rmdir, (const char *path), (path))
CHANGES(link, (const char *from, const char *to), (from, to))
CHANGES(symlink, (const char *from, const char *to), (from, to))
CHANGES(truncate, (const char *path, off_t size), (path, size))
CHANGES(chmod, (const char *path, mode_t mode), (path, mode))

LOOKS(access, (const char *path, int mode), (path, mode))

MAKES(int, mkstemp, (char *path), (path))
MAKES(int, mkostemp, (char *path, int flags), (path, flags))
MAKES(int, mkstemps, (char *path, int suffix), (path, suffix))
MAKES(DIR *, opendir, (const char *path), (path))
MAKES(int, shm_open, (const char *name, int flags, mode_t mode), (name, flags, mode))
MAKES(int, memfd_create, (const char *name, unsigned flags), (name, flags))
MAKES(int, timerfd_create, (clockid_t clock, int flags), (clock, flags))
