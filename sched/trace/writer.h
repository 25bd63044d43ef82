/* writer.h - writing to a file that has no name: the spool of a text trace. */
#ifndef HD_WRITER_H
#define HD_WRITER_H

#include "trace.h"

/* Takes over `fd`. `name` is for messages. */
struct hd_trace_writer *hd_writer_open_fd(int fd, const char *name, struct hd_error *err);

#endif
