/* child.c - starting the program, reading what its runtime says. */
#define _GNU_SOURCE
#include "child.h"

#include "command.h"
#include "interrupt.h"
#include "seconds.h"
#include "sections.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define RESULT_FD 950 /* above what programs use, above what a restore closes */
#define RUNTIME_CODE "hd_code" /* the section that libheddle.a's code is in */
#define GRACE 30.0    /* seconds beyond --time before a silent program is killed */
#define LOOK 200      /* milliseconds between looks at the clock and for an interrupt */

struct text { /* a string that grows */
    char *at;
    size_t length, room;
};

struct reader {
    struct hd_child *child;
    struct hd_ending ending;
    struct text thread, where, message, about, diverged, observed, output, failure;
    bool open;    /* inside a block of lines about one ending */
    bool hello, done, stop;
    struct hd_child told; /* totals that are being told; theirs once they are complete */
};

static void text_set(struct text *text, const char *from, size_t length) {
    if (length + 1 > text->room) {
        text->room = length + 64;
        free(text->at);
        text->at = malloc(text->room);
        if (!text->at) abort();
    }
    memcpy(text->at, from, length);
    text->at[length] = '\0';
    text->length = length;
}

/* The runtime writes \n, \\ and \xHH for bytes that would break a line. */
static void text_unescape(struct text *text, const char *from) {
    text_set(text, from, strlen(from));
    char *to = text->at;
    for (const char *c = text->at; *c; c++) {
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
    text->length = (size_t)(to - text->at);
}

/* ---- lines ------------------------------------------------------------------ */

static void begin_block(struct reader *self) {
    hd_schedule_free(self->ending.schedule);
    self->ending = (struct hd_ending){.observed = "", .output = "", .count = 1};
    self->ending.schedule = hd_schedule_new();
    self->open = true;
}

static void end_block(struct reader *self) {
    self->open = false;
    self->child->told++;
    if (self->child->ending && !self->child->ending(self->child->argument, &self->ending)) {
        self->stop = true;
    }
}

static void count_line(struct hd_child *child, const char *rest) {
    char *end;
    uint64_t number = strtoull(rest, &end, 10), count = strtoull(end, NULL, 10);
    if (number > 1 << 20) return;
    if (number >= child->count_count) {
        uint64_t *more = realloc(child->counts, (number + 1) * sizeof *more);
        if (!more) return;
        memset(more + child->count_count, 0, (number + 1 - child->count_count) * sizeof *more);
        child->counts = more;
        child->count_count = number + 1;
    }
    child->counts[number] = count;
}

static const char *intern_end(const char *rest) {
    static const char *const words[] = {"time", "search", "memory", "failure", "executions"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(rest, words[i]) == 0) return words[i];
    }
    return "lost"; /* it goes on: unless more is told, that is how it ends */
}

static bool total_line(struct hd_child *child, const char *word, const char *rest) {
    uint64_t number = strtoull(rest, NULL, 10);
    if (strcmp(word, "executions") == 0) child->executed = number;
    else if (strcmp(word, "classes") == 0) child->classes = number;
    else if (strcmp(word, "events") == 0) child->events_seen = number;
    else if (strcmp(word, "steps") == 0) child->steps_seen = number;
    else if (strcmp(word, "threads") == 0) child->threads_seen = number;
    else if (strcmp(word, "cut") == 0) child->cut = number;
    else if (strcmp(word, "blocked") == 0) child->blocked = number;
    else if (strcmp(word, "shared") == 0) child->shared = number;
    else if (strcmp(word, "failed") == 0) child->failed = number;
    else if (strcmp(word, "depth") == 0) child->depth = number;
    else if (strcmp(word, "bound") == 0) child->bound = number;
    else if (strcmp(word, "share") == 0) child->share = (double)number * 1e-6;
    else if (strcmp(word, "exhausted") == 0) child->exhausted = number != 0;
    else if (strcmp(word, "ended") == 0) child->ended_by = intern_end(rest);
    else if (strcmp(word, "nanoseconds") == 0) child->took = (double)number * 1e-9;
    else return false;
    return true;
}

/* The totals are complete: from here on they are what came of it. */
static void adopt(struct reader *self) {
    struct hd_child *child = self->child, *told = &self->told;
    child->executed = told->executed;
    child->classes = told->classes;
    child->events_seen = told->events_seen;
    child->steps_seen = told->steps_seen;
    child->threads_seen = told->threads_seen;
    child->cut = told->cut;
    child->blocked = told->blocked;
    child->failed = told->failed;
    child->shared = told->shared;
    child->share = told->share;
    child->depth = told->depth;
    child->bound = told->bound;
    child->exhausted = told->exhausted;
    child->ended_by = told->ended_by;
    child->took = told->took;
    free(child->counts);
    child->counts = told->counts;
    child->count_count = told->count_count;
    *told = (struct hd_child){0};
}

