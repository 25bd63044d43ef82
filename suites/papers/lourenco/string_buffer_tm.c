/* string_buffer_tm.c - string_buffer.c with memory transactions (Lourenço et al.).
 *
 * The same defect as with the lock.
 *
 * anomalies: 1
 * anomaly: RwR length get_chars in append
 * label: harmful
 * expect: atomicity append confirmed harmful
 * expect: high-level-race length get_chars confirmed harmful
 * expect: failure exit
 * native: may fail
 * tsan: clean
 * twin: string_buffer.c */
#define TRANSACTIONS
#include "string_buffer.c"
