/* account_tm.c - account.c with memory transactions (Lourenço et al.).
 *
 * The same defect as with the lock.
 *
 * anomalies: 1
 * anomaly: RwW get_balance set_balance in deposit
 * label: harmful
 * expect: atomicity deposit confirmed harmful
 * expect: high-level-race get_balance set_balance confirmed harmful
 * expect: failure exit
 * native: may fail
 * tsan: clean
 * twin: account.c */
#define TRANSACTIONS
#include "account.c"
