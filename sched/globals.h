/* globals.h - what an execution left in the program's static data.
 *
 * With the option `globals` it is part of the outcome: every word of the program's
 * writable segment that is not as it was before main, behind the observed values and
 * a byte HD_GLOBALS_MARK, as
 *     [&prog+0x4060]NEW/OLD;      sixteen hexadecimal digits each, first byte first
 *     [&prog+0x4060]=WHERE;       a pointer: where it points, with no address in it
 * The heddle command knows what variables these are. */
#ifndef HD_GLOBALS_H
#define HD_GLOBALS_H

#define HD_GLOBALS_MARK '\x01'

void hd_globals_observe(void); /* at the end of an execution */

#endif
