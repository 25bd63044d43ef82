/* suggest.c - edit distance between what was typed and what there is. */
#include "suggest.h"

#include <string.h>

/* Longer words are cut: nobody mistypes one word for another of this length. */
enum { LONGEST = 48 };

static unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

unsigned hd_edit_distance(const char *a, const char *b) {
    size_t m = strnlen(a, LONGEST), n = strnlen(b, LONGEST);
    unsigned row[3][LONGEST + 1]; /* this row of the table and the two before it */
    for (size_t j = 0; j <= n; j++)
        row[0][j] = (unsigned)j;
    for (size_t i = 1; i <= m; i++) {
        unsigned *now = row[i % 3], *last = row[(i + 2) % 3], *before = row[(i + 1) % 3];
        now[0] = (unsigned)i;
        for (size_t j = 1; j <= n; j++) {
            unsigned change = last[j - 1] + (a[i - 1] != b[j - 1]);
            now[j] = least(change, least(last[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                now[j] = least(now[j], before[j - 2] + 1);
            }
        }
    }
    return row[m % 3][n];
}

/* Up to a third of the letters may be wrong, and at least one. */
struct hd_suggestion hd_suggestion_for(const char *wanted) {
    unsigned length = (unsigned)strnlen(wanted, LONGEST);
    return (struct hd_suggestion){wanted, NULL, (length < 6 ? 1 : length / 3) + 1};
}

void hd_suggestion_offer(struct hd_suggestion *self, const char *word) {
    unsigned distance = hd_edit_distance(self->wanted, word);
    /* A word that shares no letter's place with it was not meant. */
    if (distance >= self->distance || distance >= strnlen(word, LONGEST)) return;
    self->best = word;
    self->distance = distance;
}
