/* buffer_tm.c - buffer.c with memory transactions (Lourenço et al.).
 *
 * As harmless as with the lock.
 *
 * anomalies: 0
 * label: benign
 * expect: atomicity work confirmed benign
 * native: deterministic
 * tsan: clean
 * twin: buffer.c */
#define TRANSACTIONS
#include "buffer.c"