static void block_line(struct reader *self, const char *word, const char *rest) {
    struct hd_ending *ending = &self->ending;
    if (strcmp(word, "run") == 0) {
        ending->run = strtoull(rest, NULL, 10);
    } else if (strcmp(word, "status") == 0) {
        ending->status = atoi(rest);
    } else if (strcmp(word, "failure") == 0) {
        text_set(&self->failure, rest, strlen(rest));
        ending->failure = self->failure.at;
    } else if (strcmp(word, "thread") == 0) {
        text_set(&self->thread, rest, strlen(rest));
        ending->thread = self->thread.at;
    } else if (strcmp(word, "at") == 0) {
        text_set(&self->where, rest, strlen(rest));
        ending->at = self->where.at;
    } else if (strcmp(word, "message") == 0) {
        text_set(&self->message, rest, strlen(rest));
        ending->message = self->message.at;
    } else if (strcmp(word, "about") == 0) {
        text_set(&self->about, rest, strlen(rest));
        ending->about = self->about.at;
    } else if (strcmp(word, "diverged") == 0) {
        text_set(&self->diverged, rest, strlen(rest));
        ending->diverged = self->diverged.at;
    } else if (strcmp(word, "observed") == 0) {
        text_unescape(&self->observed, rest);
        ending->observed = self->observed.at;
    } else if (strcmp(word, "output") == 0) {
        text_unescape(&self->output, rest);
        ending->output = self->output.at;
        ending->output_length = self->output.length;
    } else if (strcmp(word, "cut") == 0) {
        ending->cut = true;
    } else if (strcmp(word, "threads") == 0) {
        ending->threads = strtoull(rest, NULL, 10);
    } else if (strcmp(word, "events") == 0) {
        ending->events = strtoull(rest, NULL, 10);
    } else if (strcmp(word, "steps") == 0) {
        ending->steps = strtoull(rest, NULL, 10);
    } else if (strcmp(word, "preemptions") == 0) {
        ending->preemptions = strtoull(rest, NULL, 10);
    } else if (strcmp(word, "choice") == 0) {
        char name[HD_THREAD_NAME + 1];
        unsigned long long events;
        if (sscanf(rest, "%255s %llu", name, &events) == 2 && events > 0) {
            hd_schedule_step(ending->schedule, name, events, NULL);
        }
    } else if (strcmp(word, "value") == 0) {
        hd_schedule_value(ending->schedule, strtoull(rest, NULL, 10), NULL);
    }
}

static void take_line(struct reader *self, char *line) {
    char *rest = strchr(line, ' ');
    if (rest) {
        *rest++ = '\0';
    } else {
        rest = line + strlen(line);
    }
    if (strcmp(line, "hello") == 0) {
        self->hello = true;
    } else if (strcmp(line, "note") == 0) {
        if (self->child->note) self->child->note(self->child->argument, rest);
    } else if (strcmp(line, "test") == 0) {
        if (self->child->test) self->child->test(self->child->argument, rest);
    } else if (strcmp(line, "finding") == 0) {
        begin_block(self);
    } else if (strcmp(line, "restart") == 0) {
        self->child->restarts++;
    } else if (strcmp(line, "count") == 0) {
        count_line(&self->told, rest);
    } else if (strcmp(line, "told") == 0) {
        adopt(self);
        if (self->child->sofar) self->child->sofar(self->child->argument);
    } else if (strcmp(line, "end") == 0) {
        if (self->open) end_block(self);
    } else if (strcmp(line, "done") == 0) {
        adopt(self);
        self->done = true;
    } else if (strcmp(line, "void") == 0) {
        self->open = false;
    } else if (self->open) {
        block_line(self, line, rest);
    } else {
        total_line(&self->told, line, rest);
    }
}

/* Has it done nothing yet but what does not count against its time? */
static bool catches_up(const struct hd_child *child) {
    return child->after > (child->executed > child->told ? child->executed : child->told);
}

