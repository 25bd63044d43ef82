/* hidden.c - state that libc keeps for the whole process: environment, locale,
 * random numbers, and results in static memory.
 *
 * Each is a pseudo-variable that a call reads or writes (stream.h: hidden state);
 * all of it is in libc's data or on the heap, so a new execution starts anew. */
#include "hold.h"
#include "stream.h"

#include "../access.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define HIDDEN(type, name, parameters, arguments, key, write)                            \
    HD_TAKEN type name parameters {                                                      \
        hd_hidden_step(key, write, HD_PC());                                             \
        return HD_REAL(name) arguments;                                                  \
    }
#define HIDDEN_VOID(name, parameters, arguments, key)                                    \
    HD_TAKEN void name parameters {                                                      \
        hd_hidden_step(key, true, HD_PC());                                              \
        HD_REAL(name) arguments;                                                         \
    }

/* ---- environment -------------------------------------------------------------------- */

HIDDEN(char *, getenv, (const char *name), (name), HD_KEY_ENVIRON, false)
HIDDEN(char *, secure_getenv, (const char *name), (name), HD_KEY_ENVIRON, false)
HIDDEN(int, setenv, (const char *name, const char *value, int over), (name, value, over),
       HD_KEY_ENVIRON, true)
HIDDEN(int, unsetenv, (const char *name), (name), HD_KEY_ENVIRON, true)
HIDDEN(int, putenv, (char *text), (text), HD_KEY_ENVIRON, true)
HIDDEN(int, clearenv, (void), (), HD_KEY_ENVIRON, true)

/* ---- locale --------------------------------------------------------------------------- */

HIDDEN(char *, setlocale, (int category, const char *locale), (category, locale), HD_KEY_LOCALE,
       locale != NULL)
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

#define STATIC_TIME(name, parameter)                                                     \
    HD_TAKEN struct tm *name(const parameter *at) {                                      \
        if (hd_watched()) READS(at, sizeof *at);                                         \
        struct tm *result = HD_REAL(name)(at);                                           \
        if (result && hd_watched()) WRITES(result, sizeof *result);                      \
        return result;                                                                   \
    }
#define STATIC_TEXT(name, parameter)                                                     \
    HD_TAKEN char *name(const parameter *at) {                                           \
        if (hd_watched()) READS(at, sizeof *at);                                         \
        char *result = HD_REAL(name)(at);                                                \
        if (result && hd_watched()) WRITES(result, HD_REAL(strlen)(result) + 1);         \
        return result;                                                                   \
    }
STATIC_TIME(gmtime, time_t)
STATIC_TIME(localtime, time_t)
STATIC_TEXT(ctime, time_t)
STATIC_TEXT(asctime, struct tm)
