/* vector.c - java.util.Vector, every pair of its methods.
 *
 * After Vector of Wang and Stoller (Fig. 1 and Fig. 6). The constructor from another
 * vector asks for its size and then for its elements; if it grew or shrank in
 * between, the copy is full of nothing. contains_all, remove_all, retain_all and
 * equals ask the other one element by element. Every method holds its lock: there
 * is a race only on the counter of changes, which iterators read without one.
 *
 * label: harmful
 * expect: atomicity vector_copy confirmed harmful
 * expect: atomicity vector_contains_all confirmed harmful
 * expect: atomicity vector_remove_all confirmed harmful
 * expect: atomicity vector_retain_all confirmed harmful
 * expect: atomicity vector_equals confirmed harmful
 * expect: race mod_count confirmed harmful
 * sources: vector_class.c
 * budget: 3000
 * native: varies
 * tsan: race walk_begin|walk_next */
#include "vector_methods.h"

static const struct method methods[] = {VECTOR_METHODS};

int main(int argc, char **argv) {
    static const struct class vector = {vector_make, vector_release, vector_print, methods,
                                        (int)(sizeof methods / sizeof *methods)};
    return drive(&vector, argc, argv);
}
