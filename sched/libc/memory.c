/* memory.c - mmap and its relatives, shared memory of System V, the break.
 *
 * What an execution maps goes when it ends (mappings.h). What it takes away is gone for
 * all threads: to unmap memory, or to have it zero again, is a write of all that is in
 * there. */
#include "../mappings.h"

#include "../access.h"
#include "../module.h"
#include "../pthread/kernel.h"
#include "../shadow.h"
#include "files.h"
#include "hold.h"
#include "memory.h"
#include "stream.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SMALL (64UL << 10) /* bytes of which each counts as written when they are zero again */

static uintptr_t whole(size_t size) { return (size + HD_PAGE - 1) & ~(HD_PAGE - 1); }

static bool good(long result) { return (unsigned long)result < -4095UL; }

static long answer(long result) {
    if (good(result)) return result;
    errno = (int)-result;
    return -1;
}

/* ---- what is in there -------------------------------------------------------------- */

static bool alone(void) {
    return hd_rt->thread_count - hd_rt->finished_count < 2;
}

/* Words that were accessed in this execution: whoever did so may come later as well. */
static bool lose_known(uintptr_t address, size_t size, enum hd_kind kind, void *pc) {
    uintptr_t end = address + size;
    bool any = false;
    for (uintptr_t at = hd_shadow_seek(address, end); at < end; at = hd_shadow_seek(at + 8, end)) {
        bool known = false;
        HD_EACH_IN_WORD(var, at) known = known || var->generation == hd_rt->generation;
        if (known) hd_access_word(at, 8, kind, pc);
        any = any || known;
    }
    return any;
}

/* It cannot be touched, or not be written, from now on: that depends on who does. */
static void lose(uintptr_t address, size_t size, int left, void *pc) {
    if (!hd_watched() || alone() || (left & PROT_WRITE)) return;
    lose_known(address, whole(size), left & PROT_READ ? HD_READ : HD_WRITE, pc);
}

/* It is zero from now on. */
static void clear(uintptr_t address, size_t size, void *pc) {
    size = whole(size);
    if (!hd_watched() || alone()) return;
    if (size <= SMALL) {
        hd_access_range(address, size, HD_WRITE, pc);
    } else if (lose_known(address, size, HD_WRITE, pc)) {
        hd_note("more than %lu kB in use were made zero at once (MAP_FIXED, MADV_DONTNEED): who "
                "looks at them later was not tried before", SMALL / 1024);
        hd_rt->incomplete = true;
    }
}

/* ---- mmap -------------------------------------------------------------------------- */

static void made(uintptr_t low, size_t size) {
    hd_mappings_made(low, low + whole(size));
    hd_shadow_freed(low, size, false);
}

/* Addresses that the kernel hands out depend on what is mapped: hidden state. */
long hd_memory_map(void *at, size_t size, int protection, int flags, int fd, off_t offset, void *pc) {
    hd_hidden_step(HD_KEY_FILES, true, pc);
    uintptr_t fixed = (uintptr_t)at;
    if ((flags & MAP_FIXED) && hd_inside()) clear(fixed, size, pc);
    long result = hd_kernel(SYS_mmap, (long)at, (long)size, protection, flags, fd, offset);
    if (!hd_inside() || !good(result)) return result;
    if (flags & MAP_FIXED) hd_mappings_gone(fixed, fixed + whole(size));
    made((uintptr_t)result, size);
    if ((flags & (MAP_SHARED | MAP_ANONYMOUS)) == MAP_SHARED) {
        if (protection & PROT_WRITE) hd_files_written(fd);
        hd_note("a file is mapped with MAP_SHARED: what goes to it by another mapping or by a "
                "descriptor is not seen to be the same memory");
    }
    return result;
}

HD_TAKEN void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset) {
    return (void *)answer(hd_memory_map(at, size, protection, flags, fd, offset, HD_PC()));
}
HD_ALIAS(mmap64, mmap);

long hd_memory_unmap(uintptr_t at, size_t size, void *pc) {
    hd_hidden_step(HD_KEY_FILES, true, pc);
    lose(at, size, PROT_NONE, pc);
    long result = hd_kernel(SYS_munmap, (long)at, (long)size, 0, 0, 0, 0);
    if (hd_inside() && result == 0) hd_mappings_gone(at, at + whole(size));
    return result;
}

HD_TAKEN int munmap(void *at, size_t size) {
    return (int)answer(hd_memory_unmap((uintptr_t)at, size, HD_PC()));
}

