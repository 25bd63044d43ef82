/* linkage.h - functions that nobody outside of their file can name.
 *
 * A function with external linkage may be a transaction (checkers/transaction.h), so
 * what it accesses has to be told in each call of it, whatever was told before. One
 * with internal linkage never is, unless the user names it: --transactions @FILE asks
 * for every call (`every-call`). */
#ifndef HD_LINKAGE_H
#define HD_LINKAGE_H

#include "runtime.h"

/* The symbols of the program. Before anything is recorded. */
void hd_linkage_prepare(void);

#define HD_CALLEES 4096 /* functions called lately, by place */

struct hd_callee {
    void *pc; /* inside the function */
    bool divides;
};

bool hd_linkage_look(struct hd_callee *callee, void *pc);

/* Does a call of the function with this place in it begin and end something? */
static inline bool hd_call_divides(void *pc) {
    struct hd_callee *callee = &hd_rt->callees[((uintptr_t)pc >> 4) % HD_CALLEES];
    return hd_likely(callee->pc == pc) ? callee->divides : hd_linkage_look(callee, pc);
}

#endif
