/* rules.c - calls that heddle does not control: each has its rule.
 *
 * `rules` alone lists the cases, a line each: name, exit status, words that
 * standard error must have ("-": nothing is said). `rules NAME` runs one. */
#include "check.h"

#include <aio.h>
#include <mqueue.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>

static int prepared;
static void prepare(void) { prepared++; }

static int forks(void) {
    pthread_atfork(prepare, NULL, NULL);
    pid_t child = fork();
    if (child == 0) _exit(5);
    int status;
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 5 && prepared == 1 ? 0 : 1;
}
static void *nothing(void *arg) { return arg; }
static int forks_with_threads(void) { /* the child has one thread, and locks as usual */
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_t t = start(nothing, NULL);
    pid_t child = fork();
    if (child == 0) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
        exit(6);
    }
    int status;
    waitpid(child, &status, 0);
    finish(t);
    return WIFEXITED(status) && WEXITSTATUS(status) == 6 ? 0 : 1;
}
static void *forks_once(void *arg) {
    pid_t child = fork();
    if (child == 0) {
        char *text = strdup("the child");
        free(text);
        exit(text ? 8 : 0);
    }
    int status;
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 8 ? NULL : arg;
}
static int threads_fork(void) { /* from threads other than main, which go on */
    pthread_t a = start(forks_once, "failed"), b = start(forks_once, "failed");
    return finish(a) || finish(b);
}
static int vforks(void) {
    pid_t child = vfork();
    if (child == 0) _exit(7);
    int status;
    waitpid(child, &status, 0);
    return WEXITSTATUS(status) == 7 ? 0 : 1;
}
static int runs_command(void) { return system("exit 3") >> 8 == 3 ? 0 : 1; }
static int entry(void *arg) {
    (void)arg;
    return 0;
}
static char stack[65536];
static int clones(void) { return clone(entry, stack + sizeof stack, CLONE_VM, NULL); }
static int clones_by_number(void) { return (int)syscall(SYS_clone, 0, 0, 0, 0, 0); }
static int reads_later(void) {
    struct aiocb block = {.aio_fildes = 0};
    return aio_read(&block);
}
static int writes_later(void) {
    struct aiocb block = {.aio_fildes = 1};
    return aio_write(&block);
}
static int syncs_later(void) {
    struct aiocb block = {.aio_fildes = 1};
    return aio_fsync(0, &block);
}
static int lists_later(void) { return lio_listio(LIO_WAIT, NULL, 0, NULL); }
static int notifies(void) { return mq_notify(0, NULL); }
static int alarms(void) {
    alarm(1);
    sleep(10);
    struct itimerval value = {{0, 0}, {1, 0}};
    setitimer(ITIMER_REAL, &value, NULL);
    timer_t timer;
    timer_create(CLOCK_MONOTONIC, NULL, &timer);
    timer_delete(timer);
    return 0;
}
static int locks_file(void) { return flock(fileno(tmpfile()), LOCK_EX); }
static int process_shared(void) {
    pthread_mutexattr_t attr;
    pthread_mutex_t mutex;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(&mutex, &attr);
    return pthread_mutex_lock(&mutex) | pthread_mutex_unlock(&mutex);
}
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int ready;
static void *sets(void *arg) {
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_signal(&cond);
    pthread_mutex_unlock(&mutex);
    return arg;
}
static int spurious(void) { /* 9: woken for nothing, which happens only when asked for */
    pthread_t t = start(sets, NULL);
    pthread_mutex_lock(&mutex);
    if (!ready) pthread_cond_wait(&cond, &mutex);
    int seen = ready;
    pthread_mutex_unlock(&mutex);
    finish(t);
    return seen ? 0 : 9;
}

static const struct {
    const char *name;
    int status;
    const char *words;
    int (*run)(void);
} cases[] = {
    {"forks", 0, "the child runs as a plain process", forks},
    {"forks_with_threads", 0, "the child runs as a plain process", forks_with_threads},
    {"threads_fork", 0, "the child runs as a plain process", threads_fork},
    {"vforks", 0, "the child runs as a plain process", vforks},
    {"runs_command", 0, "system goes to the kernel", runs_command},
    {"clones", 3, "calls clone", clones},
    {"clones_by_number", 3, "SYS_clone", clones_by_number},
    {"reads_later", 3, "calls aio_read", reads_later},
    {"writes_later", 3, "calls aio_write", writes_later},
    {"syncs_later", 3, "calls aio_fsync", syncs_later},
    {"lists_later", 3, "calls lio_listio", lists_later},
    {"notifies", 3, "calls mq_notify", notifies},
    {"alarms", 0, "signal timers are not modelled", alarms},
    {"locks_file", 0, "flock goes to the kernel", locks_file},
    {"process_shared", 0, "process-shared mutexes", process_shared},
    {"spurious", 0, "-", spurious},
};

int main(int argc, char **argv) {
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (argc < 2) printf("%s %d %s\n", cases[i].name, cases[i].status, cases[i].words);
        else if (strcmp(argv[1], cases[i].name) == 0) return cases[i].run();
    }
    return 0;
}