long hd_memory_remap(uintptr_t at, size_t old, size_t size, int flags, uintptr_t to, void *pc) {
    hd_hidden_step(HD_KEY_FILES, true, pc);
    if (flags & MREMAP_FIXED) lose(to, size, PROT_NONE, pc);
    long result = hd_kernel(SYS_mremap, (long)at, (long)old, (long)size, flags, (long)to, 0);
    if (hd_inside() && good(result)) {
        if (flags & MREMAP_FIXED) hd_mappings_gone(to, to + whole(size));
        if (old) hd_mappings_gone(at, at + whole(old));
        hd_mappings_made((uintptr_t)result, (uintptr_t)result + whole(size));
    }
    return result;
}

HD_TAKEN void *mremap(void *at, size_t old, size_t size, int flags, ...) {
    va_list args;
    va_start(args, flags);
    void *to = va_arg(args, void *);
    va_end(args);
    return (void *)answer(hd_memory_remap((uintptr_t)at, old, size, flags, (uintptr_t)to, HD_PC()));
}

long hd_memory_protect(uintptr_t at, size_t size, int protection, void *pc) {
    lose(at, size, protection, pc);
    long result = hd_kernel(SYS_mprotect, (long)at, (long)size, protection, 0, 0, 0);
    if (hd_inside() && result == 0) hd_mappings_protected(at, at + whole(size));
    return result;
}

HD_TAKEN int mprotect(void *at, size_t size, int protection) {
    return (int)answer(hd_memory_protect((uintptr_t)at, size, protection, HD_PC()));
}

long hd_memory_advise(uintptr_t at, size_t size, int advice, void *pc) {
    bool drops = advice == MADV_DONTNEED || advice == MADV_FREE || advice == MADV_REMOVE;
    if (drops && hd_inside()) clear(at, size, pc);
    return hd_kernel(SYS_madvise, (long)at, (long)size, advice, 0, 0, 0);
}

HD_TAKEN int madvise(void *at, size_t size, int advice) {
    return (int)answer(hd_memory_advise((uintptr_t)at, size, advice, HD_PC()));
}

/* ---- the end of the data segment ------------------------------------------------------ */

void hd_memory_extend(void *pc) {
    if (!hd_inside()) return;
    hd_hidden_step(HD_KEY_FILES, true, pc);
    hd_rt->extended = true;
}

HD_TAKEN int brk(void *at) {
    hd_memory_extend(HD_PC());
    return HD_REAL(brk)(at);
}
HD_TAKEN void *sbrk(intptr_t more) {
    hd_memory_extend(HD_PC());
    return HD_REAL(sbrk)(more);
}

/* ---- shared memory of System V ---------------------------------------------------------- */

/* A segment outlives its process, so those that an execution made are taken away. */
static void made_segment(int id) {
    struct shmid_ds about;
    if (!hd_inside() || !hd_rt->explore || id < 0) return;
    if (hd_kernel(SYS_shmctl, id, IPC_STAT, (long)&about, 0, 0, 0) < 0 ||
        about.shm_cpid != hd_kernel(SYS_getpid, 0, 0, 0, 0, 0, 0)) {
        return;
    }
    for (uint32_t i = 0; i < hd_rt->shared_count; i++) {
        if (hd_rt->shared_made[i] == id) return;
    }
    if (hd_rt->shared_count < HD_SHARED_MADE) hd_rt->shared_made[hd_rt->shared_count++] = id;
    else hd_note("an execution made more than %d segments by shmget: those above stay behind", HD_SHARED_MADE);
}

void hd_memory_shared_drop(void) {
    for (uint32_t i = 0; i < hd_rt->shared_count; i++) {
        hd_kernel(SYS_shmctl, hd_rt->shared_made[i], IPC_RMID, 0, 0, 0, 0);
    }
    hd_rt->shared_count = 0;
}

HD_TAKEN int shmget(key_t key, size_t size, int flags) {
    hd_hidden_step(HD_KEY_FILES, true, HD_PC());
    int id = HD_REAL(shmget)(key, size, flags);
    made_segment(id);
    return id;
}
HD_TAKEN void *shmat(int id, const void *at, int flags) {
    hd_hidden_step(HD_KEY_FILES, true, HD_PC());
    void *result = HD_REAL(shmat)(id, at, flags);
    struct shmid_ds about;
    if (!hd_inside() || result == (void *)-1) return result;
    if (hd_kernel(SYS_shmctl, id, IPC_STAT, (long)&about, 0, 0, 0) < 0) about.shm_segsz = 1;
    made((uintptr_t)result, about.shm_segsz);
    hd_note("memory is shared by shmat: what goes to it by another attachment is not seen to be "
            "the same memory");
    return result;
}
HD_TAKEN int shmdt(const void *at) {
    hd_hidden_step(HD_KEY_FILES, true, HD_PC());
    return HD_REAL(shmdt)(at); /* to unmap it again at the end does no harm */
}
