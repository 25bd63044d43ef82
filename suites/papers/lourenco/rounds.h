/* rounds.h - the main of the programs: the same few threads, over and over.
 *
 * A program defines THREADS, `prepare` (the state before a round), `thread` (what
 * the thread of that number does) and `wrong` (what is wrong with the state after
 * it, or NULL). One round at test size. */
#include "../arguments.h"

int main(int argc, char **argv) {
    struct arguments a = arguments_read(argc, argv);
    int rounds = a.bench ? 500 : 1, broken = 0;
    const char *last = "right";
    for (int i = 0; i < rounds; i++) {
        prepare();
        run_threads(THREADS, thread, a.sequential);
        const char *what = wrong();
        if (what) {
            broken++;
            last = what;
        }
    }
    printf("%d of %d rounds went wrong: %s\n", broken, rounds, last);
    return broken != 0;
}
