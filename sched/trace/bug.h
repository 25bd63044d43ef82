/* bug.h - heddle is wrong.
 *
 * On in every build. Prints what was found broken and aborts; whoever knows
 * more (the scheduler: strategy, seed, step) hangs a hook in. */
#ifndef HD_BUG_H
#define HD_BUG_H

void hd_bug(const char *file, int line, const char *format, ...)
    __attribute__((noreturn, format(printf, 3, 4)));

#define HD_BUG_ON(cond, ...)                                                             \
    do {                                                                                 \
        if (__builtin_expect(!!(cond), 0)) hd_bug(__FILE__, __LINE__, __VA_ARGS__);      \
    } while (0)

#endif
