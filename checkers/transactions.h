/* transactions.h - the memory transactions of a trace, shared by two files.
 *
 * transactions.c collects them while the trace goes by, transactions_judge.c looks for
 * the patterns at the end. */
#ifndef HD_TRANSACTIONS_H
#define HD_TRANSACTIONS_H

#include "checkers/checker.h"

#define HD_TXNS_MOST 1000 /* distinct ones of one thread */

/* One per distinct content, place and period. */
struct hd_txn {
    uint32_t label, site; /* HD_NO_ID where unknown */
    uint32_t period;
    uint32_t reads, writes; /* interned sets of granules */
    struct hd_access *read_at, *write_at; /* an access to each element, of the first such */
    uint32_t *next; /* of the thread's transactions, those that came next */
    uint32_t next_count, next_room;
};

struct hd_txns {
    struct hd_txn *txns;
    uint32_t count, room;
};

struct hd_txn_table {
    const struct hd_pass *pass;
    struct hd_locksets *sets; /* of granules; the same machinery */
    struct hd_periods *periods; /* NULL: happen-before is off */
    bool strict, reads_both;
    struct hd_txns *of; /* per thread */
    uint32_t threads;
};

void hd_txns_judge(struct hd_txn_table *table, struct hd_warnings *out);

#endif
