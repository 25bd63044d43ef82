/* bench_checkers.c - events a second, per checker.
 *
 * Two synthetic traces, made from a seed:
 *   usual  8 threads, 1,000 variables, 100 locks, transactions of 20 events (18
 *          accesses under one lock that goes with the variables, most of them
 *          reads), starts and joins at the ends
 *   hard   64 threads, 4 locks, transactions of 1,000 events that take and
 *          release all of the locks nested, 200 variables
 * In both, threads interleave at random, as locks allow; what is shared is
 * protected, so that the checkers work and do not talk.
 *
 *     build/bench/checkers [--only TRACE] [EVENTS [CHECKERS...]]   e.g. 10000000 velodrome
 *
 * Without arguments: 10^5, 10^6 and 10^7 events, all checkers. A line each:
 * trace, events, checker, seconds, million events a second, peak memory in MB.
 * The time is processor time of the whole pass: reading, front end, checker. The
 * checker `reading` is none: every event is read and looked at. */
#include "checkers/run.h"
#include "sched/trace/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct shape {
    const char *name;
    uint32_t threads, variables, locks, length, nest;
};

static const struct shape shapes[] = {
    {"usual", 8, 1000, 100, 20, 1},
    {"hard", 64, 200, 4, 1000, 4},
};

static uint64_t seed = 1;

static uint32_t below(uint32_t n) {
    seed += 0x9e3779b97f4a7c15ull;
    uint64_t z = seed;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return (uint32_t)(((z ^ z >> 31) >> 32) * n >> 32);
}

/* What a thread is doing: taking locks, accessing, letting go. */
struct worker {
    uint32_t lock, taken, left;
    bool inside, giving;
};

struct maker {
    struct hd_trace_writer *out;
    const struct shape *shape;
    struct worker workers[64];
    int owner[128];
    uint64_t made;
};

static void put(struct maker *m, uint32_t thread, enum hd_kind kind, uint32_t obj) {
    struct hd_event e = {obj, HD_NO_ID, HD_NO_ID, (uint16_t)thread, (uint8_t)kind, 0};
    e.site = obj == HD_NO_ID ? HD_NO_ID : obj % 64;
    hd_writer_event(m->out, &e);
    m->made++;
}

static void step(struct maker *m, uint32_t t) {
    const struct shape *s = m->shape;
    struct worker *w = &m->workers[t];
    if (!w->inside) {
        put(m, t, HD_BEGIN, 0);
        *w = (struct worker){.lock = below(s->locks / s->nest) * s->nest, .inside = true,
                             .left = s->length - 2 - 2 * s->nest};
        return;
    }
    if (!w->giving && w->taken < s->nest) {
        uint32_t lock = w->lock + w->taken;
        if (m->owner[lock] >= 0) return; /* comes back later */
        m->owner[lock] = (int)t;
        w->taken++;
        put(m, t, HD_ACQUIRE, lock);
        return;
    }
    if (w->left) {
        uint32_t share = s->variables / (s->locks / s->nest);
        uint32_t group = w->lock / s->nest;
        put(m, t, below(100) < 30 ? HD_WRITE : HD_READ, group * share + below(share));
        w->left--;
        return;
    }
    w->giving = true;
    if (w->taken) {
        uint32_t lock = w->lock + --w->taken;
        m->owner[lock] = -1;
        put(m, t, HD_RELEASE, lock);
        return;
    }
    put(m, t, HD_END, HD_NO_ID);
    w->inside = false;
}

static void define(struct maker *m) {
    char name[32];
    for (uint32_t i = 0; i < m->shape->threads; i++) {
        snprintf(name, sizeof name, "T%u", i);
        hd_writer_thread(m->out, i, name);
    }
    for (uint32_t i = 0; i < m->shape->variables; i++) {
        struct hd_object o = {.kind = HD_OBJECT_GLOBAL, .site = HD_NO_ID, .module = HD_NO_ID,
                              .size = 4};
        struct hd_variable v = {.object = i, .size = 4};
        snprintf(name, sizeof name, "x%u", i);
        o.name = v.name = name;
        hd_writer_object(m->out, i, &o);
        hd_writer_variable(m->out, i, &v);
    }
    for (uint32_t i = 0; i < m->shape->locks; i++) {
        struct hd_sync s = {.kind = HD_SYNC_MUTEX, .object = HD_NO_ID, .name = name};
        snprintf(name, sizeof name, "m%u", i);
        hd_writer_sync(m->out, i, &s);
    }
    for (uint32_t i = 0; i < 64; i++) {
        struct hd_site s = {.function = "work", .file = "work.c", .line = i + 1,
                            .module = HD_NO_ID};
        hd_writer_site(m->out, i, &s);
    }
    struct hd_label l = {.name = "txn", .site = HD_NO_ID};
    hd_writer_label(m->out, 0, &l);
}

