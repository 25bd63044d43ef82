/* result.c - how a single run ended.
 *
 * To the heddle command: lines of "word rest" on the result descriptor, ended
 * by "end". To a person who started the program by itself: a sentence on
 * standard error, and the status or signal that a plain run would give. */
#include "module.h"
#include "record.h"
#include "report.h"
#include "run.h"
#include "runtime.h"
#include "tally.h"

#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

struct out {
    int fd;
    size_t used;
    char text[4096];
};

static void put(int fd, const char *text, size_t size) {
    for (size_t done = 0; done < size;) {
        long n = syscall(SYS_write, fd, text + done, size - done);
        if (n <= 0) break;
        done += (size_t)n;
    }
}

static void flush(struct out *out) {
    put(out->fd, out->text, out->used);
    out->used = 0;
}

static void line(struct out *out, const char *format, ...) {
    if (out->used > sizeof out->text - 2048) flush(out);
    va_list args;
    va_start(args, format);
    int n = vsnprintf(out->text + out->used, 2046, format, args);
    va_end(args);
    if (n > 2045) n = 2045;
    for (int i = 0; i < n; i++) { /* one line is one line */
        if (out->text[out->used + (size_t)i] == '\n') out->text[out->used + (size_t)i] = ' ';
    }
    out->used += (size_t)n;
    out->text[out->used++] = '\n';
}

static void schedule_lines(struct out *out, const char *prefix) {
    char name[256];
    for (uint32_t i = 0; i < hd_rt->segment_count; i++) {
        const struct hd_segment *segment = &hd_rt->segments[i];
        line(out, "%s%s %lu", prefix,
             hd_thread_name(hd_rt->threads[segment->thread], name, sizeof name),
             segment->events);
    }
    for (uint32_t i = 0; i < hd_rt->value_count; i++) {
        line(out, "value %d", hd_rt->values[i]);
    }
}

/* Text that may hold anything: \\n, \\\\ and \\xHH stand for bytes that would
 * break the line. */
static void escaped(struct out *out, const char *word, const char *text, size_t length) {
    line(out, "%s", word);
    out->text[out->used - 1] = ' ';
    for (size_t i = 0; i < length; i++) {
        if (out->used > sizeof out->text - 16) flush(out);
        unsigned char c = (unsigned char)text[i];
        if (c == '\n') {
            out->text[out->used++] = '\\';
            out->text[out->used++] = 'n';
        } else if (c < 32 || c == '\\' || c == 127) {
            out->used += (size_t)snprintf(out->text + out->used, 8, "\\x%02x", c);
        } else {
            out->text[out->used++] = (char)c;
        }
    }
    out->text[out->used++] = '\n';
}

static void outcome_lines(struct out *out_) {
    struct out *out = out_;
    const struct hd_outcome *outcome = &hd_rt->outcome;
    char buffer[300];
    line(out, "status %d", outcome->status);
    if (outcome->answer) line(out, "answer %d", outcome->answer);
    if (outcome->cut) line(out, "cut");
    if (outcome->diverged) line(out, "diverged %s", outcome->message);
    if (outcome->failure) {
        line(out, "failure %s", hd_failure_word(outcome->failure));
        line(out, "thread %s",
             hd_thread_name(hd_rt->threads[outcome->thread], buffer, sizeof buffer));
        if (outcome->pc) line(out, "at %s", hd_describe_pc(outcome->pc, buffer, sizeof buffer));
        line(out, "message %s", outcome->message);
        if (outcome->about[0]) line(out, "about %s", outcome->about);
    }
    if (hd_rt->observed_length) escaped(out, "observed", hd_rt->observed, hd_rt->observed_length);
}

void hd_result_finding(int fd, const struct hd_finding *finding) {
    struct out out = {.fd = fd};
    line(&out, "finding %u", finding->number);
    line(&out, "run %lu", finding->run);
    if (finding->text) {
        flush(&out);
        put(fd, finding->text, finding->text_length);
        return;
    }
    outcome_lines(&out);
    if (finding->output_length) escaped(&out, "output", finding->output, finding->output_length);
    schedule_lines(&out, "choice ");
    line(&out, "end");
    flush(&out);
}

void hd_result_word(int fd, const char *word) {
    struct out out = {.fd = fd};
    line(&out, "%s", word);
    flush(&out);
}

/* "sofar" ... "told" while it goes on, "done" at the end. */
void hd_result_totals(int fd, const struct hd_tally *tally, const struct hd_totals *totals) {
    struct out out = {.fd = fd};
    uint64_t count;
    line(&out, "sofar");
    for (uint32_t i = 0; hd_tally_count(tally, i, totals->final, &count); i++) {
        line(&out, "count %u %lu", i, count);
    }
    for (uint32_t i = 0; hd_note_at(i); i++) line(&out, "note %s", hd_note_at(i));
    line(&out, "executions %lu", totals->executions);
    line(&out, "classes %lu", totals->classes);
    line(&out, "endings %lu", totals->endings);
    line(&out, "events %lu", totals->events);
    line(&out, "steps %lu", totals->steps);
    line(&out, "threads %lu", totals->threads);
    line(&out, "cut %lu", totals->cut);
    line(&out, "blocked %lu", totals->blocked);
    line(&out, "failed %lu", totals->failed);
    line(&out, "shared %lu", totals->shared);
    line(&out, "depth %lu", totals->depth);
    line(&out, "bound %lu", totals->bound);
    line(&out, "share %lu", totals->share);
    line(&out, "exhausted %d", totals->exhausted);
    line(&out, "ended %s", totals->ended_by ? totals->ended_by : "not");
    line(&out, "nanoseconds %lu", totals->nanoseconds);
    line(&out, "%s", totals->ended_by ? "done" : "told");
    flush(&out);
}

void hd_result_write(int fd) {
    struct out out = {.fd = fd};
    uint64_t events = 0;
    for (uint32_t i = 0; i < hd_rt->thread_count; i++) events += hd_rt->threads[i]->events;
    outcome_lines(&out);
    line(&out, "threads %u", hd_rt->thread_count);
    line(&out, "events %lu", events);
    line(&out, "steps %lu", hd_rt->steps);
    line(&out, "preemptions %lu", hd_rt->preemptions);
    for (uint32_t i = 0; hd_note_at(i); i++) line(&out, "note %s", hd_note_at(i));
    schedule_lines(&out, "choice ");
    line(&out, "end");
    flush(&out);
}

static void write_schedule(const char *path) {
    struct out out = {.fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)};
    if (out.fd < 0) hd_give_up("cannot write %s", path);
    schedule_lines(&out, "");
    flush(&out);
    close(out.fd);
}

void hd_result_single(void) {
    const struct hd_outcome *outcome = &hd_rt->outcome;
    if (hd_rt->config.schedule[0]) write_schedule(hd_rt->config.schedule);
    if (hd_rt->config.result_fd >= 0) {
        hd_result_write(hd_rt->config.result_fd);
        return;
    }
    if (!outcome->failure) return;
    char where[300], name[128];
    hd_say("%s in thread %s at %s: %s", hd_failure_word(outcome->failure),
           hd_thread_name(hd_rt->threads[outcome->thread], name, sizeof name),
           hd_describe_pc(outcome->pc, where, sizeof where), outcome->message);
    if (outcome->status > 128 && outcome->status < 160) {
        hd_rt->real.sigaction(outcome->status - 128, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
        syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), outcome->status - 128);
    }
}
