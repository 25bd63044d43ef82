/* front_wanted.c - what no checker wants to see is passed over.
 *
 * If all selected checkers ask for contended accesses and nothing else, the survey
 * finds out which variables have them. It also keeps the few events that are neither
 * accesses nor calls: if no variable is wanted, and nothing odd was seen of which a
 * note would tell, they are all that there is to hand out, and the trace need not be
 * read a second time. */
#include "checkers/front_state.h"

#define KEPT_MOST (1u << 16)

void hd_front_wanted_begin(struct hd_front *front) {
    hd_contended_begin(&front->contended, front->arena, hd_trace_granules(front->trace),
                       front->thread_count);
    if (front->needs & HD_NEED_NOTHING_ELSE) {
        front->wanted = hd_arena_array(front->arena, front->variable_count, 1);
    }
}

/* Granules are numbered object by object. */
void hd_front_wanted_freed(struct hd_front *front, uint32_t object) {
    if (!front->contended.cells || !front->object_of || object >= front->object_count) {
        return;
    }
    uint32_t low = 0, high = hd_trace_granules(front->trace);
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (front->object_of[middle] < object) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    while (high < hd_trace_granules(front->trace) && front->object_of[high] == object) {
        high++;
    }
    hd_contended_gone(&front->contended, low, high - low);
}

void hd_front_wanted_store(struct hd_front *front, const struct hd_event *event) {
    if (front->kept_count == KEPT_MOST) {
        front->loud = true;
        return;
    }
    HD_ARENA_FIT(front->arena, front->kept, front->kept_room, front->kept_count);
    struct hd_event *kept = &front->kept[front->kept_count++];
    *kept = *event;
    /* Of accesses and calls it only counts that the thread goes on. */
    if (hd_kind_is_access(event->kind) || event->kind == HD_ENTER || event->kind == HD_EXIT) {
        *kept = (struct hd_event){HD_NO_ID, HD_NO_ID, event->site, event->thread, HD_SLEEP, 0};
    }
}

void hd_front_wanted_end(struct hd_front *front) {
    if (!front->wanted) {
        return;
    }
    for (uint32_t v = 0; v < front->variable_count; v++) {
        uint32_t count = 1, *single = &front->granule_of[v];
        const uint32_t *granules = single;
        if (*single == HD_NO_ID) {
            granules = hd_trace_variable_granules(front->trace, v, &count);
        }
        for (uint32_t i = 0; i < count; i++) {
            front->wanted[v] |= hd_contended_is(&front->contended, granules[i]);
        }
        front->loud |= front->wanted[v];
    }
}

bool hd_front_is_quiet(const struct hd_front *front, const struct hd_event **events,
                       size_t *count) {
    *events = front->kept;
    *count = front->kept_count;
    return front->wanted && !front->loud;
}
