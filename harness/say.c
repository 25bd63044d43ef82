/* say.c - verdicts in words.
 *
 *     confirmed harmful: deposit is not atomic on balance (blocks, reduction)
 *       0.1 read  balance  bank.c:21  holding guard
 *       0.2 write balance  bank.c:27  holding guard
 *       why      no serial order gives 10
 *       reached  in 3 executions
 *       again    heddle replay results/bank.json#W18a57
 *
 * Lower case, no exclamation marks. Words once chosen stay: confirmed, refuted,
 * undecided. A refutation carries its reason. */
#include "say.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool hd_say_color(FILE *out, bool no_color) {
    const char *term = getenv("TERM"), *none = getenv("NO_COLOR");
    if (no_color || (none && *none)) return false;
    return term && strcmp(term, "dumb") != 0 && isatty(fileno(out));
}

enum paint { BAD = 31, GOOD = 32, OPEN = 33, FAINT = 2 };

static void headline(const struct hd_say *say, enum paint paint, const char *word) {
    if (say->color) {
        fprintf(say->out, "\033[%d%sm%s:\033[0m ", (int)paint, paint == FAINT ? "" : ";1",
                word);
    } else {
        fprintf(say->out, "%s: ", word);
    }
}

/* Text of the program's own making: a terminal must not obey it. */
static void put(const struct hd_say *say, const char *text) {
    for (; *text; text++) {
        unsigned char byte = (unsigned char)*text;
        fputc(byte < ' ' || byte == 0x7f ? '?' : byte, say->out);
    }
}

static void detail(const struct hd_say *say, const char *word, const char *text) {
    fprintf(say->out, "  %-8s ", word);
    put(say, text);
    fputc('\n', say->out);
}

static void add(char *buffer, size_t room, const char *joint, const char *text) {
    size_t used = strlen(buffer);
    if (used < room) snprintf(buffer + used, room - used, "%s%s", joint, text);
}

/* Each variable once: "a", "a and b", "a, b and c". */
static void variables(const struct hd_verdict_warning *warning, char *buffer,
                      size_t room) {
    enum { MOST = 4 };
    const char *names[MOST];
    size_t count = 0, more = 0;
    for (size_t i = 0; i < warning->access_count; i++) {
        const char *name = warning->accesses[i].variable;
        size_t k = 0;
        while (name && k < count && strcmp(names[k], name) != 0)
            k++;
        if (!name || k < count) continue;
        if (count < MOST) {
            names[count++] = name;
        } else {
            more++;
        }
    }
    buffer[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        add(buffer, room,
            i == 0                    ? ""
            : i + 1 == count && !more ? " and "
                                      : ", ",
            names[i]);
    }
    if (more) add(buffer, room, " ", "and others");
    if (!count) add(buffer, room, "", "memory without a name");
}

/* Is one of the accesses a free? Then it is a race on all of the block: `o#0` of `o#0.next`,
 * into `buffer`. NULL: none is. */
static const char *freed_block(const struct hd_verdict_warning *warning, char *buffer, size_t room) {
    for (size_t i = 0; i < warning->access_count; i++) {
        const struct hd_verdict_access *access = &warning->accesses[i];
        const char *number = access->variable ? strchr(access->variable, '#') : NULL;
        if (!number || !access->op || strcmp(access->op, "free") != 0) continue;
        size_t length = (size_t)(number - access->variable) + 1;
        length += strspn(access->variable + length, "0123456789.:");
        while (strchr(".:", access->variable[length - 1])) length--;
        snprintf(buffer, room, "%.*s", (int)length, access->variable);
        return buffer;
    }
    return NULL;
}

/* "a -> b -> a" out of the acquires of a cycle. */
static void cycle(const struct hd_verdict_warning *warning, char *buffer, size_t room) {
    const char *first = NULL, *last = NULL;
    buffer[0] = '\0';
    for (size_t i = 0; i < warning->access_count; i++) {
        const char *name = warning->accesses[i].variable;
        if (!name || (last && strcmp(last, name) == 0)) continue;
        add(buffer, room, last ? " -> " : "", name);
        if (!first) first = name;
        last = name;
    }
    if (first && strcmp(first, last) != 0) add(buffer, room, " -> ", first);
}

