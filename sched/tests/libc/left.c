/* left.c - `left NAME` prints how it finds one thing, and leaves it in disorder; `left`
 * prints all names. With each every execution must find it as the first did. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/shm.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char page[3 * 4096] __attribute__((aligned(4096)));

static __attribute__((noinline)) int frame(long size) {
    volatile char local[size];
    int was = local[size / 16];
    local[size / 16] = 1;
    return was;
}
static void stack(void) {
    printf("%d %d %d", frame(3000), frame(50000), frame(1000000));
}
static void *run_stack(void *argument) {
    stack();
    return argument;
}
static void thread_stack(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run_stack, NULL);
    pthread_join(thread, NULL);
}

static void *fresh(void) { return mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); }

static void mapping(void) { printf("%p", fresh()); }
static void tables(void) { /* libc maps them where the next mapping would be */
    printf("%p", fresh());
    setlocale(LC_ALL, "C.UTF-8");
}
static void library(void) {
    printf("%d %p", dlopen("libm.so.6", RTLD_NOW | RTLD_NOLOAD) != NULL, fresh());
    dlopen("libm.so.6", RTLD_NOW);
}
static void shared(void) {
    int id = shmget(IPC_PRIVATE, 4096, 0600);
    printf("%p", shmat(id, NULL, 0));
    shmctl(id, IPC_RMID, NULL);
}
static void mapped_over(void) {
    printf("%d", page[4096]);
    mmap(page + 4096, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    page[4096] = 1;
}
static void protection(void) {
    page[8192]++;
    printf("%d", page[8192]);
    mprotect(page, sizeof page, PROT_READ);
}
static void data_end(void) {
    printf("%p", sbrk(0));
    sbrk(8192);
}

static void descriptor(void) { printf("%d", inotify_init()); }
static void signal_descriptor(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    printf("%d", signalfd(-1, &set, 0));
}
static void flags(void) {
    printf("%d %d", fcntl(0, F_GETFD), fcntl(0, F_GETFL) & O_NONBLOCK);
    fcntl(0, F_SETFD, FD_CLOEXEC);
    fcntl(0, F_SETFL, fcntl(0, F_GETFL) | O_NONBLOCK);
}
static void offset(void) {
    printf("%ld", (long)lseek(1, 0, SEEK_CUR));
    fflush(stdout);
    lseek(1, 100, SEEK_SET);
}

/* Standard input, read and then taken away, and a file that was open before. */
static void input_line(void) {
    char line[40] = "nothing";
    if (!fgets(line, sizeof line, stdin)) strcpy(line, "nothing");
    line[strcspn(line, "\n")] = '\0';
    printf("%s", line);
}
static void input_bytes(int fd) {
    char some[4] = "";
    printf("%d %s", (int)read(fd, some, 3), some);
}
static void input_closed(void) {
    input_line();
    close(0);
}
static void input_stream_closed(void) {
    input_line();
    fclose(stdin);
}
static void input_replaced(void) {
    input_bytes(0);
    dup2(open("/dev/null", O_RDONLY), 0);
}
static void input_reopened(void) {
    input_bytes(0);
    if (!freopen("/dev/null", "r", stdin)) printf("not opened");
}
static void inherited(void) { input_bytes(3); }
static void inherited_closed(void) {
    input_bytes(3);
    close(3);
}
static void outputs_closed(void) {
    printf("%d %d", fcntl(1, F_GETFD), fcntl(2, F_GETFD));
    fflush(stdout);
    dup2(2, 1);
    close(2);
}

static void raw_open(void) { printf("%ld", syscall(SYS_openat, AT_FDCWD, "/dev/null", O_RDONLY)); }
static void raw_directory(void) {
    char path[4096];
    printf("%s", getcwd(path, sizeof path));
    syscall(SYS_chdir, "/");
}
static void raw_mask(void) { printf("%ld", syscall(SYS_umask, 077)); }
static void raw_map(void) {
    printf("%lx", syscall(SYS_mmap, NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
}

static void session(void) {
    printf("%d", getsid(0) == getpid());
    setsid();
}
static void attribute(void) {
    printf("%d", prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0));
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}
static void child(void) {
    int got = waitpid(-1, NULL, WNOHANG);
    printf("%d %d", got, errno);
    if (fork() == 0) _exit(0);
}
static void waited_child(void) { /* that is nothing to be left */
    int status, n = 0;
    pid_t process = fork();
    if (process == 0) _exit(3);
    waitpid(process, &status, 0);
    FILE *pipe = popen("echo 7", "r");
    if (!pipe || fscanf(pipe, "%d", &n) != 1) n = -1;
    pclose(pipe);
    printf("%d %d", WEXITSTATUS(status), n);
}

static const struct {
    const char *name;
    void (*look)(void);
} things[] = {
    {"stack", stack}, {"thread_stack", thread_stack}, {"mapping", mapping}, {"tables", tables},
    {"library", library}, {"shared", shared}, {"mapped_over", mapped_over},
    {"protection", protection}, {"data_end", data_end}, {"descriptor", descriptor},
    {"signal_descriptor", signal_descriptor}, {"flags", flags}, {"offset", offset},
    {"input_closed", input_closed}, {"input_stream_closed", input_stream_closed},
    {"input_replaced", input_replaced}, {"input_reopened", input_reopened},
    {"inherited", inherited}, {"inherited_closed", inherited_closed},
    {"outputs_closed", outputs_closed},
    {"raw_open", raw_open}, {"raw_directory", raw_directory}, {"raw_mask", raw_mask},
    {"raw_map", raw_map}, {"session", session}, {"attribute", attribute}, {"child", child},
    {"waited_child", waited_child},
};

static void *idle(void *argument) { return argument; }

int main(int argc, char **argv) {
    pthread_t thread;
    for (size_t i = 0; i < sizeof things / sizeof *things; i++) {
        if (argc < 2) puts(things[i].name);
        else if (strcmp(argv[1], things[i].name) == 0) things[i].look();
    }
    pthread_create(&thread, NULL, idle, NULL);
    pthread_join(thread, NULL);
    return 0;
}
