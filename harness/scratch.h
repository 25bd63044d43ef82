/* scratch.h - a folder for traces that goes away whatever happens.
 *
 * Traces are large and lie in memory; a heddle that is interrupted or killed must not
 * leave them behind. So another process holds the reading end of a pipe and removes
 * the folder when the writing end is gone. */
#ifndef HD_SCRATCH_H
#define HD_SCRATCH_H

struct hd_scratch {
    char path[64];
    int alive; /* the writing end; -1: there is no folder */
    int cleaner;
};

int hd_scratch_open(struct hd_scratch *self); /* 0 or -1 */
void hd_scratch_close(struct hd_scratch *self); /* when this returns it is gone */

#endif
