/* period.h - thread periods: which events start, join and barrier force into an order.
 *
 * A period is a stretch of one thread between two such operations. Two periods
 * of different threads are ordered iff every execution that starts and joins the
 * same way runs them in that order; otherwise they are concurrent, whatever the
 * observed run did. Locks, conditions and semaphores order nothing here.
 *
 * After Wang and Stoller, with vector clocks in place of their graph: the clock
 * of a thread counts completed periods, a period keeps the clock it started
 * with, and a query is one comparison. A period gets an id only when somebody
 * asks for it, so a thread that passes a barrier a million times without an
 * access in between costs nothing.
 *
 * Periods are not dropped: who predicts may compare with any of them. So the
 * memory of the predicting checkers follows the number of periods with accesses;
 * the one-pass checkers (velodrome, determinism, reduction-online,
 * races:algorithm=hb) do not use them. */
#ifndef HD_PERIOD_H
#define HD_PERIOD_H

#include "checkers/arena.h"

#include <stdbool.h>
#include <stdint.h>

struct hd_periods;

struct hd_periods *hd_periods_new(struct hd_arena *arena, uint32_t threads);

void hd_period_fork(struct hd_periods *periods, uint32_t thread, uint32_t child);
void hd_period_join(struct hd_periods *periods, uint32_t thread, uint32_t child);
/* A barrier's episode: everyone arrives, then everyone leaves. */
void hd_period_arrive(struct hd_periods *periods, uint32_t thread, uint32_t barrier,
                      uint32_t episode);
void hd_period_leave(struct hd_periods *periods, uint32_t thread, uint32_t barrier,
                     uint32_t episode);

/* The period that `thread` is in now. Ids are dense, in the order first asked for. */
uint32_t hd_period_now(struct hd_periods *periods, uint32_t thread);
uint32_t hd_periods_count(const struct hd_periods *periods);
uint32_t hd_period_thread(const struct hd_periods *periods, uint32_t period);
uint32_t hd_period_index(const struct hd_periods *periods, uint32_t period); /* in its thread */

/* Without ids: how many periods of its own `thread` has behind it, and how many of
 * another are over for what it does now. */
uint32_t hd_period_self(const struct hd_periods *periods, uint32_t thread);
uint32_t hd_period_passed(const struct hd_periods *periods, uint32_t thread, uint32_t other);

/* Threads of different phases do not overlap: between the two there was a moment at
 * which one thread alone was left, and it had joined all before it and started all
 * after it. 0: nothing is known of this thread. Asked of two threads before their
 * periods are looked at, it spares most of that in a program that works in rounds. */
uint32_t hd_period_phase(const struct hd_periods *periods, uint32_t thread);

bool hd_period_before(const struct hd_periods *periods, uint32_t p, uint32_t q);
/* Concurrent: different threads and no order. */
bool hd_period_par(const struct hd_periods *periods, uint32_t p, uint32_t q);

#endif
