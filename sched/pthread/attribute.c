/* attribute.c - a thread's name and attributes, as asked for from outside. */
#include "block.h"
#include "kernel.h"
#include "state.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

HD_TAKEN int pthread_setname_np(pthread_t handle, const char *name) {
    struct hd_thread *target = hd_handle_find(handle);
    if (!target) return ESRCH;
    size_t length = 0;
    while (name[length]) {
        if (++length >= sizeof target->title) return ERANGE;
    }
    for (size_t i = 0; i <= length; i++) target->title[i] = name[i];
    return 0;
}

HD_TAKEN int pthread_getname_np(pthread_t handle, char *name, size_t size) {
    struct hd_thread *target = hd_handle_find(handle);
    if (!target) return ESRCH;
    if (size < sizeof target->title) return ERANGE;
    /* A thread without a name of its own has the program's, cut short. */
    const char *title = target->title[0] ? target->title : program_invocation_short_name;
    size_t i = 0;
    for (; title[i] && i + 1 < sizeof target->title; i++) name[i] = title[i];
    name[i] = '\0';
    return 0;
}

HD_TAKEN int pthread_getattr_np(pthread_t handle, pthread_attr_t *attr) {
    struct hd_thread *target = hd_handle_find(handle);
    if (!target) return ESRCH;
    int rc = pthread_attr_init(attr);
    if (rc != 0) return rc;
    pthread_attr_setdetachstate(attr, target->detached ? PTHREAD_CREATE_DETACHED
                                                       : PTHREAD_CREATE_JOINABLE);
    pthread_attr_setschedpolicy(attr, hd_pthread_of(target)->policy);
    pthread_attr_setschedparam(attr, &hd_pthread_of(target)->priority);
    return pthread_attr_setstack(attr, target->stack_low, target->stack_size);
}

/* What the kernel would call the threads: main has the process's number. */
HD_TAKEN pid_t gettid(void) {
    if (!hd_inside()) return (pid_t)hd_kernel(SYS_gettid, 0, 0, 0, 0, 0, 0);
    return getpid() + hd_rt->current->id;
}
