/* known.c - see known.h. */
#define _GNU_SOURCE
#include "known.h"

#include "../code.h"
#include "../confined.h"
#include "../dynamic.h"
#include "../runtime.h"

#include <string.h>

/* Of libc: those that compute, tell, or work on what they are given. */
static const char harmless[] =
    /* numbers, sorting, tables */
    "abs\0labs\0llabs\0imaxabs\0div\0ldiv\0lldiv\0imaxdiv\0ffs\0ffsl\0ffsll\0bsearch\0"
    "lfind\0lsearch\0tsearch\0tfind\0tdelete\0twalk\0tdestroy\0hcreate\0hsearch\0"
    "hdestroy\0hcreate_r\0hsearch_r\0hdestroy_r\0insque\0remque\0swab\0memfrob\0a64l\0"
    "l64a\0frexp\0frexpf\0frexpl\0ldexp\0ldexpf\0ldexpl\0modf\0modff\0modfl\0scalbn\0"
    "copysign\0copysignf\0finite\0isinf\0isnan\0isinff\0isnanf\0rand_r\0erand48\0"
    "jrand48\0nrand48\0strtoimax\0strtoumax\0strtoq\0strtouq\0strtof128\0ecvt\0fcvt\0"
    "gcvt\0htonl\0htons\0ntohl\0ntohs\0inet_addr\0inet_aton\0inet_ntoa\0inet_ntop\0"
    "inet_pton\0"
    /* characters and texts */
    "isalnum\0isalpha\0isascii\0isblank\0iscntrl\0isdigit\0isgraph\0islower\0isprint\0"
    "ispunct\0isspace\0isupper\0isxdigit\0tolower\0toupper\0toascii\0__ctype_b_loc\0"
    "__ctype_tolower_loc\0__ctype_toupper_loc\0__ctype_get_mb_cur_max\0iswalnum\0"
    "iswalpha\0iswblank\0iswcntrl\0iswdigit\0iswgraph\0iswlower\0iswprint\0iswpunct\0"
    "iswspace\0iswupper\0iswxdigit\0towlower\0towupper\0wcscat\0wcschr\0wcscmp\0wcscspn\0"
    "wcsdup\0wcsncat\0wcsncmp\0wcsncpy\0wcsnlen\0wcspbrk\0wcsrchr\0wcsspn\0wcsstr\0"
    "wcstok\0wcstol\0wcstoul\0wcstoll\0wcstoull\0wcstod\0wmemchr\0wmempcpy\0basename\0"
    "dirname\0__xpg_basename\0strsignal\0strerror_r\0__xpg_strerror_r\0strerror_l\0"
    "sigabbrev_np\0sigdescr_np\0strerrorname_np\0strerrordesc_np\0strverscmp\0strxfrm\0"
    "fnmatch\0regcomp\0regexec\0regfree\0regerror\0getsubopt\0getopt\0getopt_long\0"
    "getopt_long_only\0optarg\0optind\0opterr\0optopt\0argz_add\0argz_create\0argz_next\0"
    "argz_count\0nl_langinfo\0open_memstream\0fmemopen\0fileno\0fileno_unlocked\0"
    "__fpending\0__fbufsize\0__freading\0__fwriting\0fwide\0swprintf\0vswprintf\0"
    "swscanf\0"
    /* time */
    "difftime\0strftime\0timegm\0timelocal\0timezone\0daylight\0tzname\0__timezone\0"
    "__daylight\0__tzname\0strptime\0ctime_r\0"
    /* what the process and the machine are */
    "environ\0__environ\0getppid\0getuid\0geteuid\0getgid\0getegid\0getpgrp\0getpgid\0"
    "getsid\0getgroups\0getresuid\0getresgid\0getcwd\0get_current_dir_name\0getpagesize\0"
    "gethostname\0uname\0getrusage\0isatty\0sysinfo\0getcpu\0getitimer\0getdtablesize\0"
    "sched_getparam\0sched_getscheduler\0sched_get_priority_max\0sched_get_priority_min\0"
    "confstr\0pathconf\0fpathconf\0gnu_get_libc_version\0mallinfo\0mallinfo2\0"
    "malloc_stats\0"
    /* files by name or number, nothing of which stays */
    "fstat64\0stat64\0lstat64\0fstatat\0fstatat64\0statx\0statfs\0fstatfs\0statvfs\0"
    "fstatvfs\0__xstat\0__fxstat\0__lxstat\0faccessat\0readlinkat\0realpath\0"
    "__realpath_chk\0canonicalize_file_name\0ftruncate64\0truncate64\0fdatasync\0fsync\0"
    "sync\0fchmod\0fchmodat\0chown\0fchown\0lchown\0mkdirat\0unlinkat\0renameat\0linkat\0"
    "symlinkat\0mkfifo\0mknod\0mkdtemp\0utime\0utimes\0utimensat\0futimens\0"
    "posix_fallocate\0fallocate\0posix_fadvise\0readdir\0readdir64\0readdir_r\0"
    "rewinddir\0seekdir\0telldir\0dirfd\0closedir\0shm_unlink\0timerfd_settime\0"
    "timerfd_gettime\0epoll_ctl\0getsockname\0getpeername\0getsockopt\0setsockopt\0bind\0"
    "listen\0eventfd_read\0eventfd_write\0mincore\0msync\0"
    /* threads and signals */
    "pthread_attr_getguardsize\0pthread_attr_getinheritsched\0"
    "pthread_attr_getschedparam\0pthread_attr_getschedpolicy\0pthread_attr_getscope\0"
    "pthread_attr_getstackaddr\0pthread_attr_setguardsize\0pthread_attr_setinheritsched\0"
    "pthread_attr_setscope\0pthread_attr_setstackaddr\0pthread_attr_setaffinity_np\0"
    "pthread_attr_getaffinity_np\0pthread_attr_setsigmask_np\0pthread_barrierattr_init\0"
    "pthread_barrierattr_destroy\0pthread_barrierattr_setpshared\0pthread_condattr_init\0"
    "pthread_condattr_destroy\0pthread_condattr_setclock\0pthread_condattr_setpshared\0"
    "pthread_key_create\0pthread_key_delete\0pthread_mutexattr_setpshared\0"
    "pthread_mutexattr_setprotocol\0pthread_mutexattr_setrobust\0"
    "pthread_mutexattr_setprioceiling\0pthread_mutexattr_getprioceiling\0"
    "pthread_rwlockattr_init\0pthread_rwlockattr_destroy\0pthread_rwlockattr_setpshared\0"
    "pthread_rwlockattr_setkind_np\0pthread_rwlockattr_getkind_np\0pthread_atfork\0"
    "__register_atfork\0tss_create\0tss_delete\0tss_get\0tss_set\0thrd_current\0"
    "thrd_equal\0__pthread_key_create\0sigfillset\0sigaddset\0sigdelset\0sigismember\0"
    "sigisemptyset\0sigandset\0sigorset\0__libc_current_sigrtmin\0"
    "__libc_current_sigrtmax\0makecontext\0__sigsetjmp\0"
    /* what compilers put in */
    "__assert_perror_fail\0__chk_fail\0__fdelt_chk\0__cxa_thread_atexit_impl\0"
    "__cxa_at_quick_exit\0__tls_get_addr\0__isoc99_swscanf\0__getcwd_chk\0"
    "__readlink_chk\0__stack_chk_guard\0";

