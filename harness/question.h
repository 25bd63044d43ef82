/* question.h - a warning becomes a question that executions answer.
 *
 * Each warning says what may happen. What does happen is learned from
 * executions: every one of them is judged by exact checks of its own trace
 * (velodrome with lock edges at boundaries, happens-before), independently of
 * the checker that raised the warning. For each question the engine keeps in
 * which executions it happened, with which outcomes, and with which outcomes it
 * did not.
 *
 * Rules:
 *   (1) Confirmed: it happened in an execution; that execution's schedule is kept. If it
 *       is harmful, that of an execution that shows the harm.
 *   (2) Refuted: a complete search ran, and it happened in none of its classes.
 *   (3) Harmful: in an execution where it happened the program failed or had an
 *       outcome that no execution has in which it did not happen (for a transaction:
 *       in which it ran as one step, whole.h), and all of those are known. Two transactions
       that tear each other would excuse each other by that, so (3b): an outcome is not
       serial either if no execution has it in which all confirmed transactions ran as one
       step, and this one is in a smallest set of them that it needs torn (blame.h). For races: the two
 *       orders of a pair differ in outcome, all that came before being the same (twins.h),
 *       or a failure came of it (blame.h).
 *   (4) Otherwise benign if confirmed and all outcomes are among the serial ones.
 *   (5) A program that fails in the middle of a transaction never closes the
 *       cycle. Where the failing thread had already seen the half-done
 *       transaction, that counts as confirmed if the search was complete and no
 *       other execution fails so; it is never refuted.
 *   (6) Stale values: that the variable changed between copy and use can be seen,
 *       that the use depends on the copy cannot. Where the former happens, it stays
 *       undecided.
 *   (7) The schedule kept for a race has both threads standing before their
 *       accesses at one moment, wherever there is such an execution that shows the harm.
 *       Another race (a plain flag) can make that impossible; the reason then says so. */
#ifndef HD_QUESTION_H
#define HD_QUESTION_H

#include "between.h"
#include "blame.h"
#include "checkers/run.h"
#include "plan.h"
#include "orders.h"
#include "session.h"
#include "sight.h"
#include "standstill.h"
#include "twins.h"

#include <stdbool.h>
#include <stdint.h>

struct hd_question {
    uint64_t identity;
    uint64_t parts[8]; /* high-level races: the same thing at other places (identity.h) */
    uint32_t part_count;
    enum hd_warning_kind kind;
    size_t entry; /* index of its warning in the document */
    const char *checkers[8];
    uint32_t checker_count;
    struct hd_ways ways; /* high-level races and stale values */
    struct hd_circle circle; /* deadlock: who would stand still */

    struct hd_plans *plans; /* ways to bring it about */
    uint32_t near;          /* undecided: how far the order of its first plan ever came */
    int64_t score;          /* RacerX's, of the variable that scores highest */

    uint64_t happened;            /* executions in which it did */
    uint64_t found;               /* number of the first of them, from 1 */
    const char *found_by;         /* and its strategy */
    struct hd_sights sights;      /* of them, by outcome */
    bool failed;                  /* the program failed in one of them */
    bool pending;                 /* race: both stood before their accesses in one of them */
    bool pieces;                  /* race: with an access that is several, done as one (HD_FLAG_MORE) */
    struct hd_half {              /* the program failed while the transaction was half done, */
        struct hd_schedule *schedule; /* after it had been looked into: one of each outcome */
        uint32_t outcome, failure;
        uint64_t executions;
    } half[4];
    uint32_t half_count;
    uint32_t kept;                /* the outcome of the execution that is kept */
    bool one_way;                 /* race: the program fails where only one of the two has come */
    bool by_half;                 /* that is what confirms it */
    uint32_t together;            /* 1 + an outcome, rule (3b); 0: none */
    struct hd_outcomes failures;  /* of the executions in which it happened, by index */
    struct hd_outcomes spared;    /* failures of executions that were free of it */
    struct hd_outcomes with, without;
    struct hd_orders orders;      /* determinism, races: both orders of the pairs */
    uint64_t variable;            /* race: which */
    bool doubtful;                /* what was seen neither shows nor excludes it */
    bool stops;                   /* atomicity: it came apart, but where it waits or prints */
    uint32_t search;              /* complete searches that had begun when it was asked */
    bool one_call;                /* high-level race: one call did both parts */
    bool cycle;                   /* determinism: a cycle of transactions, not a pair */
};

struct hd_questions {
    struct hd_session *session;
    uint32_t searches; /* complete searches that have begun */
    uint32_t finished; /* the number of the last one that came to its end; 0: none did */
    struct hd_question *list;
    size_t count, room;
    const char **outcomes; /* every outcome seen, as text; numbers index it */
    uint64_t *outcome_executions;
    bool *outcome_failed; /* the program failed */
    uint32_t outcome_count, outcome_room;
    uint64_t judged;
    struct hd_twins twins; /* of races */
    struct hd_blame blame; /* too */
    struct hd_blame torn;  /* transactions that did not run as one step, by outcome */
    uint32_t atomicity_count;
    unsigned kinds; /* bits of hd_warning_kind: those that are asked for; 0: not worked out yet */
    const char *strategy; /* what the executions that come in now run under */
    bool hasty; /* what is known so far is written down: nothing more is run for it */
    bool zero; /* some execution ended with status 0 */
    struct hd_exit_seen { /* non-zero exit statuses */
        int status;
        uint64_t executions;
        struct hd_schedule *schedule;
        struct hd_outcomes outcomes; /* with it */
    } exits[16];
    uint32_t exit_count;
};

/* The warnings of a recorded, named trace; those that are new become questions.
 * `checkers` as --checkers takes them. Where --checkers is given, only kinds of warnings
 * that one of those can raise, whatever the judges find besides. */
int hd_questions_add(struct hd_questions *self, const char *trace_path, const char *checkers,
                     struct hd_error *err);

/* The exact checks that judge an execution. */
#define HD_JUDGE_CYCLES "velodrome:lock-edges=boundary"
#define HD_JUDGE_RACES "races:algorithm=hb"
#define HD_JUDGES HD_JUDGE_CYCLES "," HD_JUDGE_RACES ",guards"

/* An execution and its trace: what happened in it? The trace needs no names.
 * 0; 1 if something happened that nobody asked about (nothing is noted then:
 * add the trace's warnings and judge it again); -1 with err. */
int hd_questions_judge(struct hd_questions *self, const char *trace_path,
                       const struct hd_ending *ending, bool accept, struct hd_error *err);

/* Is it worth looking for executions that show it? */
bool hd_question_open(const struct hd_question *question);
/* Most promising first: indices into `list`, for the caller to free. */
size_t *hd_questions_ranked(const struct hd_questions *self);

/* Was it asked when the search that is complete began? Else the outcomes of what
 * that search had seen before are not known. */
bool hd_question_early(const struct hd_questions *self, const struct hd_question *question);

/* Nothing more will come. Complete: every class of executions was judged. */
void hd_questions_decide(struct hd_questions *self, bool complete, uint64_t executions,
                         uint64_t distinct);

void hd_questions_free(struct hd_questions *self);

#endif
