/* knight_moves_tm.c - knight_moves.c with memory transactions (Lourenço et al.).
 *
 * The same defect as with the lock.
 *
 * anomalies: 1
 * anomaly: RwW get_solution set_solution in arrive
 * budget: 2000
 * label: harmful
 * expect: atomicity arrive confirmed harmful
 * expect: high-level-race get_solution set_solution confirmed harmful
 * expect: failure exit
 * native: may fail
 * tsan: clean
 * twin: knight_moves.c */
#define TRANSACTIONS
#include "knight_moves.c"
