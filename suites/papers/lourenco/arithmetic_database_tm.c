/* arithmetic_database_tm.c - arithmetic_database.c with memory transactions (Lourenço et al.).
 *
 * The same defect as with the lock.
 *
 * anomalies: 1
 * anomaly: RwW get_key_by_result|get_max_key get_max_key|insert_result in insert
 * label: harmful
 * expect: atomicity insert confirmed harmful
 * expect: high-level-race get_max_key insert_result confirmed harmful
 * expect: failure exit
 * native: may fail
 * tsan: clean
 * twin: arithmetic_database.c */
#define TRANSACTIONS
#include "arithmetic_database.c"
