#!/bin/sh
# test_libc_limits.sh - limits, the file mask and attributes of the process that an execution
# sets do not reach the next.
PATH=$BUILD/bin:$PATH
unset HEDDLE_OPTIONS
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
is() { if [ "$2" = "$3" ]; then echo "ok $1"; else echo "not ok $1: $2, not $3"; fi; }
cat > limits.c <<'C'
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
static int x;
static void *bump(void *arg) {
    x++;
    return arg;
}
static void attributes(void) {
    char name[16];
    prctl(PR_GET_NAME, name);
    printf("%d %d %s %d %d ", getpriority(PRIO_PROCESS, 0), sched_getscheduler(0), name,
           prctl(PR_GET_DUMPABLE), !!(fcntl(1, F_GETFL) & O_NONBLOCK));
}
static void tell(int which) {
    struct rlimit limit;
    getrlimit(which, &limit);
    printf("%ld/%ld ", (long)limit.rlim_cur, (long)limit.rlim_max);
}
int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, bump, NULL);
    x++;
    pthread_join(t, NULL);
    attributes();
    errno = 0;
    nice(3);
    setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + 1);
    sched_setscheduler(0, SCHED_BATCH, &(struct sched_param){0});
    prctl(PR_SET_NAME, "other");
    prctl(PR_SET_DUMPABLE, 0);
    fcntl(1, F_SETFL, fcntl(1, F_GETFL) | O_NONBLOCK);
    attributes();
    tell(RLIMIT_NOFILE);
    tell(RLIMIT_CORE);
    printf("%o ", umask(077));
    const struct rlimit few = {3, 100}, none = {0, 0}, more = {3, 101};
    printf("%d ", setrlimit(RLIMIT_NOFILE, &few));
    tell(RLIMIT_NOFILE);
    printf("%d ", prlimit(0, RLIMIT_CORE, &none, NULL));
    tell(RLIMIT_CORE);
    int rc = setrlimit(RLIMIT_NOFILE, &more);
    printf("%d %d ", rc, errno == EPERM);
    rc = open("/dev/null", O_RDONLY); /* the kernel goes by it */
    printf("%d %d %o\n", rc, errno == EMFILE, umask(022));
    return 0;
}
C
heddle-cc -g limits.c -o limits || { echo "not ok it builds"; exit 1; }
umask 027
ulimit -c 2000 2> /dev/null
nice=$(nice) hard=$(ulimit -H -n) soft=$(ulimit -S -n) core=$(ulimit -S -c)
case $core in unlimited) core=-1 ;; *) core=$((core * 512)) ;; esac
case $hard in unlimited) hard=-1 ;; esac
heddle run -q ./limits > out
is "as the program sees them" "$(sed "s|^$nice 0 limits 1 0 $((nice + 4)) 3 other 0 1 $soft/$hard $core/$core 27 ||" out)" "0 3/100 0 0/0 -1 1 -1 1 77"
for isolate in snapshot fork; do
    heddle explore -q --isolate $isolate --strategy dpor -o $isolate.json ./limits
    is "$isolate: they are put back" "$? $(grep -c '"outcome"' $isolate.json)" "0 1"
    is "$isolate: in several executions" "$(sed -n 's/^ *"distinct_traces": \([0-9]*\),/\1/p' $isolate.json)" 4
done
