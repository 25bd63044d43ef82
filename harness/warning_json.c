/* warning_json.c - warnings of the offline checkers as JSON. */
#include "warning_json.h"

#include "part_json.h"
#include "strangers.h"

#include <errno.h>

static int add_witness(json_t *object, const struct hd_warning *w) {
    json_t *witness = json_array();
    int rc = 0;
    for (uint32_t i = 0; i < w->witness_count; i++) {
        rc |= json_array_append_new(witness, json_integer((json_int_t)w->witness[i]));
    }
    rc |= json_object_set_new(object, "witness", witness);
    return rc | json_object_set_new(object, "instances", json_integer((json_int_t)w->instances));
}

int hd_warnings_print_json(const struct hd_verdicts *doc, const struct hd_report *report,
                           const uint32_t *index, FILE *out, struct hd_error *err) {
    json_t *top = json_object(), *warnings = json_array(), *notes = json_array();
    int rc = 0;
    for (size_t i = 0; i < doc->warning_count; i++) {
        json_t *object = hd_verdict_warning_json(&doc->warnings[i]);
        rc |= add_witness(object, hd_report_warning(report, index[i]));
        rc |= json_array_append_new(warnings, object);
    }
    for (uint32_t i = 0; i < hd_report_notes(report); i++) {
        rc |= json_array_append_new(notes, hd_json_text(hd_report_note(report, i)));
    }
    for (uint32_t i = 0; i < hd_report_strangers(report); i++) {
        char text[1200];
        snprintf(text, sizeof text, HD_STRANGER, hd_report_stranger(report, i));
        rc |= json_array_append_new(notes, hd_json_text(text));
    }
    rc |= json_object_set_new(top, "warnings", warnings);
    rc |= json_object_set_new(top, "notes", notes);
    if (rc) {
        hd_fail_system(err, ENOMEM, "the warnings as JSON");
        rc = -1;
    } else if (hd_json_print(top, out) < 0 || fflush(out) != 0) {
        hd_fail_system(err, EIO, "standard output");
        rc = -1;
    }
    json_decref(top);
    return rc;
}
