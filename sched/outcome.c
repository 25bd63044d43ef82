/* outcome.c - see outcome.h.
 *
 * The operation that ends a process depends on all others (dependence.h), so a search
 * tries it before and after each of them. That leaves what threads do between their
 * operations. Most of it nobody sees once the process is over; what counts for the
 * outcome does: standard output, and with the option `globals` static data. (Values
 * that are observed are points in any case.) So the end is taken to read all of that.
 * Whatever somebody else wrote there that nothing orders before the end is a race like
 * any other, and each access to it a point from then on.
 *
 * An end by a failure may be in a step that is no operation (strategies/local.h). */
#include "outcome.h"

#include "access_inner.h"
#include "libc/stream.h"
#include "module.h"

static void look_at(const struct hd_thread *self, struct hd_var *var) {
    if (var->generation != hd_rt->generation || (var->flags & HD_VAR_VISIBLE)) return;
    if (races(self, var, false)) hd_var_show(var);
}

static void look_at_globals(const struct hd_thread *self) {
    const struct hd_module_map *program = hd_module_at(0);
    uintptr_t at = program->write_low, end = program->write_high;
    for (at = hd_shadow_seek(at, end); at < end; at = hd_shadow_seek(at + 8, end)) {
        HD_EACH_IN_WORD(var, at) look_at(self, var);
    }
}

void hd_outcome_look(void) {
    struct hd_thread *self = hd_rt->current;
    const struct hd_outcome *outcome = &hd_rt->outcome;
    if (self && hd_timers_matter()) hd_rt->incomplete = true; /* the handler came later */
    if (!self || outcome->cut || outcome->blocked || outcome->diverged) return;
    if (hd_rt->runnable_count == 0 || hd_rt->finished_count + 1 >= hd_rt->thread_count) return;
    if (self->op.mode == HD_MODE_NONE && !hd_rt->ends_locally) {
        hd_rt->ends_locally = true;
        hd_rt->shown++;
    }
    look_at(self, hd_stream_of(stdout)->var);
    if (hd_rt->config.globals) look_at_globals(self);
}
