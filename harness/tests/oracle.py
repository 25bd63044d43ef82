"""oracle.py - what the words of a verdict mean, by brute force.

A program is a list of threads, a thread a list of (operation, transaction or None). Here it is run in
every interleaving there is, and each execution is held against the definitions of confirmed, harmful and
refuted as they stand in the contract and in checkers/judge.h, without any cleverness and without a line of
heddle: sets of pairs, ways found by trying.

Operations (r is the thread's register):
  read v | write v c | add v (v = r + 1) | if c v k (v = k if r == c) | fail c (assert r != c)
  aread a | awrite a c | rmw a (r = a++)                   atomics
  lock m | unlock m | rdlock w | wrlock w | rwunlock w
  try m n (the next n operations only if the mutex m is free, which is then taken)
  post s | pend s | arrive b, leave b (one call) | signal c | broadcast c
  test v n (go on n further if v is not 0), sleep c m, wake c m n (n back): a loop around a wait
  free p (the heap block p); read and write take its name, too"""
from functools import lru_cache

ACCESS = {"read": "r", "write": "w", "aread": "r", "awrite": "w", "rmw": "w", "free": "w", "test": "r"}
ATOMIC = ("aread", "awrite", "rmw")
BLOCKS = ("p",)  # on the heap


class TooLarge(Exception):
    pass


# ---- running -----------------------------------------------------------------------------------------


class Machine:
    """States are tuples: (places in the threads, registers, variables, locks, permits, barriers, asleep,
    freed, ending). A step gives the next state and the event, which is what the operation turned out to do."""

    def __init__(self, threads, permits, mute=False):
        self.threads = threads
        self.mute = mute  # registers are not part of the outcome
        self.k = len(threads)
        k = self.k
        self.parties = sum(any(o[0] == "arrive" for o, _ in ops) for ops in threads)
        self.start = self.settle(((0,) * k, (0,) * k, (), (), tuple(sorted(permits.items())), 0, (), (), None))

    def settle(self, state):
        """Past what is decided within the thread."""
        at, regs = list(state[0]), state[1]
        for t, ops in enumerate(self.threads):
            while at[t] < len(ops):
                o = ops[at[t]][0]
                if o[0] in ("if", "fail") and regs[t] != o[1]:
                    at[t] += 1
                else:
                    break
        return (tuple(at),) + state[1:]

    def pending(self, state, t):
        if state[8] is not None or state[0][t] == len(self.threads[t]):
            return None
        return self.threads[t][state[0][t]][0]

    def enabled(self, state, t):
        o = self.pending(state, t)
        if o is None:
            return False
        locks, permits = dict(state[3]), dict(state[4])
        if o[0] in ("lock", "wrlock"):
            return o[1] not in locks
        if o[0] == "rdlock":
            return locks.get(o[1], ("r",))[0] == "r"
        if o[0] == "pend":
            return permits[o[1]] > 0
        if o[0] == "leave":
            return state[5] >= self.parties
        if o[0] == "wake":
            return (t, True) in state[6] and o[2] not in locks
        return True

    def step(self, state, t):
        at, regs, values, locks, permits, came, asleep, freed, _ = state
        o, name = self.threads[t][at[t]]
        values, locks, permits, asleep = dict(values), dict(locks), dict(permits), list(asleep)
        kind, obj, jump, end, r = o[0], o[1], 1, None, regs[t]
        if kind == "if":
            kind, obj = "write", o[2]
            values[obj] = o[3]
        elif kind == "fail":
            kind, end = None, ("assertion", t, at[t])
        elif kind in ("read", "aread", "test"):
            if kind != "test":
                r = values.get(obj, 0)
            elif values.get(obj, 0):
                jump = o[2]
        elif kind in ("write", "awrite"):
            values[obj] = o[2]
        elif kind == "add":
            kind, values[obj] = "write", r + 1
        elif kind == "rmw":
            r, values[obj] = values.get(obj, 0), values.get(obj, 0) + 1
        elif kind in ("lock", "wrlock"):
            locks[obj] = ("w", t)
        elif kind == "rdlock":
            locks[obj] = ("r",) + tuple(sorted(locks.get(obj, ("r",))[1:] + (t,)))
        elif kind == "unlock":
            del locks[obj]
        elif kind == "rwunlock":
            rest = tuple(x for x in locks[obj][1:] if x != t)
            kind = "rwunlock" if locks[obj][0] == "w" else "rdunlock"
            if rest:
                locks[obj] = ("r",) + rest
            else:
                del locks[obj]
        elif kind == "try":
            if obj in locks:
                kind, jump = "look", o[2] + 1
            else:
                kind, locks[obj] = "lock", ("w", t)
        elif kind == "post":
            permits[obj] += 1
        elif kind == "pend":
            permits[obj] -= 1
        elif kind == "arrive":
            came += 1
        elif kind == "signal":
            waiting = [i for i, (who, woken) in enumerate(asleep) if not woken]
            if waiting:
                asleep[waiting[0]] = (asleep[waiting[0]][0], True)
        elif kind == "broadcast":
            asleep = [(who, True) for who, _ in asleep]
        elif kind == "sleep":
            del locks[o[2]]
            asleep.append((t, False))
        elif kind == "wake":
            asleep.remove((t, True))
            locks[o[2]] = ("w", t)
            jump = -o[3]
        if kind in ACCESS and obj in BLOCKS and obj in freed:
            end = ("misuse", t, at[t])
        if kind == "free":
            freed = freed + (obj,)
        event = None if kind is None else (t, kind, obj, name, at[t], o[2] if kind in ("sleep", "wake") else None)
        after = (
            at[:t] + (at[t] + jump,) + at[t + 1 :],
            regs[:t] + (r,) + regs[t + 1 :],
            tuple(sorted(values.items())),
            tuple(sorted(locks.items())),
            tuple(sorted(permits.items())),
            came,
            tuple(asleep),
            freed,
            end,
        )
        return self.settle(after), event

    def ending(self, state):
        """(outcome, which failure or None) of a state in which nobody moves."""
        if state[8]:
            return state[8][0], state[8]
        if any(state[0][t] < len(self.threads[t]) for t in range(self.k)):
            return "deadlock", ("deadlock",)
        values = dict(state[2])
        shown = [values.get(v, 0) for v in ("x", "y", "a")] + list([0] * self.k if self.mute else state[1]) + [0] * (3 - self.k)
        return 'exit 0, stdout "%s\\n"' % " ".join(map(str, shown)), None

    def moves(self, state):
        return [t for t in range(self.k) if self.enabled(state, t)]


