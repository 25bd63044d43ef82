/* library_name.c - asking the heddle command.
 *
 * Names, checkers and JSON stay out of the program under test. The command is the
 * one that HEDDLE in the environment says, else the one beside the header that the
 * test was compiled with, else the one in PATH. Without any, addresses stay. */
#include "library.h"

#include "pthread/kernel.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern const char heddle_header_[] __attribute__((weak));

static bool runs(const char *path) {
    return hd_kernel(SYS_faccessat, AT_FDCWD, (long)path, X_OK, 0, 0, 0) == 0;
}

static const char *variable(const char *name) {
    size_t length = strlen(name);
    for (char **at = hd_rt->envp; at && *at; at++) {
        if (strncmp(*at, name, length) == 0 && (*at)[length] == '=') return *at + length + 1;
    }
    return NULL;
}

/* Where PATH finds it, into `path`. */
static bool in_path(char *path, size_t size) {
    const char *folders = variable("PATH");
    while (folders && *folders) {
        size_t length = strcspn(folders, ":");
        snprintf(path, size, "%.*s/heddle", (int)length, folders);
        if (length && runs(path)) return true;
        folders += length + (folders[length] == ':');
    }
    return false;
}

/* .../include/heddle_test.h: .../bin/heddle */
static bool beside(const char *header, char *path, size_t size) {
    if (!header) return false;
    char folder[800];
    snprintf(folder, sizeof folder, "%s", header);
    for (int up = 0; up < 3; up++) {
        char *slash = strrchr(folder, '/');
        if (!slash) return false;
        *slash = '\0';
        snprintf(path, size, "%s/bin/heddle", folder);
        if (runs(path)) return true;
    }
    return false;
}

static bool same_file(const char *a, const char *b) {
    struct stat one, other;
    return hd_kernel(SYS_newfstatat, AT_FDCWD, (long)a, (long)&one, 0, 0, 0) == 0 &&
           hd_kernel(SYS_newfstatat, AT_FDCWD, (long)b, (long)&other, 0, 0, 0) == 0 &&
           one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
}

const char *hd_library_command(void) {
    struct hd_library_state *self = hd_library;
    char path[1024], typed[1024];
    if (self->command) return self->command;
    self->command = self->command_path = "heddle";
    const char *said = variable("HEDDLE");
    bool by_name = in_path(typed, sizeof typed);
    if (said && *said) {
        if (!runs(said)) return self->command;
        snprintf(path, sizeof path, "%s", said);
    } else if (!beside(heddle_header_, path, sizeof path)) {
        if (!by_name) return self->command;
        memcpy(path, typed, sizeof path);
    }
    char *kept = hd_lasting(strlen(path) + 1);
    memcpy(kept, path, strlen(path) + 1);
    self->command_path = kept;
    self->has_command = true;
    if (!by_name || !same_file(path, typed)) self->command = hd_library_word(path);
    return self->command;
}

/* Standard input of whom we ask: what the program got, from its start, if that can be. */
static void input_anew(void) {
    struct stat what;
    bool file = fstat(0, &what) == 0 && S_ISREG(what.st_mode);
    int fd = open(file ? "/proc/self/fd/0" : "/dev/null", O_RDONLY);
    if (fd > 0) dup2(fd, 0);
}

int hd_library_ask(char *const *words, char *const *environment, char *text, size_t room) {
    int ends[2];
    const struct hd_library_state *self = hd_library;
    hd_library_command();
    text[0] = '\0';
    if (!self->has_command) return -1;
    if (hd_kernel(SYS_pipe2, (long)ends, O_CLOEXEC, 0, 0, 0, 0) < 0) return -1;
    pid_t (*fork_)(void) = (pid_t(*)(void))(uintptr_t)hd_real_named("fork");
    pid_t pid = fork_();
    if (pid == 0) {
        hd_library_wait(false);
        input_anew();
        dup2(ends[1], 1);
        hd_kernel(SYS_execve, (long)self->command_path, (long)words, (long)environment, 0, 0, 0);
        hd_rt->real._exit(127);
    }
    close(ends[1]);
    size_t used = 0;
    ssize_t n = pid > 0;
    while (n > 0) {
        char rest[256]; /* beyond the room: read, so that it can end, and dropped */
        bool full = used + 1 >= room;
        n = full ? read(ends[0], rest, sizeof rest) : read(ends[0], text + used, room - 1 - used);
        if (n > 0 && !full) used += (size_t)n;
    }
    close(ends[0]);
    int status = -1;
    while (pid > 0 && hd_kernel(SYS_wait4, pid, (long)&status, 0, 0, 0, 0) == -4) {
    }
    text[used] = '\0';
    return pid > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

const char *hd_library_name(const char *text) {
    if (!strchr(text, '[')) return text;
    char *named = hd_lasting(8192);
    char *words[] = {"heddle", "name", hd_library_program(), (char *)(uintptr_t)text, NULL};
    int status = hd_library_ask(words, hd_rt->envp, named, 8192);
    size_t used = strlen(named);
    while (used > 0 && named[used - 1] == '\n') named[--used] = '\0';
    return status == 0 && used > 0 ? named : text;
}
