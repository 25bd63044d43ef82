/* under_reporting_tm.c - under_reporting.c with memory transactions (Lourenço et al.).
 *
 * The same defect as with the lock.
 *
 * anomalies: 1
 * anomaly: RwW inc inc in double_it
 * label: harmful
 * expect: atomicity double_it confirmed harmful
 * expect: high-level-race inc confirmed harmful
 * expect: failure exit
 * native: may fail
 * tsan: clean
 * twin: under_reporting.c */
#define TRANSACTIONS
#include "under_reporting.c"
