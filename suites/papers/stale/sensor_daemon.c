/* sensor_daemon.c - readings averaged in, one lock region a second.
 *
 * After Artho, Havelund and Biere, Fig. 4: the daemon takes the latest value,
 * folds a reading into it and writes it back, all in one lock region; between two
 * rounds it sleeps. As a whole the loop is not atomic, which reduction says if it is
 * asked to (--transactions functions; by default nothing that sleeps is meant to be
 * atomic), but no value goes from one round to the next: everything is right. A
 * display thread looks at the value meanwhile; a calibration doubles it once.
 *
 * label: clean
 * expect: clean
 * native: deterministic
 * tsan: clean */
#include "../arguments.h"
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long value = 64; /* guarded by lock, as the next two */
static long readings;
static int calibrations;
static int rounds;

static long sensor(int round) { return 40 + round * 7 % 11; }

void average_in(long reading) {
    pthread_mutex_lock(&lock);
    long latest = value;
    latest = (latest + reading) / 2;
    value = latest;
    readings++;
    pthread_mutex_unlock(&lock);
}

void calibrate(void) {
    pthread_mutex_lock(&lock);
    value *= 2;
    calibrations++;
    pthread_mutex_unlock(&lock);
}

long display(void) {
    pthread_mutex_lock(&lock);
    long shown = value;
    pthread_mutex_unlock(&lock);
    return shown;
}

void sensor_daemon(void) {
    for (int i = 0; i < rounds; i++) {
        average_in(sensor(i));
        usleep(1000);
    }
}

void desk(void) {
    calibrate();
    for (int i = 0; i < rounds; i++) {
        if (display() < 0) abort();
        usleep(1500);
    }
}

static void *either(void *number) {
    if (*(int *)number == 0) sensor_daemon();
    else desk();
    return NULL;
}

int main(int argc, char **argv) {
    struct arguments args = arguments_read(argc, argv);
    rounds = args.bench ? 200 : 2;
    run_threads(2, either, args.sequential);
    printf("%ld readings, %d calibration\n", readings, calibrations);
    return readings == rounds && value > 0 ? 0 : 1;
}
