/* forks.c - the other way to start afresh: a fork for each execution.
 *
 * Linked with a plain build of a program whose main was renamed `workload`;
 * runs it N times in a child of its own. Timed from outside. */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int workload(void);

int main(int argc, char **argv) {
    for (int i = argc > 1 ? atoi(argv[1]) : 1; i > 0; i--) {
        pid_t child = fork();
        if (child == 0) _exit(workload());
        if (child < 0 || waitpid(child, NULL, 0) < 0) return 1;
    }
    return 0;
}
