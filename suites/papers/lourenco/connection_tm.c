/* connection_tm.c - connection.c with memory transactions (Lourenço et al.).
 *
 * The same defect as with the lock.
 *
 * anomalies: 2
 * anomaly: RwW is_connected send_message in chat
 * anomaly: WrW close_socket reset_counter in disconnect
 * label: harmful
 * expect: atomicity chat confirmed harmful
 * expect: atomicity disconnect confirmed harmful
 * expect: high-level-race is_connected send_message confirmed harmful
 * expect: high-level-race close_socket reset_counter confirmed harmful
 * expect: failure exit
 * native: may fail
 * tsan: clean
 * twin: connection.c */
#define TRANSACTIONS
#include "connection.c"
