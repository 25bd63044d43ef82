/* limits.h - what the kernel grants the process, and back to what it was. */
#ifndef HD_LIMITS_H
#define HD_LIMITS_H

void hd_limits_keep(void);    /* now is before main */
void hd_limits_restore(void); /* nothing to do unless the program has changed some */

#endif