void hd_say_claim(const struct hd_verdict_warning *warning, char *buffer, size_t room) {
    const char *function =
        warning->has_transaction ? warning->transaction.function : NULL;
    char what[256];
    variables(warning, what, sizeof what);
    if (!function && warning->access_count)
        function = warning->accesses[0].place.function;
    if (!function) function = "a block";
    if (strcmp(warning->kind, "atomicity") == 0) {
        snprintf(buffer, room, "%s is not atomic on %s", function, what);
    } else if (strcmp(warning->kind, "determinism") == 0) {
        snprintf(buffer, room, "%s is not deterministic on %s", function, what);
    } else if (strcmp(warning->kind, "race") == 0) {
        const char *freed = freed_block(warning, what, sizeof what);
        snprintf(buffer, room, freed ? "data race on %s, which is freed" : "data race on %s", what);
    } else if (strcmp(warning->kind, "deadlock") == 0) {
        bool joins = warning->pattern && warning->access_count > 1 &&
                     strcmp(warning->pattern, "join under a lock") == 0;
        if (!joins) cycle(warning, what, sizeof what);
        snprintf(buffer, room, joins ? "%s is held at a join of a thread that takes it" : "lock cycle %s",
                 joins ? warning->accesses[1].variable : what);
    } else if (strcmp(warning->kind, "stale-value") == 0) {
        snprintf(buffer, room, "%s uses a stale copy of %s", function, what);
    } else if (strcmp(warning->kind, "high-level-race") == 0) {
        const struct hd_verdict_access *all = warning->accesses;
        const char *first = warning->access_count ? all[0].place.function : NULL;
        const char *second = first ? all[warning->access_count - 1].place.function : NULL;
        bool around = warning->has_transaction && first && strcmp(first, function) != 0;
        bool two = second && !around && strcmp(second, function) != 0;
        snprintf(buffer, room, "%s%s%s touch%s %s apart, which elsewhere are kept together", function,
                 two ? " and " : "", two ? second : "", two ? "" : "es", what);
    } else if (strcmp(warning->kind, "guard") == 0) {
        snprintf(buffer, room, "%s is used without the lock that guards it", what);
    } else {
        snprintf(buffer, room, "%s on %s", warning->kind, what);
    }
}

static void place(const struct hd_place *at, char *buffer, size_t room) {
    if (at->file && at->line) {
        snprintf(buffer, room, "%s:%" PRIu32, at->file, at->line);
    } else {
        snprintf(buffer, room, "%s",
                 at->file       ? at->file
                 : at->function ? at->function
                                : "?");
    }
}

static int widest(int width, const char *text) {
    int length = text ? (int)strlen(text) : 1;
    return length > width ? length : width;
}

static const char *or_unknown(const char *text) { return text ? text : "?"; }

static void accesses(const struct hd_say *say, const struct hd_verdict_warning *warning) {
    int thread = 0, op = 0, variable = 0, where = 0;
    char text[256];
    for (size_t i = 0; i < warning->access_count; i++) {
        const struct hd_verdict_access *access = &warning->accesses[i];
        place(&access->place, text, sizeof text);
        thread = widest(thread, access->thread);
        op = widest(op, access->op);
        variable = widest(variable, access->variable);
        where = widest(where, text);
    }
    for (size_t i = 0; i < warning->access_count; i++) {
        const struct hd_verdict_access *access = &warning->accesses[i];
        place(&access->place, text, sizeof text);
        int pad = access->lock_count ? where : 0;
        fprintf(say->out, "  %-*s %-*s %-*s  %-*s", thread, or_unknown(access->thread),
                op, or_unknown(access->op), variable, or_unknown(access->variable), pad,
                text);
        for (size_t k = 0; k < access->lock_count; k++) {
            fprintf(say->out, "%s%s", k ? ", " : "  holding ",
                    or_unknown(access->locks[k]));
        }
        fputc('\n', say->out);
    }
}

static void again(const struct hd_say *say, const char *id) {
    if (say->file)
        fprintf(say->out, "  %-8s heddle replay %s#%s\n", "again", say->file, id);
}

static void reached(const struct hd_say *say, const struct hd_verdicts *doc,
                    uint64_t executions) {
    fprintf(say->out,
            "  %-8s in %" PRIu64 " of %" PRIu64 " execution%s, seed %" PRIu64 "\n",
            "reached", executions, doc->executions, doc->executions == 1 ? "" : "s",
            doc->seed);
}

