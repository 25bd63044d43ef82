/* nasa.c - a property of a spacecraft and the daemon that watches it (Lourenço et al.:
 * NASA).
 *
 * After the Remote Agent, whose defect the paper on view consistency tells of: a
 * task locks a property to a value and marks it as achieved, in two transactions.
 * A daemon looks at both in one, and takes a value that nobody has marked for a
 * leftover: it is cleared, and then marked as achieved. Published: 1 anomaly, 1
 * warning.
 *
 * anomalies: 1
 * anomaly: WrW set_value set_achieved in achieve
 * label: harmful
 * expect: atomicity achieve confirmed harmful
 * expect: high-level-race property set_value set_achieved confirmed harmful
 * expect: failure exit
 * native: may fail
 * tsan: clean
 * twin: nasa_tm.c */
#include "atomic.h"

#include <stdbool.h>

LOCK(guard);
static struct {
    int value;
    bool achieved;
} property;
static int state = 7; /* what the sensors say; it does not change here */
static bool alarm_raised;

void set_value(int value) {
    ATOMIC(guard) { property.value = value; }
}

void set_achieved(void) {
    ATOMIC(guard) { property.achieved = true; }
}

void achieve(int value) {
    set_value(value);
    set_achieved();
}

void watch(void) {
    ATOMIC(guard) {
        if (!property.achieved && property.value != 0) {
            property.value = 0;
        } else if (property.achieved && property.value != state) {
            alarm_raised = true;
        }
    }
}

static void *thread(void *number) {
    if (*(int *)number == 0) {
        achieve(7);
    } else {
        watch();
    }
    return NULL;
}

enum { THREADS = 2 };

static void prepare(void) {
    property.value = 0;
    property.achieved = alarm_raised = false;
}

static const char *wrong(void) {
    return alarm_raised || property.value != state ? "the property is lost" : NULL;
}

#include "rounds.h"
