/* names_apply.c - give a recorded trace its names.
 *
 * The recorder writes addresses, because the program under test is no place to
 * read debug information in. This pass appends what they are called. Names do
 * not depend on the schedule: a heap object is its type, who allocated it and
 * as which of that thread's allocations (`node#2` of main, `node#0.1:2`); a local
 * is its function's (`main.count`; `work#0.1.count` in another thread than the
 * first, `walk#0:1.here` in a call inside of another). */
#define _GNU_SOURCE
#include "names.h"

#include "names_inner.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 1024 };

struct heap_type {
    uint64_t size, caller; /* of the last object asked for at this site */
    uint32_t type;
    bool known;
};

struct told {
    uint32_t object;
    uint64_t low, high; /* what it can name */
};

struct pass {
    struct hd_trace *trace;
    struct hd_trace_writer *writer;
    struct hd_module_names **modules; /* by id; NULL: no names from there */
    bool *tried;                      /* to open it */
    struct heap_type *heap;           /* by site */
    struct told *frames;              /* objects that tell of calls, by owner */
    size_t frame_count;
    uint32_t *each;                   /* by object, as hd_object has it */
    char *note;
    size_t room;
};

static void add_note(struct pass *pass, const char *path, const char *what) {
    size_t used = pass->note ? strlen(pass->note) : 0;
    if (!pass->note || used + 1 >= pass->room) return;
    snprintf(pass->note + used, pass->room - used, "%s%s %s", used ? "; " : "", path,
             what);
}

/* NULL: there are no names from there. */
static struct hd_module_names *open_module(struct pass *pass, const struct hd_module *module) {
    struct hd_module_names *names = module->path ? hd_names_open(module->path, NULL) : NULL;
    if (!names && module->path && !strchr(module->path, '/')) return NULL; /* the kernel's own */
    if (!names) {
        add_note(pass, module->path ? module->path : "a module",
                 "cannot be read: no names from it");
        return NULL;
    }
    const char *id = hd_names_build_id(names);
    if (module->build_id && *module->build_id && strcmp(module->build_id, id) != 0) {
        add_note(pass, module->path, "was built anew since the trace was recorded: no names from it");
        hd_names_close(names);
        return NULL;
    }
    return names;
}

/* Of most modules nothing is asked, and to open one costs more than to name a short trace. */
static struct hd_module_names *module_of(struct pass *pass, uint32_t module) {
    if (module >= hd_trace_modules(pass->trace)) return NULL;
    if (!pass->tried[module]) {
        pass->tried[module] = true;
        pass->modules[module] = open_module(pass, hd_trace_module(pass->trace, module));
    }
    return pass->modules[module];
}

static int name_sites(struct pass *pass) {
    for (uint32_t i = 0; i < hd_trace_sites(pass->trace); i++) {
        struct hd_site site = *hd_trace_site(pass->trace, i);
        struct hd_module_names *names = module_of(pass, site.module);
        struct hd_code_name code;
        if (site.function || !names || !hd_names_code(names, site.address, &code))
            continue;
        site.function = code.function;
        site.file = code.file;
        site.line = code.line;
        if (hd_writer_site(pass->writer, i, &site) < 0) return -1;
    }
    return 0;
}

static int name_labels(struct pass *pass) {
    for (uint32_t i = 0; i < hd_trace_labels(pass->trace); i++) {
        struct hd_label label = *hd_trace_label(pass->trace, i);
        if (label.name || label.site >= hd_trace_sites(pass->trace)) continue;
        const struct hd_site *site = hd_trace_site(pass->trace, label.site);
        struct hd_module_names *names = module_of(pass, site->module);
        struct hd_code_name code;
        if (!names || !hd_names_code(names, site->address, &code) || !code.outer)
            continue;
        label.name = code.outer;
        if (code.internal) label.flags |= HD_LABEL_STATIC;
        if (hd_writer_label(pass->writer, i, &label) < 0) return -1;
    }
    return 0;
}

/* The type of a heap object; equals in turn at one site are asked for once. */
static uint32_t heap_type(struct pass *pass, const struct hd_object *object,
                          struct hd_module_names **names) {
    *names = NULL;
    if (object->site >= hd_trace_sites(pass->trace)) return 0;
    const struct hd_site *site = hd_trace_site(pass->trace, object->site);
    *names = module_of(pass, site->module);
    if (!*names) return 0;
    struct heap_type *last = &pass->heap[object->site];
    uint64_t caller = 0; /* a place in the function around */
    if (object->address && object->address - 1 < hd_trace_sites(pass->trace)) {
        const struct hd_site *from = hd_trace_site(pass->trace, (uint32_t)object->address - 1);
        if (from->module == site->module) caller = from->address;
    }
    if (!last->known || last->size != object->size || last->caller != caller) {
        *last = (struct heap_type){
            object->size, caller,
            hd_names_allocated(*names, site->address, caller, object->size), true};
    }
    return last->type;
}