static void read_lines(struct reader *self, int fd, double until) {
    size_t room = 1 << 16, used = 0;
    char *buffer = malloc(room);
    if (!buffer) abort();
    while (!self->stop) {
        struct pollfd wait = {.fd = fd, .events = POLLIN};
        if (hd_interrupted() || (until > 0 && hd_seconds() >= until)) break;
        int ready = poll(&wait, 1, LOOK);
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0) continue;
        if (used == room) buffer = realloc(buffer, room *= 2);
        if (!buffer) abort();
        ssize_t n = read(fd, buffer + used, room - used);
        if (n <= 0) break;
        used += (size_t)n;
        if (until > 0 && catches_up(self->child)) until = hd_seconds() + self->child->seconds + GRACE;
        char *start = buffer, *newline;
        while (!self->stop &&
               (newline = memchr(start, '\n', used - (size_t)(start - buffer))) != NULL) {
            *newline = '\0';
            take_line(self, start);
            start = newline + 1;
        }
        used -= (size_t)(start - buffer);
        memmove(buffer, start, used);
    }
    free(buffer);
}

/* ---- the process ---------------------------------------------------------------- */

void hd_child_option(FILE *out, const char *name, const char *value) {
    fprintf(out, " %s=", name);
    for (; *value; value++) {
        if (*value == ' ' || *value == ',' || *value == '%' || (unsigned char)*value < 33) {
            fprintf(out, "%%%02X", (unsigned char)*value);
        } else {
            fputc(*value, out);
        }
    }
}

static char *options_of(const struct hd_child *child) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out) return NULL;
    fprintf(out, "result=%d seed=%llu", RESULT_FD, (unsigned long long)child->seed);
    if (child->steps) fprintf(out, " steps=%llu", (unsigned long long)child->steps);
    if (child->strategy) hd_child_option(out, "strategy", child->strategy);
    if (child->trace) hd_child_option(out, "trace", child->trace);
    if (child->explore) {
        fprintf(out, " explore executions=%llu first=%llu", (unsigned long long)child->executions,
                (unsigned long long)child->first);
        if (child->seconds > 0) {
            fprintf(out, " milliseconds=%llu", (unsigned long long)(child->seconds * 1000) + 1);
            if (child->after) fprintf(out, " after=%llu", (unsigned long long)child->after);
        }
        if (child->each) fprintf(out, " each");
        if (child->fork) fprintf(out, " fork");
        if (child->jobs > 1) fprintf(out, " jobs=%llu", (unsigned long long)child->jobs);
        if (child->memory) fprintf(out, " memory=%llu", (unsigned long long)child->memory);
        if (child->telling) fprintf(out, " telling=%u", child->telling);
    }
    if (child->every_access || child->values) fprintf(out, " every-access");
    if (child->transactions && *child->transactions == '@') fprintf(out, " every-call");
    if (child->values) fprintf(out, " values");
    if (child->spurious) fprintf(out, " spurious-wakeups");
    if (child->globals) fprintf(out, " globals");
    return fclose(out) == 0 ? text : NULL;
}

/* Where those stand that heddle was started with; every program that it starts is to find
 * them there. */
#define INHERITED 64
static off_t inherited[INHERITED];

void hd_child_inherited(void) {
    for (int fd = 0; fd < INHERITED; fd++) inherited[fd] = fd < 3 ? -1 : lseek(fd, 0, SEEK_CUR);
}

static void rewind_inherited(void) {
    for (int fd = 3; fd < INHERITED; fd++) {
        if (inherited[fd] >= 0) lseek(fd, inherited[fd], SEEK_SET);
    }
}

/* Every execution reads the same standard input, so it must be possible to go
 * back in it: what comes from a pipe is kept in a file without a name. */
static void rewind_input(void) {
    static off_t start = -1;
    static bool looked;
    struct stat info;
    if (!looked) {
        looked = true;
        start = lseek(0, 0, SEEK_CUR);
        if (start < 0 && fstat(0, &info) == 0 && (S_ISFIFO(info.st_mode) || S_ISSOCK(info.st_mode))) {
            FILE *copy = tmpfile();
            char buffer[65536];
            struct pollfd wait = {.fd = 0, .events = POLLIN};
            /* A pipe that nobody writes to is left alone: most programs do not
             * read, and waiting for its end could be for ever. */
            for (int patience = 50; copy && poll(&wait, 1, patience) > 0; patience = 5000) {
                ssize_t n = read(0, buffer, sizeof buffer);
                if (n > 0 && fwrite(buffer, 1, (size_t)n, copy) == (size_t)n) continue;
                if (n == 0 && fflush(copy) == 0 && dup2(fileno(copy), 0) == 0) start = 0;
                break;
            }
        }
    }
    if (start >= 0) lseek(0, start, SEEK_SET);
}