void hd_say_failure(const struct hd_say *say, const struct hd_verdicts *doc,
                    const struct hd_verdict_failure *failure) {
    char where[256];
    bool known = say->baseline && hd_verdicts_find_failure(say->baseline, failure->id);
    headline(say, BAD, hd_failure_words[failure->kind]);
    put(say, failure->message);
    fprintf(say->out, "%s\n", known ? " (known)" : "");
    if (failure->location.function || failure->location.file) {
        place(&failure->location, where, sizeof where);
        const char *function = failure->location.function;
        fprintf(say->out, "  %-8s %s%s%s\n", "where", function ? function : "",
                function ? ", " : "", where);
    }
    if (failure->test) detail(say, "test", failure->test);
    reached(say, doc, failure->executions);
    if (failure->warning) fprintf(say->out, "  %-8s see %s\n", "why", failure->warning);
    if (failure->schedule) again(say, failure->id);
}

static void more(const struct hd_say *say, const struct hd_verdicts *doc) {
    const char *blank = say->command ? strchr(say->command, ' ') : NULL;
    if (!blank) return;
    if (doc->bound) { /* all of it was tried: a larger budget is no help */
        fprintf(say->out, "  %-8s heddle %.*s --strategy dpor%s, or a larger bound\n", "more",
                (int)(blank - say->command), say->command, blank);
        return;
    }
    fprintf(say->out, "  %-8s heddle %.*s --executions %" PRIu64 "%s\n", "more",
            (int)(blank - say->command), say->command,
            doc->budget > UINT64_MAX / 10 ? doc->budget : doc->budget * 10, blank);
}

/* Another region of the same function is said to be the same. */
static const struct hd_verdict_warning *double_of(const struct hd_verdicts *doc,
                                                  const struct hd_verdict_warning *warning,
                                                  const char *claim) {
    char other[512];
    for (size_t i = 0; warning->has_transaction && i < doc->warning_count; i++) {
        const struct hd_verdict_warning *one = &doc->warnings[i];
        if (one == warning || !one->has_transaction || one->quiet) continue;
        hd_say_claim(one, other, sizeof other);
        if (strcmp(one->kind, warning->kind) == 0 && strcmp(other, claim) == 0) return one;
    }
    return NULL;
}

/* Which region: by its first line, or else by the lock that it begins with. */
static void tell_apart(const struct hd_say *say, const struct hd_verdict_warning *warning,
                       const struct hd_verdict_warning *other) {
    char where[256];
    if (other->transaction.line != warning->transaction.line) {
        place(&warning->transaction, where, sizeof where);
        fprintf(say->out, " from %s on", where);
    } else if (warning->access_count && warning->accesses[0].lock_count) {
        fprintf(say->out, " under %s", or_unknown(warning->accesses[0].locks[0]));
    }
}

void hd_say_warning(const struct hd_say *say, const struct hd_verdicts *doc,
                    const struct hd_verdict_warning *warning) {
    char claim[512];
    bool known = hd_verdicts_known(say->baseline, warning);
    hd_say_claim(warning, claim, sizeof claim);
    switch (warning->verdict) {
    case HD_CONFIRMED:
        headline(say, warning->impact == HD_HARMFUL ? BAD : OPEN,
                 warning->impact == HD_HARMFUL  ? "confirmed harmful"
                 : warning->impact == HD_BENIGN ? "confirmed benign"
                                                : "confirmed");
        break;
    case HD_REFUTED:
        headline(say, GOOD, "refuted");
        break;
    default:
        headline(say, OPEN, "undecided");
        break;
    }
    fputs(claim, say->out);
    const struct hd_verdict_warning *other = double_of(doc, warning, claim);
    if (other) tell_apart(say, warning, other);
    for (size_t i = 0; i < warning->checker_count; i++) {
        fprintf(say->out, "%s%s", i ? ", " : " (", warning->checkers[i]);
    }
    fprintf(say->out, "%s%s\n", warning->checker_count ? ")" : "",
            known ? " (known)" : "");
    if (warning->test) detail(say, "test", warning->test);
    if (warning->verdict != HD_REFUTED) accesses(say, warning);
    if (warning->evidence.reason[0]) detail(say, "why", warning->evidence.reason);
    if (warning->verdict == HD_CONFIRMED) {
        if (warning->impact == HD_BENIGN && strcmp(warning->kind, "race") == 0 &&
            !strstr(warning->evidence.reason, "undefined behaviour")) {
            detail(say, "but",
                   "a data race is undefined behaviour in C, whatever it did here");
        }
        reached(say, doc, warning->evidence.executions);
        again(say, warning->id);
    } else if (warning->verdict == HD_UNDECIDED) {
        fprintf(say->out, "  %-8s %" PRIu64 " execution%s, at least %" PRIu64 " different\n",
                "tried", warning->evidence.executions,
                warning->evidence.executions == 1 ? "" : "s", warning->evidence.distinct_traces);
        /* Where all of it was tried a larger budget is no help. */
        if (!warning->evidence.exhaustive && !doc->exhausted) more(say, doc);
    }
}

