/* error.h - you asked for something wrong: what, and where.
 *
 * The caller owns the struct; the first failure wins, later ones are dropped.
 * `err` may be NULL everywhere. */
#ifndef HD_ERROR_H
#define HD_ERROR_H

#include <stdarg.h>
#include <stdint.h>

struct hd_error {
    char text[512]; /* empty: nothing failed */
    uint64_t place; /* line or byte offset the text speaks of, or 0 */
    int cause;      /* errno when the system refused, 0 when the input is wrong */
};

void hd_fail(struct hd_error *err, uint64_t place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same for a system call that failed: adds what `cause` (an errno) means. */
void hd_fail_system(struct hd_error *err, int cause, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
