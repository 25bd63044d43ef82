/* known.h - does a program call anything that may open a descriptor or map memory
 * without heddle being told?
 *
 * Most of libc does not, and what does is mostly taken over. A program that asks for
 * nothing else need not be searched for leftovers after each execution. The list says
 * which names are harmless; one that is missing costs time and nothing else. */
#ifndef HD_LIBC_KNOWN_H
#define HD_LIBC_KNOWN_H

/* Sets hd_rt->foreign. */
void hd_known_find(void);

#endif
