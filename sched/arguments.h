/* arguments.h - the words that the program was started with.
 *
 * The kernel packs the strings of argv and the environment tightly, so where
 * each begins inside its word of memory depends on the length of all the others:
 * the path of the program, and heddle's own options among them. A program that
 * looks at its arguments would then pass more or fewer events, and a schedule
 * recorded with one set of options could not be followed under another. So the
 * strings are moved to a place of their own, each at the start of a word, and
 * HEDDLE_OPTIONS, which is not the program's, is taken out. */
#ifndef HD_ARGUMENTS_H
#define HD_ARGUMENTS_H

#include <stddef.h>

/* Both arrays stay where they are; what they point to moves. Returns the text of
 * HEDDLE_OPTIONS, or NULL. */
const char *hd_arguments_move(char **argv, char **envp);

/* Where the strings are now, for the snapshot. */
char *hd_arguments_extent(size_t *size);

#endif
