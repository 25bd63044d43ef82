/* tokens.h - one word for every entry of every table, for the readable forms.
 *
 * Names need not be there, nor differ: a table may hold ten nodes called
 * `node`, or none with a name. A token is the name where that is enough and the
 * name with ~ID behind it where it is not, so that it leads back to one entry.
 * It is encoded for the form it is written in (%20 for a blank). */
#ifndef HD_TOKENS_H
#define HD_TOKENS_H

#include "format.h"
#include "names.h"
#include "trace.h"

enum hd_token_style { HD_TOKEN_TEXT, HD_TOKEN_STD };

struct hd_tokens {
    struct hd_strings strings;
    struct hd_names names[HD_TABLE_COUNT]; /* by id: the token before encoding */
    const char **word[HD_TABLE_COUNT];     /* by id: encoded */
};

int hd_tokens_make(struct hd_tokens *tokens, const struct hd_trace *trace,
                   enum hd_token_style style, struct hd_error *err);
void hd_tokens_free(struct hd_tokens *tokens);

/* Writes any string as part of a word of the text form. */
void hd_text_encode(FILE *out, const char *text);

/* How a reader takes the token of a place apart: the length of the file's name
 * and the line, 0 if it has none. */
size_t hd_site_split(const char *token, size_t length, uint32_t *line);

#endif
