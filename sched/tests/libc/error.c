/* error.c - err.h and error.h; a plain build prints the same and ends alike. */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <error.h>
#include <stdio.h>

int main(int argc, char **argv) {
    (void)argv;
    errno = ENOENT;
    printf("out\n");
    warn("warned %d", 1);
    warnx("plainly");
    error(0, ENOENT, "error %s", "text");
    error_at_line(0, 0, "file.c", 3, "line");
    dprintf(2, "descriptor %d\n", 2);
    errno = EPERM;
    if (argc > 1) err(3, "last");
    error(4, 0, "end");
}
