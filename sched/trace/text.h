/* text.h - the words of the text form that both directions need.
 *
 * text   := [`heddle-trace 1` [`events=N`]] line*
 * line   := event | definition | `#` comment
 * event  := thread word operands... flags... [`@`site]
 * A definition says what an event line cannot:
 *   %thread T [name=N]
 *   %module M [path=P] [build=HEX]
 *   %site S [function=F] [file=F] [line=N] [module=M] [address=N]
 *   %object O [kind=K] [owner=T] [nth=N] [site=S] [size=N] [module=M] [address=N]
 * [name=N] %variable V [object=O] [offset=N] [size=N] [name=N] %sync S [kind=K]
 * [object=O] [offset=N] [initial=N] [name=N] %label L [static] [entry] [site=S] [name=N]
 *   %register R [name=N]
 * The word after the table's is what events call it; it is the name, too, unless
 * `name=` says otherwise (`name=` with nothing: it has none). Ids are given in
 * order of first appearance, in definitions or events.
 *
 * `-` stands for an operand that may be missing and is, where something follows
 * it. `op d =2` is an op whose arguments come later, as `arg` lines. A # starts a
 * comment at the start of a word or before a blank, so a#2 is a name. */
#ifndef HD_TEXT_H
#define HD_TEXT_H

#include "build.h"

struct hd_tokens;

#define HD_TEXT_HEADER "heddle-trace"
#define HD_TEXT_VERSION 1

/* Words of kinds, for `kind=`; ended by NULL. */
extern const char *const hd_object_kind_words[];
extern const char *const hd_sync_kind_words[];
extern const char *const hd_table_words[]; /* by enum hd_table */

/* A line that begins with %. `words` are those of the line. */
int hd_text_define(struct hd_build *build, const struct hd_word *words, size_t count,
                   struct hd_error *err);

/* Such lines for all tables. */
void hd_text_definitions(const struct hd_trace *trace, const struct hd_tokens *tokens,
                         FILE *out);

#endif