def executions(machine, most):
    """Every interleaving: (events, last state). TooLarge if there are more than `most`."""
    found = []

    def go(state, events):
        moves = machine.moves(state)
        if not moves:
            found.append((tuple(events), state))
            if len(found) > most:
                raise TooLarge
        for t in moves:
            after, event = machine.step(state, t)
            if event:
                events.append(event)
            go(after, events)
            if event:
                events.pop()

    go(machine.start, [])
    return found


# ---- races: what both orders of a pair lead to ---------------------------------------------------------


def accesses(machine, state, t):
    """(variable, writes, atomic) of what the thread stands before; None: it is no access."""
    o = machine.pending(state, t)
    if o is None or o[0] == "fail":
        return None
    if o[0] == "if":
        return o[2], True, False
    if o[0] == "add":
        return o[1], True, False
    if o[0] not in ACCESS:
        return None
    return o[1], ACCESS[o[0]] == "w", o[0] in ATOMIC


def races(machine):
    """variable -> does the order of two accesses that are pending at once change what can become of it?"""

    @lru_cache(None)
    def futures(state):
        moves = machine.moves(state)
        if not moves:
            return frozenset([machine.ending(state)])
        return frozenset().union(*(futures(machine.step(state, t)[0]) for t in moves))

    def after(state, first, second):
        """What can become of it; None: the first one ends the program, so that there is no second."""
        state = machine.step(state, first)[0]
        return None if state[8] else futures(machine.step(state, second)[0])

    found, seen, todo = {}, {machine.start}, [machine.start]
    while todo:
        state = todo.pop()
        pending = [accesses(machine, state, t) for t in range(machine.k)]
        for a in range(machine.k):
            for b in range(a + 1, machine.k):
                p, q = pending[a], pending[b]
                if p and q and p[0] == q[0] and (p[1] or q[1]) and not (p[2] and q[2]):
                    one, other = after(state, a, b), after(state, b, a)
                    if one is not None and other is not None:
                        found[p[0]] = found.get(p[0], False) or one != other
        for t in machine.moves(state):
            step = machine.step(state, t)[0]
            if step not in seen:
                seen.add(step)
                todo.append(step)
    return found