static void object_name(struct pass *pass, const struct hd_object *object,
                        const char *base, char *buffer) {
    const char *owner = object->owner < hd_trace_threads(pass->trace)
                            ? hd_trace_thread(pass->trace, object->owner)
                            : NULL;
    if (!owner || strcmp(owner, "0") == 0) {
        snprintf(buffer, NAME, "%s#%" PRIu32, base, object->nth);
    } else {
        snprintf(buffer, NAME, "%s#%s:%" PRIu32, base, owner, object->nth);
    }
}

/* The whole object, without a path. False: nothing is known. */
static bool name_of_object(struct pass *pass, const struct hd_object *object,
                           char *buffer) {
    struct hd_module_names *names;
    uint64_t start, size;
    if (object->kind == HD_OBJECT_HEAP) {
        uint32_t type = heap_type(pass, object, &names);
        object_name(pass, object, type ? hd_names_type(names, type) : "block", buffer);
        return true;
    }
    names = object->kind == HD_OBJECT_GLOBAL ? module_of(pass, object->module) : NULL;
    const char *name =
        names ? hd_names_variable(names, object->address, &start, &size) : NULL;
    /* A recorder may make one object of a whole segment: that has no name. */
    if (!name || start != object->address || object->size > size) return false;
    snprintf(buffer, NAME, "%s", name);
    return true;
}

static int by_owner(const void *left, const void *right, void *trace) {
    uint32_t a = ((const struct told *)left)->object, b = ((const struct told *)right)->object;
    int x = hd_trace_object(trace, a)->owner, y = hd_trace_object(trace, b)->owner;
    return x != y ? x - y : a < b ? -1 : a > b;
}

static bool is_frame(const struct pass *pass, uint32_t object) {
    unsigned kind = hd_trace_object(pass->trace, object)->kind;
    return kind == HD_OBJECT_FRAME || kind == HD_OBJECT_FRAME_ARRAY;
}

/* The call that `told` is of, and the names of its module; NULL: there are none. */
static const struct hd_object *frame_of(struct pass *pass, const struct hd_object *told,
                                        struct hd_module_names **names,
                                        struct hd_frame_place *place) {
    const struct hd_trace *trace = pass->trace;
    const struct hd_object *frame = told;
    if (told->kind == HD_OBJECT_FRAME_ARRAY) {
        if (told->nth >= hd_trace_objects(trace)) return NULL;
        frame = hd_trace_object(trace, told->nth);
    }
    if (frame->kind != HD_OBJECT_FRAME || frame->site >= hd_trace_sites(trace) ||
        frame->owner >= hd_trace_threads(trace)) {
        return NULL;
    }
    const struct hd_site *site = hd_trace_site(trace, frame->site);
    *names = module_of(pass, site->module);
    *place = (struct hd_frame_place){site->address, frame->address,
                                     frame->address + frame->size, ""};
    return *names ? frame : NULL;
}

static bool find_frames(struct pass *pass) {
    uint32_t count = hd_trace_objects(pass->trace);
    for (uint32_t i = 0; i < count; i++)
        pass->frame_count += is_frame(pass, i);
    pass->frames = calloc(pass->frame_count + 1, sizeof *pass->frames);
    if (!pass->frames) return false;
    for (uint32_t i = 0, k = 0; i < count; i++) {
        if (!is_frame(pass, i)) continue;
        const struct hd_object *told = hd_trace_object(pass->trace, i);
        struct told *to = &pass->frames[k++];
        struct hd_module_names *names;
        struct hd_frame_place place;
        const struct hd_object *frame = frame_of(pass, told, &names, &place);
        to->object = i;
        if (frame && frame == told) {
            hd_names_extent(names, &place, &to->low, &to->high);
        } else if (frame) { /* it lies below the frame */
            to->low = told->size;
            to->high = frame->address;
        }
    }
    qsort_r(pass->frames, pass->frame_count, sizeof *pass->frames, by_owner, pass->trace);
    return true;
}

