/* unsupported.c - calls that heddle does not control, each by its rule.
 *
 * Refused (the run ends and names the call): what makes threads inside of libc,
 * out of reach. Let through with a note: what may block in the kernel; all
 * threads are one to the kernel, so all of them stand still meanwhile, and if
 * only another thread of the program could end the wait, it never ends. Those that
 * are cancellation points are so here, too. */
#include "block.h"

#include <aio.h>
#include <mqueue.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

/* ---- refused ---------------------------------------------------------------- */

#define REFUSED(type, name, parameters)                                                  \
    HD_TAKEN type name parameters {                                                      \
        hd_give_up("the program calls " #name ", which makes threads inside of libc that " \
                   "heddle cannot control");                                             \
    }

REFUSED(int, aio_read, (struct aiocb * block))
REFUSED(int, aio_write, (struct aiocb * block))
REFUSED(int, aio_fsync, (int operation, struct aiocb *block))
REFUSED(int, lio_listio, (int mode, struct aiocb *const *list, int count, struct sigevent *event))
REFUSED(int, mq_notify, (mqd_t queue, const struct sigevent *event))

/* ---- let through ------------------------------------------------------------ */

#define NOTE(name)                                                                       \
    if (hd_inside()) {                                                                   \
        hd_note(#name " goes to the kernel; while it blocks, all threads stand still");  \
    }
#define CANCELABLE hd_cancel_point(HD_PC());

/* The lookup is not cached: next to a system call that blocks it costs little. */
#define LET_THROUGH(type, name, parameters, arguments, before)                           \
    HD_TAKEN type name parameters {                                                      \
        type(*real) parameters = (type(*) parameters)(uintptr_t)hd_real_named(#name);    \
        before return real arguments;                                                    \
    }

LET_THROUGH(pid_t, wait, (int *status), (status), CANCELABLE NOTE(wait))
LET_THROUGH(pid_t, waitpid, (pid_t process, int *status, int options), (process, status, options),
            CANCELABLE NOTE(waitpid))
LET_THROUGH(int, waitid, (idtype_t type, id_t id, siginfo_t *info, int options),
            (type, id, info, options), CANCELABLE NOTE(waitid))
LET_THROUGH(int, flock, (int file, int operation), (file, operation), NOTE(flock))
LET_THROUGH(int, lockf, (int file, int command, off_t size), (file, command, size),
            if (command == F_LOCK) CANCELABLE NOTE(lockf))
LET_THROUGH(ssize_t, msgrcv, (int queue, void *message, size_t size, long type, int flags),
            (queue, message, size, type, flags), CANCELABLE NOTE(msgrcv))
LET_THROUGH(int, msgsnd, (int queue, const void *message, size_t size, int flags),
            (queue, message, size, flags), CANCELABLE NOTE(msgsnd))
LET_THROUGH(int, semop, (int set, struct sembuf *operations, size_t count),
            (set, operations, count), NOTE(semop))
LET_THROUGH(ssize_t, mq_receive, (mqd_t queue, char *message, size_t size, unsigned *priority),
            (queue, message, size, priority), CANCELABLE NOTE(mq_receive))
LET_THROUGH(ssize_t, mq_timedreceive,
            (mqd_t queue, char *restrict message, size_t size, unsigned *restrict priority,
             const struct timespec *restrict until),
            (queue, message, size, priority, until), CANCELABLE NOTE(mq_timedreceive))
LET_THROUGH(int, mq_send, (mqd_t queue, const char *message, size_t size, unsigned priority),
            (queue, message, size, priority), CANCELABLE NOTE(mq_send))
LET_THROUGH(int, mq_timedsend,
            (mqd_t queue, const char *message, size_t size, unsigned priority,
             const struct timespec *until),
            (queue, message, size, priority, until), CANCELABLE NOTE(mq_timedsend))
LET_THROUGH(int, system, (const char *command), (command), CANCELABLE NOTE(system))

/* These end by themselves. */
LET_THROUGH(int, fsync, (int file), (file), CANCELABLE)
LET_THROUGH(int, fdatasync, (int file), (file), CANCELABLE)
LET_THROUGH(int, msync, (void *start, size_t size, int flags), (start, size, flags), CANCELABLE)
LET_THROUGH(int, tcdrain, (int file), (file), CANCELABLE)
