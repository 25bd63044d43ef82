/* jigsaw_tm.c - jigsaw.c with memory transactions (Lourenço et al.).
 *
 * The same defect as with the lock.
 *
 * anomalies: 1
 * anomaly: RwR check_closed lookup_entry in load
 * label: harmful
 * expect: atomicity load confirmed harmful
 * expect: high-level-race store check_closed lookup_entry confirmed harmful
 * expect: high-level-race check_closed lookup_entry confirmed harmful
 * expect: failure exit
 * native: may fail
 * tsan: clean
 * twin: jigsaw.c */
#define TRANSACTIONS
#include "jigsaw.c"
