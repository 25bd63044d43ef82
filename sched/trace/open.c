/* open.c - which form a file has, and where the readable ones are spooled.
 *
 * Told apart by content: a binary trace begins with its magic; a std one has
 * thread|op(operand)|place on its first line; the rest is text. Text and std are
 * turned into a binary spool that has no name, so nothing is left behind
 * whatever happens; all reading is then of one kind. */
#define _GNU_SOURCE
#include "reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int hd_spool(struct hd_error *err) {
    /* /tmp is often memory; a spool should be disk where there is a choice. */
    const char *folders[] = {getenv("TMPDIR"), "/var/tmp", "/tmp"};
    int cause = ENOENT;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char path[4096];
        if (!folders[i] || !*folders[i]) continue;
        int length = snprintf(path, sizeof path, "%s/heddle-XXXXXX", folders[i]);
        if (length < 0 || (size_t)length >= sizeof path) continue;
        int fd = mkostemp(path, O_CLOEXEC);
        if (fd >= 0) {
            unlink(path);
            return fd;
        }
        cause = errno;
    }
    hd_fail_system(err, cause, "cannot make a temporary file (set TMPDIR)");
    return -1;
}

static ssize_t read_some(int fd, void *to, size_t most) {
    ssize_t got;
    do
        got = read(fd, to, most);
    while (got < 0 && errno == EINTR);
    return got;
}

/* A pipe cannot be read twice: its copy can. */
static int spool_copy(int in, const char *path, struct hd_error *err) {
    int out = hd_spool(err);
    if (out < 0) return -1;
    char *buffer = malloc(1 << 16);
    ssize_t got = -1;
    if (!buffer) {
        hd_fail_system(err, ENOMEM, "%s", path);
        goto fail;
    }
    while ((got = read_some(in, buffer, 1 << 16)) > 0) {
        for (ssize_t done = 0; done < got;) {
            ssize_t n = write(out, buffer + done, (size_t)(got - done));
            if (n < 0 && errno != EINTR) {
                hd_fail_system(err, errno, "cannot write a temporary file");
                goto fail;
            }
            if (n > 0) done += n;
        }
    }
    if (got < 0) {
        hd_fail_system(err, errno, "cannot read %s", path);
        goto fail;
    }
    free(buffer);
    lseek(out, 0, SEEK_SET);
    return out;

fail:
    free(buffer);
    close(out);
    return -1;
}

/* thread|word(...)|place or thread|word|place, on the first line that has
 * anything on it. */
static bool looks_like_std(const char *at, size_t length) {
    const char *end = at + length;
    while (at < end && (*at == '\n' || *at == '\r' || *at == ' ' || *at == '\t'))
        at++;
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    if (stop) end = stop;
    const char *first = memchr(at, '|', (size_t)(end - at));
    if (!first || first == at || memchr(at, ' ', (size_t)(first - at))) return false;
    const char *op = first + 1;
    while (op < end && ((*op >= 'a' && *op <= 'z') || *op == 'V' || *op == 'P'))
        op++;
    return op > first + 1 && op < end && (*op == '(' || *op == '|') &&
           memchr(op, '|', (size_t)(end - op));
}

/* Opens a readable file, at its start, of which any part can be read. */
static int open_input(const char *path, struct hd_error *err) {
    int fd = strcmp(path, "-") == 0 ? dup(0) : open(path, O_RDONLY | O_CLOEXEC);
    struct stat stat;
    if (fd < 0 || fstat(fd, &stat) < 0) {
        hd_fail_system(err, errno, "cannot open %s", path);
        if (fd >= 0) close(fd);
        return -1;
    }
    if (S_ISDIR(stat.st_mode)) {
        hd_fail(err, 0, "%s is a folder, expected a trace", path);
        close(fd);
        return -1;
    }
    if (S_ISREG(stat.st_mode) && lseek(fd, 0, SEEK_CUR) == 0) return fd;
    int copy = spool_copy(fd, path, err);
    close(fd);
    return copy;
}

/* Reads a trace that is not binary by way of a spool. Takes over fd. */
static struct hd_trace *convert(int fd, const char *path,
                                int (*read_form)(int, const char *, int,
                                                 struct hd_error *),
                                struct hd_error *err) {
    struct hd_trace *trace = NULL;
    int out = hd_spool(err), spool = -1;
    if (out < 0) goto out;
    /* whoever converts closes `out`; the file lives on behind `spool` */
    spool = fcntl(out, F_DUPFD_CLOEXEC, 0);
    if (spool < 0) {
        hd_fail_system(err, errno, "cannot read %s", path);
        close(out);
        goto out;
    }
    if (read_form(fd, path, out, err) < 0) goto out;
    trace = hd_trace_open_fd(spool, path, HD_OPEN_WHOLE, err);
    spool = -1;
out:
    if (spool >= 0) close(spool);
    close(fd);
    return trace;
}

/* Takes over fd. */
static struct hd_trace *open_any(int fd, const char *path, enum hd_open how,
                                 struct hd_error *err) {
    char head[4096];
    ssize_t length = pread(fd, head, sizeof head, 0);
    if (length <= 0) {
        if (length < 0) hd_fail_system(err, errno, "cannot read %s", path);
        hd_fail(err, 0, "%s: the file is empty, expected a trace", path);
        close(fd);
        return NULL;
    }
    /* it may be cut within its magic; of text there is none with that byte in it */
    if (length >= 7 && memcmp(head, HD_TRACE_MAGIC, length > 7 ? 8 : 7) == 0) {
        return hd_trace_open_fd(fd, path, how, err);
    }
    bool std = looks_like_std(head, (size_t)length);
    return convert(fd, path, std ? hd_std_read : hd_text_read, err);
}

struct hd_trace *hd_trace_open(const char *path, struct hd_error *err) {
    int fd = open_input(path, err);
    return fd < 0 ? NULL : open_any(fd, path, HD_OPEN_WHOLE, err);
}

struct hd_trace *hd_trace_open_partial(const char *path, struct hd_error *err) {
    int fd = open_input(path, err);
    return fd < 0 ? NULL : open_any(fd, path, HD_OPEN_PARTIAL, err);
}

struct hd_trace *hd_trace_open_std(const char *path, struct hd_error *err) {
    int fd = open_input(path, err);
    return fd < 0 ? NULL : convert(fd, path, hd_std_read, err);
}

struct hd_trace *hd_trace_parse(const char *text, const char *name,
                                struct hd_error *err) {
    int fd = hd_spool(err);
    if (fd < 0) return NULL;
    size_t length = strlen(text);
    for (size_t done = 0; done < length;) {
        ssize_t n = write(fd, text + done, length - done);
        if (n < 0) {
            if (errno == EINTR) continue;
            hd_fail_system(err, errno, "cannot write a temporary file");
            close(fd);
            return NULL;
        }
        done += (size_t)n;
    }
    lseek(fd, 0, SEEK_SET);
    return open_any(fd, name, HD_OPEN_WHOLE, err);
}