/* Worst first: 0 is told before 4. */
static int rank(const struct hd_verdict_warning *warning) {
    if (warning->verdict == HD_REFUTED) return 4;
    if (warning->verdict == HD_UNDECIDED) return 2;
    return warning->impact == HD_HARMFUL ? 0 : warning->impact == HD_BENIGN ? 3 : 1;
}

static void closing(const struct hd_say *say, const struct hd_verdicts *doc) {
    const struct hd_verdict_summary *sum = &doc->summary;
    fprintf(say->out,
            "heddle: %" PRIu64 " failure%s; %" PRIu64 " harmful, %" PRIu64 " benign, ",
            sum->failures, sum->failures == 1 ? "" : "s", sum->confirmed_harmful,
            sum->confirmed_benign);
    if (sum->confirmed_unknown) {
        fprintf(say->out, "%" PRIu64 " confirmed without a known impact, ",
                sum->confirmed_unknown);
    }
    fprintf(
        say->out, "%" PRIu64 " refuted, %" PRIu64 " undecided; %" PRIu64 " execution%s, ",
        sum->refuted, sum->undecided, doc->executions, doc->executions == 1 ? "" : "s");
    if (doc->exhausted) {
        fputs("search complete", say->out);
    } else if (doc->bound) {
        fprintf(say->out, "all of: %s", doc->bound);
    } else {
        fprintf(say->out, "search not complete (ended by: %s)", doc->ended_by);
    }
    fprintf(say->out, "; seed %" PRIu64 "\n", doc->seed);
    if (say->file) fprintf(say->out, "heddle: verdicts in %s\n", say->file);
}

void hd_say_brief(const struct hd_say *say, const struct hd_verdicts *doc) {
    char claim[512], where[256];
    const char *id = NULL;
    if (doc->failure_count) {
        const struct hd_verdict_failure *failure = &doc->failures[0];
        fprintf(say->out, "%s: ", hd_failure_words[failure->kind]);
        put(say, failure->message);
        fputc('\n', say->out);
        id = failure->id;
    }
    for (size_t i = 0; !id && i < doc->warning_count; i++) {
        const struct hd_verdict_warning *warning = &doc->warnings[i];
        if (warning->verdict != HD_CONFIRMED || warning->impact != HD_HARMFUL) continue;
        hd_say_claim(warning, claim, sizeof claim);
        fprintf(say->out, "confirmed harmful: %s", claim);
        if (warning->access_count) {
            place(&warning->accesses[0].place, where, sizeof where);
            fprintf(say->out, " (%s)", where);
        }
        fprintf(say->out, "%s%s\n", warning->evidence.reason[0] ? ": " : "",
                warning->evidence.reason);
        id = warning->id;
    }
    if (id && say->file) fprintf(say->out, "heddle replay %s#%s\n", say->file, id);
}

void hd_say_verdicts(const struct hd_say *say, const struct hd_verdicts *doc) {
    for (size_t i = 0; i < doc->failure_count; i++) {
        hd_say_failure(say, doc, &doc->failures[i]);
        fputc('\n', say->out);
    }
    for (int now = 0; now <= 4; now++) {
        for (size_t i = 0; i < doc->warning_count; i++) {
            if (rank(&doc->warnings[i]) != now) continue;
            hd_say_warning(say, doc, &doc->warnings[i]);
            fputc('\n', say->out);
        }
    }
    for (size_t i = 0; i < doc->note_count; i++) {
        headline(say, FAINT, "note");
        put(say, doc->notes[i]);
        fputc('\n', say->out);
    }
    closing(say, doc);
}
