/* json_write.c - one JSON object a line, names in place of ids, for scripts.
 *
 * Written by hand: this layer depends on nothing. Names are bytes and JSON is
 * UTF-8, so what is not valid in that becomes U+FFFD. */
#define _GNU_SOURCE
#include "trace.h"

#include <errno.h>

/* Length of the UTF-8 character at `at`, 0 if it is none. */
static int utf8(const unsigned char *at) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    int length = *at < 0x80             ? 1
                 : (*at & 0xe0) == 0xc0 ? 2
                 : (*at & 0xf0) == 0xe0 ? 3
                 : (*at & 0xf8) == 0xf0 ? 4
                                        : 0;
    if (length < 2) return length;
    uint32_t code = *at & (0x7fu >> length);
    for (int i = 1; i < length; i++) {
        if ((at[i] & 0xc0) != 0x80) return 0;
        code = code << 6 | (at[i] & 0x3f);
    }
    bool surrogate = code >= 0xd800 && code < 0xe000;
    return code < least[length] || code > 0x10ffff || surrogate ? 0 : length;
}

static void string(FILE *out, const char *text) {
    putc_unlocked('"', out);
    for (const unsigned char *at = (const unsigned char *)text; *at;) {
        int length = utf8(at);
        if (length == 0) {
            fputs_unlocked("\\ufffd", out);
            at++;
        } else if (*at < 0x20 || *at == 0x7f) {
            fprintf(out, "\\u%04x", *at++);
        } else {
            if (*at == '"' || *at == '\\') putc_unlocked('\\', out);
            while (length--)
                putc_unlocked(*at++, out);
        }
    }
    putc_unlocked('"', out);
}

static void field(FILE *out, const char *key, const char *value) {
    fprintf(out, ", \"%s\": ", key);
    string(out, value);
}

/* What a kind's operands are called; by what they name unless said here. */
static const char *key_of(int kind, bool second, enum hd_operand what) {
    switch (kind) {
    case HD_WAIT:
    case HD_WAKE:
        return second ? "lock" : "condition";
    case HD_GUARDED:
        return second ? "lock" : "variable";
    case HD_ACQUIRE:
    case HD_RELEASE:
    case HD_REQUIRES:
        return "lock";
    case HD_NOTIFY:
    case HD_NOTIFYALL:
        return "condition";
    case HD_BARRIER:
    case HD_BLEAVE:
        return second ? "episode" : "barrier";
    case HD_POST:
    case HD_PEND:
        return "semaphore";
    case HD_OUTPUT:
        return second ? "bytes" : "stream";
    case HD_ALLOC:
        return second ? "size" : "object";
    case HD_MOV:
        return second ? "source" : "register";
    case HD_OP:
    case HD_USE:
        return second ? "arguments" : "register";
    case HD_VALUE:
        return second ? "high" : "low";
    case HD_CHOOSE:
        return second ? "of" : "answer";
    default:
        break;
    }
    static const char *const keys[] = {
        [HD_OPERAND_VARIABLE] = "variable", [HD_OPERAND_SYNC] = "sync",
        [HD_OPERAND_THREAD] = "child",      [HD_OPERAND_OBJECT] = "object",
        [HD_OPERAND_LABEL] = "name",        [HD_OPERAND_REGISTER] = "register",
        [HD_OPERAND_ORDER] = "order",       [HD_OPERAND_NUMBER] = "number",
    };
    return keys[what];
}

static void operand(FILE *out, const struct hd_trace *trace, int kind, bool second,
                    enum hd_operand what, uint32_t id) {
    char buffer[512];
    const char *name = NULL;
    switch (what) {
    case HD_OPERAND_NOTHING:
        return;
    case HD_OPERAND_NUMBER:
        fprintf(out, ", \"%s\": %u", key_of(kind, second, what), id);
        return;
    case HD_OPERAND_ORDER:
        name = hd_order_word(id);
        break;
    default:
        if (id == HD_NO_ID) return;
        break;
    }
    switch (what) {
    case HD_OPERAND_VARIABLE:
        name = hd_trace_variable_name(trace, id, buffer, sizeof buffer);
        break;
    case HD_OPERAND_SYNC:
        name = hd_trace_sync_name(trace, id, buffer, sizeof buffer);
        break;
    case HD_OPERAND_OBJECT:
        name = hd_trace_object_name(trace, id, buffer, sizeof buffer);
        break;
    case HD_OPERAND_LABEL:
        name = hd_trace_label_name(trace, id, buffer, sizeof buffer);
        break;
    case HD_OPERAND_THREAD:
        name = hd_trace_thread(trace, id);
        break;
    case HD_OPERAND_REGISTER:
        name = hd_trace_register(trace, id);
        break;
    default:
        break;
    }
    field(out, key_of(kind, second, what), name);
}

static void event(FILE *out, const struct hd_trace *trace, uint64_t index,
                  const struct hd_event *e) {
    fprintf(out, "{\"index\": %llu", (unsigned long long)index);
    field(out, "thread", hd_trace_thread(trace, e->thread));
    field(out, "op", hd_kind_word(e->kind));
    operand(out, trace, e->kind, false, hd_kind_obj(e->kind), e->obj);
    operand(out, trace, e->kind, true, hd_kind_aux(e->kind), e->aux);
    if (e->flags) {
        const char *before = ", \"flags\": [";
        for (unsigned bit = 0; bit < HD_FLAG_COUNT; bit++) {
            if (!(e->flags & 1 << bit)) continue;
            fprintf(out, "%s\"%s\"", before, hd_flag_word(bit));
            before = ", ";
        }
        putc_unlocked(']', out);
    }
    if (e->site != HD_NO_ID) {
        const struct hd_site *site = hd_trace_site(trace, e->site);
        if (site->function) field(out, "function", site->function);
        if (site->file) field(out, "file", site->file);
        if (site->line) fprintf(out, ", \"line\": %u", site->line);
    }
    fputs_unlocked("}\n", out);
}

int hd_trace_write_json(struct hd_trace *trace, FILE *out, struct hd_error *err) {
    struct hd_error failed = {0};
    uint64_t index = 0;
    size_t count;
    hd_trace_rewind(trace);
    for (const struct hd_event *e; (e = hd_trace_next(trace, &count, &failed));) {
        while (count--)
            event(out, trace, index++, e++);
        if (ferror(out)) break;
    }
    hd_trace_rewind(trace);
    if (failed.text[0]) {
        if (err && !err->text[0]) *err = failed;
        return -1;
    }
    if (fflush(out) != 0 || ferror(out)) {
        hd_fail_system(err, errno, "cannot write the trace");
        return -1;
    }
    return 0;
}
