/* raytracer.c - a picture of spheres, and a checksum that is not kept.
 *
 * After raytracer of Wang and Stoller (and of SingleTrack): threads render the lines
 * of a picture in turn and each adds its part to the checksum at the end. The addition
 * takes a lock, but each renderer its own, so that it protects nothing: two threads
 * read the same sum, one part is lost, and the run fails its own validation. A data race,
 * an atomicity violation and nondeterminism, all from one defect.
 *
 * label: harmful
 * expect: race checksum confirmed harmful
 * expect: atomicity add_checksum confirmed harmful
 * expect: determinism raytracer confirmed harmful
 * expect: failure exit
 * budget: 400
 * native: may fail
 * tsan: race checksum */
#include "../arguments.h"
#include <heddle.h>
#include <math.h>

enum { SPHERES = 16, THREADS = 3 };

struct vector { double x, y, z; };
struct sphere { struct vector centre; double radius, shine; };

static struct sphere scene[SPHERES];
static int spheres;
static int width, threads;
static long checksum; /* meant to be guarded */

struct renderer {
    pthread_mutex_t lock; /* one each: the defect */
    long part;
};
static struct renderer renderers[THREADS];

static double dot(struct vector a, struct vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static struct vector along(struct vector from, struct vector way, double t) {
    return (struct vector){from.x + way.x * t, from.y + way.y * t, from.z + way.z * t};
}

/* The nearest sphere that a ray meets, or -1; where, in *t. */
static int meet(struct vector eye, struct vector way, double *t) {
    int found = -1;
    *t = 1e30;
    for (int i = 0; i < spheres; i++) {
        struct vector to = along(scene[i].centre, eye, -1);
        double b = dot(to, way), c = dot(to, to) - scene[i].radius * scene[i].radius;
        double d = b * b - c;
        if (d <= 0) continue;
        double near = b - sqrt(d);
        if (near > 1e-6 && near < *t) {
            *t = near;
            found = i;
        }
    }
    return found;
}

static double shade(struct vector eye, struct vector way, int depth) {
    const struct vector light = {-0.5773502691896258, 0.5773502691896258, -0.5773502691896258};
    double t;
    int hit = meet(eye, way, &t);
    if (hit < 0) return 0.1 + 0.1 * fabs(way.y);
    struct vector p = along(eye, way, t);
    struct vector n = along(p, scene[hit].centre, -1);
    double size = sqrt(dot(n, n));
    n = (struct vector){n.x / size, n.y / size, n.z / size};
    double bright = 0.15, shadow;
    if (dot(n, light) > 0 && meet(p, light, &shadow) < 0) bright += 0.7 * dot(n, light);
    if (depth > 0) {
        struct vector back = along(way, n, -2 * dot(way, n));
        bright += scene[hit].shine * shade(p, back, depth - 1);
    }
    return bright;
}

long render_line(int y) {
    long sum = 0;
    for (int x = 0; x < width; x++) {
        struct vector way = {(2.0 * x - width) / width, (width - 2.0 * y) / width, 1.5};
        double size = sqrt(dot(way, way));
        way = (struct vector){way.x / size, way.y / size, way.z / size};
        double bright = shade((struct vector){0, 0, -8}, way, 3);
        sum += (long)(bright * 255);
    }
    return sum;
}

void add_checksum(struct renderer *self) {
    pthread_mutex_lock(&self->lock);
    checksum = checksum + self->part;
    pthread_mutex_unlock(&self->lock);
}

static void *render(void *number) {
    struct renderer *self = &renderers[*(int *)number];
    for (int y = *(int *)number; y < width; y += threads) self->part += render_line(y);
    add_checksum(self);
    return NULL;
}

int main(int argc, char **argv) {
    struct arguments args = arguments_read(argc, argv);
    spheres = args.bench ? SPHERES : 2;
    width = args.bench ? 1000 : 3;
    threads = args.bench ? THREADS : 2;
    for (int i = 0; i < spheres; i++) {
        scene[i] = (struct sphere){{i % 4 * 1.5 - 2, i / 4 * 1.5 - 2, i % 3}, 0.8, 0.3};
    }
    for (int i = 0; i < threads; i++) pthread_mutex_init(&renderers[i].lock, NULL);
    HEDDLE_DETERMINISTIC("raytracer") { run_threads(threads, render, args.sequential); }
    long wanted = 0;
    for (int i = 0; i < threads; i++) wanted += renderers[i].part;
    printf("checksum %ld\n", checksum);
    if (checksum != wanted) printf("validation failed: %ld is wanted\n", wanted);
    return checksum == wanted ? 0 : 1;
}
