/* machine.c - what a program may ask of the machine: the same answer everywhere.
 *
 * Programs size their pools by the number of processors; for the same bytes on
 * every machine there are always four. */
#include "libc.h"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#define PROCESSORS 4

HD_TAKEN int get_nprocs(void) { return PROCESSORS; }
HD_TAKEN int get_nprocs_conf(void) { return PROCESSORS; }

HD_TAKEN long sysconf(int name) {
    if (hd_inside() && (name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF)) {
        return PROCESSORS;
    }
    return HD_REAL(sysconf)(name);
}

HD_TAKEN int sched_getaffinity(pid_t process, size_t size, cpu_set_t *set) {
    if (!hd_inside() || process != 0) return HD_REAL(sched_getaffinity)(process, size, set);
    if (size < sizeof(unsigned long)) {
        errno = EINVAL;
        return -1;
    }
    memset(set, 0, size);
    *(unsigned long *)(void *)set = (1UL << PROCESSORS) - 1;
    return 0;
}
