/* beyond.c - see beyond.h. */
#include "beyond.h"

#include "runtime.h"

void hd_beyond(const char *what) {
    if (!hd_booted || !hd_rt->running || !hd_rt->explore || hd_rt->alone || hd_rt->beyond) return;
    hd_rt->beyond = what;
}

bool hd_went_beyond(void) { return hd_rt->beyond != NULL; }

void hd_beyond_note(void) {
    hd_note("the program %s, which cannot be put back: executions see what earlier ones left; "
            "--isolate fork", hd_rt->beyond);
    hd_rt->incomplete = true;
    hd_rt->beyond = NULL;
}
