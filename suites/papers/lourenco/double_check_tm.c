/* double_check_tm.c - double_check.c with memory transactions (Lourenço et al.).
 *
 * As harmless as with the lock.
 *
 * anomalies: 0
 * label: benign
 * expect: atomicity update confirmed benign
 * native: deterministic
 * tsan: clean
 * twin: double_check.c */
#define TRANSACTIONS
#include "double_check.c"
