/* names_fixture.h - what a fixture tells about itself: addresses and their names. */
#ifndef HD_NAMES_FIXTURE_H
#define HD_NAMES_FIXTURE_H

#include <stddef.h>

struct data_probe {
    const volatile void *at;
    size_t size;
    const char *name;
};

struct code_probe {
    const void *after; /* a return address */
    int line;
    const char *function, *outer;
    int internal;
};

#endif
