/* options.h - HEDDLE_OPTIONS, in the manner of TSAN_OPTIONS. */
#ifndef HD_OPTIONS_H
#define HD_OPTIONS_H

struct hd_config;

/* Words separated by blanks, each NAME or NAME=VALUE; %XX in a value is a byte.
 * A word that is not known ends the program with a message and status 2. */
void hd_options_read(struct hd_config *config, const char *text);
/* The same on top of what is there; `source` is where a message says they stand. */
void hd_options_add(struct hd_config *config, const char *source, const char *text);

#endif
