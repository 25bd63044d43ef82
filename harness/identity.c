/* identity.c - see identity.h. */
#include "identity.h"

#include <string.h>

uint64_t hd_identity_mix(uint64_t a, uint64_t b) {
    uint64_t z = (a ^ (b * 0x9e3779b97f4a7c15UL)) + 0x2545f4914f6cdd1dUL;
    z = (z ^ (z >> 29)) * 0xbf58476d1ce4e5b9UL;
    return z ^ (z >> 32);
}

static uint64_t hash_text(const char *text) {
    uint64_t hash = 0xcbf29ce484222325UL;
    for (; text && *text; text++) hash = (hash ^ (unsigned char)*text) * 0x100000001b3UL;
    return hash;
}

uint64_t hd_identity_site(const struct hd_trace *trace, uint32_t site) {
    if (site == HD_NO_ID) return 0;
    const struct hd_site *at = hd_trace_site(trace, site);
    if (at->module != HD_NO_ID) return hd_identity_mix(at->module + 1, at->address);
    return hd_identity_mix(hash_text(at->file), at->line);
}

static uint64_t object_identity(const struct hd_trace *trace, uint32_t object) {
    if (object == HD_NO_ID) return 0;
    const struct hd_object *o = hd_trace_object(trace, object);
    switch (o->kind) {
    case HD_OBJECT_GLOBAL: return hd_identity_mix(1, o->module);
    case HD_OBJECT_HEAP: return hd_identity_mix(2, hd_identity_site(trace, o->site));
    case HD_OBJECT_STACK:
    case HD_OBJECT_TLS:
        return hd_identity_mix(o->kind, hash_text(hd_trace_thread(trace, o->owner)));
    default: return hd_identity_mix(9, hash_text(o->name));
    }
}

uint64_t hd_identity_variable(const struct hd_trace *trace, uint32_t granule) {
    uint32_t id = hd_trace_granule_variable(trace, granule);
    const struct hd_variable *v = hd_trace_variable(trace, id);
    return hd_identity_mix(object_identity(trace, v->object), v->offset);
}

uint64_t hd_identity_lock(const struct hd_trace *trace, uint32_t sync) {
    if (sync >= hd_trace_syncs(trace)) return 7;
    const struct hd_sync *s = hd_trace_sync(trace, sync);
    if (s->object == HD_NO_ID) return hash_text(s->name);
    return hd_identity_mix(object_identity(trace, s->object), s->offset);
}

uint64_t hd_identity_region(const struct hd_trace *trace, const struct hd_region *region) {
    uint64_t hash = region->how;
    if (region->label != HD_NO_ID) {
        const struct hd_label *label = hd_trace_label(trace, region->label);
        /* Annotations have a name in every trace; functions get theirs later. */
        uint64_t who = region->how == HD_REGION_ANNOTATED || label->site == HD_NO_ID
                           ? hash_text(label->name)
                           : hd_identity_site(trace, label->site);
        hash = hd_identity_mix(hash, who);
    }
    if (region->how == HD_REGION_LOCK) {
        hash = hd_identity_mix(hash, hd_identity_lock(trace, region->lock));
    }
    return hash;
}

/* The function that an access stands in, or else its place. */
static uint64_t where(const struct hd_trace *trace, const struct hd_access *access) {
    uint32_t site = access->site;
    if (access->function != HD_NO_ID && hd_trace_label(trace, access->function)->site != HD_NO_ID) {
        site = hd_trace_label(trace, access->function)->site;
    }
    return hd_identity_site(trace, site);
}

static bool is_locking(const struct hd_access *access) {
    return access->kind == HD_ACQUIRE || access->kind == HD_RELEASE || access->kind == HD_WAIT ||
           access->kind == HD_WAKE;
}

/* Two that take one lock, whichever is first: by that lock and where they are. */
static uint64_t lock_pair(const struct hd_trace *trace, const struct hd_access *one,
                          const struct hd_access *other) {
    uint64_t lock = hd_identity_lock(trace, one->obj);
    return hd_identity_mix(6, lock) + hd_identity_mix(6, where(trace, one)) +
           hd_identity_mix(6, where(trace, other));
}

uint64_t hd_identity_parts(const struct hd_trace *trace, const struct hd_warning *warning) {
    uint64_t sum = 0, each[HD_WARNING_ACCESSES];
    for (uint32_t i = 0; i < warning->access_count; i++) {
        const struct hd_access *access = &warning->accesses[i];
        bool part = access->thread == warning->accesses[0].thread;
        uint64_t what = hd_kind_is_access(access->kind) ? hd_identity_variable(trace, access->obj)
                                                        : hd_identity_site(trace, access->site);
        each[i] = hd_identity_mix(7 + part, hd_identity_mix(what, where(trace, access)));
        bool again = false;
        for (uint32_t k = 0; k < i; k++) again = again || each[k] == each[i];
        if (!again) sum += each[i];
    }
    return sum;
}

uint64_t hd_identity_warning(const struct hd_front *front, const struct hd_trace *trace,
                             const struct hd_warning *warning) {
    uint64_t hash = hd_identity_mix(warning->kind, 77);
    switch (warning->kind) {
    case HD_ATOMICITY:
        if (warning->region == HD_NO_ID) return hash;
        return hd_identity_mix(
            hash, hd_identity_region(trace, hd_front_region(front, warning->region)));
    case HD_DEADLOCK: { /* the set of locks, whatever the order; who is joined does not matter */
        uint64_t sum = 0;
        for (uint32_t i = 0; i < warning->access_count; i++) {
            const struct hd_access *access = &warning->accesses[i];
            sum += access->kind == HD_JOIN ? 1 : hd_identity_mix(3, hd_identity_lock(trace, access->obj));
        }
        return hd_identity_mix(hash, sum);
    }
    case HD_GUARD: /* one for each variable, wherever it is used */
        if (warning->access_count == 0 || !hd_kind_is_access(warning->accesses[0].kind)) break;
        return hd_identity_mix(hash, hd_identity_variable(trace, warning->accesses[0].obj));
    case HD_RACE:
        if (warning->access_count == 0) return hash;
        return hd_identity_mix(hash, hd_identity_variable(trace, warning->accesses[0].obj));
    default: break;
    }
    /* the places */
    const struct hd_access *two = warning->accesses;
    if (warning->access_count == 2 && is_locking(&two[0]) && is_locking(&two[1]) &&
        two[0].obj == two[1].obj) {
        return hd_identity_mix(hash, lock_pair(trace, &two[0], &two[1]));
    }
    uint64_t sum = 0;
    for (uint32_t i = 0; i < warning->access_count; i++) {
        sum += hd_identity_mix(5, hd_identity_site(trace, warning->accesses[i].site));
    }
    return hd_identity_mix(hash, sum);
}