# ---- one execution ---------------------------------------------------------------------------------------


def variable(e):
    return e[2] if e[1] in ACCESS else None


def conflict(a, b):
    return a[0] != b[0] and variable(a) is not None and variable(a) == variable(b) and "w" in (ACCESS[a[1]], ACCESS[b[1]])


class Section:
    def __init__(self, lock, thread, shared, taken):
        self.lock, self.thread, self.shared, self.taken, self.given, self.across = lock, thread, shared, taken, None, False


def sections(events, instance):
    """Of all locks. Across: held while a transaction begins or ends."""
    out, held, inside = [], {}, {}
    for i, e in enumerate(events):
        t = e[0]
        if instance[i] != inside.get(t):
            for s in held.values():
                s.across |= s.thread == t
            inside[t] = instance[i]
        lock = e[5] or e[2]
        if e[1] in ("lock", "wrlock", "rdlock", "wake"):
            held[(t, lock)] = Section(lock, t, e[1] == "rdlock", i)
            out.append(held[(t, lock)])
        elif e[1] in ("unlock", "rwunlock", "rdunlock", "sleep"):
            held.pop((t, lock)).given = i
    return out


def instances(events):
    """The instance of each event: a barrier or a wait ends one, and the rest is another, from the wake-up on."""
    out, number, now = [], 0, {}
    for e in events:
        t, name = e[0], e[3]
        if name is None or e[1] in ("arrive", "leave"):
            now[t] = None
            out.append(None)
            continue
        if now.get(t) is None or now[t][0] != name:
            number += 1
            now[t] = (name, number)
        out.append(now[t])
        if e[1] == "sleep":
            now[t] = None
    return out


def permits_taken(events, permits):
    """(post, pend): first in, first out."""
    queue, out = {s: [None] * n for s, n in permits.items()}, []
    for i, e in enumerate(events):
        if e[1] == "post":
            queue[e[2]].append(i)
        elif e[1] == "pend":
            post = queue[e[2]].pop(0)
            if post is not None:
                out.append((post, i))
    return out


def wake_ups(events):
    """(signal, wake)."""
    asleep, out = [], []
    for i, e in enumerate(events):
        if e[1] == "sleep":
            asleep.append([e[0], None])
        elif e[1] in ("signal", "broadcast"):
            for w in [w for w in asleep if w[1] is None][: 1 if e[1] == "signal" else None]:
                w[1] = i
        elif e[1] == "wake":
            w = next(w for w in asleep if w[0] == e[0])
            asleep.remove(w)
            out.append((w[1], i))
    return out


def meetings(events):
    arrivals = [i for i, e in enumerate(events) if e[1] == "arrive"]
    return [(i, j) for j, e in enumerate(events) if e[1] == "leave" for i in arrivals if events[i][0] != e[0]]


def ordered(a, b):
    return a[0] == b[0] or conflict(a, b)


def data_pairs(events):
    out = []
    for j, f in enumerate(events):
        for i in range(j):
            e = events[i]
            if conflict(e, f) and not any(
                variable(events[g]) == variable(f) and ordered(e, events[g]) and ordered(events[g], f) for g in range(i + 1, j)
            ):
                out.append((i, j))
    return out


def lock_pairs(all_sections):
    def after(s, u):
        return s.given is not None and s.lock == u.lock and s.given < u.taken and not (s.shared and u.shared) and (s.across or u.across)

    def before(s, u):  # by the rule, or in one thread
        return after(s, u) if s.thread != u.thread else s.lock == u.lock and s.taken < u.taken

    return [
        (s.given, u.taken)
        for s in all_sections
        for u in all_sections
        if s.thread != u.thread and after(s, u) and not any(m not in (s, u) and before(s, m) and before(m, u) for m in all_sections)
    ]


def closure(count, pairs):
    """Bit i of entry j: there is a way from i to j. Pairs go forward."""
    before = [[] for _ in range(count)]
    for i, j in pairs:
        before[j].append(i)
    out = []
    for j in range(count):
        mask = 0
        for i in before[j]:
            mask |= out[i] | 1 << i
        out.append(mask)
    return out


