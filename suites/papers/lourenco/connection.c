/* connection.c - a chat client that asks and then sends (Lourenço et al.: Connection).
 *
 * The user's thread sends if there is a connection, in two transactions: closed in
 * between, the message goes nowhere. Another thread disconnects in two: the socket
 * is closed, then the counter of messages is set back; a status line shown in
 * between tells of messages without a connection. Published: 2 anomalies, 3
 * warnings, 1 of them false.
 *
 * anomalies: 2
 * anomaly: RwW is_connected send_message in chat
 * anomaly: WrW close_socket reset_counter in disconnect
 * label: harmful
 * expect: atomicity chat confirmed harmful
 * expect: atomicity disconnect confirmed harmful
 * expect: high-level-race socket counter confirmed harmful
 * expect: failure exit
 * native: may fail
 * tsan: clean
 * twin: connection_tm.c */
#include "atomic.h"

#include <stdbool.h>

LOCK(guard);
static int socket; /* 0: closed; otherwise the number of the next message */
static int counter;
static bool lost, strange;

bool is_connected(void) {
    ATOMIC(guard) { return socket != 0; }
    return false;
}

bool send_message(void) {
    bool open = false;
    ATOMIC(guard) {
        open = socket != 0;
        socket = open ? socket + 1 : 0;
        counter += open;
    }
    return open;
}

void close_socket(void) {
    ATOMIC(guard) { socket = 0; }
}

void reset_counter(void) {
    ATOMIC(guard) { counter = 0; }
}

bool status_makes_sense(void) {
    ATOMIC(guard) { return socket != 0 || counter == 0; }
    return false;
}

void chat(void) {
    if (is_connected() && !send_message()) {
        lost = true;
    }
}

void disconnect(void) {
    close_socket();
    reset_counter();
}

static void *thread(void *number) {
    switch (*(int *)number) {
    case 0:
        chat();
        break;
    case 1:
        disconnect();
        break;
    default:
        strange = !status_makes_sense();
    }
    return NULL;
}

enum { THREADS = 3 };

static void prepare(void) {
    socket = 2;
    counter = 1;
    lost = strange = false;
}

static const char *wrong(void) {
    return lost && strange ? "message lost, strange status"
           : lost          ? "message lost"
           : strange       ? "strange status"
                           : NULL;
}

#include "rounds.h"
