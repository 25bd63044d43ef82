/* elevator.c - two lifts serve the floors of a building.
 *
 * After elevator of Wang and Stoller (and of Artho, Havelund and Biere). People are
 * pushed onto floors, each floor has its lock; a lift that is idle looks from floor to
 * floor and claims the first call it finds; a lift that moves takes along who waits
 * on its way. Both look in one lock region and claim in another. What was seen may be
 * gone by then: the claim looks again and fails, the lift goes on. do_idle and
 * do_motion are thus not atomic, and it is benign: everyone arrives. do_idle has more
 * than four lock regions and is not meant to be atomic by default: there is a verdict on
 * it with --transactions functions only. What else is accused stays undecided, since no
 * budget of a test sees all schedules: push takes two locks one after the other; claim,
 * get_people and let_out change what main sets without the lock before the lifts start
 * or reads when they have ended.
 *
 * label: benign
 * expect: atomicity do_motion confirmed benign
 * expect: atomicity push undecided
 * expect: atomicity claim undecided
 * expect: atomicity get_people undecided
 * expect: atomicity let_out undecided
 * budget: 400
 * native: deterministic
 * tsan: clean */
#include "../arguments.h"

enum { LIFTS = 2, MOST_FLOORS = 12, UP = 0, DOWN = 1, NONE = -1 };

struct floor {
    pthread_mutex_t lock;
    int waiting[2][MOST_FLOORS]; /* by direction and destination */
    int count[2];
    int claimed[2]; /* a lift is on its way, or NONE */
};

static struct floor building[MOST_FLOORS];
static int floors;

/* The desk in the hall: when everyone is pushed, lifts may go home. */
static pthread_mutex_t hall = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t called = PTHREAD_COND_INITIALIZER;
static bool over;    /* guarded by hall, as the next three */
static int calls;    /* how many pushes there were */
static int arrived;
static int awaited;  /* who calls wants to know when so many have */

void push(int from, int to) {
    int way = to > from ? UP : DOWN;
    struct floor *f = &building[from];
    pthread_mutex_lock(&f->lock);
    f->waiting[way][to]++;
    f->count[way]++;
    pthread_mutex_unlock(&f->lock);
    pthread_mutex_lock(&hall);
    calls++;
    pthread_cond_broadcast(&called);
    pthread_mutex_unlock(&hall);
}

bool check(int floor, int way) {
    struct floor *f = &building[floor];
    pthread_mutex_lock(&f->lock);
    bool wanted = f->count[way] > 0 && f->claimed[way] == NONE;
    pthread_mutex_unlock(&f->lock);
    return wanted;
}

bool claim(int lift, int floor, int way) {
    struct floor *f = &building[floor];
    pthread_mutex_lock(&f->lock);
    bool got = f->count[way] > 0 && f->claimed[way] == NONE;
    if (got) f->claimed[way] = lift;
    pthread_mutex_unlock(&f->lock);
    return got;
}

/* Everyone who waits there in that direction gets in. */
int get_people(int lift, int floor, int way, int *aboard) {
    struct floor *f = &building[floor];
    int in = 0;
    pthread_mutex_lock(&f->lock);
    if (f->claimed[way] == lift) {
        for (int to = 0; to < floors; to++) {
            aboard[to] += f->waiting[way][to];
            in += f->waiting[way][to];
            f->waiting[way][to] = 0;
        }
        f->count[way] = 0;
        f->claimed[way] = NONE;
    }
    pthread_mutex_unlock(&f->lock);
    return in;
}

struct lift {
    int id, floor, way;
    int aboard[MOST_FLOORS], load;
};

/* Looks for a call, and claims it. */
bool do_idle(struct lift *self, int *target) {
    for (int floor = 0; floor < floors; floor++) {
        for (int way = UP; way <= DOWN; way++) {
            if (check(floor, way) && claim(self->id, floor, way)) {
                self->way = way;
                *target = floor;
                return true;
            }
        }
    }
    return false;
}

/* At a floor on the way: who is there and goes the same way may come along. */
void do_motion(struct lift *self) {
    if (check(self->floor, self->way) && claim(self->id, self->floor, self->way)) {
        self->load += get_people(self->id, self->floor, self->way, self->aboard);
    }
}

static void let_out(struct lift *self) {
    int out = self->aboard[self->floor];
    if (!out) return;
    self->aboard[self->floor] = 0;
    self->load -= out;
    pthread_mutex_lock(&hall);
    arrived += out;
    if (awaited && arrived >= awaited) pthread_cond_broadcast(&called);
    pthread_mutex_unlock(&hall);
}

static void serve(struct lift *self, int target) {
    self->floor = target;
    self->load += get_people(self->id, target, self->way, self->aboard);
    while (self->load > 0) {
        self->floor += self->way == UP ? 1 : -1;
        let_out(self);
        if (self->load > 0) do_motion(self);
    }
}

static void *lift(void *number) {
    struct lift self = {.id = *(int *)number};
    int seen = 0, target;
    for (;;) {
        while (do_idle(&self, &target)) serve(&self, target);
        pthread_mutex_lock(&hall);
        while (!over && calls == seen) pthread_cond_wait(&called, &hall);
        bool home = over && calls == seen;
        seen = calls;
        pthread_mutex_unlock(&hall);
        if (home) return NULL;
    }
}

static void call(int person, bool anywhere) {
    int from = anywhere ? person * 5 % floors : person;
    int to = anywhere ? (from + 1 + person % (floors - 1)) % floors : floors - 1;
    push(from, to);
}

static void await(int people) {
    pthread_mutex_lock(&hall);
    awaited = people;
    while (arrived < people) pthread_cond_wait(&called, &hall);
    awaited = 0;
    pthread_mutex_unlock(&hall);
}

int main(int argc, char **argv) {
    struct arguments args = arguments_read(argc, argv);
    floors = args.bench ? MOST_FLOORS : 3;
    int people = args.bench ? 144000 : 2, group = args.bench ? 48 : people;
    for (int i = 0; i < floors; i++) {
        pthread_mutex_init(&building[i].lock, NULL);
        building[i].claimed[UP] = building[i].claimed[DOWN] = NONE;
    }
    /* The first group waits when the lifts start, each of the others comes when all of
     * the last have arrived; in the test there is one, two who go up from floors that
     * follow each other. */
    for (int i = 0; i < group; i++) call(i, args.bench);
    int lifts = args.sequential ? 1 : LIFTS;
    pthread_t threads[LIFTS];
    static int numbers[LIFTS] = {0, 1};
    for (int i = 0; i < lifts; i++) pthread_create(&threads[i], NULL, lift, &numbers[i]);
    for (int i = group; i < people; i++) {
        if (i % group == 0) await(i);
        call(i, args.bench);
    }
    pthread_mutex_lock(&hall);
    over = true;
    pthread_cond_broadcast(&called);
    pthread_mutex_unlock(&hall);
    for (int i = 0; i < lifts; i++) pthread_join(threads[i], NULL);
    printf("%d people arrived\n", arrived);
    return arrived == people ? 0 : 1;
}
