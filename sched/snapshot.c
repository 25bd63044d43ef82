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
#include "descriptors.h"
#include "heap.h"
#include "libc/memory.h"
#include "library.h"
#include "module.h"
#include "runtime.h"
#include "zero.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define PIECES 512
#define LARGE (256UL << 10)
#define BLOCK 1024UL /* bytes that are compared at once */

struct piece {
    char *at;
    size_t size;
    char **saved; /* by block: its bytes; NULL if they were zero */
    bool absent;  /* zero pages that did not exist: drop them */
};

struct hd_snapshot_state {
    struct piece list[PIECES];
    uint32_t count;
    int cwd;
    long stdin_at;
};

static void add(char *at, size_t size, bool absent) {
    struct hd_snapshot_state *self = hd_rt->snapshot;
    if (size == 0) return;
    if (self->count == PIECES) hd_give_up("too many writable segments for a snapshot");
    struct piece *piece = &self->list[self->count++];
    *piece = (struct piece){at, size, NULL, absent};
    if (absent) return;
    piece->saved = hd_lasting((size + BLOCK - 1) / BLOCK * sizeof *piece->saved);
    for (size_t from = 0; from < size; from += BLOCK) {
        size_t n = size - from < BLOCK ? size - from : BLOCK;
        if (hd_is_zero(at + from, n)) continue;
        char **block = &piece->saved[from / BLOCK];
        *block = hd_lasting(n);
        memcpy(*block, at + from, n);
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

/* A segment: whole if small, else in runs of pages that exist and that do not. */
static void add_segment(int pagemap, char *low, char *high) {
    if ((size_t)(high - low) < LARGE) {
        add(low, (size_t)(high - low), false);
        return;
    }
    char *first = (char *)(((uintptr_t)low + HD_PAGE - 1) & ~(HD_PAGE - 1));
    char *last = (char *)((uintptr_t)high & ~(HD_PAGE - 1));
    add(low, (size_t)(first - low), false);
    char *run = first;
    bool there = first < last && present(pagemap, first);
    for (char *page = first; page < last; page += HD_PAGE) {
        bool now = present(pagemap, page);
        if (now == there) continue;
        add(run, (size_t)(page - run), !there);
        run = page;
        there = now;
    }
    add(run, (size_t)(last - run), !there);
    add(last, (size_t)(high - last), false);
}

void hd_snapshot_take(void) {
    hd_rt->snapshot = hd_lasting(sizeof *hd_rt->snapshot);
    struct hd_snapshot_state *self = hd_rt->snapshot;
    int pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    for (int i = 0; i < hd_module_count(); i++) {
        const struct hd_module_map *map = hd_module_at(i);
        if (map->write_low) add_segment(pagemap, (char *)map->write_low, (char *)map->write_high);
    }
    if (pagemap >= 0) close(pagemap);
    char *low, *high;
    hd_tls_extent(&low, &high);
    add(low, (size_t)(high - low), false);
    if (hd_library && hd_library->test) { /* the frames of who asked */
        char *top = (char *)hd_stack_top(0);
        add(hd_library->kept, (size_t)(top - hd_library->kept), false);
    }
    add((char *)hd_rt->argv, (size_t)(hd_rt->argc + 1) * sizeof(char *), false);
    char **end = hd_rt->envp;
    while (*end) end++;
    add((char *)hd_rt->envp, (size_t)(end + 1 - hd_rt->envp) * sizeof(char *), false);
    size_t words;
    char *first = hd_arguments_extent(&words);
    if (words) add(first, words, false);
    self->cwd = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (self->cwd >= 0) {
        int kept = fcntl(self->cwd, F_DUPFD_CLOEXEC, HD_OWN_DESCRIPTORS); /* out of the program's way */
        close(self->cwd);
        self->cwd = kept;
    }
    struct stat input; /* a terminal or /dev/null has no position to speak of */
    self->stdin_at = fstat(0, &input) == 0 && S_ISREG(input.st_mode) ? lseek(0, 0, SEEK_CUR) : -1;
    hd_descriptors_keep();
    hd_mappings_keep();
    hd_heap_mark();
}

static void put_back(const struct piece *piece) {
    if (piece->absent) {
        madvise(piece->at, piece->size, MADV_DONTNEED);
        return;
    }
    for (size_t at = 0; at < piece->size; at += BLOCK) {
        size_t n = piece->size - at < BLOCK ? piece->size - at : BLOCK;
        const char *saved = piece->saved[at / BLOCK];
        if (!saved) {
            if (!hd_is_zero(piece->at + at, n)) memset(piece->at + at, 0, n);
        } else if (hd_rt->real.memcmp(piece->at + at, saved, n) != 0) {
            hd_rt->real.memcpy(piece->at + at, saved, n);
        }
    }
}

void hd_snapshot_restore(void) {
    const struct hd_snapshot_state *self = hd_rt->snapshot;
    for (uint32_t i = 0; i < self->count; i++) put_back(&self->list[i]);
    hd_heap_begin();
    if (hd_rt->moved) { /* chdir was called */
        if (self->cwd >= 0 && fchdir(self->cwd) < 0) hd_note("cannot go back to the first directory");
        hd_rt->moved = false;
    }
    if (self->stdin_at >= 0) { /* always: what read it may not have told */
        lseek(0, self->stdin_at, SEEK_SET);
        hd_rt->stdin_used = false;
    }
    hd_descriptors_restore();
    hd_mappings_drop();
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
            const char *before = piece->absent ? NULL : piece->saved[at / BLOCK];
            if (!before) before = zero;
            if (hd_rt->real.memcmp(piece->at + at, before, n) != 0) tell(piece->at + at, before, n);
        }
    }
}