/* What the call `told` of has there: its length, 0 for nothing. */
static size_t name_in_frame(struct pass *pass, const struct hd_object *told,
                            uint64_t offset, uint64_t size, char *buffer, size_t room) {
    char which[160] = "";
    struct hd_module_names *names;
    struct hd_frame_place place;
    const struct hd_object *frame = frame_of(pass, told, &names, &place);
    if (!frame) return 0;
    const char *thread = hd_trace_thread(pass->trace, frame->owner);
    if (frame->nth) {
        snprintf(which, sizeof which, "#%s:%" PRIu32, thread, frame->nth);
    } else if (frame->owner != 0) {
        snprintf(which, sizeof which, "#%s", thread);
    }
    place.which = which;
    if (frame == told) return hd_names_local(names, &place, offset, size, buffer, room);
    return hd_names_array(names, &place, told->address, offset - told->size, size, buffer,
                          room);
}

/* Is `name` among the first `used` bytes, which '/' divides? */
static bool listed(const char *buffer, size_t used, const char *name) {
    size_t length = strlen(name);
    for (const char *at = buffer; at < buffer + used; at += strcspn(at, "/") + 1) {
        if (strncmp(at, name, length) == 0 && (at + length == buffer + used || at[length] == '/'))
            return true;
    }
    return false;
}

