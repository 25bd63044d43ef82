/* explore.c - many executions. */
#include "run.h"

#include "runtime.h"

int hd_explore(void) { hd_give_up("exploration is not in this build"); }
