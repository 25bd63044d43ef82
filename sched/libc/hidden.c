/* hidden.c - state that libc keeps for the whole process: environment, locale,
 * random numbers, the table of hsearch, and results in static memory.
 *
 * Each is a pseudo-variable that a call reads or writes (stream.h: hidden state);
 * all of it is in libc's data or on the heap, so a new execution starts anew. */
#include "hold.h"
#include "stream.h"

#include "../access.h"

#include <locale.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* These calls hold locks of libc's, which heddle does not see: another thread that
 * is let go meanwhile and wants one would wait for it for ever. */
static void close_(int by) {
    if (hd_booted) hd_rt->closed_depth = (uint8_t)(hd_rt->closed_depth + by);
}

#define HIDDEN(type, name, parameters, arguments, key, write)                            \
    HD_TAKEN type name parameters {                                                      \
        hd_hidden_step(key, write, HD_PC());                                             \
        close_(1);                                                                       \
        type result = HD_REAL(name) arguments;                                           \
        close_(-1);                                                                      \
        return result;                                                                   \
    }
#define HIDDEN_VOID(name, parameters, arguments, key)                                    \
    HD_TAKEN void name parameters {                                                      \
        hd_hidden_step(key, true, HD_PC());                                              \
        close_(1);                                                                       \
        HD_REAL(name) arguments;                                                         \
        close_(-1);                                                                      \
    }

/* ---- environment -------------------------------------------------------------------- */

/* `environ` is a variable of the program's, too. */
#define ENVIRON(type, name, parameters, arguments, write)                                \
    HD_TAKEN type name parameters {                                                      \
        hd_hidden_step(HD_KEY_ENVIRON, write, HD_PC());                                  \
        if (hd_watched()) {                                                              \
            hd_access_range((uintptr_t)&environ, sizeof environ, write ? HD_WRITE : HD_READ, HD_PC()); \
        }                                                                                \
        close_(1);                                                                       \
        type result = HD_REAL(name) arguments;                                           \
        close_(-1);                                                                      \
        return result;                                                                   \
    }
ENVIRON(char *, getenv, (const char *name), (name), false)
ENVIRON(char *, secure_getenv, (const char *name), (name), false)
ENVIRON(int, setenv, (const char *name, const char *value, int over), (name, value, over), true)
ENVIRON(int, unsetenv, (const char *name), (name), true)
ENVIRON(int, putenv, (char *text), (text), true)
ENVIRON(int, clearenv, (void), (), true)

/* ---- the one table of hsearch --------------------------------------------------------- */

HIDDEN(int, hcreate, (size_t room), (room), HD_KEY_HSEARCH, true)
HIDDEN_VOID(hdestroy, (void), (), HD_KEY_HSEARCH)
HD_TAKEN ENTRY *hsearch(ENTRY item, ACTION action) {
    hd_hidden_step(HD_KEY_HSEARCH, action == ENTER, HD_PC());
    return HD_REAL(hsearch)(item, action);
}

/* ---- locale --------------------------------------------------------------------------- */

HD_TAKEN char *setlocale(int category, const char *locale) {
    hd_hidden_step(HD_KEY_LOCALE, locale != NULL, HD_PC());
    if (locale && hd_inside()) hd_rt->mapped = true; /* its tables */
    close_(1);
    char *result = HD_REAL(setlocale)(category, locale);
    close_(-1);
    return result;
}
HIDDEN(struct lconv *, localeconv, (void), (), HD_KEY_LOCALE, false)

/* ---- random numbers with a state of libc's --------------------------------------------- */

HIDDEN(int, rand, (void), (), HD_KEY_RANDOM, true)
HIDDEN(long, random, (void), (), HD_KEY_RANDOM, true)
HIDDEN(double, drand48, (void), (), HD_KEY_RANDOM, true)
HIDDEN(long, lrand48, (void), (), HD_KEY_RANDOM, true)
HIDDEN(long, mrand48, (void), (), HD_KEY_RANDOM, true)
HIDDEN(char *, initstate, (unsigned seed, char *state, size_t size), (seed, state, size),
       HD_KEY_RANDOM, true)