struct search {
    struct hd_dynamic others[8]; /* that open and map nothing by themselves */
    uint32_t count, files;
    bool unknown;
};

static bool known(const char *name, void *argument) {
    const struct search *self = argument;
    if (hd_confined_harmless(name)) return true;
    for (const char *each = harmless; *each; each += strlen(each) + 1) {
        if (strcmp(each, name) == 0) return true;
    }
    for (uint32_t i = 0; i < self->count; i++) {
        if (hd_dynamic_find(&self->others[i], name)) return true;
    }
    return false;
}

static bool is(const char *path, const char *const *names) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    for (; *names; names++) {
        if (strncmp(name, *names, strlen(*names)) == 0) return true;
    }
    return false;
}

/* Other libraries go their own ways. */
static int collect(struct dl_phdr_info *info, size_t size, void *data) {
    static const char *const quiet[] = {"libm.", "libstdc++.", "libgcc_s.", "libatomic.", NULL};
    static const char *const libc[] = {"libc.", "ld-linux", "linux-vdso", "libpthread.", "libdl.",
                                       "librt.", NULL};
    struct search *self = data;
    (void)size;
    if (self->files++ == 0 || is(info->dlpi_name, libc)) return 0;
    if (!is(info->dlpi_name, quiet) || self->count == sizeof self->others / sizeof *self->others ||
        !hd_dynamic_read(info, &self->others[self->count])) {
        self->unknown = true;
        return 1;
    }
    self->count++;
    return 0;
}

static int look(struct dl_phdr_info *info, size_t size, void *data) {
    struct search *self = data;
    struct hd_dynamic program;
    (void)size;
    self->unknown = !hd_dynamic_read(info, &program) || !hd_dynamic_imports(&program, known, self) ||
                    !hd_code_calls_nothing(info);
    return 1; /* the executable comes first */
}

void hd_known_find(void) {
    struct search self = {0};
    dl_iterate_phdr(collect, &self);
    if (!self.unknown) dl_iterate_phdr(look, &self);
    hd_rt->foreign = self.unknown;
}
