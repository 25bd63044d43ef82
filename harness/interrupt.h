/* interrupt.h - the user, or the system, wants heddle to end: SIGINT, SIGTERM, SIGHUP.
 *
 * Work that takes long looks in between and ends with what it has; the second
 * signal ends heddle at once. */
#ifndef HD_INTERRUPT_H
#define HD_INTERRUPT_H

#include <stdbool.h>

void hd_interrupt_watch(void);
bool hd_interrupted(void);

#endif
