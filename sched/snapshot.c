/* snapshot.c - see snapshot.h.
 *
 * Everything is compared with what it was, a block at a time, and what differs is
 * copied back: an execution changes little of what there is, and most of that was
 * zero, which is quickly seen (pages of zeros that nobody wrote are even one page
 * to the kernel, and stay in the nearest cache). In large segments, pages that did
 * not exist when the snapshot was taken (a zero array that nobody had used) are
 * dropped, which costs as much as there are. No page is ever write-protected: a
 * system call into such a page would fail instead of faulting. */
#include "snapshot.h"

#include "arguments.h"
#include "confined.h"
#include "descriptors.h"
#include "limits.h"
#include "heap.h"
#include "libc/action.h"
#include "libc/known.h"
#include "libc/memory.h"
#include "library.h"
#include "mappings.h"
#include "module.h"
#include "runtime.h"
#include "zero.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#define LARGE (256UL << 10)
#define BLOCK 1024UL /* bytes that are zero or saved as one */

struct piece {
    char *at;
    size_t size;
    char *saved; /* its bytes; NULL if they were zero */
    bool absent; /* zero pages that did not exist: drop them */
};

/* Pieces [0, libraries) are those of libc and the dynamic linker, which executions
 * that are confined leave as they are. */

struct hd_snapshot_state {
    struct piece *list;
    uint32_t count, room, libraries;
    int cwd;
};

static struct piece *add_piece(char *at, size_t size, bool absent) {
    struct hd_snapshot_state *self = hd_rt->snapshot;
    if (self->count == self->room) {
        uint32_t room = self->room ? self->room * 2 : 256;
        struct piece *more = hd_lasting(room * sizeof *more);
        if (self->count) memcpy(more, self->list, self->count * sizeof *more);
        self->list = more;
        self->room = room;
    }
    struct piece *piece = &self->list[self->count++];
    *piece = (struct piece){at, size, NULL, absent};
    return piece;
}

static bool zero_block(const char *at, size_t size) {
    return hd_is_zero(at, size < BLOCK ? size : BLOCK);
}

/* In runs of blocks that are zero and that are not. */
static void add(char *at, size_t size) {
    while (size > 0) {
        bool zero = zero_block(at, size);
        size_t run = BLOCK;
        while (run < size && zero_block(at + run, size - run) == zero) run += BLOCK;
        if (run > size) run = size;
        struct piece *piece = add_piece(at, run, false);
        if (!zero) {
            piece->saved = hd_lasting(run);
            memcpy(piece->saved, at, run);
        }
        at += run;
        size -= run;
    }
}

/* Does the page exist? From the kernel's own table; without it, assume so. */
static bool present(int pagemap, char *page) {
    uint64_t entry;
    if (pagemap < 0) return true;
    if (pread(pagemap, &entry, sizeof entry, (off_t)((uintptr_t)page / HD_PAGE * sizeof entry)) !=
        sizeof entry) {
        return true;
    }
    return (entry >> 62) != 0; /* in memory or swapped out */
}

static void add_absent(char *low, char *high) {
    if (low < high) add_piece(low, (size_t)(high - low), true);
}

/* A segment: whole if small, else in runs of pages that exist and that do not. */
static void add_segment(int pagemap, char *low, char *high) {
    if ((size_t)(high - low) < LARGE) {
        add(low, (size_t)(high - low));
        return;
    }
    char *first = (char *)(((uintptr_t)low + HD_PAGE - 1) & ~(HD_PAGE - 1));
    char *last = (char *)((uintptr_t)high & ~(HD_PAGE - 1));
    add(low, (size_t)(first - low));
    char *run = first;
    bool there = first < last && present(pagemap, first);
    for (char *page = first; page < last; page += HD_PAGE) {
        bool now = present(pagemap, page);
        if (now == there) continue;
        there ? add(run, (size_t)(page - run)) : add_absent(run, page);
        run = page;
        there = now;
    }
    there ? add(run, (size_t)(last - run)) : add_absent(run, last);
    add(last, (size_t)(high - last));
}

static void add_modules(int pagemap, bool libraries) {
    for (int i = 0; i < hd_module_count(); i++) {
        const struct hd_module_map *map = hd_module_at(i);
        if (map->write_low && hd_confined_library(map) == libraries) {
            add_segment(pagemap, (char *)map->write_low, (char *)map->write_high);
        }
    }
}

/* What the dynamic linker took for itself before there was a malloc, in which main's
 * thread block lies; that is added apart. */
static void add_early(char *low, char *high) {
    char *block, *end;
    hd_tls_extent(&block, &end);
    int pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    if (block >= low && end <= high) {
        add_segment(pagemap, low, block);
        low = end;
    }
    add_segment(pagemap, low, high);
    if (pagemap >= 0) close(pagemap);
}

