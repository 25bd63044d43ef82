/* signal.c - signals from thread to thread. */
#include "check.h"

#include <semaphore.h>
#include <signal.h>

static volatile sig_atomic_t handled, last;
static pthread_t receiver;
static int on_receiver;
static sem_t sem;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int carried;

static void handler(int number) {
    handled++;
    last = number;
    on_receiver += pthread_equal(pthread_self(), receiver);
}
static void with_info(int number, siginfo_t *info, void *context) {
    (void)number;
    (void)context;
    carried = info->si_value.sival_int;
}

static void *waits_sem(void *arg) {
    (void)arg;
    receiver = pthread_self();
    errno = 0;
    int rc = sem_wait(&sem);
    return (void *)(long)(rc ? errno : 0);
}
static void *waits_sem_in_time(void *arg) {
    (void)arg;
    struct timespec at = in_seconds(CLOCK_REALTIME, 1000);
    errno = 0;
    int rc = sem_timedwait(&sem, &at);
    return (void *)(long)(rc ? errno : 0);
}
static void *sleeps(void *arg) { return (void *)(long)sleep((unsigned)(long)arg); }
static void *naps(void *arg) {
    (void)arg;
    struct timespec span = {1000, 0}, left = {0, 0};
    int rc = nanosleep(&span, &left);
    return (void *)(long)(rc == -1 && errno == EINTR ? left.tv_sec : -1);
}
static void *locks(void *arg) {
    (void)arg;
    int rc = pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return (void *)(long)rc;
}
static void *spins(void *arg) {
    (void)arg;
    while (!handled) continue;
    return NULL;
}
static void *takes(void *arg) {
    int number = 0;
    int rc = sigwait(arg, &number);
    return (void *)(long)(rc ? -rc : number);
}
static void *pauses(void *arg) {
    (void)arg;
    errno = 0;
    return (void *)(long)(pause() == -1 ? errno : 0);
}

static void interrupting(void) {
    struct sigaction action = {.sa_handler = handler};
    sigaction(SIGUSR1, &action, NULL);
    action.sa_flags = SA_RESTART;
    sigaction(SIGUSR2, &action, NULL);
    pthread_t t = start(waits_sem, NULL);
    sleep(1);
    EQ("kill_0", 0, pthread_kill(t, 0));
    EQ("kill_bad", EINVAL, pthread_kill(t, 1000));
    EQ("kill", 0, pthread_kill(t, SIGUSR1));
    EQ("sem_wait_interrupted", EINTR, (long)finish(t));
    YES("handler_ran_there", handled == 1 && last == SIGUSR1 && on_receiver == 1);
    EQ("kill_gone", ESRCH, pthread_kill(t, SIGUSR1));
    t = start(waits_sem, NULL);
    sleep(1);
    pthread_kill(t, SIGUSR2);
    sleep(1);
    EQ("handled_and_waits_on", 2, handled);
    sem_post(&sem);
    EQ("sem_wait_restarted", 0, (long)finish(t));
    t = start(naps, NULL);
    sleep(10);
    pthread_kill(t, SIGUSR1);
    long left = (long)finish(t);
    YES("nanosleep_tells_the_rest", left > 900 && left <= 1000);
    /* With a deadline nothing is restarted. */
    t = start(waits_sem_in_time, NULL);
    sleep(1);
    pthread_kill(t, SIGUSR2);
    EQ("sem_timedwait_not_restarted", EINTR, (long)finish(t));
    t = start(naps, NULL);
    sleep(10);
    pthread_kill(t, SIGUSR2);
    left = (long)finish(t);
    YES("nanosleep_not_restarted", left > 900 && left <= 1000);
    t = start(sleeps, (void *)5);
    sleep(1);
    pthread_kill(t, SIGUSR1);
    EQ("sleep_tells_whole_seconds", 3, (long)finish(t));
    pthread_mutex_lock(&mutex);
    t = start(locks, NULL);
    sleep(1);
    handled = 0;
    pthread_kill(t, SIGUSR1);
    sleep(1);
    EQ("handler_while_locking", 1, handled);
    pthread_mutex_unlock(&mutex);
    EQ("lock_goes_on", 0, (long)finish(t));
    handled = 0;
    t = start(spins, NULL);
    pthread_kill(t, SIGUSR1);
    finish(t);
    EQ("handler_while_spinning", 1, handled);
    t = start(pauses, NULL);
    sleep(1);
    pthread_kill(t, SIGUSR1);
    EQ("pause", EINTR, (long)finish(t));
}

static void masking(void) {
    sigset_t set, old;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    handled = 0;
    EQ("block", 0, pthread_sigmask(SIG_BLOCK, &set, &old));
    EQ("raise", 0, raise(SIGUSR1));
    EQ("blocked", 0, handled);
    sigset_t pending;
    sigpending(&pending);
    YES("pending", sigismember(&pending, SIGUSR1) == 1);
    pthread_t t = start(takes, &set); /* inherits the mask */
    sleep(1);
    pthread_kill(t, SIGUSR1);
    EQ("sigwait", SIGUSR1, (long)finish(t));
    EQ("unblock", 0, pthread_sigmask(SIG_SETMASK, &old, NULL));
    EQ("delivered", 1, handled);
    EQ("bad_how", EINVAL, pthread_sigmask(77, &set, NULL));
    FAILS("sigprocmask_bad_how", EINVAL, sigprocmask(77, &set, NULL));
    raise(SIGUSR1);
    EQ("raise_at_once", 2, handled);
    kill(getpid(), SIGUSR1);
    EQ("kill_self", 3, handled);
    sigprocmask(SIG_BLOCK, &set, NULL);
    raise(SIGUSR1);
    sigset_t none;
    sigemptyset(&none);
    FAILS("sigsuspend", EINTR, sigsuspend(&none));
    EQ("sigsuspend_delivers", 4, handled);
    siginfo_t info;
    struct timespec span = {5, 0};
    FAILS("sigtimedwait_out", EAGAIN, sigtimedwait(&set, &info, &span));
    raise(SIGUSR1);
    EQ("sigtimedwait", SIGUSR1, sigtimedwait(&set, &info, &span));
    raise(SIGUSR1);
    EQ("sigwaitinfo", SIGUSR1, sigwaitinfo(&set, &info));
    struct sigaction action = {.sa_sigaction = with_info, .sa_flags = SA_SIGINFO};
    sigaction(SIGRTMIN, &action, NULL);
    union sigval value = {.sival_int = 42};
    EQ("sigqueue", 0, pthread_sigqueue(pthread_self(), SIGRTMIN, value));
    EQ("value_came", 42, carried);
    signal(SIGUSR2, SIG_IGN);
    EQ("ignored", 0, raise(SIGUSR2));
}

int main(void) {
    sem_init(&sem, 0, 0);
    interrupting();
    masking();
    return 0;
}
