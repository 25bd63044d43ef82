/* c11.c - <threads.h>, on what the pthread functions stand on.
 *
 * thrd_t, mtx_t, cnd_t and once_flag of glibc have the size and layout of their
 * pthread counterparts. thrd_current, thrd_equal and tss_get stay glibc's: they are
 * pure data. Keys are in key.c. */
#include "block.h"
#include "state.h"

#include "../libc/hold.h"

#include <errno.h>
#include <threads.h>

_Static_assert(sizeof(mtx_t) == sizeof(pthread_mutex_t), "a mtx_t is a pthread_mutex_t");
_Static_assert(sizeof(cnd_t) == sizeof(pthread_cond_t), "a cnd_t is a pthread_cond_t");

static int answer(int error) {
    switch (error) {
    case 0: return thrd_success;
    case ENOMEM: return thrd_nomem;
    case ETIMEDOUT: return thrd_timedout;
    case EBUSY: return thrd_busy;
    default: return thrd_error;
    }
}

/* ---- threads ---- */

HD_TAKEN int thrd_create(thrd_t *out, thrd_start_t entry, void *argument) {
    return answer(hd_thread_create(out, NULL, NULL, entry, argument, HD_PC()));
}

HD_TAKEN int thrd_join(thrd_t thread, int *result) {
    void *value = NULL;
    int rc = hd_thread_join(thread, &value, HD_NEVER, true, HD_PC());
    int code = (int)(intptr_t)value;
    if (rc == 0 && result) hd_give(result, &code, sizeof code, HD_PC());
    return answer(rc);
}

HD_TAKEN int thrd_detach(thrd_t thread) { return answer(pthread_detach(thread)); }

HD_TAKEN void thrd_exit(int result) { pthread_exit((void *)(intptr_t)result); }

/* ---- mutexes ---- */

static pthread_mutex_t *as_mutex(mtx_t *mutex) { return (pthread_mutex_t *)(void *)mutex; }

HD_TAKEN int mtx_init(mtx_t *mutex, int type) {
    if (type & ~(mtx_timed | mtx_recursive)) return thrd_error;
    hd_mutex_make(mutex, type & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL);
    return thrd_success;
}

HD_TAKEN int mtx_lock(mtx_t *mutex) {
    return answer(hd_mutex_lock(as_mutex(mutex), CLOCK_REALTIME, NULL, HD_PC()));
}

HD_TAKEN int mtx_timedlock(mtx_t *mutex, const struct timespec *until) {
    return answer(hd_mutex_lock(as_mutex(mutex), CLOCK_REALTIME, until, HD_PC()));
}

HD_TAKEN int mtx_trylock(mtx_t *mutex) {
    return answer(hd_mutex_trylock(as_mutex(mutex), HD_PC()));
}

HD_TAKEN int mtx_unlock(mtx_t *mutex) {
    return answer(hd_mutex_unlock(as_mutex(mutex), HD_PC()));
}

HD_TAKEN void mtx_destroy(mtx_t *mutex) { hd_mutex_destroy(as_mutex(mutex), HD_PC()); }

/* ---- conditions ---- */

static pthread_cond_t *as_cond(cnd_t *cond) { return (pthread_cond_t *)(void *)cond; }

HD_TAKEN int cnd_init(cnd_t *cond) { return answer(pthread_cond_init(as_cond(cond), NULL)); }

HD_TAKEN int cnd_wait(cnd_t *cond, mtx_t *mutex) {
    return answer(hd_cond_wait(as_cond(cond), as_mutex(mutex), CLOCK_REALTIME, NULL, HD_PC()));
}

HD_TAKEN int cnd_timedwait(cnd_t *cond, mtx_t *mutex, const struct timespec *until) {
    return answer(hd_cond_wait(as_cond(cond), as_mutex(mutex), CLOCK_REALTIME, until, HD_PC()));
}

HD_TAKEN int cnd_signal(cnd_t *cond) {
    return answer(hd_cond_signal(as_cond(cond), false, HD_PC()));
}

HD_TAKEN int cnd_broadcast(cnd_t *cond) {
    return answer(hd_cond_signal(as_cond(cond), true, HD_PC()));
}

HD_TAKEN void cnd_destroy(cnd_t *cond) { hd_cond_destroy(as_cond(cond), HD_PC()); }

/* ---- once ---- */

HD_TAKEN void call_once(once_flag *flag, void (*routine)(void)) {
    hd_once((uint32_t *)(void *)flag, routine, HD_PC());
}
