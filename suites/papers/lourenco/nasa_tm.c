/* nasa_tm.c - nasa.c with memory transactions (Lourenço et al.).
 *
 * The same defect as with the lock.
 *
 * anomalies: 1
 * anomaly: WrW set_value set_achieved in achieve
 * label: harmful
 * expect: atomicity achieve confirmed harmful
 * expect: high-level-race property set_value set_achieved confirmed harmful
 * expect: high-level-race set_value set_achieved confirmed harmful
 * expect: failure exit
 * native: may fail
 * tsan: clean
 * twin: nasa.c */
#define TRANSACTIONS
#include "nasa.c"
