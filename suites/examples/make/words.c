/* words.c - count the words of a few lines with two threads. */
#include "count.h"

#include <stdio.h>

int main(void) {
    static const char *const lines[] = {"over and under", "under and over"};
    long words = count_words(lines, sizeof lines / sizeof *lines, 2);
    printf("%ld words\n", words);
    return words != 6;
}
