/* files.h - descriptors: which can block, and how threads wait for them.
 *
 * Numbers of descriptors and what is in files are hidden state that threads share
 * (HD_KEY_FILES). A descriptor that never blocks is like a stream: a step on it is
 * a point once two threads have used it unordered. Pipes, sockets and terminals
 * are how threads talk: every step on one is a point, and whoever would block
 * stands before it until it can go on. */
#ifndef HD_FILES_H
#define HD_FILES_H

#include "libc.h"

/* Before a descriptor is made. */
void hd_files_open(void *pc);
/* It was made for writing: a file may change for good. */
void hd_files_written(int fd);
/* This number means something else from now on. `of` >= 0: the same as that one. */
void hd_files_new(int fd, int of);
/* These two are the ends of a pipe, or a pair of sockets, inside this process. */
void hd_files_pair(const int pair[2]);
/* Before one is closed. */
long hd_files_close_range(unsigned first, unsigned last, int flags, void *pc); /* or -errno */
void hd_files_close(int fd, void *pc);

/* This descriptor gives chance: its bytes follow from the seed. */
bool hd_files_is_random(int fd);
/* Before an operation that does not wait. `change`: it changes what others see. No
 * cancellation point; hd_files_wait is one (pthread/block.h). */
void hd_files_step(int fd, bool change, void *pc);
/* Can an operation on it block? */
bool hd_files_may_wait(int fd);
bool hd_files_is_socket(int fd);
/* Before one that may wait, for POLLIN or POLLOUT: 0, or -1 with errno (EINTR). */
int hd_files_wait(int fd, short events, void *pc);
/* Others may be able to go on: something was written, read or closed. */
void hd_files_changed(void);

/* The current thread is about to wait for one of these, and does no more. Those
 * with both ends in this process do not count. NULL if none is left. */
struct hd_outside;
struct pollfd;
struct hd_outside *hd_files_await(const struct pollfd *set, size_t count);
void hd_files_awaited(struct hd_outside *outside);
/* Nobody can run: wait outside of the program, if somebody waits for what comes
 * from there. True if it came. */
bool hd_files_outside(void);

#endif
