/* bench_read.c - how many events a second each form gives.
 *
 * Not a test: `cc -O2 -I. sched/trace/tests/bench_read.c sched/trace/(all).c`.
 * usage: bench_read [EVENTS [FOLDER]]; writes and removes files in FOLDER. */
#include "support.h"

#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void say(const char *what, double since, uint64_t events) {
    double seconds = now() - since;
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("%-24s %8.3f s %8.1f million events/s   %ld MB at most\n", what, seconds,
           (double)events / seconds / 1e6, usage.ru_maxrss / 1024);
}

int main(int argc, char **argv) {
    uint32_t events = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 20000000;
    const char *folder = argc > 2 ? argv[2] : "/tmp";
    char binary[512], text[512];
    snprintf(binary, sizeof binary, "%s/bench.trace", folder);
    snprintf(text, sizeof text, "%s/bench.text", folder);
    struct hd_error err = {0};
    enum { THREADS = 8, NAMES = 5000 };

    double from = now();
    struct hd_trace_writer *w = hd_writer_open(binary, &err);
    char name[32];
    for (uint32_t i = 0; i < THREADS; i++) {
        snprintf(name, sizeof name, "0.%u", i);
        hd_writer_thread(w, i, name);
    }
    for (uint32_t i = 0; i < NAMES; i++) {
        snprintf(name, sizeof name, "table.slots[%u]", i);
        struct hd_object o = {.site = HD_NO_ID, .module = HD_NO_ID, .name = name};
        struct hd_variable v = {.object = i, .size = 8, .name = name};
        struct hd_sync s = {.object = HD_NO_ID, .name = name};
        struct hd_site site = {
            .function = "f", .file = "bank.c", .line = i + 1, .module = HD_NO_ID};
        hd_writer_object(w, i, &o);
        hd_writer_variable(w, i, &v);
        hd_writer_sync(w, i, &s);
        hd_writer_site(w, i, &site);
    }
    seed(1);
    for (uint32_t i = 0; i < events; i++) {
        static const uint8_t kinds[] = {HD_READ, HD_WRITE, HD_READ, HD_ACQUIRE,
                                        HD_RELEASE};
        struct hd_event e = {.obj = draw(NAMES),
                             .aux = HD_NO_ID,
                             .site = draw(NAMES),
                             .thread = (uint16_t)draw(THREADS),
                             .kind = kinds[draw(5)]};
        hd_writer_event(w, &e);
    }
    if (hd_writer_close(w, &err) < 0) goto fail;
    say("make and write binary", from, events);

    from = now();
    struct hd_trace *t = hd_trace_open(binary, &err);
    if (!t) goto fail;
    for (int round = 0; round < 3; round++) {
        uint64_t sum = 0;
        size_t count;
        hd_trace_rewind(t);
        if (round) from = now();
        for (const struct hd_event *e; (e = hd_trace_next(t, &count, &err));) {
            while (count--)
                sum += (e++)->obj;
        }
        if (err.text[0]) goto fail;
        say(sum ? "read binary" : "read nothing", from, events);
    }

    FILE *out = fopen(text, "w");
    from = now();
    if (hd_trace_write_text(t, out, &err) < 0) goto fail;
    fclose(out);
    say("write text", from, events);
    hd_trace_free(t);
    from = now();
    t = hd_trace_open(text, &err);
    if (!t) goto fail;
    say("read text into a spool", from, events);
    hd_trace_free(t);
    remove(binary);
    remove(text);
    return 0;

fail:
    fprintf(stderr, "%s\n", err.text);
    return 1;
}