static int make(const struct shape *shape, uint64_t events, const char *path) {
    struct hd_error err = {.text = ""};
    struct maker m = {.out = hd_writer_open(path, &err), .shape = shape};
    if (!m.out) {
        fprintf(stderr, "bench: %s\n", err.text);
        return -1;
    }
    seed = 1;
    memset(m.owner, -1, sizeof m.owner);
    define(&m);
    for (uint32_t t = 1; t < shape->threads; t++) put(&m, 0, HD_FORK, t);
    uint32_t t = 0;
    while (m.made + shape->threads < events) {
        if (below(8) == 0) t = below(shape->threads);
        uint64_t before = m.made;
        step(&m, t);
        if (m.made == before) t = below(shape->threads);
    }
    for (t = 0; t < shape->threads; t++) { /* those inside first: nobody else starts */
        while (m.workers[t].inside && m.workers[t].taken) step(&m, t);
    }
    for (t = 0; t < shape->threads; t++) {
        while (m.workers[t].inside) step(&m, t);
    }
    for (t = 1; t < shape->threads; t++) put(&m, 0, HD_JOIN, t);
    if (hd_writer_close(m.out, &err) < 0) {
        fprintf(stderr, "bench: %s\n", err.text);
        return -1;
    }
    return 0;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); /* of one core; others may be busy */
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Something of every event is used, so that it has to be there. */
static int read_all(struct hd_trace *trace, struct hd_error *err) {
    const struct hd_event *events;
    size_t count;
    uint64_t sum = 0;
    while ((events = hd_trace_next(trace, &count, err))) {
        for (size_t i = 0; i < count; i++) sum += events[i].obj ^ events[i].kind;
    }
    volatile uint64_t used = sum;
    return err->text[0] || !used ? -1 : 0;
}

/* In a process of its own, so that its peak memory is its own. */
static void measure(const struct shape *shape, const char *path, const char *checkers) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        struct hd_error err = {.text = ""};
        struct hd_trace *trace = hd_trace_open(path, &err);
        struct hd_check_options options = {.checkers = checkers, .transactions = "annotated"};
        struct hd_report *report = NULL;
        double start = now();
        bool reading = !strcmp(checkers, "reading");
        if (!trace || (reading ? read_all(trace, &err) : hd_check(trace, &options, &report, &err)) < 0) {
            printf("%-6s %-40s failed: %s\n", shape->name, checkers, err.text);
            _exit(1);
        }
        double took = now() - start;
        struct rusage use;
        getrusage(RUSAGE_SELF, &use);
        uint64_t events = hd_trace_length(trace);
        printf("%-6s %10llu  %-36s %8.3f s  %7.1f M/s  %6ld MB  %u warnings\n", shape->name,
               (unsigned long long)events, checkers, took, (double)events / took / 1e6,
               use.ru_maxrss / 1024, report ? hd_report_count(report) : 0);
        fflush(stdout);
        _exit(0);
    }
    if (child > 0) waitpid(child, NULL, 0);
}

static const char *const usual[] = {
    "reading", "velodrome", "races:algorithm=hb", "races:algorithm=pairs", "races:algorithm=multilockset",
    "races:algorithm=eraser", "reduction", "reduction-online", "deadlock", "determinism",
    "views", "stale", "transactions:unit=regions", "blocks:theorem=4", NULL};

int main(int argc, char **argv) {
    char path[64] = "/tmp/heddle-bench-XXXXXX";
    int fd = mkstemp(path);
    if (fd < 0) {
        perror("bench: a temporary file");
        return 1;
    }
    close(fd);
    const char *only = NULL;
    if (argc > 2 && !strcmp(argv[1], "--only")) {
        only = argv[2];
        argc -= 2;
        argv += 2;
    }
    uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 100000;
    uint64_t last = argc > 1 ? first : 10000000;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        if (only && strcmp(only, shapes[i].name) != 0) continue;
        for (uint64_t events = first; events <= last; events *= 10) {
            if (make(&shapes[i], events, path) < 0) return 1;
            for (int k = 2; k < argc; k++) measure(&shapes[i], path, argv[k]);
            for (const char *const *c = usual; argc <= 2 && *c; c++) {
                measure(&shapes[i], path, *c);
            }
        }
    }
    unlink(path);
    return 0;
}
