/* tls.c - thread blocks: every fiber has thread-local variables of its own.
 *
 * glibc lays out a thread block (static TLS, then the thread descriptor) and
 * fills it: _dl_allocate_tls. The thread pointer is then moved together with
 * the stack, so errno, exceptions in flight, locale pointers and every other
 * thread-local variable in every library are each thread's own, and a pointer
 * into another thread's block stays valid.
 *
 * A block is made once for a home and kept. For the next thread in that home it
 * is put back to its pristine bytes, of which a copy is kept, and so is the table
 * of modules that goes with it. Once a library was loaded at run time, glibc fills
 * the block again: it knows what static TLS is in use by now. */
#define _GNU_SOURCE
#include "runtime.h"
#include "shadow.h"
#include "zero.h"

#include <errno.h>
#include <link.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

extern void *_dl_allocate_tls(void *mem);
extern void _dl_get_tls_static_info(size_t *size, size_t *align);
extern void *_dl_allocate_tls_init(void *mem, _Bool init_tls);
extern const ptrdiff_t __rseq_offset __attribute__((weak));
extern const uint32_t _thread_db_sizeof_pthread __attribute__((weak));
/* Bits, count, offset of a field of it. */
extern const uint32_t _thread_db_pthread_list[3] __attribute__((weak));
extern const uint32_t _thread_db_pthread_tid[3] __attribute__((weak));

#if defined(__x86_64__)
#include <asm/prctl.h>
/* struct pthread of glibc begins with tcbhead_t: tcb, dtv, self, multiple
 * threads, sysinfo, stack guard, pointer guard. */
struct head {
    void *tcb, *dtv, *self;
    int multiple_threads, gscope;
    uintptr_t sysinfo, stack_guard, pointer_guard;
};
#define HWCAP2_FSGSBASE 2

static void *pointer(void) {
    void *tp;
    __asm__("movq %%fs:0, %0" : "=r"(tp));
    return tp;
}

void hd_tls_switch(void *tp) {
    if (hd_likely(hd_rt->wrfsbase)) {
        __asm__ volatile("wrfsbase %0" : : "r"(tp) : "memory");
    } else {
        syscall(SYS_arch_prctl, ARCH_SET_FS, tp);
    }
}
#elif defined(__aarch64__)
struct head { /* the block's pointer is to the end of struct pthread on AArch64 */
    void *dtv, *private;
};
static void *pointer(void) { return __builtin_thread_pointer(); }
void hd_tls_switch(void *tp) { __asm__ volatile("msr tpidr_el0, %0" : : "r"(tp) : "memory"); }
#else
#error "no thread pointer switch for this processor"
#endif

static size_t static_size(size_t *align) {
    size_t size;
    _dl_get_tls_static_info(&size, align);
    return size;
}

/* glibc tells debuggers how large its thread descriptor is. */
static size_t descriptor(void) {
    return &_thread_db_sizeof_pthread ? _thread_db_sizeof_pthread : 2304;
}

static void extent(char *tp, char **low, char **high) {
    size_t align;
#if defined(__x86_64__)
    *low = tp - (static_size(&align) - descriptor());
    *high = tp + descriptor();
#else
    *low = tp - descriptor();
    *high = tp + static_size(&align) - descriptor();
#endif
}

void hd_tls_extent(char **low, char **high) { extent(hd_rt->root_tp, low, high); }

size_t hd_tls_size(void) {
    size_t align;
    /* glibc's figure includes the descriptor; leave the same again for what
     * future versions add, and for dlopen'ed libraries' surplus. */
    return static_size(&align) + descriptor();
}

/* Variables are next to the thread pointer, those that are loaded later farther off. */
static int find_variables(struct dl_phdr_info *info, size_t size, void *data) {
    size_t *used = data;
    size_t to = (size_t)((char *)hd_rt->root_tp - (char *)info->dlpi_tls_data);
    (void)size;
    if (info->dlpi_tls_data && to > *used) *used = to;
    return 0;
}

void hd_tls_boot(void) {
    hd_rt->root_tp = pointer();
    dl_iterate_phdr(find_variables, &hd_rt->tls_used);
    hd_zero_boot();
#if defined(__x86_64__)
    hd_rt->wrfsbase = (getauxval(AT_HWCAP2) & HWCAP2_FSGSBASE) != 0;
#endif
}

/* A field of the thread descriptor, NULL if glibc does not tell where it is. */
static void *field(char *tp, const uint32_t *known) {
#if defined(__x86_64__)
    return known ? tp + known[2] : NULL;
#else
    return known ? tp - descriptor() + known[2] : NULL;
#endif
}

/* The child of a fork takes its thread out of glibc's list of stacks: a fiber is
 * in none, which is to say in one of its own. And locks inside of glibc that know
 * their owner by number (that of setlocale does) take 0 for nobody: all fibers have
 * the number of the one thread that the kernel knows. */
static void identify(char *tp) {
    void **list = field(tp, _thread_db_pthread_list);
    pid_t *number = field(tp, _thread_db_pthread_tid);
    if (list) list[0] = list[1] = list;
    if (number) *number = *(const pid_t *)field(hd_rt->root_tp, _thread_db_pthread_tid);
}

