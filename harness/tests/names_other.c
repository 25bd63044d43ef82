/* names_other.c - a second file with a static of a name that is taken. */
static long private_one = 2;
const void *other_private(void) {
    private_one++;
    return &private_one;
}
