/* met.c - whether two accesses to a variable could have met, kept up to date. */
#include "checkers/met.h"

static bool meets(const struct hd_met *met, const struct hd_periods *periods, uint32_t period,
                  int kind) {
    for (uint32_t i = 0; i < met->count[kind]; i++) {
        if (hd_period_par(periods, met->periods[kind][i], period)) {
            return true;
        }
    }
    return false;
}

void hd_met_add(struct hd_met *met, struct hd_arena *arena, const struct hd_periods *periods,
                uint32_t period, bool write) {
    if (met->write_write && met->write_read) {
        return; /* nothing is left to find out */
    }
    uint32_t thread = hd_period_thread(periods, period), i = 0;
    while (i < met->count[write] &&
           hd_period_thread(periods, met->periods[write][i]) != thread) {
        i++;
    }
    if (i < met->count[write] && met->periods[write][i] == period) {
        return; /* nothing that was not compared before */
    }
    if (i == met->count[write]) {
        HD_ARENA_FIT(arena, met->periods[write], met->room[write], i);
        met->count[write]++;
    }
    met->periods[write][i] = period;
    if (write) {
        met->write_write = met->write_write || meets(met, periods, period, 1);
    }
    met->write_read = met->write_read || meets(met, periods, period, !write);
}
