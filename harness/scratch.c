/* scratch.c - see scratch.h. */
#define _GNU_SOURCE
#include "scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void remove_folder(const char *path) {
    DIR *folder = opendir(path);
    if (!folder) return;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        if (entry->d_name[0] != '.') unlinkat(dirfd(folder), entry->d_name, 0);
    }
    closedir(folder);
    rmdir(path);
}

/* A program whose heddle is gone may still write a trace: it is given a moment to
 * notice. */
static void wait_and_clean(const struct hd_scratch *self, int pipe) {
    char byte;
    setsid(); /* an interrupt from the terminal is not for us */
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    close(0);
    close(1);
    close(2);
    while (read(pipe, &byte, 1) < 0 && errno == EINTR) {
    }
    for (int i = 0; i < 20 && access(self->path, F_OK) == 0; i++) {
        if (i) usleep(50000);
        remove_folder(self->path);
    }
    _exit(0);
}

int hd_scratch_open(struct hd_scratch *self) {
    int ends[2];
    self->alive = -1;
    snprintf(self->path, sizeof self->path, "%s/heddle-XXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    if (pipe2(ends, O_CLOEXEC) < 0) return -1;
    if (!mkdtemp(self->path) || (self->cleaner = fork()) < 0) {
        close(ends[0]);
        close(ends[1]);
        return -1;
    }
    if (self->cleaner == 0) {
        close(ends[1]);
        wait_and_clean(self, ends[0]);
    }
    close(ends[0]);
    self->alive = ends[1];
    return 0;
}

void hd_scratch_close(struct hd_scratch *self) {
    if (self->alive < 0) return;
    close(self->alive);
    self->alive = -1;
    while (waitpid(self->cleaner, NULL, 0) < 0 && errno == EINTR) {
    }
}
