/* count.h - words in a text, counted by several threads. */
#ifndef COUNT_H
#define COUNT_H

#include <stddef.h>

/* A stretch of text is taken by one thread; their counts are added under a lock. */
long count_words(const char *const *texts, size_t number, unsigned threads);

#endif
