/* limits.h - what the kernel grants the process and keeps of it, and back to what it was. */
#ifndef HD_LIMITS_H
#define HD_LIMITS_H

void hd_limits_keep(void);    /* now is before main */
void hd_limits_restore(void); /* nothing to do unless the program has changed some */

void hd_attributes_keep(void);    /* the same */
void hd_attributes_restore(void);
void hd_attributes_change(void);  /* something is about to be changed */
void hd_attributes_files(void);   /* what another process may have done to the standard streams */

#endif
