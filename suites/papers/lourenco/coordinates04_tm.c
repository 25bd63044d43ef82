/* coordinates04_tm.c - coordinates04.c with memory transactions (Lourenço et al.).
 *
 * The same defect as with the lock.
 *
 * anomalies: 1
 * anomaly: WrW reset_x reset_y in reset
 * label: harmful
 * expect: atomicity reset confirmed harmful
 * expect: high-level-race coord reset_x reset_y confirmed harmful
 * expect: high-level-race reset_x reset_y confirmed harmful
 * expect: failure exit
 * native: may fail
 * tsan: clean
 * twin: coordinates04.c */
#define TRANSACTIONS
#include "coordinates04.c"
