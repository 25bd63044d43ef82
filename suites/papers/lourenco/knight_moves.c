/* knight_moves.c - in how many moves can a knight be where? (Lourenço et al.: Knight
 * Moves)
 *
 * Two knights on a small board, a thread each. For every square they keep the fewest
 * moves in which one of them gets there: a thread compares in one transaction, and
 * stores in another. In between the other knight may have stored a smaller number.
 * From the thesis of Teixeira. Published: 1 anomaly, 1 warning.
 *
 * anomalies: 1
 * anomaly: RwW get_solution set_solution in arrive
 * budget: 2000
 * label: harmful
 * expect: atomicity arrive confirmed harmful
 * expect: failure exit
 * native: may fail
 * tsan: clean
 * twin: knight_moves_tm.c */
#include "atomic.h"

#include <stdbool.h>

enum { THREADS = 2, SIDE = 3, FAR = 100, DEPTH = 1 };

LOCK(guard);
static int fewest[SIDE * SIDE];
static const int starts[THREADS] = {0, 5}; /* a move apart */

int get_solution(int square) {
    ATOMIC(guard) { return fewest[square]; }
    return 0;
}

void set_solution(int square, int moves) {
    ATOMIC(guard) { fewest[square] = moves; }
}

/* Whether this is a better way to get there. */
bool arrive(int square, int moves) {
    if (moves >= get_solution(square)) {
        return false;
    }
    set_solution(square, moves);
    return true;
}

static void explore(int square, int moves) {
    static const int steps[8][2] = {{1, 2},   {2, 1},   {2, -1}, {1, -2},
                                    {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};
    if (!arrive(square, moves) || moves == DEPTH) {
        return;
    }
    for (int i = 0; i < 8; i++) {
        int x = square % SIDE + steps[i][0], y = square / SIDE + steps[i][1];
        if (x >= 0 && x < SIDE && y >= 0 && y < SIDE) {
            explore(y * SIDE + x, moves + 1);
        }
    }
}

static void *thread(void *number) {
    explore(starts[*(int *)number], 0);
    return NULL;
}

static void prepare(void) {
    for (int i = 0; i < SIDE * SIDE; i++) {
        fewest[i] = FAR;
    }
}

static const char *wrong(void) {
    return fewest[starts[0]] != 0 || fewest[starts[1]] != 0 ? "not the fewest moves"
                                                            : NULL;
}

#include "rounds.h"