HIDDEN(char *, setstate, (char *state), (state), HD_KEY_RANDOM, true)
HIDDEN(unsigned short *, seed48, (unsigned short seed[3]), (seed), HD_KEY_RANDOM, true)
HIDDEN_VOID(srand, (unsigned seed), (seed), HD_KEY_RANDOM)
HIDDEN_VOID(srandom, (unsigned seed), (seed), HD_KEY_RANDOM)
HIDDEN_VOID(srand48, (long seed), (seed), HD_KEY_RANDOM)
HIDDEN_VOID(lcong48, (unsigned short numbers[7]), (numbers), HD_KEY_RANDOM)

/* ---- results in static memory: whoever calls again overwrites them ---------------------- */

/* They are variables of heddle's own, in the program's memory, so that who races on
 * one is told what it is. */
static struct tm localtime_result;
static char asctime_result[128];

static struct tm *broken_down(const time_t *at, bool local, void *pc) {
    struct tm aside;
    hd_access_range((uintptr_t)at, sizeof *at, HD_READ, pc);
    close_(1);
    if (local) HD_REAL(tzset)();
    close_(-1);
    if (!(local ? HD_REAL(localtime_r) : HD_REAL(gmtime_r))(at, &aside)) return NULL;
    hd_store((char *)&localtime_result, (const char *)&aside, sizeof aside, pc);
    return &localtime_result;
}

static char *as_text(const struct tm *at, void *pc) {
    char aside[128];
    if (!HD_REAL(asctime_r)(at, aside)) return NULL;
    hd_store(asctime_result, aside, strlen(aside) + 1, pc);
    return asctime_result;
}

HD_TAKEN struct tm *gmtime(const time_t *at) {
    return hd_watched() ? broken_down(at, false, HD_PC()) : HD_REAL(gmtime)(at);
}

HD_TAKEN struct tm *localtime(const time_t *at) {
    return hd_watched() ? broken_down(at, true, HD_PC()) : HD_REAL(localtime)(at);
}

HD_TAKEN char *asctime(const struct tm *at) {
    if (!hd_watched()) return HD_REAL(asctime)(at);
    READS(at, sizeof *at);
    return as_text(at, HD_PC());
}

HD_TAKEN char *ctime(const time_t *at) {
    if (!hd_watched()) return HD_REAL(ctime)(at);
    const struct tm *broken = broken_down(at, true, HD_PC());
    return broken ? as_text(broken, HD_PC()) : NULL;
}

/* ---- results where the caller wants them ------------------------------------------------- */

static struct tm *broken_down_to(const time_t *at, struct tm *to, bool local, void *pc) {
    struct tm aside;
    time_t when = *(const time_t *)hd_take(at, sizeof *at, pc);
    close_(1);
    bool done = (local ? HD_REAL(localtime_r) : HD_REAL(gmtime_r))(&when, &aside) != NULL;
    close_(-1);
    if (!done) return NULL;
    hd_give(to, &aside, sizeof aside, pc);
    return to;
}

HD_TAKEN struct tm *gmtime_r(const time_t *at, struct tm *to) {
    return broken_down_to(at, to, false, HD_PC());
}

HD_TAKEN struct tm *localtime_r(const time_t *at, struct tm *to) {
    return broken_down_to(at, to, true, HD_PC());
}

HD_TAKEN char *asctime_r(const struct tm *at, char *to) {
    char aside[128];
    if (!HD_REAL(asctime_r)(hd_take(at, sizeof *at, HD_PC()), aside)) return NULL;
    hd_give(to, aside, strlen(aside) + 1, HD_PC());
    return to;
}

HD_TAKEN char *ctime_r(const time_t *at, char *to) {
    char aside[128];
    struct tm broken;
    time_t when = *(const time_t *)hd_take(at, sizeof *at, HD_PC());
    close_(1);
    bool done = HD_REAL(localtime_r)(&when, &broken) && HD_REAL(asctime_r)(&broken, aside);
    close_(-1);
    if (!done) return NULL;
    hd_give(to, aside, strlen(aside) + 1, HD_PC());
    return to;
}

HD_TAKEN time_t mktime(struct tm *at) { /* which also puts it in order */
    struct tm aside = *(const struct tm *)hd_take(at, sizeof *at, HD_PC());
    close_(1);
    time_t when = HD_REAL(mktime)(&aside);
    close_(-1);
    hd_give(at, &aside, sizeof aside, HD_PC());
    return when;
}
