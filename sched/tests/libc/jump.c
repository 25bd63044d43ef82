/* jump.c - longjmp: within a thread; across threads (1); to a frame that is gone (2). */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static jmp_buf place;

extern void __longjmp_chk(jmp_buf env, int value) __attribute__((noreturn));

static sigjmp_buf again;
static int caught;

static void handler(int number) {
    (void)number;
    caught++;
    siglongjmp(again, 1);
}

/* Out of a handler: the signal is not blocked afterwards. */
static void out_of_handlers(void) {
    signal(SIGUSR1, handler);
    for (volatile int i = 0; i < 3; i++) {
        if (sigsetjmp(again, 1) == 0) raise(SIGUSR1);
    }
    printf("caught %d\n", caught);
}

static void *within(void *unused) {
    jmp_buf here;
    volatile int times = 0;
    int value = setjmp(here);
    if (value < 3) {
        times++;
        if (times == 2) __longjmp_chk(here, times);
        longjmp(here, times);
    }
    printf("times %d\n", times);
    return unused;
}

static void *across(void *unused) {
    (void)unused;
    longjmp(place, 1);
}

static void leave(void) {
    if (setjmp(place)) puts("back in a frame that is gone");
}

int main(int argc, char **argv) {
    int how = argc > 1 ? atoi(argv[1]) : 0;
    pthread_t thread;
    pthread_create(&thread, NULL, within, NULL);
    pthread_join(thread, NULL);
    out_of_handlers();
    if (how == 1 && setjmp(place) == 0) {
        pthread_create(&thread, NULL, across, NULL);
        pthread_join(thread, NULL);
    }
    if (how == 2) {
        leave();
        longjmp(place, 1);
    }
    return 0;
}
