/* confirm.c - see confirm.h. */
#include "confirm.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static FILE *open_goals(const char *path, struct hd_error *err) {
    FILE *out = fopen(path, "we");
    if (!out) hd_fail(err, 0, "cannot write %s: %s", path, strerror(errno));
    return out;
}

static int close_goals(FILE *out, const char *path, struct hd_error *err) {
    bool bad = ferror(out);
    if (fclose(out) == 0 && !bad) return 0;
    hd_fail(err, 0, "cannot write %s: %s", path, strerror(errno));
    return -1;
}

/* Does it have a plan that is the `turn`th in this batch, counted from how many it had
 * tried before? */
static bool has_turn(const struct hd_question *question, uint32_t turn) {
    const struct hd_plans *plans = question->plans;
    return hd_question_open(question) && plans->next == turn && turn < plans->count;
}

int hd_confirm_batch(struct hd_questions *self, uint32_t each, uint64_t most, const char *path,
                     struct hd_error *err) {
    int count = 0;
    uint32_t first = HD_PLANS;
    FILE *out = open_goals(path, err);
    if (!out) return -1;
    size_t *ranked = hd_questions_ranked(self);
    for (size_t i = 0; i < self->count; i++) {
        const struct hd_plans *plans = self->list[i].plans;
        if (plans->next < first && has_turn(&self->list[i], plans->next)) first = plans->next;
    }
    for (uint32_t turn = first; turn < HD_PLANS && turn < first + each; turn++) {
        for (size_t i = 0; i < self->count && (uint64_t)count < most; i++) {
            struct hd_question *question = &self->list[ranked[i]];
            if (!has_turn(question, turn)) continue;
            fprintf(out, "goal\n%s", question->plans->list[question->plans->next++].rules);
            count++;
        }
    }
    free(ranked);
    return close_goals(out, path, err) < 0 ? -1 : count;
}

int hd_confirm_around(const struct hd_question *question, const char *path,
                      struct hd_error *err) {
    if (question->plans->count == 0) return 0;
    FILE *out = open_goals(path, err);
    if (!out) return -1;
    fputs(question->plans->list[0].rules, out);
    return close_goals(out, path, err) < 0 ? -1 : 1;
}
