/* library_name.c - names for a failure's message, from the heddle command.
 *
 * The runtime knows addresses only; names are libdw's business and stay out of
 * the program under test. The command is the one in PATH, else the one beside
 * the header that the test was compiled with. Without any, addresses stay. */
#include "library.h"

#include "pthread/kernel.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool runs(const char *path) {
    return hd_kernel(SYS_faccessat, AT_FDCWD, (long)path, X_OK, 0, 0, 0) == 0;
}

/* Where PATH finds it, into `path`. */
static bool in_path(char *path, size_t size) {
    const char *folders = NULL;
    for (char **at = hd_rt->envp; at && *at; at++) {
        if (strncmp(*at, "PATH=", 5) == 0) folders = *at + 5;
    }
    while (folders && *folders) {
        size_t length = strcspn(folders, ":");
        snprintf(path, size, "%.*s/heddle", (int)length, folders);
        if (length && runs(path)) return true;
        folders += length + (folders[length] == ':');
    }
    return false;
}

/* .../include/heddle_unity.h: .../bin/heddle */
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

const char *hd_library_command(const char *header) {
    struct hd_library_state *self = hd_library;
    char path[1024];
    if (self->command) return self->command;
    self->command = self->command_path = "heddle";
    self->has_command = in_path(path, sizeof path);
    bool near = !self->has_command && beside(header, path, sizeof path);
    if (!self->has_command && !near) return self->command;
    char *kept = hd_lasting(strlen(path) + 1);
    memcpy(kept, path, strlen(path) + 1);
    self->command_path = kept;
    if (near) self->command = kept;
    self->has_command = true;
    return self->command;
}

const char *hd_library_name(const char *header, const char *text) {
    int ends[2];
    const struct hd_library_state *self = hd_library;
    hd_library_command(header);
    if (!self->has_command || !strchr(text, '[')) return text;
    if (hd_kernel(SYS_pipe2, (long)ends, O_CLOEXEC, 0, 0, 0, 0) < 0) return text;
    pid_t (*fork_)(void) = (pid_t(*)(void))(uintptr_t)hd_real_named("fork");
    pid_t pid = fork_();
    if (pid == 0) {
        char *words[] = {"heddle", "name", hd_library_program(), (char *)(uintptr_t)text, NULL};
        dup2(ends[1], 1);
        hd_kernel(SYS_execve, (long)self->command_path, (long)words, (long)hd_rt->envp, 0, 0, 0);
        hd_rt->real._exit(127);
    }
    close(ends[1]);
    char *named = hd_lasting(8192);
    size_t used = 0;
    ssize_t n;
    while (pid > 0 && used < 8191 && (n = read(ends[0], named + used, 8191 - used)) != 0) {
        if (n > 0) used += (size_t)n;
        else if (n < 0) break;
    }
    close(ends[0]);
    int status = 1;
    while (pid > 0 && hd_kernel(SYS_wait4, pid, (long)&status, 0, 0, 0, 0) == -4) {
    }
    while (used > 0 && named[used - 1] == '\n') used--;
    named[used] = '\0';
    return status == 0 && used > 0 ? named : text;
}
