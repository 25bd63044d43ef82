/* suggest.h - what was probably meant.
 *
 * Offer every word that would have been right; `best` is the nearest of them,
 * or NULL when none is near enough to be worth a mention. */
#ifndef HD_SUGGEST_H
#define HD_SUGGEST_H

struct hd_suggestion {
    const char *wanted;
    const char *best; /* borrowed from the offer */
    unsigned distance;
};

struct hd_suggestion hd_suggestion_for(const char *wanted);
void hd_suggestion_offer(struct hd_suggestion *self, const char *word);

/* Insertions, deletions, replacements and swaps of neighbours from a to b. */
unsigned hd_edit_distance(const char *a, const char *b);

#endif
