/* annotated.c - everything of heddle.h, in what C99 and C++11 have in common.
 *
 * Its status is 0 with heddle and without: built by a plain compiler the header
 * leaves a working program. */
#include <heddle.h>

static int total, guard;

static int leave_early(int early) {
    HEDDLE_ATOMIC("leave") {
        if (early) return 3;
    }
    return 1;
}

static void count(void *argument) { *(int *)argument += 1; }

int main(void) {
    struct heddle_options options = {0, 0, 0, 0, 0};
    struct heddle_result result;
    int loops = 0, calls = 0, i;
    HEDDLE_GUARDED_BY(&total, &guard);
    HEDDLE_REQUIRES(&guard);
    for (i = 0; i < 3; i++) {
        HEDDLE_DETERMINISTIC("loop") {
            loops++;
            if (i == 1) break; /* leaves the block, not the loop */
            loops++;
        }
    }
    HEDDLE_TRANSACTION {
        HEDDLE_ATOMIC("inside")
        total++;
    }
    heddle_observe("total", total);
    heddle_observe_text("text", "said");
    heddle_yield();
    if (heddle_choose(3) != 0 || total != 1) return 1;
    if (leave_early(1) != 3 || leave_early(0) != 1 || loops != 5) return 2;
    if (heddle_explore(count, &calls, &options, &result) != 0 || result.executions != 1) return 3;
    if (heddle_explore(count, &calls, 0, 0) != 0) return 4;
#ifdef __HEDDLE__
    return calls == 0 ? 0 : 5; /* an exploration leaves no trace in the caller's memory */
#else
    return calls == 2 ? 0 : 5;
#endif
}
