/* settings.h - a list of checkers with their switches, read from words.
 *
 * "blocks:theorem=5,reduction:options=escape" - checkers are separated by commas,
 * a checker's switches follow it, each after a colon or a comma. The same
 * checker may stand there twice with different switches. */
#ifndef HD_SETTINGS_H
#define HD_SETTINGS_H

#include "checkers/checker.h"

#define HD_CHECKERS_MOST 64 /* in one list */
#define HD_SWITCHES_MOST 16 /* of one checker */

struct hd_settings {
    const struct hd_checker_ops *ops;
    char values[HD_SWITCHES_MOST][32]; /* empty: the default */
};

/* Fills `out` (of HD_CHECKERS_MOST). The number read, or -1 with err. NULL: all. */
int hd_settings_parse(const char *list, struct hd_settings *out, struct hd_error *err);

#endif
