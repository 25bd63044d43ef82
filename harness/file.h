/* file.h - a file that appears whole or not at all.
 *
 * What is written goes to a temporary file beside the wanted one; hd_file_commit
 * makes sure that it is on the disk and renames it. A reader never sees half a
 * file, and a full disk leaves the old one as it was. A path that names
 * something other than a regular file (/dev/stdout, a pipe) is written to as it
 * is: renaming would replace the device. Folders on the way are made. */
#ifndef HD_FILE_H
#define HD_FILE_H

#include "sched/trace/error.h"

#include <stddef.h>
#include <stdio.h>

struct hd_file {
    FILE *stream;
    char *path;      /* where it will be: symbolic links followed */
    char *temporary; /* NULL: written in place */
};

int hd_file_create(struct hd_file *file, const char *path, struct hd_error *err);
int hd_file_commit(struct hd_file *file, struct hd_error *err); /* also closes */
void hd_file_drop(
    struct hd_file *file); /* nothing happened; after commit: nothing to do */

/* A whole file in memory, ended by a zero byte that does not count; NULL with
 * err. At most `most` bytes are accepted. "-" is standard input. */
char *hd_file_read(const char *path, size_t most, size_t *size, struct hd_error *err);

#endif
