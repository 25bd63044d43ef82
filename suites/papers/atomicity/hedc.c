/* hedc.c - a crawler that asks several archives at once.
 *
 * After hedc of Wang and Stoller: a search in astrophysics data becomes one task an
 * archive; a pool of workers follows the pages of each archive, over a network that
 * is simulated here, and adds what it finds to the request. When there is enough, the
 * request is closed and the other tasks are cancelled. The flag of cancellation is
 * written and read without a lock: a worker that has not seen it only follows a page
 * too many, and a closed request takes nothing more. A benign race (and
 * undefined behaviour in C all the same), and the task that looks at the flag again and
 * again is not atomic, which does no harm either.
 *
 * label: benign
 * expect: race cancelled confirmed benign
 * expect: atomicity task_run confirmed benign
 * budget: 2000
 * native: deterministic
 * tsan: race task_run */
#include "../arguments.h"
#include <unistd.h>

enum { MOST_ARCHIVES = 400, MOST_PAGES = 24, WORKERS = 3 };

/* ---- the network ---------------------------------------------------------- */

struct page {
    unsigned long text; /* stands for what is written there */
    int next;           /* the page it links to, or -1 */
};

static unsigned latency; /* microseconds */

/* A page is a matter of its address: no archive changes while it is searched. */
static struct page fetch(int archive, int number, int pages) {
    unsigned long text = (unsigned long)archive * 7919u + (unsigned long)number * 104729u;
    if (latency) usleep(latency);
    for (int i = 0; i < 40; i++) text = text * 6364136223846793005UL + 1442695040888963407UL;
    return (struct page){text >> 8, number + 1 < pages ? number + 1 : -1};
}

/* ---- tasks and their request ---------------------------------------------- */

struct request {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int wanted, found; /* guarded by lock, as the next two */
    int open_tasks;
    bool closed;
};

struct task {
    struct request *request;
    int archive, pages;
    bool cancelled; /* guarded by nothing */
};

static struct request request = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
static struct task tasks[MOST_ARCHIVES];
static int archives;

void request_add(struct request *self) {
    pthread_mutex_lock(&self->lock);
    if (!self->closed) {
        self->found++;
        self->closed = self->found == self->wanted;
        if (self->closed) pthread_cond_signal(&self->changed);
    }
    pthread_mutex_unlock(&self->lock);
}

void request_task_over(struct request *self) {
    pthread_mutex_lock(&self->lock);
    if (--self->open_tasks == 0) pthread_cond_signal(&self->changed);
    pthread_mutex_unlock(&self->lock);
}

void request_wait(struct request *self) {
    pthread_mutex_lock(&self->lock);
    while (!self->closed && self->open_tasks > 0) pthread_cond_wait(&self->changed, &self->lock);
    pthread_mutex_unlock(&self->lock);
}

void task_cancel(struct task *self) { self->cancelled = true; }

void task_run(struct task *self) {
    for (int number = 0; number >= 0 && !self->cancelled;) {
        struct page page = fetch(self->archive, number, self->pages);
        if (page.text % 3 == 0) request_add(self->request);
        number = page.next;
    }
    request_task_over(self->request);
}

/* ---- the pool -------------------------------------------------------------- */

static pthread_mutex_t pool_lock = PTHREAD_MUTEX_INITIALIZER;
static int next_task; /* guarded by pool_lock */

struct task *pool_take(void) {
    struct task *task = NULL;
    pthread_mutex_lock(&pool_lock);
    if (next_task < archives) task = &tasks[next_task++];
    pthread_mutex_unlock(&pool_lock);
    return task;
}

static void *worker(void *number) {
    (void)number;
    for (struct task *task; (task = pool_take()) != NULL;) task_run(task);
    return NULL;
}

int main(int argc, char **argv) {
    struct arguments args = arguments_read(argc, argv);
    latency = args.bench ? 100 : 0;
    archives = args.bench ? MOST_ARCHIVES : 2;
    request.wanted = args.bench ? 1000 : 1;
    request.open_tasks = archives;
    for (int i = 0; i < archives; i++) {
        tasks[i] = (struct task){&request, i, args.bench ? MOST_PAGES : 2, false};
    }
    int workers = args.sequential ? 1 : args.bench ? WORKERS : 2;
    pthread_t threads[WORKERS];
    for (int i = 0; i < workers; i++) pthread_create(&threads[i], NULL, worker, NULL);
    request_wait(&request);
    for (int i = 0; i < archives; i++) task_cancel(&tasks[i]);
    for (int i = 0; i < workers; i++) pthread_join(threads[i], NULL);
    printf("%d results\n", request.found);
    return request.found == request.wanted ? 0 : 1;
}
