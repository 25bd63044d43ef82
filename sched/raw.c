/* raw.c - plain versions of what the runtime uses and also takes over. See raw.h.
 *
 * Work before relocation is complete and before there is any state: malloc is
 * called that early. Formatting alone needs libc, and looks it up. */
#include "pthread/kernel.h"
#include "runtime.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>

/* ---- memory and strings -------------------------------------------------------- */

void *hd_raw_memcpy(void *to, const void *from, size_t n) { return hd_memcpy(to, from, n); }
void *hd_raw_memmove(void *to, const void *from, size_t n) { return hd_memmove(to, from, n); }
void *hd_raw_memset(void *to, int value, size_t n) { return hd_memset(to, value, n); }

int hd_raw_memcmp(const void *a, const void *b, size_t n) {
    const unsigned char *x = a, *y = b;
    for (; n > 0; n--, x++, y++) {
        if (*x != *y) return *x - *y;
    }
    return 0;
}

size_t hd_raw_strlen(const char *s) {
    const char *end = s;
    while (*end) end++;
    return (size_t)(end - s);
}

int hd_raw_strncmp(const char *a, const char *b, size_t n) {
    for (; n > 0; n--, a++, b++) {
        if (*a != *b) return (unsigned char)*a - (unsigned char)*b;
        if (!*a) break;
    }
    return 0;
}

int hd_raw_strcmp(const char *a, const char *b) { return hd_raw_strncmp(a, b, SIZE_MAX); }

char *hd_raw_strchr(const char *s, int c) {
    for (;; s++) {
        if (*s == (char)c) return (char *)(uintptr_t)s;
        if (!*s) return NULL;
    }
}

char *hd_raw_strrchr(const char *s, int c) {
    const char *last = NULL;
    for (;; s++) {
        if (*s == (char)c) last = s;
        if (!*s) return (char *)(uintptr_t)last;
    }
}

size_t hd_raw_strcspn(const char *s, const char *reject) {
    size_t n = 0;
    while (s[n] && !hd_raw_strchr(reject, s[n])) n++;
    return n;
}

size_t hd_raw_strspn(const char *s, const char *accept) {
    size_t n = 0;
    while (s[n] && hd_raw_strchr(accept, s[n])) n++;
    return n;
}

/* Options only: looked up each time. */
unsigned long long hd_raw_strtoull(const char *s, char **end, int base) {
    unsigned long long (*real)(const char *, char **, int);
    *(void **)&real = hd_real_named("strtoull");
    return real(s, end, base);
}

unsigned long hd_raw_strtoul(const char *s, char **end, int base) {
    unsigned long (*real)(const char *, char **, int);
    *(void **)&real = hd_real_named("strtoul");
    return real(s, end, base);
}

long hd_raw_strtol(const char *s, char **end, int base) {
    long (*real)(const char *, char **, int);
    *(void **)&real = hd_real_named("strtol");
    return real(s, end, base);
}

double hd_raw_strtod(const char *s, char **end) {
    double (*real)(const char *, char **);
    *(void **)&real = hd_real_named("strtod");
    return real(s, end);
}

/* ---- formatting ----------------------------------------------------------------- */

int hd_raw_vsnprintf(char *buffer, size_t size, const char *format, va_list args) {
    int (*real)(char *, size_t, const char *, va_list) = NULL;
    if (hd_booted) real = HD_ENTER(vsnprintf);
    if (!real) *(void **)&real = hd_real_named("vsnprintf");
    return real(buffer, size, format, args);
}

int hd_raw_snprintf(char *buffer, size_t size, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int n = hd_raw_vsnprintf(buffer, size, format, args);
    va_end(args);
    return n;
}

/* ---- files and mappings ----------------------------------------------------------- */

static long answer(long result) {
    if ((unsigned long)result < -4095UL) return result;
    errno = (int)-result;
    return -1;
}

int hd_raw_open(const char *path, int flags, ...) {
    va_list args;
    va_start(args, flags);
    int mode = va_arg(args, int);
    va_end(args);
    return (int)answer(hd_kernel(SYS_openat, AT_FDCWD, (long)path, flags, mode, 0, 0));
}

int hd_raw_close(int fd) { return (int)answer(hd_kernel(SYS_close, fd, 0, 0, 0, 0, 0)); }

ssize_t hd_raw_read(int fd, void *buffer, size_t size) {
    return answer(hd_kernel(SYS_read, fd, (long)buffer, (long)size, 0, 0, 0));
}

ssize_t hd_raw_write(int fd, const void *buffer, size_t size) {
    return answer(hd_kernel(SYS_write, fd, (long)buffer, (long)size, 0, 0, 0));
}

ssize_t hd_raw_pread(int fd, void *buffer, size_t size, off_t at) {
    return answer(hd_kernel(SYS_pread64, fd, (long)buffer, (long)size, at, 0, 0));
}

off_t hd_raw_lseek(int fd, off_t at, int whence) {
    return answer(hd_kernel(SYS_lseek, fd, at, whence, 0, 0, 0));
}

int hd_raw_fcntl(int fd, int command, ...) {
    va_list args;
    va_start(args, command);
    long argument = va_arg(args, long);
    va_end(args);
    return (int)answer(hd_kernel(SYS_fcntl, fd, command, argument, 0, 0, 0));
}

int hd_raw_dup2(int from, int to) {
    if (from == to) return hd_raw_fcntl(from, F_GETFD) < 0 ? -1 : to;
    return (int)answer(hd_kernel(SYS_dup3, from, to, 0, 0, 0, 0));
}

int hd_raw_fchdir(int fd) { return (int)answer(hd_kernel(SYS_fchdir, fd, 0, 0, 0, 0, 0)); }

void *hd_raw_mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset) {
    return (void *)answer(hd_kernel(SYS_mmap, (long)at, (long)size, protection, flags, fd, offset));
}

int hd_raw_munmap(void *at, size_t size) {
    return (int)answer(hd_kernel(SYS_munmap, (long)at, (long)size, 0, 0, 0, 0));
}

int hd_raw_madvise(void *at, size_t size, int advice) {
    return (int)answer(hd_kernel(SYS_madvise, (long)at, (long)size, advice, 0, 0, 0));
}

/* ---- jumps ------------------------------------------------------------------------ */

void hd_raw_siglongjmp(sigjmp_buf env, int value) {
    void (*real)(struct __jmp_buf_tag *, int) = NULL;
    *(void **)&real = hd_real_named("siglongjmp");
    real(env, value);
    __builtin_unreachable();
}
