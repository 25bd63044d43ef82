/* sem_named.c - named semaphores, within the process.
 *
 * A name is a semaphore of this execution: it does not exist before somebody
 * creates it and is gone afterwards. Other processes do not see it. Opening,
 * closing and unlinking depend on each other (HD_KEY_FILES): who creates and
 * who only opens is decided by their order. */
#include "sem.h"
#include "state.h"


#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>

enum { NAME_MAX_LENGTH = 251 };

struct hd_named_sem {
    char name[NAME_MAX_LENGTH + 1];
    sem_t *sem;
    uint32_t opens;
    bool unlinked;
    struct hd_named_sem *next;
};

static struct hd_named_sem **names(void) { return &hd_pthread_state()->named; }

/* The name without its slash, or NULL: not one that POSIX allows. */
static const char *checked(const char *name, int *error) {
    while (*name == '/') name++;
    size_t length = 0;
    *error = EINVAL;
    for (; name[length]; length++) {
        if (name[length] == '/') return NULL;
        if (length == NAME_MAX_LENGTH) {
            *error = ENAMETOOLONG;
            return NULL;
        }
    }
    return length > 0 ? name : NULL;
}

static struct hd_named_sem *lookup(const char *name) {
    for (struct hd_named_sem *at = *names(); at; at = at->next) {
        size_t i = 0;
        while (name[i] && name[i] == at->name[i]) i++;
        if (!at->unlinked && name[i] == at->name[i]) return at;
    }
    return NULL;
}

static struct hd_named_sem *create(const char *name, unsigned value) {
    struct hd_named_sem *made = hd_passing(sizeof *made);
    for (size_t i = 0; name[i]; i++) made->name[i] = name[i];
    /* The program sees this address: it comes from the calling thread's heap,
     * as its own allocations do, so that it does not depend on the schedule. */
    made->sem = malloc(sizeof *made->sem);
    if (!made->sem) return NULL;
    hd_sem_make(made->sem, value);
    made->next = *names();
    *names() = made;
    return made;
}

static void *fail(int error) {
    errno = error;
    return SEM_FAILED;
}

HD_TAKEN sem_t *sem_open(const char *name, int flags, ...) {
    if (!hd_booted) return fail(ENOSYS);
    unsigned value = 0;
    if (flags & O_CREAT) {
        va_list args;
        va_start(args, flags);
        (void)va_arg(args, mode_t);
        value = va_arg(args, unsigned);
        va_end(args);
    }
    int error;
    name = checked(name, &error);
    if (!name) return fail(error);
    if (value > SEM_VALUE_MAX) return fail(EINVAL);
    hd_note("named semaphores: only those of this process are seen");
    hd_step(HD_NONE, hd_pseudo(HD_KEY_FILES), HD_MODE_WRITE, HD_PC());
    struct hd_named_sem *found = lookup(name);
    if (!found && !(flags & O_CREAT)) return fail(ENOENT);
    if (found && (flags & O_CREAT) && (flags & O_EXCL)) return fail(EEXIST);
    if (!found) found = create(name, value);
    if (!found) return fail(ENOMEM);
    found->opens++;
    return found->sem;
}

HD_TAKEN int sem_close(sem_t *sem) {
    if (!hd_booted) return 0;
    hd_step(HD_NONE, hd_pseudo(HD_KEY_FILES), HD_MODE_WRITE, HD_PC());
    for (struct hd_named_sem *at = *names(); at; at = at->next) {
        if (at->sem == sem && at->opens > 0) {
            at->opens--;
            return 0;
        }
    }
    errno = EINVAL;
    return -1;
}

HD_TAKEN int sem_unlink(const char *name) {
    if (!hd_booted) return 0;
    int error;
    name = checked(name, &error);
    if (name) hd_step(HD_NONE, hd_pseudo(HD_KEY_FILES), HD_MODE_WRITE, HD_PC());
    struct hd_named_sem *found = name ? lookup(name) : NULL;
    if (!found) {
        errno = name || error == EINVAL ? ENOENT : error;
        return -1;
    }
    found->unlinked = true;
    return 0;
}
