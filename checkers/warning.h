/* warning.h - what a checker found, before anybody puts it into words.
 *
 * A warning is a claim about the program with the events that show it. Checkers
 * fill the struct and never print; sentences are made in harness/.
 *
 * Counting follows the papers: one warning per method, however often it ran.
 * Two findings with the same kind and `key` are one warning; the first one seen
 * stays and later ones count as `instances`. Findings that agree in `key` but
 * not in `variant` (another variable, another pattern in the same function) are
 * kept as further variants of the warning, for whoever wants to confirm it: the
 * first witness may be impossible and the third one real. */
#ifndef HD_WARNING_H
#define HD_WARNING_H

#include "checkers/arena.h"
#include "checkers/front.h"

enum hd_warning_kind {
    HD_ATOMICITY,
    HD_DETERMINISM,
    HD_RACE,
    HD_DEADLOCK,
    HD_STALE_VALUE,
    HD_HIGH_LEVEL_RACE,
    HD_GUARD,
    HD_WARNING_KIND_COUNT
};
const char *hd_warning_kind_word(enum hd_warning_kind kind); /* as in the verdict file */

#define HD_WARNING_KEY 6       /* words; what a checker does not use stays 0 */
#define HD_WARNING_ACCESSES 16 /* more are cut, the witness has them all */
#define HD_WARNING_VARIANTS 32 /* per warning; more are counted, not kept */
#define HD_WARNING_CAP 10000   /* warnings per checker; more are counted in a note */

/* One of the operations that the claim is about: an access, or for lock cycles
 * an acquire. What is not known is HD_NO_ID; `seq` UINT64_MAX: no single event. */
struct hd_access {
    uint64_t seq;
    uint32_t obj; /* granule; lock; as in the step */
    uint32_t site;
    uint32_t function;
    uint32_t held;
    uint32_t txn;
    uint16_t thread;
    uint8_t kind;
    uint8_t flags;
};

struct hd_warning {
    enum hd_warning_kind kind;
    const char *checker; /* name of who found it; filled in by hd_warnings_add */
    uint32_t key[HD_WARNING_KEY];
    uint32_t variant[HD_WARNING_KEY];
    uint32_t region;     /* the transaction that is flagged, or HD_NO_ID */
    const char *pattern; /* "R-W-R", or NULL */
    const char *why;     /* one sentence, lower case, no full stop; or NULL */
    struct hd_access accesses[HD_WARNING_ACCESSES];
    uint32_t access_count;
    const uint64_t *witness; /* events, in the order that would show it */
    uint32_t witness_count;
    bool incomplete;      /* the transaction had not ended in the trace */
    bool conditional;     /* holds only if no deadlock gets in the way */
    uint64_t instances;   /* how often it was seen; 0 is taken as once */
    struct hd_warning *next_variant; /* filled in */
    uint32_t variant_count;          /* filled in: this one included */
};

struct hd_warnings;
struct hd_notes;

struct hd_warnings *hd_warnings_new(struct hd_arena *arena, const char *checker,
                                    struct hd_notes *notes);
/* True if a finding with this kind, key and variant is there: counts it as one
 * more instance, so that a caller can spare itself building the rest. */
bool hd_warnings_again(struct hd_warnings *out, enum hd_warning_kind kind, const uint32_t *key,
                       const uint32_t *variant);
/* Copies the warning, its strings and its witness. */
void hd_warnings_add(struct hd_warnings *out, const struct hd_warning *warning);
uint32_t hd_warnings_count(const struct hd_warnings *out);
const struct hd_warning *hd_warnings_at(const struct hd_warnings *out, uint32_t index);
/* Sort by kind, then by the first event of the witness, then by key. */
void hd_warnings_sort(struct hd_warnings *out);

struct hd_access hd_access_of(const struct hd_step *step);

/* Things worth knowing that accuse nobody: an odd trace, a limit reached. Equal
 * notes are kept once and counted. */
struct hd_notes *hd_notes_new(struct hd_arena *arena);
void hd_note(struct hd_notes *notes, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
uint32_t hd_notes_count(const struct hd_notes *notes);
/* The text, with "(N times)" behind it if it came more than once. */
const char *hd_notes_at(const struct hd_notes *notes, uint32_t index);

#endif
