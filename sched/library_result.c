/* library_result.c - what an exploration in a child process came to.
 *
 * The child speaks as it would to the heddle command (result.c). All of it is
 * read first, then taken apart in place: strings of a result point into it. */
#include "library.h"

#include "pthread/kernel.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define GRACE 20000 /* milliseconds beyond its time before a silent child is given up */

/* ---- reading ---------------------------------------------------------------------- */

/* True: it has closed its end; false: it was silent for too long. */
static bool read_all(int fd, uint64_t milliseconds) {
    struct hd_library_state *self = hd_library;
    size_t used = 0;
    bool over = false;
    for (;;) {
        if (used + 1 >= self->room) {
            size_t room = self->room ? self->room * 2 : 1 << 16;
            char *more = hd_lasting(room);
            memcpy(more, self->text, used);
            self->text = more;
            self->room = room;
        }
        struct pollfd wait = {.fd = fd, .events = POLLIN};
        struct timespec most = {.tv_sec = (time_t)(milliseconds + GRACE) / 1000};
        long ready = hd_kernel(SYS_ppoll, (long)&wait, 1, milliseconds ? (long)&most : 0, 0, 8, 0);
        if (ready == -4 /* EINTR */) continue;
        if (ready <= 0) break;
        ssize_t n = read(fd, self->text + used, self->room - used - 1);
        over = n <= 0;
        if (over) break;
        used += (size_t)n;
    }
    self->text[used] = '\0';
    return over;
}

/* ---- lines ------------------------------------------------------------------------ */

struct finding {
    bool open, cut;
    int answer, status;
    char *kind, *message, *where, *output, *schedule, *end;
};

/* \n, \\ and \xHH stand for bytes that would break a line. */
static void unescape(char *text) {
    char *to = text;
    for (const char *c = text; *c; c++) {
        if (*c != '\\') {
            *to++ = *c;
        } else if (c[1] == 'n') {
            *to++ = '\n';
            c++;
        } else if (c[1] == 'x' && c[2] && c[3]) {
            char hex[3] = {c[2], c[3], 0};
            *to++ = (char)strtol(hex, NULL, 16);
            c += 3;
        }
    }
    *to = '\0';
}

/* Lines of a schedule are drawn together where the first of them stood: they are
 * shorter than what they are made of. */
static void schedule_line(struct finding *finding, char *line, const char *text) {
    if (!finding->schedule) finding->schedule = finding->end = line;
    size_t length = strlen(text);
    memmove(finding->end, text, length);
    finding->end += length;
    *finding->end++ = '\n';
}

static bool is(const char *line, const char *word, char **rest) {
    size_t length = strlen(word);
    if (strncmp(line, word, length) != 0) return false;
    if (line[length] && line[length] != ' ') return false;
    *rest = (char *)(uintptr_t)line + length + (line[length] == ' ');
    return true;
}

static void finding_line(struct finding *finding, char *line) {
    char *rest;
    if (is(line, "status", &rest)) {
        finding->status = atoi(rest);
    } else if (is(line, "cut", &rest)) {
        finding->cut = true;
    } else if (is(line, "answer", &rest)) {
        finding->answer = atoi(rest);
    } else if (is(line, "failure", &rest)) {
        finding->kind = rest;
    } else if (is(line, "at", &rest)) {
        finding->where = rest;
    } else if (is(line, "message", &rest)) {
        finding->message = rest;
    } else if (is(line, "output", &rest)) {
        unescape(rest);
        finding->output = rest;
    } else if (is(line, "choice", &rest)) {
        schedule_line(finding, line, rest);
    } else if (is(line, "value", &rest)) {
        schedule_line(finding, line, line);
    }
}

static void finding_end(const struct finding *finding, bool first, struct heddle_result *result) {
    if (finding->end) *finding->end = '\0';
    bool failed = finding->kind || finding->status;
    if (first && finding->cut && !failed) { /* not even one came to its end */
        result->failures = 1;
        result->kind = "timeout";
        result->message = "an execution was cut before its end: more time or steps? (milliseconds=N, "
                          "steps=N)";
        result->schedule = finding->schedule ? finding->schedule : "";
        return;
    }
    if (first || failed) {
        result->output = finding->output ? finding->output : "";
        result->answer = finding->answer;
    }
    if (!failed || result->kind) return;
    result->failures = 1;
    result->kind = finding->kind ? finding->kind : "exit";
    result->message = finding->message ? finding->message : "";
    if (!finding->kind) {
        char *text = hd_lasting(64);
        snprintf(text, 64, "the process ended with status %d", finding->status);
        result->message = text;
    } else if (finding->where && strcmp(finding->kind, "crash") == 0) {
        size_t size = strlen(finding->message) + strlen(finding->where) + 8;
        char *text = hd_lasting(size);
        snprintf(text, size, "%s at %s", finding->message, finding->where);
        result->message = text;
    }
    result->schedule = finding->schedule ? finding->schedule : "";
}

