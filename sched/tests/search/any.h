/* any.h - what the files of any.c share. */
#ifndef ANY_H
#define ANY_H

#include "case.h"

#include <stdatomic.h>

enum { THREADS = 3, OPS = 4, ANY_MORE = 26, ANY_PIECES = 16 /* operations */ };

extern atomic_int any_x[2];

void any_more_begin(void);
int any_more(int self, int i, unsigned op);
void any_more_end(void);

int any_piece(int self, int i, unsigned op);

#endif
