/* descriptors.h - what is open when the snapshot is taken stays open; what an
 * execution opened is closed; what it closed or replaced is put back, and so is the
 * position in a file. */
#ifndef HD_DESCRIPTORS_H
#define HD_DESCRIPTORS_H

#include <stdbool.h>

#define HD_OWN_DESCRIPTORS 900 /* from here on they are heddle's ... */
#define HD_OWN_DESCRIPTORS_END 1024 /* ... up to here: the program cannot close them */

void hd_descriptors_keep(void);
/* `known`: the program makes no calls but such as heddle knows. */
void hd_descriptors_restore(bool known);
/* Only the positions, which processes share. */
void hd_descriptors_rewind(void);
/* This process shares them no longer. */
void hd_descriptors_apart(void);

#endif