class Execution:
    def __init__(self, events, permits):
        self.events, n = events, len(events)
        self.instance = instances(events)
        self.node = [x if x else ("one", i) for i, x in enumerate(self.instance)]
        self.sections = sections(events, self.instance)
        last, self.thread_pairs = {}, []
        for i, e in enumerate(events):
            if e[0] in last:
                self.thread_pairs.append((last[e[0]], i))
            last[e[0]] = i
        self.sync = permits_taken(events, permits) + wake_ups(events) + meetings(events)
        self.data = data_pairs(events)
        self.pairs = self.data + self.sync + lock_pairs(self.sections)
        locks = [
            (s.given, u.taken)
            for s in self.sections
            for u in self.sections
            if s.lock == u.lock and s.given is not None and s.given < u.taken and not (s.shared and u.shared)
        ]
        self.all = closure(n, self.thread_pairs + self.pairs + locks)
        self.hb = closure(n, self.thread_pairs + locks + meetings(events) + wake_ups(events) + self.needed(permits, locks))
        self.hb = closure(n, self.thread_pairs + locks + meetings(events) + wake_ups(events) + self.needed(permits, locks) + self.atomics())

    def atomics(self):
        """An atomic read comes after the write that it sees, and all of the same chain of rmw."""
        out, chain = [], {}
        for i, e in enumerate(self.events):
            if e[1] in ("aread", "rmw"):
                out += [(w, i) for w in chain.get(e[2], [])]
            if e[1] == "awrite":
                chain[e[2]] = [i]
            elif e[1] == "rmw":
                chain.setdefault(e[2], []).append(i)
        return out

    def needed(self, permits, locks):
        """(post, pend) where the pend could not have passed without that post."""
        out = []
        for s, initial in permits.items():
            posts = [i for i, e in enumerate(self.events) if e[1] == "post" and e[2] == s]
            pends = [i for i, e in enumerate(self.events) if e[1] == "pend" and e[2] == s]
            for k, pend in enumerate(pends):
                for v in posts:
                    if v > pend:
                        continue
                    known = closure(len(self.events), self.thread_pairs + locks + meetings(self.events) + wake_ups(self.events) + out)
                    others = sum(1 for u in posts if u < pend and u != v and not known[u] >> v & 1)
                    if initial + others < k + 1:
                        out.append((v, pend))
        return out

    def raced(self):
        out = set()
        for j, f in enumerate(self.events):
            for i in range(j):
                e = self.events[i]
                if conflict(e, f) and not self.hb[j] >> i & 1 and not (e[1] in ATOMIC and f[1] in ATOMIC):
                    out.add(variable(e))
        return out

    def way_round(self, home, torn):
        """Is there a way that leaves home by an operation and comes back to a later one? Torn nodes are passed
        from an operation to later ones only."""
        leave = {}
        for i, j in self.pairs + self.thread_pairs:
            if self.node[i] != self.node[j]:
                leave.setdefault(self.node[i], []).append((i, j))
        for start, first in leave.get(home, ()):
            came, todo = {(self.node[first], first)}, [(self.node[first], first)]
            while todo:
                node, at = todo.pop()
                for i, j in leave.get(node, ()):
                    if node in torn and i < at:
                        continue
                    if self.node[j] == home:
                        if j > start:
                            return True
                    elif (self.node[j], j) not in came:
                        came.add((self.node[j], j))
                        todo.append((self.node[j], j))
        return False

    def victims(self):
        nodes = {x for x in self.instance if x}
        accused = {x for x in nodes if self.way_round(x, ())}
        torn = set()
        for x in accused:
            mine = [i for i, y in enumerate(self.node) if y == x]
            if any(
                self.all[k] >> i & 1 and self.all[j] >> k & 1
                for i in mine
                for j in mine
                for k, e in enumerate(self.events)
                if i < k < j and e[0] != self.events[i][0]
            ):
                torn.add(x)
        return {x[0] for x in accused if x in torn or self.way_round(x, torn)}

    def seen_half_done(self, failing, open_names):
        """Transactions that were open when a thread failed that had met, over data, a post or a signal, what they had
        done."""
        tells, told = ("post", "signal", "broadcast"), ("pend", "wake")
        meet = [
            (i, j)
            for j, f in enumerate(self.events)
            for i, e in enumerate(self.events[:j])
            if e[2] == f[2] and e[1] in tells + told and f[1] in tells + told and (e[1] in tells or f[1] in tells)
        ]
        way = closure(len(self.events), self.thread_pairs + self.data + meet)
        latest = {e[0]: i for i, e in enumerate(self.events)}
        halves = {self.instance[i] for i in latest.values() if self.events[i][1] != "sleep"}
        last = latest.get(failing)
        return {
            x[0]
            for i, x in enumerate(self.instance)
            if x in halves and x and last is not None and self.events[i][0] != failing and x[0] in open_names and way[last] >> i & 1
        }


