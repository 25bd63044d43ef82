/* trace.c - what the tables of an open trace answer. */
#include "reader.h"

#include <string.h>

uint32_t hd_trace_granules(const struct hd_trace *t) { return t->tables.granules; }

#define HD_COUNT(plural, table)                                                          \
    uint32_t hd_trace_##plural(const struct hd_trace *t) {                               \
        return t->tables.count[table];                                                   \
    }
HD_COUNT(threads, HD_TABLE_THREAD)
HD_COUNT(variables, HD_TABLE_VARIABLE)
HD_COUNT(objects, HD_TABLE_OBJECT)
HD_COUNT(syncs, HD_TABLE_SYNC)
HD_COUNT(labels, HD_TABLE_LABEL)
HD_COUNT(sites, HD_TABLE_SITE)
HD_COUNT(modules, HD_TABLE_MODULE)
HD_COUNT(registers, HD_TABLE_REGISTER)
#undef HD_COUNT

const char *hd_trace_thread(const struct hd_trace *t, uint32_t id) {
    return t->tables.threads[id];
}
const char *hd_trace_register(const struct hd_trace *t, uint32_t id) {
    return t->tables.registers[id];
}
const struct hd_variable *hd_trace_variable(const struct hd_trace *t, uint32_t id) {
    return &t->tables.variables[id];
}
const struct hd_object *hd_trace_object(const struct hd_trace *t, uint32_t id) {
    return &t->tables.objects[id];
}
const struct hd_sync *hd_trace_sync(const struct hd_trace *t, uint32_t id) {
    return &t->tables.syncs[id];
}
const struct hd_label *hd_trace_label(const struct hd_trace *t, uint32_t id) {
    return &t->tables.labels[id];
}
const struct hd_site *hd_trace_site(const struct hd_trace *t, uint32_t id) {
    return &t->tables.sites[id];
}
const struct hd_module *hd_trace_module(const struct hd_trace *t, uint32_t id) {
    return &t->tables.modules[id];
}

const uint32_t *hd_trace_variable_granules(const struct hd_trace *t, uint32_t id,
                                           uint32_t *count) {
    *count = t->tables.granule_count[id];
    return t->tables.granule_list + t->tables.granule_first[id];
}

uint32_t hd_trace_granule_variable(const struct hd_trace *t, uint32_t granule) {
    return t->tables.granule_variable[granule];
}

/* ---- names to show ------------------------------------------------------ */

/* The last part of a module's path, or NULL. */
static const char *module_name(const struct hd_trace *t, uint32_t module) {
    const char *path = module == HD_NO_ID ? NULL : hd_trace_module(t, module)->path;
    const char *slash = path ? strrchr(path, '/') : NULL;
    return slash && slash[1] ? slash + 1 : path;
}

const char *hd_trace_site_name(const struct hd_trace *t, uint32_t id, char *buffer,
                               size_t size) {
    const struct hd_site *s = hd_trace_site(t, id);
    const char *file = s->file ? s->file : s->function;
    const char *module = module_name(t, s->module);
    if (file && !s->line) return file;
    if (file) {
        snprintf(buffer, size, "%s:%u", file, s->line);
    } else if (module) {
        snprintf(buffer, size, "%s+0x%llx", module, (unsigned long long)s->address);
    } else {
        snprintf(buffer, size, "site#%u", id);
    }
    return buffer;
}

const char *hd_trace_object_name(const struct hd_trace *t, uint32_t id, char *buffer,
                                 size_t size) {
    const struct hd_object *o = hd_trace_object(t, id);
    if (o->name) return o->name;
    const char *owner =
        o->owner < hd_trace_threads(t) ? hd_trace_thread(t, o->owner) : "?";
    switch ((enum hd_object_kind)o->kind) {
    case HD_OBJECT_HEAP:
        snprintf(buffer, size, "heap#%s.%u", owner, o->nth);
        break;
    case HD_OBJECT_STACK:
        snprintf(buffer, size, "stack#%s", owner);
        break;
    case HD_OBJECT_TLS:
        snprintf(buffer, size, "tls#%s", owner);
        break;
    default:
        if (module_name(t, o->module)) return module_name(t, o->module);
        snprintf(buffer, size, "object#%u", id);
        break;
    }
    return buffer;
}

const char *hd_trace_variable_name(const struct hd_trace *t, uint32_t id, char *buffer,
                                   size_t size) {
    const struct hd_variable *v = hd_trace_variable(t, id);
    if (v->name) return v->name;
    char room[128];
    const char *object = hd_trace_object_name(t, v->object, room, sizeof room);
    uint32_t each = hd_trace_object(t, v->object)->each;
    if (each && v->size == each && v->offset % each == 0) {
        snprintf(buffer, size, "%s[%llu]", object, (unsigned long long)(v->offset / each));
    } else {
        snprintf(buffer, size, "%s+%llu", object, (unsigned long long)v->offset);
    }
    return buffer;
}

const char *hd_trace_sync_name(const struct hd_trace *t, uint32_t id, char *buffer,
                               size_t size) {
    static const char *const kinds[HD_SYNC_KIND_COUNT] = {
        "sync",    "mutex", "rwlock", "spinlock", "cond",
        "barrier", "sem",   "once",   "stream",   "futex"};
    const struct hd_sync *s = hd_trace_sync(t, id);
    if (s->name) return s->name;
    if (s->object != HD_NO_ID) {
        char room[128];
        const char *object = hd_trace_object_name(t, s->object, room, sizeof room);
        snprintf(buffer, size, "%s+%llu", object, (unsigned long long)s->offset);
    } else {
        snprintf(buffer, size, "%s#%u", kinds[s->kind], id);
    }
    return buffer;
}

const char *hd_trace_label_name(const struct hd_trace *t, uint32_t id, char *buffer,
                                size_t size) {
    const struct hd_label *l = hd_trace_label(t, id);
    if (l->name) return l->name;
    snprintf(buffer, size, "function#%u", id);
    return buffer;
}
