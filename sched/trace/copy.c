/* copy.c - any trace, written again in the binary form.
 *
 * In the one order that the text reader has too (events, then tables) and with
 * every operand that a kind does not have set to HD_NO_ID: traces that are the
 * same are then the same bytes, whatever forms they went through. */
#include "trace.h"

static void copy_tables(struct hd_trace *t, struct hd_trace_writer *w) {
#define EACH(plural, call)                                                               \
    for (uint32_t i = 0; i < hd_trace_##plural(t); i++)                                  \
    call
    EACH(threads, hd_writer_thread(w, i, hd_trace_thread(t, i)));
    EACH(modules, hd_writer_module(w, i, hd_trace_module(t, i)));
    EACH(sites, hd_writer_site(w, i, hd_trace_site(t, i)));
    EACH(objects, hd_writer_object(w, i, hd_trace_object(t, i)));
    EACH(variables, hd_writer_variable(w, i, hd_trace_variable(t, i)));
    EACH(syncs, hd_writer_sync(w, i, hd_trace_sync(t, i)));
    EACH(labels, hd_writer_label(w, i, hd_trace_label(t, i)));
    EACH(registers, hd_writer_register(w, i, hd_trace_register(t, i)));
#undef EACH
}

static struct hd_event tidy(struct hd_event e) {
    if (hd_kind_obj(e.kind) == HD_OPERAND_NOTHING) e.obj = HD_NO_ID;
    if (hd_kind_aux(e.kind) == HD_OPERAND_NOTHING) e.aux = HD_NO_ID;
    return e;
}

int hd_trace_write_binary(struct hd_trace *trace, const char *path,
                          struct hd_error *err) {
    struct hd_trace_writer *writer = hd_writer_open(path, err);
    if (!writer) return -1;
    struct hd_error failed = {0};
    size_t count;
    bool going = true;
    hd_trace_rewind(trace);
    for (const struct hd_event *e;
         going && (e = hd_trace_next(trace, &count, &failed));) {
        for (; count-- && going; e++) {
            struct hd_event event = tidy(*e);
            going = hd_writer_event(writer, &event) == 0;
        }
    }
    hd_trace_rewind(trace);
    if (going) copy_tables(trace, writer); /* what fails is told by the close */
    int rc = hd_writer_close(writer, err);
    if (failed.text[0]) {
        if (err && !err->text[0]) *err = failed;
        rc = -1;
    }
    return rc;
}
