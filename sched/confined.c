/* confined.c - see confined.h. */
#define _GNU_SOURCE
#include "confined.h"

#include "code.h"
#include "dynamic.h"
#include "library.h"
#include "module.h"
#include "runtime.h"
#include "shadow.h"

#include <string.h>

struct hd_confined_state {
    bool possible;
    bool flat; /* no frame is large: code.h */
    uint32_t first, last; /* generations of those that were, in a row; 0: the last was not */
    uint32_t count;
    struct { uintptr_t low, high; } data[4]; /* of the libraries */
};

/* ---- which files --------------------------------------------------------------------- */

static bool begins(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

static const char *file_name(const struct hd_module_map *map) {
    const char *slash = strrchr(map->path, '/');
    return slash ? slash + 1 : map->path;
}

bool hd_confined_library(const struct hd_module_map *map) {
    const char *name = file_name(map);
    return map != hd_module_at(0) && (begins(name, "libc.so.") || begins(name, "ld-linux"));
}

/* libgcc unwinds stacks, which begins in the runtime, and then calls libc; its own
 * data is compared always. Of others nothing is known. */
static bool known_files(struct hd_confined_state *self) {
    for (int i = 1; i < hd_module_count(); i++) {
        const struct hd_module_map *map = hd_module_at(i);
        if (!hd_confined_library(map)) {
            if (!begins(file_name(map), "libgcc_s.so.") && !begins(map->path, "linux-vdso.so.")) {
                return false;
            }
        } else if (map->write_low) {
            if (self->count == sizeof self->data / sizeof *self->data) return false;
            self->data[self->count].low = map->write_low;
            self->data[self->count++].high = map->write_high;
        }
    }
    return self->count > 0;
}

/* ---- what the program asks for ----------------------------------------------------------- */

/* What the runtime itself is linked to, and what compilers and linkers put in. A
 * program that uses one of these does no harm by it: they read, write to what they
 * are given or to the thread block, or ask the kernel for what is not kept in
 * memory. Of data that is in the list (stdout) (3) tells. */
bool hd_confined_harmless(const char *name) {
    static const char list[] =
        "_ITM_deregisterTMCloneTable\0_ITM_registerTMCloneTable\0__gmon_start__\0"
        "_Unwind_Backtrace\0_Unwind_ForcedUnwind\0_Unwind_GetCFA\0_Unwind_GetGR\0"
        "_Unwind_GetIP\0_Unwind_Resume\0__gcc_personality_v0\0"
        "__ctype_init\0__errno_location\0environ\0__environ\0_environ\0__sysconf\0getauxval\0"
        "getpid\0_thread_db_pthread_list\0"
        "_thread_db_pthread_tid\0"
        "_dl_allocate_tls\0_dl_allocate_tls_init\0_dl_get_tls_static_info\0"
        "_thread_db_sizeof_pthread\0__rseq_offset\0dl_iterate_phdr\0hd_uninstrumented\0"
        "fstat\0ftruncate\0readlink\0sigaltstack\0sigemptyset\0"
        "__libc_single_threaded\0__progname\0__progname_full\0error_message_count\0"
        "program_invocation_name\0program_invocation_short_name\0stderr\0stdin\0stdout\0"
        "pthread_attr_destroy\0pthread_attr_getdetachstate\0pthread_attr_getsigmask_np\0"
        "pthread_attr_getstack\0pthread_attr_getstacksize\0pthread_attr_init\0"
        "pthread_attr_setdetachstate\0pthread_attr_setschedparam\0"
        "pthread_attr_setschedpolicy\0pthread_attr_setstack\0pthread_attr_setstacksize\0"
        "pthread_barrierattr_getpshared\0pthread_condattr_getclock\0"
        "pthread_condattr_getpshared\0pthread_getspecific\0pthread_setspecific\0"
        "pthread_mutexattr_getprotocol\0pthread_mutexattr_getpshared\0"
        "pthread_mutexattr_getrobust\0pthread_mutexattr_gettype\0"
        "pthread_mutexattr_init\0pthread_mutexattr_settype\0pthread_mutexattr_destroy\0"
        "pthread_rwlockattr_getkind_np\0pthread_rwlockattr_getpshared\0"
        "pthread_self\0pthread_equal\0";
    for (const char *each = list; *each; each += strlen(each) + 1) {
        if (strcmp(each, name) == 0) return true;
    }
    return false;
}

static bool harmless(const char *name, void *unused) {
    (void)unused;
    return hd_confined_harmless(name);
}

/* ---- all together ---------------------------------------------------------------------------- */

static int look(struct dl_phdr_info *info, size_t size, void *data) {
    struct hd_confined_state *self = data;
    struct hd_dynamic dynamic;
    (void)size;
    self->possible = hd_dynamic_read(info, &dynamic) && hd_dynamic_imports(&dynamic, harmless, NULL) &&
                     hd_code_calls_nothing(info);
    self->flat = self->possible && hd_code_has_small_frames(info);
    return 1; /* the executable comes first */
}

extern const char hd_uninstrumented[] __attribute__((weak));

void hd_confined_find(void) {
    struct hd_confined_state *self = hd_rt->confined = hd_lasting(sizeof *self);
    /* A test's frames are of a program that has run already; a stream that was used may
     * have something to flush. */
    if ((hd_library && hd_library->test) || hd_rt->stdio || hd_rt->ever_loaded || hd_uninstrumented) return;
    if (known_files(self)) dl_iterate_phdr(look, self);
}

bool hd_confined_now(void) {
    struct hd_confined_state *self = hd_rt->confined;
    if (!self || !self->possible || hd_rt->entered) return false;
    for (uint32_t i = 0; i < self->count; i++) {
        if (hd_shadow_seek(self->data[i].low, self->data[i].high) < self->data[i].high) {
            return self->possible = false;
        }
    }
    return true;
}

void hd_confined_over(bool confined) {
    struct hd_confined_state *self = hd_rt->confined;
    bool follows = self->first && self->last + 1 == hd_rt->generation;
    self->last = hd_rt->generation;
    if (!follows) self->first = self->last;
    if (!confined) self->first = 0;
}

bool hd_confined_flat(void) { return hd_rt->confined && hd_rt->confined->flat; }

bool hd_confined_was(uint32_t generation) {
    const struct hd_confined_state *self = hd_rt->confined;
    return self && self->first && self->first <= generation && generation <= self->last;
}
