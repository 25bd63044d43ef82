/* moldyn.c - molecules that attract and repel each other.
 *
 * After moldyn of Wang and Stoller: particles in a box, the Lennard-Jones force, and
 * steps of time. Each thread works out the forces of its share of the pairs into an
 * array of its own; after a barrier each adds up all arrays for its share of
 * the particles, and after another moves them. Without barriers everything would be a
 * race; with them nothing is.
 *
 * label: clean
 * expect: clean
 * budget: 200
 * native: deterministic
 * tsan: clean */
#include "../arguments.h"
#include <heddle.h>
#include <math.h>

enum { MOST = 512, SHARES = 3 };

struct vector { double x, y, z; };

static struct vector place[MOST], speed[MOST];
static struct vector force[SHARES][MOST]; /* of one share of the pairs */
static double potential[SHARES];
static int particles, steps, threads;
static double box;
static pthread_barrier_t phase;

static inline double nearest(double d) {
    return d - box * rint(d / box);
}

/* Pairs whose first particle belongs to the share. */
void forces_of(int share) {
    struct vector *sum = force[share];
    double energy = 0;
    for (int i = 0; i < particles; i++) sum[i] = (struct vector){0, 0, 0};
    for (int i = share; i < particles; i += SHARES) {
        for (int j = i + 1; j < particles; j++) {
            double dx = nearest(place[i].x - place[j].x);
            double dy = nearest(place[i].y - place[j].y);
            double dz = nearest(place[i].z - place[j].z);
            double r2 = dx * dx + dy * dy + dz * dz;
            if (r2 > 6.25) continue;
            double i2 = 1 / r2, i6 = i2 * i2 * i2;
            double pull = 48 * i6 * (i6 - 0.5) * i2;
            energy += 4 * i6 * (i6 - 1);
            sum[i].x += dx * pull, sum[i].y += dy * pull, sum[i].z += dz * pull;
            sum[j].x -= dx * pull, sum[j].y -= dy * pull, sum[j].z -= dz * pull;
        }
    }
    potential[share] = energy;
}

void move(int i) {
    const double dt = 0.002;
    struct vector sum = {0, 0, 0};
    for (int share = 0; share < SHARES; share++) {
        sum.x += force[share][i].x, sum.y += force[share][i].y, sum.z += force[share][i].z;
    }
    speed[i].x += sum.x * dt, speed[i].y += sum.y * dt, speed[i].z += sum.z * dt;
    place[i].x += speed[i].x * dt, place[i].y += speed[i].y * dt, place[i].z += speed[i].z * dt;
}

static void *runner(void *number) {
    int self = *(int *)number;
    for (int step = 0; step < steps; step++) {
        for (int share = self; share < SHARES; share += threads) forces_of(share);
        pthread_barrier_wait(&phase);
        for (int i = self; i < particles; i += threads) move(i);
        pthread_barrier_wait(&phase);
    }
    return NULL;
}

int main(int argc, char **argv) {
    struct arguments args = arguments_read(argc, argv);
    int side = args.bench ? 8 : 2;
    particles = side * side * side;
    steps = args.bench ? 100 : 1;
    threads = args.sequential ? 1 : args.bench ? SHARES : 2;
    box = side * 1.2;
    for (int i = 0; i < particles; i++) {
        place[i] = (struct vector){i % side * 1.2, i / side % side * 1.2, i / side / side * 1.2};
        speed[i] = (struct vector){i * 7 % 5 - 2, i * 11 % 5 - 2, i * 13 % 5 - 2};
    }
    pthread_barrier_init(&phase, NULL, (unsigned)threads);
    HEDDLE_DETERMINISTIC("moldyn") { run_threads(threads, runner, false); }
    pthread_barrier_destroy(&phase);
    double kinetic = 0, bound = 0;
    for (int i = 0; i < particles; i++) {
        kinetic += 0.5 * (speed[i].x * speed[i].x + speed[i].y * speed[i].y + speed[i].z * speed[i].z);
    }
    for (int share = 0; share < SHARES; share++) bound += potential[share];
    printf("kinetic %.9f, potential %.9f\n", kinetic, bound);
    return 0;
}