static void child_process(const struct hd_program *program, const struct hd_child *child,
                          const char *options, int result, int failed) {
    if (dup2(result, RESULT_FD) < 0) _exit(127);
    personality(ADDR_NO_RANDOMIZE); /* where this is refused replay still works */
    setenv("HEDDLE_OPTIONS", options, 1);
    if (child->silent) {
        int null = open("/dev/null", O_WRONLY);
        if (null >= 0) {
            dup2(null, 1);
            dup2(null, 2);
        }
    }
    /* Exploring leaves the terminal alone: an interrupt is for heddle, which
     * then ends the program; and the program ends with heddle. */
    if (child->own_session || child->explore) setsid();
    if (child->explore) prctl(PR_SET_PDEATHSIG, SIGKILL);
    execv(program->path, program->argv);
    int error = errno;
    ssize_t ignored = write(failed, &error, sizeof error);
    (void)ignored;
    _exit(127);
}

/* What the runtime is not in must not be run: it would do whatever it does. Where
 * its file does not tell, the runtime's silence does. */
static int refuse(const struct hd_program *program, struct hd_error *err) {
    hd_fail(err, 0, "%s was not built with heddle-cc", program->path);
    return -1;
}

int hd_child_run(const struct hd_program *program, struct hd_child *child,
                 struct hd_error *err) {
    if (access(program->path, X_OK) == 0 && hd_sections_find(program->path, RUNTIME_CODE) == 0) {
        return refuse(program, err);
    }
    int rc = -1, result[2] = {-1, -1}, failed[2] = {-1, -1}, error = 0, status = 0;
    struct reader self = {.child = child};
    char *options = options_of(child);
    child->ended_by = "lost";
    if (!options || pipe2(result, O_CLOEXEC) < 0 || pipe2(failed, O_CLOEXEC) < 0) {
        hd_fail(err, 0, "cannot start a process: %s", strerror(errno));
        goto out;
    }
    /* Every execution leaves a trace for somebody to read and remove: it must not
     * get far ahead of him. */
    fcntl(result[1], F_SETPIPE_SZ, child->trace && child->each ? 4096 : 1 << 20);
    if (child->explore) rewind_input();
    rewind_inherited();
    double start = hd_seconds();
    pid_t pid = fork();
    if (pid < 0) {
        hd_fail(err, 0, "cannot start a process: %s", strerror(errno));
        goto out;
    }
    if (pid == 0) child_process(program, child, options, result[1], failed[1]);
    close(result[1]);
    close(failed[1]);
    result[1] = failed[1] = -1;
    ssize_t n = read(failed[0], &error, sizeof error);
    if (n == (ssize_t)sizeof error) {
        waitpid(pid, &status, 0);
        hd_fail(err, 0, "cannot run %s: %s", program->path, strerror(error));
        goto out;
    }
    begin_block(&self); /* a single run is one block without a head */
    self.open = !child->explore;
    read_lines(&self, result[0], child->seconds > 0 ? start + child->seconds + GRACE : 0);
    if (self.stop || !self.done) kill(pid, self.stop || child->explore ? SIGKILL : SIGCONT);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    child->took = child->took > 0 ? child->took : hd_seconds() - start;
    child->complete = self.done || (!child->explore && child->told > 0);
    if (self.stop) child->ended_by = "stopped";
    if (!self.done && hd_interrupted()) child->ended_by = "interrupt";
    if (WIFSIGNALED(status) && !self.stop) child->died = WTERMSIG(status);
    child->refused = child->told == 0 && WIFEXITED(status) && WEXITSTATUS(status) == HD_EXIT_USAGE;
    child->gave_up = !child->complete && WIFEXITED(status) && WEXITSTATUS(status) == HD_EXIT_CANNOT;
    if (!self.hello) {
        refuse(program, err);
        goto out;
    }
    rc = 0;

out:
    for (int i = 0; i < 2; i++) {
        if (result[i] >= 0) close(result[i]);
        if (failed[i] >= 0) close(failed[i]);
    }
    hd_schedule_free(self.ending.schedule);
    struct text *texts[] = {&self.thread, &self.where, &self.message, &self.about, &self.diverged,
                            &self.observed, &self.output, &self.failure};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) free(texts[i]->at);
    free(options);
    free(self.told.counts);
    return rc;
}

void hd_child_free(struct hd_child *child) {
    free(child->counts);
    child->counts = NULL;
    child->count_count = 0;
}
