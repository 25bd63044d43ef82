/* text_definitions.c - the definition lines of a trace, in the order of ids.
 *
 * A table comes after those it speaks of, so that a reader meets every id in
 * its turn. What a reader would assume anyway is left out (build.c). */
#include "text.h"
#include "tokens.h"

#include <string.h>

struct defining {
    const struct hd_trace *trace;
    const struct hd_tokens *tokens;
    FILE *out;
};

static void begin(struct defining *d, enum hd_table table, uint32_t id) {
    fprintf(d->out, "%%%s %s", hd_table_words[table], d->tokens->word[table][id]);
}

static void end(struct defining *d) { putc_unlocked('\n', d->out); }

static void number(struct defining *d, const char *key, uint64_t value) {
    if (value) fprintf(d->out, " %s=%llu", key, (unsigned long long)value);
}

static void address(struct defining *d, uint64_t value) {
    if (value) fprintf(d->out, " address=0x%llx", (unsigned long long)value);
}

static void reference(struct defining *d, const char *key, enum hd_table table,
                      uint32_t id) {
    if (id != HD_NO_ID) fprintf(d->out, " %s=%s", key, d->tokens->word[table][id]);
}

static void string(struct defining *d, const char *key, const char *value) {
    fprintf(d->out, " %s=", key);
    if (value) hd_text_encode(d->out, value);
}

/* Only where the token does not say it. */
static void name(struct defining *d, enum hd_table table, uint32_t id,
                 const char *value) {
    if (value && strcmp(value, d->tokens->names[table].name[id]) == 0) return;
    string(d, table == HD_TABLE_MODULE ? "path" : "name", value);
}

static void site(struct defining *d, uint32_t id) {
    const struct hd_site *s = hd_trace_site(d->trace, id);
    const char *token = d->tokens->names[HD_TABLE_SITE].name[id];
    uint32_t line;
    size_t file = hd_site_split(token, strlen(token), &line);
    begin(d, HD_TABLE_SITE, id);
    if (s->function) string(d, "function", s->function);
    if (!s->file || strlen(s->file) != file || memcmp(s->file, token, file) != 0) {
        string(d, "file", s->file);
    }
    if (s->line != line) fprintf(d->out, " line=%u", s->line);
    reference(d, "module", HD_TABLE_MODULE, s->module);
    address(d, s->address);
    end(d);
}

static void object(struct defining *d, uint32_t id) {
    const struct hd_object *o = hd_trace_object(d->trace, id);
    begin(d, HD_TABLE_OBJECT, id);
    if (o->kind) fprintf(d->out, " kind=%s", hd_object_kind_words[o->kind]);
    if (o->owner) reference(d, "owner", HD_TABLE_THREAD, o->owner);
    number(d, "nth", o->nth);
    reference(d, "site", HD_TABLE_SITE, o->site);
    number(d, "size", o->size);
    reference(d, "module", HD_TABLE_MODULE, o->module);
    address(d, o->address);
    number(d, "each", o->each);
    name(d, HD_TABLE_OBJECT, id, o->name);
    end(d);
}

static void variable(struct defining *d, uint32_t id) {
    const struct hd_variable *v = hd_trace_variable(d->trace, id);
    begin(d, HD_TABLE_VARIABLE, id);
    reference(d, "object", HD_TABLE_OBJECT, v->object);
    number(d, "offset", v->offset);
    if (v->size != 1) fprintf(d->out, " size=%u", v->size);
    name(d, HD_TABLE_VARIABLE, id, v->name);
    end(d);
}

static void sync(struct defining *d, uint32_t id) {
    const struct hd_sync *s = hd_trace_sync(d->trace, id);
    begin(d, HD_TABLE_SYNC, id);
    if (s->kind) fprintf(d->out, " kind=%s", hd_sync_kind_words[s->kind]);
    reference(d, "object", HD_TABLE_OBJECT, s->object);
    number(d, "offset", s->offset);
    number(d, "initial", s->initial);
    name(d, HD_TABLE_SYNC, id, s->name);
    end(d);
}

static void label(struct defining *d, uint32_t id) {
    const struct hd_label *l = hd_trace_label(d->trace, id);
    begin(d, HD_TABLE_LABEL, id);
    if (l->flags & HD_LABEL_STATIC) fputs(" static", d->out);
    if (l->flags & HD_LABEL_ENTRY) fputs(" entry", d->out);
    if (l->flags & HD_LABEL_SHORT) fputs(" short", d->out);
    reference(d, "site", HD_TABLE_SITE, l->site);
    name(d, HD_TABLE_LABEL, id, l->name);
    end(d);
}

void hd_text_definitions(const struct hd_trace *trace, const struct hd_tokens *tokens,
                         FILE *out) {
    struct defining d = {.trace = trace, .tokens = tokens, .out = out};
    for (uint32_t i = 0; i < hd_trace_threads(trace); i++) {
        begin(&d, HD_TABLE_THREAD, i);
        name(&d, HD_TABLE_THREAD, i, hd_trace_thread(trace, i));
        end(&d);
    }
    for (uint32_t i = 0; i < hd_trace_modules(trace); i++) {
        const struct hd_module *m = hd_trace_module(trace, i);
        begin(&d, HD_TABLE_MODULE, i);
        name(&d, HD_TABLE_MODULE, i, m->path);
        if (m->build_id) string(&d, "build", m->build_id);
        end(&d);
    }
    for (uint32_t i = 0; i < hd_trace_sites(trace); i++)
        site(&d, i);
    for (uint32_t i = 0; i < hd_trace_objects(trace); i++)
        object(&d, i);
    for (uint32_t i = 0; i < hd_trace_variables(trace); i++)
        variable(&d, i);
    for (uint32_t i = 0; i < hd_trace_syncs(trace); i++)
        sync(&d, i);
    for (uint32_t i = 0; i < hd_trace_labels(trace); i++)
        label(&d, i);
    for (uint32_t i = 0; i < hd_trace_registers(trace); i++) {
        begin(&d, HD_TABLE_REGISTER, i);
        name(&d, HD_TABLE_REGISTER, i, hd_trace_register(trace, i));
        end(&d);
    }
}
