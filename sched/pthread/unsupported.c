/* unsupported.c - calls that heddle does not control, each by its rule.
 *
 * Refused (the run ends and names the call): what makes threads inside of libc,
 * out of reach. Let through with a note: what may block in the kernel; all
 * threads are one to the kernel, so all of them stand still meanwhile, and if
 * only another thread of the program could end the wait, it never ends. */
#include "block.h"

#include <aio.h>
#include <mqueue.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/wait.h>
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

/* The lookup is not cached: next to a system call that blocks it costs little. */
#define LET_THROUGH(type, name, parameters, arguments)                                   \
    HD_TAKEN type name parameters {                                                      \
        type(*real) parameters = (type(*) parameters)(uintptr_t)hd_real_named(#name);    \
        if (hd_inside()) {                                                               \
            hd_note(#name " goes to the kernel; while it blocks, all threads stand still"); \
        }                                                                                \
        return real arguments;                                                           \
    }

LET_THROUGH(pid_t, wait, (int *status), (status))
LET_THROUGH(pid_t, waitpid, (pid_t process, int *status, int options), (process, status, options))
LET_THROUGH(int, waitid, (idtype_t type, id_t id, siginfo_t *info, int options),
            (type, id, info, options))
LET_THROUGH(int, flock, (int file, int operation), (file, operation))
LET_THROUGH(int, lockf, (int file, int command, off_t size), (file, command, size))
LET_THROUGH(ssize_t, msgrcv, (int queue, void *message, size_t size, long type, int flags),
            (queue, message, size, type, flags))
LET_THROUGH(int, semop, (int set, struct sembuf *operations, size_t count),
            (set, operations, count))
LET_THROUGH(ssize_t, mq_receive, (mqd_t queue, char *message, size_t size, unsigned *priority),
            (queue, message, size, priority))
LET_THROUGH(int, system, (const char *command), (command))
