/* graph_cycle.c - putting a cycle into a warning (graph_cycle.h). */
#include "checkers/graph_cycle.h"

#include <stdio.h>

void hd_cycle_find(const struct hd_flow *flow, const struct hd_point *from,
                   const struct hd_access *op, hd_node to, struct hd_cycle *cycle) {
    struct hd_hop hops[HD_GRAPH_LONG + 1];
    uint32_t n = hd_graph_path(flow->graph, from, to, hops, HD_GRAPH_LONG + 1);
    const struct hd_graph_node *node = &hd_graph_view(flow->graph)->nodes[hd_node_index(to)];
    cycle->count = n + 1;
    cycle->stops[0] =
        (struct hd_stop){*op, hops[0].from, node->region, node->unary, hops[0].skips};
    for (uint32_t i = 0; i < n; i++) {
        bool end = i + 1 == n;
        cycle->stops[i + 1] =
            (struct hd_stop){hops[i].to, end ? from->op : hops[i + 1].from, hops[i].region,
                             hops[i].unary, !end && hops[i + 1].skips};
    }
}

bool hd_cycle_blames(const struct hd_cycle *cycle, uint32_t stop) {
    const struct hd_stop *s = &cycle->stops[stop];
    return !s->unary && s->out.seq < s->in.seq;
}

static void add_access(struct hd_warning *w, const struct hd_access *op, uint32_t most) {
    bool shown = op->kind != HD_BEGIN && op->kind != HD_END && op->kind != HD_STOP;
    if (!shown || w->access_count >= most) return;
    if (w->access_count && w->accesses[w->access_count - 1].seq == op->seq) return;
    w->accesses[w->access_count++] = *op;
}

static void add_event(struct hd_warning *w, uint64_t *seqs, uint64_t seq) {
    uint32_t at = w->witness_count;
    for (uint32_t i = 0; i < at; i++) {
        if (seqs[i] == seq) return;
    }
    for (; at > 0 && seqs[at - 1] > seq; at--) seqs[at] = seqs[at - 1];
    seqs[at] = seq;
    w->witness_count++;
}

static int letter(const struct hd_access *op) {
    return !hd_kind_is_access(op->kind) ? -1 : hd_kind_writes(op->kind) ? 1 : 0;
}

/* Two stops, one variable: the pattern has a name. */
static const char *pattern(const struct hd_stop *victim, const struct hd_stop *other) {
    static const char *const names[2][2][2] = {
        {{"R-R-R", "R-R-W"}, {"R-W-R", "R-W-W"}},
        {{"W-R-R", "W-R-W"}, {"W-W-R", "W-W-W"}},
    };
    int a = letter(&victim->out), b = letter(&other->in), c = letter(&victim->in);
    if (other->in.seq != other->out.seq || a < 0 || b < 0 || c < 0) return "cycle";
    if (victim->out.obj != other->in.obj || victim->in.obj != other->in.obj) return "cycle";
    return names[a][b][c];
}

void hd_cycle_tell(const struct hd_cycle *cycle, uint32_t stop, struct hd_warning *w,
                   uint64_t *seqs, char *why, size_t why_size) {
    uint32_t n = cycle->count, transactions = 0, singles = 0;
    const struct hd_stop *victim = &cycle->stops[stop];
    bool skips = victim->skips;
    add_access(w, &victim->out, HD_WARNING_ACCESSES);
    for (uint32_t i = 1; i < n; i++) {
        const struct hd_stop *s = &cycle->stops[(stop + i) % n];
        add_access(w, &s->in, HD_WARNING_ACCESSES - 1);
        add_access(w, &s->out, HD_WARNING_ACCESSES - 1);
        skips |= s->skips;
        if (s->unary) singles += 1 + (s->in.seq != s->out.seq);
        else transactions++;
    }
    add_access(w, &victim->in, HD_WARNING_ACCESSES);
    for (uint32_t i = 0; i < n; i++) {
        add_event(w, seqs, cycle->stops[i].in.seq);
        add_event(w, seqs, cycle->stops[i].out.seq);
    }
    w->witness = seqs;
    w->pattern = n == 2 ? pattern(victim, &cycle->stops[1 - stop]) : "cycle";
    int used = snprintf(why, why_size, "in this trace ");
    if (transactions) {
        used += snprintf(why + used, why_size - (size_t)used, "%u other transaction%s",
                         transactions, transactions == 1 ? "" : "s");
    }
    if (singles) {
        used += snprintf(why + used, why_size - (size_t)used, "%s%u operation%s outside of any",
                         transactions ? " and " : "", singles, singles == 1 ? "" : "s");
    }
    snprintf(why + used, why_size - (size_t)used, " must come both after and before it%s",
             skips ? "; the way round is long, and not all of it is listed" : "");
    w->why = why;
}
