/* coordinates03_tm.c - coordinates03.c with memory transactions (Lourenço et al.).
 *
 * The same defect as with the lock.
 *
 * anomalies: 2
 * anomaly: RwR get_x get_y in read_apart
 * anomaly: RwR get_x get_point in read_twice
 * budget: 2000
 * label: harmful
 * expect: atomicity read_apart confirmed harmful
 * expect: atomicity read_twice confirmed harmful
 * expect: high-level-race coord get_x get_y confirmed harmful
 * expect: high-level-race get_x get_y confirmed harmful
 * expect: high-level-race get_x get_point confirmed harmful
 * expect: failure exit
 * native: may fail
 * tsan: clean
 * twin: coordinates03.c */
#define TRANSACTIONS
#include "coordinates03.c"
