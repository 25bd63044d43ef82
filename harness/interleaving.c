/* interleaving.c - see interleaving.h. */
#include "interleaving.h"

#include "column.h"
#include "names.h"
#include "sched/trace/trace.h"
#include "warning_fill.h"

#include <stdlib.h>
#include <string.h>

#define LOCKS 16
#define ROWS 100000 /* more than anybody reads */

struct held {
    uint32_t lock[LOCKS];
    unsigned count;
};

struct page {
    struct hd_trace *trace;
    bool *shared;      /* by granule: touched by more than one thread */
    uint16_t *toucher; /* by granule: thread + 1 */
    struct held *held; /* by thread */
    size_t *latest;    /* by thread: row + 1 of what it did last, 0 if that is not shown */
    struct hd_row *rows;
    size_t count, room;
    struct hd_event last; /* shown */
    uint64_t skipped;     /* beyond ROWS */
};

static int scan_shared(struct page *page, struct hd_error *err) {
    size_t count;
    const struct hd_event *events;
    while ((events = hd_trace_next(page->trace, &count, err)) != NULL) {
        for (size_t i = 0; i < count; i++) {
            if (!hd_kind_is_access(events[i].kind)) continue;
            uint32_t n;
            const uint32_t *granules =
                hd_trace_variable_granules(page->trace, events[i].obj, &n);
            for (uint32_t k = 0; k < n; k++) {
                uint16_t *who = &page->toucher[granules[k]];
                if (*who && *who != events[i].thread + 1) page->shared[granules[k]] = true;
                *who = (uint16_t)(events[i].thread + 1);
            }
        }
    }
    hd_trace_rewind(page->trace);
    return err->text[0] ? -1 : 0;
}

static bool worth_showing(const struct page *page, const struct hd_event *event) {
    if (hd_kind_is_plain(event->kind)) {
        uint32_t n;
        const uint32_t *granules = hd_trace_variable_granules(page->trace, event->obj, &n);
        for (uint32_t k = 0; k < n; k++) {
            if (page->shared[granules[k]]) return true;
        }
        return false;
    }
    switch (event->kind) {
    case HD_ENTER:
    case HD_EXIT:
    case HD_ALLOC:
    case HD_FREE:
    case HD_START:
    case HD_STOP:
    case HD_VALUE:
    case HD_NONE:
    case HD_ESCAPE: return false;
    default: return true;
    }
}

static void track_locks(struct held *held, const struct hd_event *event) {
    bool takes = event->kind == HD_ACQUIRE || event->kind == HD_WAKE;
    bool drops = event->kind == HD_RELEASE || event->kind == HD_WAIT;
    uint32_t lock = event->kind == HD_WAKE || event->kind == HD_WAIT ? event->aux : event->obj;
    if (takes && held->count < LOCKS) held->lock[held->count++] = lock;
    if (!drops) return;
    for (unsigned i = held->count; i-- > 0;) {
        if (held->lock[i] != lock) continue;
        memmove(held->lock + i, held->lock + i + 1, (held->count - i - 1) * sizeof lock);
        held->count--;
        return;
    }
}

static char *event_text(const struct page *page, const struct hd_event *event) {
    char name[512] = "", *text = NULL;
    const char *what = "";
    switch (hd_kind_obj(event->kind)) {
    case HD_OPERAND_VARIABLE: what = hd_names_report(page->trace, event->obj, name, sizeof name); break;
    case HD_OPERAND_SYNC: what = hd_trace_sync_name(page->trace, event->obj, name, sizeof name); break;
    case HD_OPERAND_THREAD: what = hd_trace_thread(page->trace, event->obj); break;
    case HD_OPERAND_LABEL:
        if (event->obj != HD_NO_ID) what = hd_trace_label(page->trace, event->obj)->name;
        break;
    default: break;
    }
    size_t size = strlen(what ? what : "") + 64;
    text = malloc(size);
    if (text) {
        snprintf(text, size, "%s%s %s", event->flags & HD_FLAG_FAILED ? "failed " : "",
                 hd_op_word(event->kind), what ? what : "");
    }
    return text;
}

static char *held_text(const struct page *page, const struct held *held) {
    if (held->count == 0) return NULL;
    char *text = NULL, name[256];
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out) return NULL;
    for (unsigned i = 0; i < held->count; i++) {
        fprintf(out, "%s%s", i ? ", " : "",
                hd_trace_sync_name(page->trace, held->lock[i], name, sizeof name));
    }
    fclose(out);
    return text;
}

