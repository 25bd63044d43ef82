/* reset.c - says how it finds the process, then leaves it in disorder.
 *
 * Every execution must find it as the first did, however it is isolated. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <getopt.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define SPOT ((void *)0x700000000000)

static int global, ended;
static _Thread_local int local;
static char page[4096] __attribute__((aligned(4096))), alternate[65536];

static void bye(void) { printf("bye %d\n", ++ended); }
static void on_signal(int number) { (void)number; }
static void *idle(void *argument) { return argument; }

static void look(int argc, char **argv) {
    sigset_t mask, pending;
    stack_t stack;
    struct sigaction action;
    struct itimerval timer;
    pthread_key_t key;
    char directory[4096];
    int number = errno;
    mode_t creation = umask(022);
    umask(creation);
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    sigpending(&pending);
    sigaltstack(NULL, &stack);
    sigaction(SIGUSR1, NULL, &action);
    getitimer(ITIMER_VIRTUAL, &timer);
    pthread_key_create(&key, NULL);
    int file = dup(0);
    void *map = mmap(SPOT, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    printf("data %d %d errno %d umask %o rounding %d\n", global, local, number, creation, fegetround());
    printf("masked %d pending %d handler %d stack %d timer %d\n", sigismember(&mask, SIGUSR1),
           sigismember(&pending, SIGUSR2), action.sa_handler != SIG_DFL, stack.ss_flags,
           timer.it_value.tv_sec > 0);
    printf("directory %s file %d mapped %d key %u\n", getcwd(directory, sizeof directory), file,
           map == SPOT, key);
    printf("rand %d variable %s locale %s year %d zone %ld\n", rand() % 100,
           getenv("RESET") ? "set" : "none", setlocale(LC_ALL, NULL), gmtime(&(time_t){0})->tm_year,
           timezone);
    printf("option %d argument %s input %d\n", optind, argc > 1 ? argv[1] : "-", getchar());
    page[0] = 1; /* a crash, if it cannot be written any more */
    fflush(stdout);
}

static void disorder(int argc, char **argv) {
    sigset_t mask;
    global = local = 1;
    umask(077);
    fesetround(FE_UPWARD);
    sigaltstack(&(stack_t){.ss_sp = alternate, .ss_size = sizeof alternate}, NULL);
    sigemptyset(&mask);
    sigaddset(&mask, SIGUSR1);
    sigaddset(&mask, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &mask, NULL);
    signal(SIGUSR1, on_signal);
    signal(SIGUSR2, on_signal);
    kill(getpid(), SIGUSR2);
    setitimer(ITIMER_VIRTUAL, &(struct itimerval){{0, 0}, {1000, 0}}, NULL);
    if (chdir("/") < 0) abort();
    sbrk(8192);
    setenv("RESET", "yes", 1);
    setenv("TZ", "EST5", 1);
    tzset();
    opterr = 0;
    getopt(argc, argv, "ab");
    if (argc > 1) argv[1] = argv[0];
    setlocale(LC_ALL, "C.UTF-8");
    mprotect(page, sizeof page, PROT_READ);
    srand(7);
    atexit(bye);
    errno = 77;
}

int main(int argc, char **argv) {
    pthread_t thread;
    look(argc, argv);
    disorder(argc, argv);
    pthread_create(&thread, NULL, idle, NULL);
    pthread_join(thread, NULL);
    return 0;
}
