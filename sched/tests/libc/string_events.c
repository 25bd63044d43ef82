/* string_events.c - what a few calls access, for a look at the trace. */
#include <pthread.h>
#include <string.h>

char from[64] = "twelve bytes", to[64];
struct pair { int first, second; } pair, other;

int main(void) {
    memcpy(to, from, 16);
    strcpy(to + 16, from);
    pair.first = 1;
    pair.second = 2;
    memcpy(&other, &pair, sizeof pair);
    memset(&pair, 0, sizeof pair);
    return (int)strlen("") + other.first - 1 + strcmp("abc", "abc");
}