extern char __libc_single_threaded __attribute__((weak));

void hd_snapshot_take(void) {
    hd_rt->snapshot = hd_lasting(sizeof *hd_rt->snapshot);
    struct hd_snapshot_state *self = hd_rt->snapshot;
    int pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    hd_mappings_keep();
    add_modules(pagemap, true);
    hd_mappings_early(add_early, false);
    self->libraries = self->count;
    add_modules(pagemap, false);
    hd_mappings_early(add_early, true);
    if (&__libc_single_threaded) add(&__libc_single_threaded, 1); /* pthread/create.c */
    if (pagemap >= 0) close(pagemap);
    char *low, *high;
    hd_tls_extent(&low, &high);
    add(low, (size_t)(high - low));
    if (hd_library && hd_library->test) { /* the frames of who asked */
        char *top = (char *)hd_stack_top(0);
        add(hd_library->kept, (size_t)(top - hd_library->kept));
    }
    add((char *)hd_rt->argv, (size_t)(hd_rt->argc + 1) * sizeof(char *));
    char **end = hd_rt->envp;
    while (*end) end++;
    add((char *)hd_rt->envp, (size_t)(end + 1 - hd_rt->envp) * sizeof(char *));
    size_t words;
    char *first = hd_arguments_extent(&words);
    add(first, words);
    self->cwd = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (self->cwd >= 0) {
        int kept = fcntl(self->cwd, F_DUPFD_CLOEXEC, HD_OWN_DESCRIPTORS); /* out of the program's way */
        close(self->cwd);
        self->cwd = kept;
    }
    hd_descriptors_keep();
    hd_limits_keep();
    hd_attributes_keep();
    hd_heap_mark();
    hd_confined_find();
    hd_known_find();
}

static void put_back(const struct piece *piece) {
    if (piece->saved) hd_put_back(piece->at, piece->saved, piece->size);
    else if (piece->absent) madvise(piece->at, piece->size, MADV_DONTNEED);
    else hd_put_zero(piece->at, piece->size);
}

/* Is that so, which is to be relied on? */
static void verify(const struct hd_snapshot_state *self) {
    char where[300];
    for (uint32_t i = 0; i < self->libraries; i++) {
        const struct piece *piece = &self->list[i];
        for (size_t at = 0; at < piece->size; at++) {
            if (piece->at[at] == (piece->saved ? piece->saved[at] : 0)) continue;
            hd_describe_address((uintptr_t)piece->at + at, where, sizeof where);
            hd_give_up("an execution that called nothing changed data of a library: %s", where);
        }
    }
    hd_note("an execution left the libraries alone");
}

void hd_snapshot_restore(void) {
    const struct hd_snapshot_state *self = hd_rt->snapshot;
    bool confined = hd_confined_now(), known = !hd_rt->foreign && !hd_rt->ever_loaded;
    hd_mappings_unprotect();
    hd_stacks_settle(confined);
    for (uint32_t i = confined ? self->libraries : 0; i < self->count; i++) put_back(&self->list[i]);
    if (confined && hd_rt->config.verify) verify(self);
    hd_heap_begin();
    if (hd_rt->moved) { /* chdir was called */
        if (self->cwd >= 0 && fchdir(self->cwd) < 0) hd_note("cannot go back to the first directory");
        hd_rt->moved = false;
    }
    hd_actions_restore();
    if (!confined) hd_descriptors_restore(known);
    hd_limits_restore();
    hd_attributes_restore();
    if (hd_rt->shared_count > 0) hd_memory_shared_drop();
    if (!confined) hd_mappings_drop(known);
    hd_confined_over(confined);
    hd_rt->entered = false;
}

void hd_snapshot_files(void) {
    hd_descriptors_rewind();
    hd_attributes_files();
}

void hd_snapshot_changes(uintptr_t low, uintptr_t high,
                         void (*tell)(const char *now, const char *before, size_t size)) {
    static const char zero[BLOCK];
    const struct hd_snapshot_state *self = hd_rt->snapshot;
    for (uint32_t i = 0; i < self->count; i++) {
        const struct piece *piece = &self->list[i];
        if ((uintptr_t)piece->at < low || (uintptr_t)piece->at >= high) continue;
        for (size_t at = 0; at < piece->size; at += BLOCK) {
            size_t n = piece->size - at < BLOCK ? piece->size - at : BLOCK;
            const char *before = piece->saved ? piece->saved + at : zero;
            if (hd_rt->real.memcmp(piece->at + at, before, n) != 0) tell(piece->at + at, before, n);
        }
    }
}
