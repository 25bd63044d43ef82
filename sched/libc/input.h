/* input.h - reading that may have to wait for somebody.
 *
 * All threads are one to the kernel, so a read that blocks stops them all; if the
 * data is to come from another thread of the program, for ever. So a stream or
 * descriptor that can block is asked first; if it has nothing, the thread waits
 * like for anything else, and others run. */
#ifndef HD_INPUT_H
#define HD_INPUT_H

#include "stream.h"

/* Before a call that reads from the stream, between enter and it: returns when
 * the next byte (or the end) is there. */
void hd_input_wait(struct hd_stream *stream, void *pc);
/* Could this stream have to wait at all? */
bool hd_input_may_wait(struct hd_stream *stream);

#endif