static size_t frames_of(const struct pass *pass, uint32_t owner) {
    size_t low = 0, high = pass->frame_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (hd_trace_object(pass->trace, pass->frames[middle].object)->owner < owner) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* The same bytes may have been locals of several calls, one after the other: then
 * the variable is called after all of them. Below the frames it belongs to the array
 * that begins nearest to it. */
static bool name_on_stack(struct pass *pass, uint32_t owner, uint64_t offset, uint64_t size,
                          char *buffer) {
    char array[NAME] = "";
    uint64_t nearest = 0;
    size_t used = 0;
    for (size_t i = frames_of(pass, owner); i < pass->frame_count && used + 2 < NAME; i++) {
        const struct told *here = &pass->frames[i];
        const struct hd_object *told = hd_trace_object(pass->trace, here->object);
        char *at = buffer + used + (used > 0);
        bool frame = told->kind == HD_OBJECT_FRAME;
        if (told->owner != owner) break;
        if (offset < here->low || offset >= here->high) continue;
        if (!frame && told->size < nearest) continue;
        size_t more = name_in_frame(pass, told, offset, size, at, NAME - used - 1);
        if (more && !frame) {
            memcpy(array, at, more + 1);
            nearest = told->size;
        } else if (more && !listed(buffer, used, at)) {
            if (used) buffer[used++] = '/';
            used += more;
        }
        buffer[used] = '\0';
    }
    if (!used) memcpy(buffer, array, strlen(array) + 1);
    return buffer[0] != '\0';
}

/* `size` bytes at `offset` of an object. */
static bool name_inside(struct pass *pass, uint32_t id, uint64_t offset, uint64_t size,
                        char *buffer) {
    if (id >= hd_trace_objects(pass->trace)) return false;
    const struct hd_object *object = hd_trace_object(pass->trace, id);
    struct hd_module_names *names;
    if (object->kind == HD_OBJECT_GLOBAL) {
        names = module_of(pass, object->module);
        return names &&
               hd_names_data(names, object->address + offset, size, buffer, NAME);
    }
    if (object->kind == HD_OBJECT_STACK)
        return name_on_stack(pass, object->owner, offset, size, buffer);
    if (object->kind != HD_OBJECT_HEAP) return false;
    uint32_t type = heap_type(pass, object, &names);
    object_name(pass, object, type ? hd_names_type(names, type) : "block", buffer);
    size_t used = strlen(buffer);
    if (type) {
        hd_names_inside(names, type, object->size, offset, size, buffer + used,
                        NAME - used);
    } else if (offset) {
        snprintf(buffer + used, NAME - used, "+%" PRIu64, offset);
    }
    return true;
}

/* What its elements are called follows from its own name. */
static uint32_t array_of(struct pass *pass, const struct hd_object *object) {
    struct hd_module_names *names;
    if (object->kind != HD_OBJECT_HEAP) return 0;
    uint32_t type = heap_type(pass, object, &names);
    uint64_t each = type ? hd_names_scalar(names, type) : 0;
    return object->size > each ? (uint32_t)each : 0;
}

static bool is_element(const struct pass *pass, const struct hd_variable *variable) {
    uint32_t each = pass->each[variable->object];
    return each && variable->size == each && variable->offset % each == 0;
}

static int name_objects(struct pass *pass) {
    char name[NAME];
    for (uint32_t i = 0; i < hd_trace_objects(pass->trace); i++) {
        struct hd_object object = *hd_trace_object(pass->trace, i);
        if (object.name || !name_of_object(pass, &object, name)) continue;
        object.name = name;
        object.each = pass->each[i] = array_of(pass, &object);
        if (hd_writer_object(pass->writer, i, &object) < 0) return -1;
    }
    return 0;
}

static int name_variables(struct pass *pass) {
    char name[NAME];
    for (uint32_t i = 0; i < hd_trace_variables(pass->trace); i++) {
        struct hd_variable variable = *hd_trace_variable(pass->trace, i);
        if (variable.name || is_element(pass, &variable) ||
            !name_inside(pass, variable.object, variable.offset, variable.size, name)) {
            continue;
        }
        variable.name = name;
        if (hd_writer_variable(pass->writer, i, &variable) < 0) return -1;
    }
    return 0;
}

static int name_syncs(struct pass *pass) {
    char name[NAME];
    for (uint32_t i = 0; i < hd_trace_syncs(pass->trace); i++) {
        struct hd_sync sync = *hd_trace_sync(pass->trace, i);
        if (sync.name || !name_inside(pass, sync.object, sync.offset, 1, name)) {
            continue;
        }
        sync.name = name;
        if (hd_writer_sync(pass->writer, i, &sync) < 0) return -1;
    }
    return 0;
}

static int apply(const char *trace_path, bool labels_only, char *note, size_t room,
                 struct hd_error *err) {
    struct pass pass = {.note = note, .room = room};
    int rc = -1;
    if (note && room) note[0] = '\0';
    pass.writer = hd_writer_append(trace_path, &pass.trace, err);
    if (!pass.writer) return -1;
    uint32_t modules = hd_trace_modules(pass.trace);
    pass.modules = calloc((size_t)modules + 1, sizeof *pass.modules);
    pass.heap = calloc((size_t)hd_trace_sites(pass.trace) + 1, sizeof *pass.heap);
    pass.each = calloc((size_t)hd_trace_objects(pass.trace) + 1, sizeof *pass.each);
    pass.tried = calloc((size_t)modules + 1, sizeof *pass.tried);
    if (!pass.modules || !pass.tried || !pass.heap || !pass.each || (!labels_only && !find_frames(&pass))) {
        hd_fail(err, 0, "%s: out of memory", trace_path);
        hd_writer_close(pass.writer, NULL);
        goto out;
    }
    /* A failed write is remembered by the writer, which tells it when closed. */
    if (labels_only) {
        name_labels(&pass);
    } else if (name_sites(&pass) == 0 && name_labels(&pass) == 0 && name_objects(&pass) == 0 &&
               name_variables(&pass) == 0) {
        name_syncs(&pass);
    }
    rc = hd_writer_close(pass.writer, err);

out:
    for (uint32_t i = 0; pass.modules && i < modules; i++)
        hd_names_close(pass.modules[i]);
    free(pass.modules);
    free(pass.tried);
    free(pass.heap);
    free(pass.each);
    free(pass.frames);
    hd_trace_free(pass.trace);
    return rc;
}

int hd_names_apply(const char *trace_path, char *note, size_t room, struct hd_error *err) {
    return apply(trace_path, false, note, room, err);
}

int hd_names_apply_labels(const char *trace_path, struct hd_error *err) {
    return apply(trace_path, true, NULL, 0, err);
}

const char *hd_names_report(const struct hd_trace *trace, uint32_t variable, char *buffer,
                            size_t room) {
    const struct hd_variable *of = hd_trace_variable(trace, variable);
    const char *name = hd_trace_variable_name(trace, variable, buffer, room);
    if (name != buffer) snprintf(buffer, room, "%s", name);
    if (of->object >= hd_trace_objects(trace)) return buffer;
    const struct hd_object *object = hd_trace_object(trace, of->object);
    if (object->kind != HD_OBJECT_HEAP || object->site >= hd_trace_sites(trace))
        return buffer;
    const struct hd_site *site = hd_trace_site(trace, object->site);
    size_t used = strlen(buffer);
    if (site->function && site->file) {
        snprintf(buffer + used, room - used, " (allocated in %s, %s:%" PRIu32 ")",
                 site->function, site->file, site->line);
    } else if (site->function) {
        snprintf(buffer + used, room - used, " (allocated in %s)", site->function);
    }
    return buffer;
}
