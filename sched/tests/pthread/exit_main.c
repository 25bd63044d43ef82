/* exit_main.c - main leaves by pthread_exit: the process ends with the last
 * thread, with status 0, and what atexit registered runs then. */
#include "check.h"

#include <stdlib.h>

static void last(void) { printf("ok atexit_at_the_end\n"); }
static void *works(void *arg) {
    sleep(100);
    printf("ok works_on\n");
    return arg;
}

int main(void) {
    atexit(last);
    start(works, NULL);
    pthread_exit((void *)77);
}
