/* sor.c - over-relaxation with the barrier repaired (SingleTrack).
 *
 * The threads meet at a barrier after each sweep; within one, points of one
 * colour are written and those of the other are read. The blocks "sor" and
 * "sor_relax" are deterministic once the barrier is right: the paper's claim for
 * its repaired program.
 *
 * label: clean
 * expect: clean
 * native: deterministic
 * tsan: clean
 * twin: sor_torn.c */
#include "sor_barrier.h"

enum { TEST_SWEEPS = 3 };
#include "sor_main.h"
