/* string_race.c - one thread copies 24 bytes in, another copies them out: the
 * words are seen one by one, so all eight mixtures of old and new can come out. */
#include <heddle.h>

#include <pthread.h>
#include <string.h>

static char box[24] = "aaaaaaabbbbbbbbccccccc";
static const char fresh[24] = "AAAAAAABBBBBBBBCCCCCCC";

static void *in(void *unused) {
    memcpy(box, fresh, sizeof box);
    return unused;
}

int main(void) {
    char seen[24];
    pthread_t thread;
    pthread_create(&thread, NULL, in, NULL);
    memcpy(seen, box, sizeof seen);
    seen[23] = 0;
    heddle_observe_text("seen", seen);
    pthread_join(thread, NULL);
    return 0;
}
