/* happens_sem.c - which posts must have come before a semaphore's wait.
 *
 * Joining a wait with all earlier posts would invent order and hide races; a
 * post counts only if the wait could not have passed without it. Post v is
 * needed for the k-th wait iff initial count + (posts that do not come after v)
 * is less than k, judged by the posts seen so far.
 *
 * Kept per semaphore: posts with that number, oldest first. A post that lies
 * before another needed one is known through it and dropped; with one poster, the
 * common case, two or three remain. Beyond POSTS the oldest is forgotten, which
 * loses order, never invents any. */
#include "checkers/happens.h"

#include <string.h>

#define POSTS 64

struct post {
    struct hd_clock clock;
    hd_epoch at;
    uint64_t others; /* posts that do not come after it */
};

struct hd_happens_sem {
    uint64_t posts, waits, initial;
    struct post kept[POSTS];
    uint32_t count;
};

static struct hd_happens_sem *sem_of(struct hd_happens *hb, uint32_t sync) {
    struct hd_happens_sem **sem = &hb->sems[sync];
    if (!*sem) {
        *sem = hd_arena_get(hb->arena, sizeof **sem);
        uint32_t initial = hd_trace_sync(hb->trace, sync)->initial;
        (*sem)->initial = initial == HD_NO_ID ? 0 : initial;
    }
    return *sem;
}

static void drop(struct hd_happens_sem *sem, uint32_t index) {
    struct post gone = sem->kept[index]; /* its clock's memory is used again */
    memmove(&sem->kept[index], &sem->kept[index + 1],
            (--sem->count - index) * sizeof *sem->kept);
    sem->kept[sem->count] = gone;
}

void hd_happens_post(struct hd_happens *hb, const struct hd_step *step) {
    struct hd_happens_sem *sem = sem_of(hb, step->obj);
    const struct hd_clock *now = &hb->threads[step->thread];
    for (uint32_t i = 0; i < sem->count; i++) {
        sem->kept[i].others += !hd_clock_covers(now, sem->kept[i].at);
    }
    if (sem->count == POSTS) {
        drop(sem, 0);
    }
    struct post *post = &sem->kept[sem->count++];
    hd_clock_copy(hb->arena, &post->clock, now);
    post->at = hd_happens_now(hb, step->thread);
    post->others = sem->posts++; /* earlier ones cannot come after it */
    hd_happens_tick(hb, step->thread);
}

void hd_happens_pend(struct hd_happens *hb, const struct hd_step *step) {
    struct hd_happens_sem *sem = sem_of(hb, step->obj);
    sem->waits++;
    if (sem->waits > sem->initial + sem->posts) {
        sem->initial = sem->waits - sem->posts; /* it must have begun with that many */
    }
    for (uint32_t i = sem->count; i-- > 0;) {
        const struct post *post = &sem->kept[i];
        if (sem->initial + post->others >= sem->waits) {
            continue;
        }
        hd_clock_join(hb->arena, &hb->threads[step->thread], &post->clock);
        for (uint32_t k = i; k-- > 0;) {
            if (hd_clock_covers(&post->clock, sem->kept[k].at)) {
                drop(sem, k);
                i--;
                post--;
            }
        }
    }
}
