/* over_reporting_tm.c - over_reporting.c with memory transactions (Lourenço et al.).
 *
 * As harmless as with the lock.
 *
 * anomalies: 0
 * label: benign
 * expect: atomicity serve confirmed benign
 * native: deterministic
 * tsan: clean
 * twin: over_reporting.c */
#define TRANSACTIONS
#include "over_reporting.c"
