/* local_variable_tm.c - local_variable.c with memory transactions (Lourenço et al.).
 *
 * The same defect as with the lock.
 *
 * anomalies: 1
 * anomaly: RwW get_value set_value in add_one
 * label: harmful
 * expect: atomicity add_one confirmed harmful
 * expect: high-level-race get_value set_value confirmed harmful
 * expect: failure exit
 * native: may fail
 * tsan: clean
 * twin: local_variable.c */
#define TRANSACTIONS
#include "local_variable.c"
