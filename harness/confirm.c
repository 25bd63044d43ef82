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

int hd_confirm_batch(struct hd_questions *self, uint32_t each, const char *path,
                     struct hd_error *err) {
    int count = 0;
    FILE *out = open_goals(path, err);
    if (!out) return -1;
    size_t *ranked = hd_questions_ranked(self);
    for (size_t i = 0; i < self->count; i++) {
        struct hd_question *question = &self->list[ranked[i]];
        struct hd_plans *plans = question->plans;
        if (!hd_question_open(question)) continue;
        for (uint32_t k = 0; k < each && plans->next < plans->count; k++, count++) {
            fprintf(out, "goal\n%s", plans->list[plans->next++].rules);
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
