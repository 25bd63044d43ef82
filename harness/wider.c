/* wider.c - see wider.h. */
#include "wider.h"

#include "identity.h"

#include <stdio.h>

enum hd_yields hd_wider(const struct hd_report *report, const struct hd_question *question,
                        const char *transactions, char *text, size_t room) {
    const struct hd_trace *trace = hd_report_trace(report);
    const struct hd_front *front = hd_report_front(report);
    if (question->kind != HD_ATOMICITY) return HD_YIELDS_NOT;
    for (uint32_t i = 0; i < hd_trace_labels(trace); i++) {
        enum hd_yields yields = hd_front_yields(front, i);
        struct hd_region region = {i, HD_NO_ID, HD_NO_ID, HD_REGION_FUNCTION};
        if (yields == HD_YIELDS_NOT ||
            hd_identity_atomicity(trace, &region) != question->identity) {
            continue;
        }
        int used = snprintf(text, room, "%s\n%u", transactions ? transactions : "default", i);
        return used > 0 && (size_t)used < room ? yields : HD_YIELDS_NOT;
    }
    return HD_YIELDS_NOT;
}

bool hd_wider_happens(struct hd_trace *trace, const struct hd_question *question,
                      const char *policy, struct hd_error *err) {
    struct hd_report *report = NULL;
    struct hd_check_options how = {HD_JUDGE_CYCLES, policy, 0};
    bool happens = false;
    hd_trace_rewind(trace);
    if (hd_check(trace, &how, &report, err) < 0) return false;
    for (uint32_t i = 0; i < hd_report_count(report) && !happens; i++) {
        const struct hd_warning *warning = hd_report_warning(report, i);
        happens = warning->kind == HD_ATOMICITY &&
                  hd_identity_warning(hd_report_front(report), trace, warning) == question->identity;
    }
    hd_report_free(report);
    return happens;
}