/* What glibc would set in a new thread's descriptor, beyond the TLS itself. */
static void furnish(char *tp) {
    identify(tp);
#if defined(__x86_64__)
    const struct head *mine = hd_rt->root_tp;
    struct head *head = (struct head *)tp;
    head->tcb = head->self = tp;
    head->stack_guard = mine->stack_guard;
    head->pointer_guard = mine->pointer_guard;
    head->multiple_threads = mine->multiple_threads;
#endif
    /* No restartable sequences on a fiber: -2 sends sched_getcpu to the kernel. */
    if (&__rseq_offset) ((int *)(tp + __rseq_offset))[1] = -2;
}

void *hd_tls_make(void *top) {
    size_t align;
    size_t size = static_size(&align);
    if (align < 64) align = 64;
#if defined(__x86_64__)
    char *tp = (char *)(((uintptr_t)top - descriptor() * 2) & ~(align - 1));
#else
    char *tp = (char *)(((uintptr_t)top - size - 64) & ~(align - 1));
#endif
    (void)size;
    hd_rt->quiet_depth++; /* _dl_allocate_tls takes memory for its table of modules */
    hd_rt->entered = true;
    int saved = errno;
    void *made = _dl_allocate_tls(tp);
    errno = saved;
    hd_rt->quiet_depth--;
    if (!made) return NULL;
    furnish(tp);
    return tp;
}

/* glibc's table of modules, by thread: before the entry to which the block points
 * there is one with the number of those that follow it. */
struct entry {
    size_t value;
    void *to_free;
};

#define RUN 128  /* most of a block is zero: bytes that are, or are not, together */
#define RUNS 24

struct hd_tls_image {
    char *low, *block;
    size_t size;
    uint32_t runs[RUNS]; /* ends: of bytes that are zero, of such that are not, and so on */
    struct entry *table, *entries;
    size_t table_size;
};

/* If there are more runs than room for them, the last one has all the rest. */
static void find_runs(struct hd_tls_image *image) {
    size_t at = 0;
    for (int i = 0; i < RUNS; i++) {
        bool zero = i % 2 == 0, last = i == RUNS - 1;
        while (at < image->size) {
            size_t n = image->size - at < RUN ? image->size - at : RUN;
            if (!last && hd_is_zero(image->block + at, n) != zero) break;
            at += n;
        }
        image->runs[i] = (uint32_t)at;
    }
}

struct hd_tls_image *hd_tls_keep(void *tp) {
    struct hd_tls_image *image = hd_own(sizeof *image);
    char *high;
    extent(tp, &image->low, &high);
    image->size = (size_t)(high - image->low);
    image->block = hd_own(image->size);
    memcpy(image->block, image->low, image->size);
    find_runs(image);
    image->table = (struct entry *)((struct head *)tp)->dtv - 1;
    image->table_size = (image->table->value + 2) * sizeof *image->table;
    image->entries = hd_own(image->table_size);
    memcpy(image->entries, image->table, image->table_size);
    return image;
}

static void fill_again(char *tp, const struct hd_tls_image *image) {
    void *dtv = ((struct head *)tp)->dtv;
    hd_put_zero(image->low, image->size);
    ((struct head *)tp)->dtv = dtv;
    hd_rt->quiet_depth++;
    hd_rt->entered = true;
    _dl_allocate_tls_init(tp, 1);
    hd_rt->quiet_depth--;
    furnish(tp);
}

#if defined(__x86_64__)
/* Where nobody called libc, nothing but variables can have changed: the program's own
 * (if it has any, all is looked at: they have a shadow), errno, ctype's tables. */
static bool reset_variables(char *tp, const struct hd_tls_image *image) {
    char *low = tp - hd_rt->tls_used;
    if (low < image->low || !hd_shadow_none((uintptr_t)image->low, (uintptr_t)image->low + image->size)) {
        return false;
    }
    hd_put_back(low, image->block + (low - image->low), hd_rt->tls_used);
    if (!hd_rt->config.verify || memcmp(image->low, image->block, image->size) == 0) return true;
    hd_give_up("an execution that called nothing changed more of a thread block than variables");
}
#else
static bool reset_variables(char *tp, const struct hd_tls_image *image) {
    (void)tp;
    (void)image;
    return false;
}
#endif

void hd_tls_reset(void *tp, const struct hd_tls_image *image, bool confined) {
    if (hd_unlikely(hd_rt->ever_loaded || ((struct head *)tp)->dtv != image->table + 1)) {
        fill_again(tp, image);
        return;
    }
    if (confined && reset_variables(tp, image)) return;
    size_t from = 0;
    for (int i = 0; from < image->size; i++) {
        size_t n = image->runs[i] - from;
        if (i % 2 == 0) hd_put_zero(image->low + from, n);
        else hd_put_back(image->low + from, image->block + from, n);
        from += n;
    }
    hd_put_back((char *)image->table, (const char *)image->entries, image->table_size);
}
