/* stdio_file.c - opening, closing and moving about in streams. */
#include "hold.h"
#include "stream.h"

#include "../beyond.h"
#include "files.h"
#include "random.h"

#include <stdio.h>

/* ---- where a stream stands ------------------------------------------------------------ */

#define AT(type, name, parameters, arguments, write)                                     \
    HD_TAKEN type name parameters {                                                      \
        struct hd_stream *stream = hd_stream_enter(file, HD_NONE, write, HD_PC());       \
        type result = HD_REAL(name) arguments;                                           \
        hd_stream_leave(stream);                                                         \
        return result;                                                                   \
    }
#define AT_VOID(name, parameters, arguments)                                             \
    HD_TAKEN void name parameters {                                                      \
        struct hd_stream *stream = hd_stream_enter(file, HD_NONE, true, HD_PC());        \
        HD_REAL(name) arguments;                                                         \
        hd_stream_leave(stream);                                                         \
    }

#undef feof_unlocked
#undef ferror_unlocked
#undef clearerr_unlocked
AT(int, fseek, (FILE * file, long offset, int whence), (file, offset, whence), true)
AT(int, fseeko, (FILE * file, off_t offset, int whence), (file, offset, whence), true)
AT(int, fseeko64, (FILE * file, off64_t offset, int whence), (file, offset, whence), true)
AT(long, ftell, (FILE * file), (file), false)
AT(off_t, ftello, (FILE * file), (file), false)
AT(off64_t, ftello64, (FILE * file), (file), false)
AT(int, fgetpos, (FILE * file, fpos_t *to), (file, to), false)
AT(int, fgetpos64, (FILE * file, fpos64_t *to), (file, to), false)
AT(int, fsetpos, (FILE * file, const fpos_t *from), (file, from), true)
AT(int, fsetpos64, (FILE * file, const fpos64_t *from), (file, from), true)
AT(int, setvbuf, (FILE * file, char *buffer, int mode, size_t size), (file, buffer, mode, size), true)
AT(int, feof, (FILE * file), (file), false)
AT(int, ferror, (FILE * file), (file), false)
AT(int, feof_unlocked, (FILE * file), (file), false)
AT(int, ferror_unlocked, (FILE * file), (file), false)
AT_VOID(rewind, (FILE * file), (file))
AT_VOID(setbuf, (FILE * file, char *buffer), (file, buffer))
AT_VOID(setbuffer, (FILE * file, char *buffer, size_t size), (file, buffer, size))
AT_VOID(setlinebuf, (FILE * file), (file))
AT_VOID(clearerr, (FILE * file), (file))
AT_VOID(clearerr_unlocked, (FILE * file), (file))

/* ---- opening and closing ---------------------------------------------------------------- */

static bool writes(const char *mode) {
    for (; *mode && *mode != ','; mode++) {
        if (*mode == 'w' || *mode == 'a' || *mode == '+') return true;
    }
    return false;
}

#define OPENS(name, parameters, arguments, writing)                                      \
    HD_TAKEN FILE *name parameters {                                                     \
        hd_files_open(HD_PC());                                                          \
        FILE *result = HD_REAL(name) arguments;                                          \
        if (result && (writing)) hd_files_written(result->_fileno);                      \
        return result;                                                                   \
    }

/* A stream of chance: the bytes that read(2) would give. */
static ssize_t draw(void *cookie, char *to, size_t n) {
    (void)cookie;
    hd_random_fill(to, n, NULL);
    return (ssize_t)n;
}

/* The file itself (m), or the tables of a character set (,ccs=). */
static bool maps(const char *mode) {
    for (; *mode; mode++) {
        if (*mode == 'm' || *mode == ',') return true;
    }
    return false;
}

static FILE *open_file(const char *path, const char *mode, void *pc) {
    hd_files_open(pc);
    if (hd_inside() && maps(mode)) hd_rt->mapped = true;
    FILE *result = HD_REAL(fopen)(path, mode);
    if (!result || !hd_inside()) return result;
    if (writes(mode)) hd_files_written(result->_fileno);
    if (!hd_files_is_random(result->_fileno)) return result;
    HD_REAL(fclose)(result);
    return HD_REAL(fopencookie)(NULL, mode, (cookie_io_functions_t){.read = draw});
}

HD_TAKEN FILE *fopen(const char *path, const char *mode) { return open_file(path, mode, HD_PC()); }
HD_TAKEN FILE *fopen64(const char *path, const char *mode) {
    return open_file(path, mode, HD_PC());
}

OPENS(fdopen, (int fd, const char *mode), (fd, mode), false)
OPENS(tmpfile, (void), (), false)
OPENS(tmpfile64, (void), (), false)
HD_TAKEN FILE *popen(const char *command, const char *mode) {
    hd_files_open(HD_PC());
    FILE *result = HD_REAL(popen)(command, mode);
    if (result && hd_inside()) hd_beyond_pipe(1);
    return result;
}

HD_TAKEN FILE *open_memstream(char **to, size_t *to_size) {
    if (!hd_watched()) return HD_REAL(open_memstream)(to, to_size);
    struct hd_memory_file *self = hd_passing(sizeof *self);
    FILE *result = HD_REAL(open_memstream)(&self->at, &self->size);
    struct hd_stream *stream = result ? hd_stream_of(result) : NULL;
    self->to = to;
    self->to_size = to_size;
    if (stream) stream->memory = self;
    return result;
}

static FILE *reopen(bool large, const char *path, const char *mode, FILE *file, void *pc) {
    hd_files_open(pc);
    struct hd_stream *stream = hd_stream_enter(file, HD_NONE, true, pc);
    FILE *result = large ? HD_REAL(freopen64)(path, mode, file) : HD_REAL(freopen)(path, mode, file);
    if (result && writes(mode)) hd_files_written(result->_fileno);
    if (hd_inside()) hd_rt->replaced = true;
    hd_stream_leave(stream);
    return result;
}

HD_TAKEN FILE *freopen(const char *path, const char *mode, FILE *file) {
    return reopen(false, path, mode, file, HD_PC());
}
HD_TAKEN FILE *freopen64(const char *path, const char *mode, FILE *file) {
    return reopen(true, path, mode, file, HD_PC());
}

static int shut(FILE *file, bool process, void *pc) {
    struct hd_stream *stream = hd_stream_enter(file, HD_NONE, true, pc);
    hd_files_close(stream ? file->_fileno : -1, pc);
    const struct hd_memory_file *memory = stream ? stream->memory : NULL;
    hd_stream_leave(stream);
    hd_stream_forget(stream);
    int result = process ? HD_REAL(pclose)(file) : HD_REAL(fclose)(file);
    if (process && hd_inside()) hd_beyond_pipe(-1);
    hd_files_changed();
    hd_memory_file_give(memory, pc);
    return result;
}

HD_TAKEN int fclose(FILE *file) { return shut(file, false, HD_PC()); }
HD_TAKEN int pclose(FILE *file) { return shut(file, true, HD_PC()); }
HD_ALIAS(_IO_fclose, fclose);