def key_of(events):
    """Executions with the same key differ in the order of operations that have nothing to do with each other."""
    places = {}
    for e in events:
        for place in {e[2], e[5]} - {None}:
            places.setdefault(place, []).append(e)
    return tuple(sorted((place, tuple(list_)) for place, list_ in places.items())), tuple(sorted((e[0], e[4]) for e in events))


class Expectation:
    """Of a whole program."""

    def __init__(self, threads, permits, most, mute=False):
        machine = Machine(threads, permits, mute)
        self.mute = mute
        self.names = sorted({name for ops in threads for _, name in ops if name})
        self.victims, self.raced, self.outcomes, self.failures, self.stuck = set(), set(), set(), set(), []
        self.broken = {name: set() for name in self.names}  # outcomes with it a victim
        self.whole = {name: set() for name in self.names}  # with it as one step
        self.half = {name: set() for name in self.names}  # with it open, and looked into
        self.failed = set()  # victims in executions that failed
        known, classes, steps = {}, {}, []
        for events, state in executions(machine, most):
            outcome, failure = machine.ending(state)
            self.outcomes.add(outcome)
            done = tuple(e for e in events if e[1] != "look")  # a try that fails closes no cycle
            key = key_of(done), failure
            opened = {threads[t][state[0][t]][1] for t in range(machine.k) if 0 < state[0][t] < len(threads[t]) and threads[t][state[0][t]][1] == threads[t][state[0][t] - 1][1]}
            if key not in known:
                known[key] = self.look(Execution(done, permits), outcome, failure, opened - {None})
            if failure:
                self.failures.add(failure[0])
            if failure and failure[0] == "deadlock":
                self.stuck.append({machine.pending(state, t)[2 if machine.pending(state, t)[0] == "wake" else 1] for t in range(machine.k) if machine.pending(state, t)})
            at, now = {}, set()
            for i, x in enumerate(instances(events)):
                if x:
                    at.setdefault(x, []).append(i)
            for name in self.names:
                parts = [list_ for x, list_ in at.items() if x[0] == name]
                if all(p[-1] - p[0] + 1 == len(p) for p in parts) and not (
                    name in opened and not (failure and failure[0] != "deadlock" and threads[failure[1]][failure[2]][1] == name)
                ):
                    self.whole[name].add(outcome)
                    now.add(name)
            classes.setdefault((key_of(events), failure), (outcome, known[key], set()))[2].update(now)
            steps.append((outcome, now))
        self.race_harm = races(machine)
        self.harmful = {name for name in self.victims if name in self.failed or (self.broken[name] | self.half[name]) - self.whole[name]}
        self.judge_together(classes.values(), steps)

    def judge_together(self, classes, steps):
        """Serial is what comes of executions in which all confirmed transactions are one step each. What does not, is
        the harm of those in a smallest set of torn ones with which it comes."""
        halves = {name for name in self.names if self.half[name] - self.whole[name]}
        count = {name for name in self.victims | halves if self.whole[name]}
        self.serial = {outcome for outcome, whole in steps if count <= whole}
        self.together = set()
        torn = {}
        for outcome, victims, whole in classes:
            torn.setdefault(outcome, []).append(frozenset(count - (whole - victims)))
        for outcome, sets in torn.items():
            blamed = {name for s in sets if not any(other < s for other in sets) for name in s}
            if self.serial and outcome not in self.serial:
                self.together |= {name for name in blamed if outcome in self.broken[name]}
        self.together -= self.harmful
        self.harmful |= self.together

    def look(self, execution, outcome, failure, opened):
        victims = execution.victims()
        self.victims |= victims
        self.raced |= execution.raced()
        for name in victims:
            self.broken[name].add(outcome)
            if failure:
                self.failed.add(name)
        if failure and failure[0] != "deadlock":
            for name in execution.seen_half_done(failure[1], opened):
                self.half[name].add(outcome)
        return victims
