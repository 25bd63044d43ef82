/* confined.h - executions that leave the libraries and the kernel alone.
 *
 * Most of what a restore compares is data of libc, and most programs under test call
 * nothing that would write to it: locks and threads are heddle's. Who knows that an
 * execution did not has to look neither there nor for output. It did not if
 *
 *   (1) the program asks libc for no function but those of a short list, which write
 *       to nothing but what they are given and the thread block (names that heddle
 *       itself defines are not libc's);
 *   (2) it has no system calls in its own code;
 *   (3) all of it was compiled by heddle-cc, and none of its accesses was to data of
 *       libc (stdout, environ), at any time: the shadow of memory would know;
 *   (4) the runtime itself did not call libc or the kernel on its behalf:
 *       hd_rt->entered is set wherever it does (HD_REAL, HD_ENTER, hd_kernel).
 *
 * (1) and (2) are found out once, (3) and (4) are asked after each execution. Where
 * one of them cannot be told, everything is compared. With the option "verify"
 * everything is compared anyway, and a difference where there should be none ends
 * the run. */
#ifndef HD_CONFINED_H
#define HD_CONFINED_H

#include <stdbool.h>
#include <stdint.h>

struct hd_module_map;

/* Whether this program can be, from what it consists of. */
void hd_confined_find(void);

/* A name of libc's: is it one of that list? */
bool hd_confined_harmless(const char *name);

/* Is its data left alone by such executions? */
bool hd_confined_library(const struct hd_module_map *map);

/* Was the execution that ran last, so far? */
bool hd_confined_now(void);

/* If it was: no function that ran has a frame of more than HD_SMALL_FRAME bytes. */
bool hd_confined_flat(void);

/* It is over; and was that one, of this generation? False if it is not known. */
void hd_confined_over(bool confined);
bool hd_confined_was(uint32_t generation);

#endif