bool hd_library_listen(int fd, uint64_t milliseconds, bool *over, struct heddle_result *result) {
    struct finding finding = {0};
    bool first = true, done = false;
    hd_library->endings = hd_library->events = 0;
    *over = read_all(fd, milliseconds);
    for (char *line = hd_library->text, *next; *line; line = next) {
        char *rest;
        next = line + strcspn(line, "\n");
        if (!*next) break; /* cut short */
        *next++ = '\0';
        if (is(line, "finding", &rest)) {
            finding = (struct finding){.open = true};
        } else if (is(line, "end", &rest)) {
            if (finding.open) finding_end(&finding, first, result);
            finding.open = first = false;
        } else if (finding.open) {
            finding_line(&finding, line);
        } else if (is(line, "executions", &rest)) {
            result->executions = strtoull(rest, NULL, 10);
        } else if (is(line, "count", &rest)) {
            hd_library->endings++;
        } else if (is(line, "events", &rest)) {
            hd_library->events = strtoull(rest, NULL, 10);
        } else if (is(line, "threads", &rest)) {
            result->threads = (unsigned)strtoull(rest, NULL, 10);
        } else if (is(line, "exhausted", &rest)) {
            result->exhausted = *rest == '1';
        } else if (is(line, "cannot", &rest)) {
            result->kind = "cannot";
            result->message = rest;
        } else if (is(line, "note", &rest)) {
            hd_note("%s", rest);
        } else if (is(line, "done", &rest)) {
            done = true;
        }
    }
    return done;
}

/* ---- how to run it again ------------------------------------------------------------- */

struct text {
    char at[8192];
    size_t used;
};

static void put(struct text *text, const char *from, size_t length) {
    if (length > sizeof text->at - 1 - text->used) length = sizeof text->at - 1 - text->used;
    memcpy(text->at + text->used, from, length);
    text->used += length;
    text->at[text->used] = '\0';
}

static bool plain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           strchr("_-./:=,+@%", c);
}

/* As one word of a shell. */
static void put_word(struct text *text, const char *word) {
    bool quote = !*word;
    for (const char *c = word; *c; c++) quote = quote || !plain(*c);
    if (!quote) {
        put(text, word, strlen(word));
        return;
    }
    put(text, "'", 1);
    for (const char *c = word; *c; c++) {
        if (*c == '\'') {
            put(text, "'\\''", 4);
        } else {
            put(text, c, 1);
        }
    }
    put(text, "'", 1);
}

const char *hd_library_word(const char *word) {
    struct text text = {.used = 0};
    put_word(&text, word);
    char *kept = hd_lasting(text.used + 1);
    memcpy(kept, text.at, text.used + 1);
    return kept;
}

char *hd_library_program(void) {
    char *path = hd_library->program;
    size_t size = sizeof hd_library->program;
    if (*path) return path;
    const char *name = hd_rt->argc > 0 ? hd_rt->argv[0] : "";
    /* main may have gone to another folder since */
    if (strchr(name, '/') && hd_kernel(SYS_faccessat, AT_FDCWD, (long)name, X_OK, 0, 0, 0) == 0) {
        snprintf(path, size, "%s", name);
        return path;
    }
    long n = hd_kernel(SYS_readlinkat, AT_FDCWD, (long)"/proc/self/exe", (long)path,
                       (long)size - 1, 0, 0);
    path[n > 0 ? n : 0] = '\0';
    return path;
}

static bool save(const char *path, const char *schedule) {
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0) return false;
    size_t left = strlen(schedule);
    while (left > 0) {
        ssize_t n = write(fd, schedule, left);
        if (n <= 0) break;
        schedule += n;
        left -= (size_t)n;
    }
    close(fd);
    return left == 0;
}

void hd_library_file(const struct heddle_test_ *test, const char *suffix, char *path,
                     size_t size) {
    const char *program = hd_library_program();
    const char *base = strrchr(program, '/');
    base = base ? base + 1 : program;
    int used = snprintf(path, size, "results/%.40s.%.200s.%s", base, test->name, suffix);
    for (int i = 8; i < used && path[i]; i++) {
        if (path[i] == '#') path[i] = '.'; /* no name has it */
        else if (!plain(path[i]) || path[i] == '/') path[i] = '_';
    }
}

void hd_library_keep(const struct heddle_test_ *test, struct heddle_result *result) {
    const char *name = test->name, *program = hd_library_program();
    char path[512];
    struct text command = {.used = 0};
    hd_library_file(test, "schedule", path, sizeof path);
    if (!result->schedule || !*result->schedule) return;
    hd_kernel(SYS_mkdirat, AT_FDCWD, (long)"results", 0777, 0, 0, 0);
    if (!save(path, result->schedule)) {
        hd_note("cannot write %s: the schedule of a failure is not kept", path);
        return;
    }
    put(&command, "HEDDLE_TEST=", 12);
    put_word(&command, name);
    put(&command, " ", 1);
    put(&command, hd_library_command(), strlen(hd_library_command()));
    put(&command, " replay ", 8);
    put_word(&command, path);
    put(&command, " ", 1);
    put_word(&command, program);
    for (int i = 1; i < hd_rt->argc; i++) {
        put(&command, " ", 1);
        put_word(&command, hd_rt->argv[i]);
    }
    char *again = hd_lasting(command.used + 1);
    memcpy(again, command.at, command.used + 1);
    result->again = again;
}
