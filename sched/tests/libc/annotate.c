/* annotate.c - every annotation once, blocks left in every way. Also valid
 * without heddle. */
#include <heddle.h>

#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static int balance;
static jmp_buf back;

static int leave(int how) {
    for (int i = 0; i < 1; i++) {
        HEDDLE_ATOMIC("leave") {
            if (how == 0) return 10;
            if (how == 1) break;
            if (how == 2) goto out;
            if (how == 3) continue;
            HEDDLE_DETERMINISTIC("inner") { balance++; }
        }
        return 20;
    }
    return 30;
out:
    return 40;
}

static void jump(void) {
    HEDDLE_ATOMIC("jumped") { longjmp(back, 1); }
}

static void under(void) {
    HEDDLE_REQUIRES(&guard);
    balance = 7;
}

static void *add(void *amount) {
    HEDDLE_TRANSACTION {
        int now = balance;
        heddle_yield();
        HEDDLE_TRANSACTION { balance = now + *(int *)amount; }
    }
    return NULL;
}

int main(void) {
    HEDDLE_GUARDED_BY(&balance, &guard);
    for (int how = 0; how < 5; how++) printf("%d ", leave(how));
    if (setjmp(back) == 0) jump();
    pthread_mutex_lock(&guard);
    under();
    pthread_mutex_unlock(&guard);
    balance = 0;
    int one = 1, two = 2;
    pthread_t a, b;
    pthread_create(&a, NULL, add, &one);
    pthread_create(&b, NULL, add, &two);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("sum %d\n", balance);
    heddle_observe("balance", balance);
    heddle_observe_text("name", "x");
    int pick = heddle_choose(3);
    heddle_observe("pick", pick - 1);
    return 0;
}
