/* stale.c - values used after the lock hold that fetched them.
 *
 * Claim: a value was read from a shared variable under a lock, the lock was let go
 * of, and the value was used: it may be out of date by then. Needs no second thread
 * in the trace.
 *
 * State: per thread its open lock holds, each with the number of its *block*, and per
 * register the block in which its value was fetched. A value is stale once its block
 * has ended.
 *   (1) A block ends when its lock or one that was taken before it is let go of: the
 *       blocks of those taken later and still held begin anew. With nested locks that
 *       is the paper's rule, else its extension: stale as soon as one of the locks
 *       held at the read is gone. A wait ends a block; a wake-up begins one.
 *   (2) block=strict is the formula as printed: whatever is not of the innermost block
 *       is stale, although its lock is still held.
 *   (3) After a warning the result counts as fresh, so that one chain gives one
 *       warning (reset=off: it stays stale). What was used keeps its state.
 *   (4) A store ends the flow: the variable's value is current again.
 *
 * A trace has data flow (mov, op, use, registers of rd and wr) if whoever wrote it knew
 * it. Where it does not, flow=split guesses: x was read in one block and is written in
 * a later one that has not read it. It sees split updates of one variable only,
 * and takes blind overwrites for such; hence only when asked for.
 *
 * After Artho, Havelund and Biere, block-local atomicity. */
#include "checkers/stale.h"

#include <stdio.h>
#include <string.h>

static unsigned needs(const struct hd_settings *settings) { return HD_NEED_ESCAPE; }

static void begin(void *state, const struct hd_pass *pass) {
    struct hd_stale *s = state;
    uint32_t threads = hd_trace_threads(pass->trace);
    s->pass = pass;
    s->strict = hd_setting_is(pass->settings, "block", "strict");
    s->reset = hd_setting_is(pass->settings, "reset", "on");
    s->split = hd_setting_is(pass->settings, "flow", "split");
    s->registers = hd_trace_registers(pass->trace);
    s->granules = hd_trace_granules(pass->trace);
    s->threads = hd_arena_array(pass->arena, threads, sizeof *s->threads);
}

/* ---- blocks ------------------------------------------------------------------ */

static void open_block(struct hd_stale *s, const struct hd_step *step) {
    struct hd_stale_thread *t = &s->threads[step->thread];
    HD_ARENA_FIT(s->pass->arena, t->open, t->room, t->count);
    t->open[t->count++] = (struct hd_stale_block){step->acq, ++s->blocks};
}

static void close_block(struct hd_stale *s, const struct hd_step *step) {
    struct hd_stale_thread *t = &s->threads[step->thread];
    uint32_t at = t->count;
    while (at && t->open[at - 1].acq != step->acq) {
        at--;
    }
    if (!at) {
        return;
    }
    memmove(&t->open[at - 1], &t->open[at], (t->count - at) * sizeof *t->open);
    t->count--;
    for (uint32_t i = at - 1; i < t->count; i++) {
        t->open[i].number = ++s->blocks;
    }
}

/* Numbers grow from the outermost to the innermost. */
static bool is_open(const struct hd_stale_thread *t, uint64_t number) {
    uint32_t low = 0, high = t->count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (t->open[middle].number < number) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < t->count && t->open[low].number == number;
}

bool hd_stale_is(const struct hd_stale *s, uint32_t thread, uint64_t block) {
    const struct hd_stale_thread *t = &s->threads[thread];
    if (s->strict) {
        return !t->count || t->open[t->count - 1].number != block;
    }
    return !is_open(t, block);
}

uint64_t hd_stale_now(const struct hd_stale *s, uint32_t thread) {
    const struct hd_stale_thread *t = &s->threads[thread];
    return t->count ? t->open[t->count - 1].number : 0;
}

void hd_stale_report(struct hd_stale *s, const struct hd_access *load, const struct hd_step *use,
                     struct hd_warnings *out) {
    bool sited = use->site != HD_NO_ID && load->site != HD_NO_ID;
    struct hd_warning w = {
        .kind = HD_STALE_VALUE,
        .key = {load->obj, sited ? load->site : use->function, sited ? use->site : 0,
                sited ? 0 : 1u + use->kind},
        .region = HD_NO_ID,
        .pattern = s->split ? "split" : "copy-use",
        .access_count = 2,
    };
    if (hd_warnings_again(out, w.kind, w.key, w.variant)) {
        return;
    }
    w.accesses[0] = *load;
    w.accesses[1] = hd_access_of(use);
    if (!hd_kind_is_access(use->kind)) { /* an operand, a copy */
        w.accesses[1].kind = HD_USE;
        w.accesses[1].obj = HD_NO_ID;
    }
    uint64_t witness[2] = {load->seq, use->seq};
    w.witness = witness;
    w.witness_count = 2;
    w.why = s->split ? "it is written in another region than it was read in; guessed, since the "
                       "trace has no data flow"
                     : "the lock under which it was read has been let go of; seen by data flow";
    hd_warnings_add(out, &w);
}

static void steps(void *state, const struct hd_step *steps, size_t count,
                  struct hd_warnings *out) {
    struct hd_stale *s = state;
    for (size_t i = 0; i < count; i++) {
        const struct hd_step *step = &steps[i];
        switch (step->kind) {
        case HD_ACQUIRE:
        case HD_WAKE:
        case HD_TXBEGIN:
            if (!(step->marks & HD_MARK_REENTRANT) && step->acq != HD_NO_ID) {
                open_block(s, step);
            }
            break;
        case HD_RELEASE:
        case HD_WAIT:
        case HD_TXEND:
            if (!(step->marks & HD_MARK_REENTRANT) && step->acq != HD_NO_ID) {
                close_block(s, step);
            }
            break;
        default:
            if (s->split) {
                hd_stale_split(s, step, out);
            } else {
                hd_stale_flow(s, step, out);
            }
        }
    }
}

static const struct hd_switch switches[] = {
    {"flow", "registers|split", "split: guess, for traces without data flow", NULL},
    {"block", "active|strict", "strict: only the innermost lock keeps a value fresh", NULL},
    {"reset", "on|off", "on: one warning per chain of uses", NULL},
    {NULL, NULL, NULL, NULL},
};

const struct hd_checker_ops hd_checker_stale = {
    .name = "stale",
    .finds = "values used after the lock that fetched them",
    .after = "Artho, Havelund and Biere, block-local atomicity",
    .switches = switches,
    .state_size = sizeof(struct hd_stale),
    .needs = needs,
    .begin = begin,
    .steps = steps,
};
