/* taken.h - names of libc that heddle defines in its place.
 *
 * Weak, so that a program that defines one of them itself keeps its own; in the
 * executable, so that they come before libc's, also for libraries. */
#ifndef HD_TAKEN_H
#define HD_TAKEN_H

#define HD_TAKEN __attribute__((weak, visibility("default")))

#endif
