/* allocate_vector_tm.c - allocate_vector.c with memory transactions (Lourenço et al.).
 *
 * The same defect as with the lock.
 *
 * anomalies: 1
 * anomaly: RwW find_free mark_allocated in allocate
 * label: harmful
 * expect: atomicity allocate confirmed harmful
 * expect: high-level-race find_free mark_allocated confirmed harmful
 * expect: failure exit
 * native: may fail
 * tsan: clean
 * twin: allocate_vector.c */
#define TRANSACTIONS
#include "allocate_vector.c"
