/* temporary.c - see temporary.h. */
#define _GNU_SOURCE
#include "temporary.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define WORD "replay:"

int hd_temporary_open(struct hd_temporary *self, const char *what, struct hd_error *err) {
    const char *folder = getenv("TMPDIR");
    if (!folder || !*folder) folder = "/tmp";
    self->path = NULL;
    int length = snprintf(self->strategy, sizeof self->strategy, WORD "%s/heddle-%s-XXXXXX",
                          folder, what);
    if (length < 0 || (size_t)length >= sizeof self->strategy) {
        hd_fail(err, 0, "TMPDIR is too long: %s", folder);
        return -1;
    }
    char *path = self->strategy + sizeof WORD - 1;
    int fd = mkstemp(path);
    if (fd < 0) {
        hd_fail_system(err, errno, "cannot write to %s", folder);
        return -1;
    }
    close(fd);
    self->path = path;
    return 0;
}

int hd_temporary_schedule(struct hd_temporary *self, const struct hd_schedule *schedule,
                          struct hd_error *err) {
    if (hd_temporary_open(self, "schedule", err) < 0) return -1;
    if (hd_schedule_write_plain(schedule, self->path, err) == 0) return 0;
    hd_temporary_drop(self);
    return -1;
}

void hd_temporary_drop(struct hd_temporary *self) {
    if (self->path) unlink(self->path);
    self->path = NULL;
}
