/* portfolio.h - a portfolio: what its files share. See portfolio.c. */
#ifndef HD_PORTFOLIO_H
#define HD_PORTFOLIO_H

#include "inner.h"
#include "sched/numbered.h"

enum { HD_MEMBERS = 6 };

struct hd_member {
    struct hd_inner inner;
    uint64_t runs;   /* its own, so far */
    uint32_t share;  /* of this round, still to come */
    uint32_t found;  /* new classes in this round */
    bool over;
    struct hd_numbered numbered; /* what others do ahead, if it is */
};

struct hd_portfolio {
    struct hd_member members[HD_MEMBERS];
    int at; /* whose run it is; -1: none yet */
    int offering; /* whose work is offered next */
    bool incomplete; /* the complete search is */
    bool there; /* this is a worker: only the work of `at` is done */
};

struct hd_portfolio *hd_portfolio_self(void);
extern const struct hd_share_ops hd_portfolio_share;

#endif
