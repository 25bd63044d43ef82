/* chance.c - every source of random bytes; two runs must draw the same. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/sysinfo.h>
#include <unistd.h>

static unsigned drawn[2];

static void *draw(void *slot) {
    getrandom(slot, sizeof(unsigned), 0);
    return NULL;
}

int main(void) {
    unsigned word = 0;
    pthread_t one, two;
    pthread_create(&one, NULL, draw, &drawn[0]);
    pthread_create(&two, NULL, draw, &drawn[1]);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    printf("%x %x %d\n", drawn[0], drawn[1], drawn[0] != drawn[1]);
    if (getentropy(&word, sizeof word) == 0) printf("%x\n", word);
    int fd = open("/dev/urandom", O_RDONLY);
    if (read(fd, &word, sizeof word) == sizeof word) printf("%x\n", word);
    FILE *file = fopen("/dev/urandom", "r");
    if (fread(&word, sizeof word, 1, file) == 1) printf("%x\n", word);
    fclose(file);
    printf("%d %ld\n", rand(), random());
    cpu_set_t set;
    sched_getaffinity(0, sizeof set, &set);
    printf("%d %ld %d\n", get_nprocs(), sysconf(_SC_NPROCESSORS_ONLN), CPU_COUNT(&set));
    return 0;
}
