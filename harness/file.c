/* file.c - writing by temporary file and rename; reading with a limit. */
#define _GNU_SOURCE
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* mkdir -p of the folder that `path` is in. */
static int make_folders(char *path, struct hd_error *err) {
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        int made = mkdir(path, 0777);
        int why = errno;
        if (made < 0 && why != EEXIST) {
            hd_fail(err, 0, "cannot make folder %s: %s", path, strerror(why));
            *slash = '/';
            return -1;
        }
        *slash = '/';
    }
    return 0;
}

static FILE *open_temporary(struct hd_file *file) {
    if (asprintf(&file->temporary, "%s.XXXXXX", file->path) < 0) {
        file->temporary = NULL;
        return NULL;
    }
    int fd = mkostemp(file->temporary, O_CLOEXEC);
    if (fd < 0) {
        free(file->temporary);
        file->temporary = NULL;
        return NULL;
    }
    mode_t mask = umask(0); /* mkstemp makes it private; the result is an ordinary file */
    umask(mask);
    if (fchmod(fd, 0666 & ~mask) < 0) { /* a file system without modes: no harm */
    }
    return fdopen(fd, "w");
}

int hd_file_create(struct hd_file *file, const char *path, struct hd_error *err) {
    struct stat status;
    memset(file, 0, sizeof *file);
    bool there = stat(path, &status) == 0;
    file->path = there ? realpath(path, NULL) : strdup(path);
    if (!file->path) {
        hd_fail(err, 0, "cannot write %s: %s", path, strerror(errno));
        return -1;
    }
    if (there && S_ISDIR(status.st_mode)) {
        hd_fail(err, 0, "cannot write %s: it is a folder", path);
    } else if (there && !S_ISREG(status.st_mode)) {
        file->stream = fopen(path, "we");
    } else if (make_folders(file->path, err) == 0) {
        file->stream = open_temporary(file);
    }
    if (file->stream) return 0;
    hd_fail(err, 0, "cannot write %s: %s", path, strerror(errno));
    hd_file_drop(file);
    return -1;
}

/* The new name is on the disk only when its folder is. */
static void sync_folder(const char *path) {
    char *folder = strdup(path);
    if (!folder) return;
    char *slash = strrchr(folder, '/');
    if (slash) slash[slash == folder] = '\0';
    int fd = open(slash ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
    free(folder);
}

int hd_file_commit(struct hd_file *file, struct hd_error *err) {
    errno = 0;
    bool good = !ferror(file->stream) && fflush(file->stream) == 0;
    if (good && file->temporary) good = fsync(fileno(file->stream)) == 0;
    int why = errno;
    if (fclose(file->stream) != 0 && good) {
        good = false;
        why = errno;
    }
    file->stream = NULL;
    if (good && file->temporary) {
        good = rename(file->temporary, file->path) == 0;
        why = errno;
        if (good) {
            free(file->temporary);
            file->temporary = NULL;
            sync_folder(file->path);
        }
    }
    if (!good) {
        hd_fail(err, 0, "cannot write %s: %s", file->path,
                why ? strerror(why) : "write error");
    }
    hd_file_drop(file);
    return good ? 0 : -1;
}

void hd_file_drop(struct hd_file *file) {
    if (file->stream) fclose(file->stream);
    if (file->temporary) unlink(file->temporary);
    free(file->temporary);
    free(file->path);
    memset(file, 0, sizeof *file);
}

char *hd_file_read(const char *path, size_t most, size_t *size, struct hd_error *err) {
    bool standard = strcmp(path, "-") == 0;
    size_t room = 1 << 16, used = 0;
    char *text = NULL;
    FILE *in = standard ? stdin : fopen(path, "re");
    if (!in) {
        hd_fail(err, 0, "cannot open %s: %s", path, strerror(errno));
        return NULL;
    }
    /* Room grows with what is really there: a size told by anybody is not believed. */
    for (;;) {
        char *more = realloc(text, room);
        if (!more) {
            hd_fail(err, 0, "%s: out of memory", path);
            goto bad;
        }
        text = more;
        used += fread(text + used, 1, room - used - 1, in);
        if (used < room - 1) break;
        if (room > most) break;
        room *= 2;
    }
    if (ferror(in)) {
        hd_fail(err, 0, "cannot read %s: %s", path, strerror(errno));
        goto bad;
    }
    if (used > most) {
        hd_fail(err, 0, "%s: larger than %zu bytes", path, most);
        goto bad;
    }
    if (!standard) fclose(in);
    text[used] = '\0';
    *size = used;
    return text;

bad:
    if (!standard) fclose(in);
    free(text);
    return NULL;
}