static void add_row(struct page *page, const struct hd_event *event, uint64_t step) {
    if (page->count == page->room) {
        page->room = page->room ? page->room * 2 : 256;
        page->rows = realloc(page->rows, page->room * sizeof *page->rows);
        if (!page->rows) abort();
    }
    const struct hd_site *site =
        event->site == HD_NO_ID ? NULL : hd_trace_site(page->trace, event->site);
    page->rows[page->count++] = (struct hd_row){
        .thread = event->thread,
        .step = step,
        .text = event_text(page, event),
        .held = held_text(page, &page->held[event->thread]),
        .file = site ? site->file : NULL,
        .line = site ? site->line : 0,
        .size = hd_kind_is_access(event->kind) ? hd_trace_variable(page->trace, event->obj)->size : 0,
    };
}

/* What the access that this thread made last read or wrote: as a signed number of
 * its size, unless that is too large to be one (an address). */
static void add_value(struct page *page, const struct hd_event *event) {
    size_t row = page->latest[event->thread];
    page->latest[event->thread] = 0;
    if (row == 0 || !page->rows[row - 1].text) return;
    uint64_t value = (uint64_t)event->aux << 32 | event->obj;
    unsigned bits = 8 * page->rows[row - 1].size;
    if (bits && bits < 64 && value >> (bits - 1)) value |= ~(uint64_t)0 << bits;
    int64_t number = (int64_t)value;
    bool small = number < (int64_t)1 << 40 && number > -((int64_t)1 << 40);
    char text[64];
    snprintf(text, sizeof text, small ? " = %lld" : " = 0x%llx", (long long)number);
    size_t length = strlen(page->rows[row - 1].text);
    char *longer = realloc((char *)page->rows[row - 1].text, length + sizeof text);
    if (!longer) return;
    memcpy(longer + length, text, strlen(text) + 1);
    page->rows[row - 1].text = longer;
}

/* More of what the row above says: a line is often printed character by character. */
static bool goes_on(const struct page *page, const struct hd_event *event) {
    return page->count && event->kind == HD_OUTPUT && page->last.kind == HD_OUTPUT &&
           page->last.thread == event->thread && page->last.obj == event->obj;
}

static int collect(struct page *page, struct hd_error *err) {
    size_t count;
    const struct hd_event *events;
    uint64_t step = 0;
    while ((events = hd_trace_next(page->trace, &count, err)) != NULL) {
        for (size_t i = 0; i < count; i++) {
            if (events[i].kind == HD_VALUE) {
                add_value(page, &events[i]);
                continue;
            }
            bool worth = worth_showing(page, &events[i]) && !goes_on(page, &events[i]);
            bool shown = worth && page->count < ROWS;
            if (shown) {
                add_row(page, &events[i], step);
                page->last = events[i];
            }
            page->skipped += worth && !shown;
            page->latest[events[i].thread] = shown ? page->count : 0;
            track_locks(&page->held[events[i].thread], &events[i]);
            step++;
        }
    }
    return err->text[0] ? -1 : 0;
}

int hd_interleaving_print(const char *trace_path, FILE *out, bool color,
                          struct hd_error *err) {
    int rc = -1;
    const char **names = NULL;
    struct hd_sources *sources = NULL;
    struct page page = {.trace = hd_trace_open(trace_path, err)};
    if (!page.trace) return -1;
    size_t threads = hd_trace_threads(page.trace);
    page.shared = calloc(hd_trace_granules(page.trace) + 1, sizeof *page.shared);
    page.toucher = calloc(hd_trace_granules(page.trace) + 1, sizeof *page.toucher);
    page.held = calloc(threads + 1, sizeof *page.held);
    page.latest = calloc(threads + 1, sizeof *page.latest);
    names = calloc(threads + 1, sizeof *names);
    sources = hd_sources_new();
    if (!page.shared || !page.toucher || !page.held || !page.latest || !names || !sources) {
        hd_fail(err, 0, "out of memory");
        goto out;
    }
    if (scan_shared(&page, err) < 0 || collect(&page, err) < 0) goto out;
    for (size_t i = 0; i < threads; i++) names[i] = hd_trace_thread(page.trace, (uint32_t)i);
    struct hd_columns columns = {.threads = names,
                                 .thread_count = threads,
                                 .rows = page.rows,
                                 .row_count = page.count,
                                 .color = color};
    hd_columns_print(&columns, sources, out);
    if (page.skipped) {
        fprintf(out, "... and %llu more steps\n", (unsigned long long)page.skipped);
    }
    rc = 0;

out:
    for (size_t i = 0; i < page.count; i++) {
        free((char *)page.rows[i].text);
        free((char *)page.rows[i].held);
    }
    free(page.rows);
    free(page.shared);
    free(page.toucher);
    free(page.held);
    free(page.latest);
    free(names);
    hd_sources_free(sources);
    hd_trace_free(page.trace);
    return rc;
}
