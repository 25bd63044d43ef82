/* strangers.c - see strangers.h. */
#include "strangers.h"

#include <stdlib.h>
#include <string.h>

static void begin(struct hd_strangers *self, const struct hd_report *report) {
    uint32_t count = hd_report_strangers(report);
    self->begun = true;
    self->names = calloc((size_t)count + 1, sizeof *self->names);
    for (uint32_t i = 0; self->names && i < count; i++) {
        self->names[self->count] = strdup(hd_report_stranger(report, i));
        self->count += self->names[self->count] != NULL;
    }
}

static bool is_strange(const struct hd_report *report, const char *name) {
    for (uint32_t i = 0; i < hd_report_strangers(report); i++) {
        if (strcmp(hd_report_stranger(report, i), name) == 0) return true;
    }
    return false;
}

void hd_strangers_meet(struct hd_strangers *self, const struct hd_report *report) {
    if (!self->begun) begin(self, report);
    size_t kept = 0;
    for (size_t i = 0; i < self->count; i++) {
        if (is_strange(report, self->names[i])) self->names[kept++] = self->names[i];
        else free(self->names[i]);
    }
    self->count = kept;
}

void hd_strangers_note(const struct hd_strangers *self, struct hd_verdicts *doc) {
    for (size_t i = 0; i < self->count; i++) hd_verdicts_note(doc, HD_STRANGER, self->names[i]);
}

void hd_strangers_free(struct hd_strangers *self) {
    for (size_t i = 0; i < self->count; i++) free(self->names[i]);
    free(self->names);
}
