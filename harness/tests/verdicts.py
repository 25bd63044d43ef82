#!/usr/bin/env python3
"""verdicts.py - the verdicts of `heddle test` on random small programs, against enumeration.

usage: verdicts.py BUILD FIRST COUNT

A program has two or three threads of reads, writes, lock regions and writes that depend on what was
read; some stretches are annotated as atomic. Here every interleaving of it is enumerated and held
against the definitions, without any cleverness: was a transaction interrupted, did two accesses race,
which outcomes does the program have when the transaction runs as one step. heddle must find a search
that is complete and agree:

  accused   the conflict graph has a cycle that leaves the transaction before it comes back to it
  torn      accused, and a way leads from an operation of it, over operations of others, to a later
            one of it by data alone: it was interrupted, and is not only the one that interrupts
  confirmed implies accused in some interleaving, refuted that it is torn in none
  torn in some interleaving implies confirmed
  harmful   implies that some outcome with it accused is no outcome of it running as one step, and
            is implied by such an outcome with it torn
  race      confirmed iff happens-before leaves two conflicting accesses unordered somewhere

Prints `ok`/`not ok` a program; a program that disagrees is kept as C in BUILD/verdicts."""
import json, os, random, subprocess, sys
from concurrent.futures import ThreadPoolExecutor

BUILD, FIRST, COUNT = os.path.abspath(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
MOST = 4000  # interleavings of one program; larger ones are drawn anew
VARIABLES = ("x", "y")


# ---- programs: a thread is a list of operations, each with the transaction it is in (or None) ----


def draw(seed):
    rng = random.Random(seed)
    while True:
        threads, names = [], []
        for t in range(rng.choice((2, 2, 2, 3))):
            ops, blocks = [], rng.choice((1, 1, 2))
            for b in range(blocks):
                name = f"t{t}b{b}" if rng.random() < 0.7 else None
                if name:
                    names.append(name)
                for section in range(rng.choice((1, 2, 2))):
                    # A region that is in no transaction would be held across the ends of many.
                    lock = rng.choice((None, "m", "m", "n")) if name else None
                    body = [op(rng) for _ in range(rng.choice((1, 1, 2)))]
                    if lock:
                        body = [("lock", lock)] + body + [("unlock", lock)]
                    ops += [(o, name) for o in body]
            threads.append(ops)
        if names and 1 < count(threads) <= MOST:
            return threads


def op(rng):
    v, r = rng.choice(VARIABLES), rng.random()
    if r < 0.4:
        return ("read", v)
    if r < 0.6:
        return ("write", v, rng.randint(1, 2))
    if r < 0.8:
        return ("add", v, 1)  # what was read last, and one more
    return ("if", rng.randint(0, 1), v, rng.randint(1, 3))  # a write if that was read last


def count(threads):
    total, n = 1, 0
    for ops in threads:
        for i in range(1, len(ops) + 1):
            n += 1
            total = total * n // i
    return total


def as_c(number, threads):
    text = ""
    for t, ops in enumerate(threads):
        text += f"static void *p{number}_{t}(void *arg) {{\n    int r = 0;\n"
        inside = None
        for o, name in ops:
            if name != inside:
                text += "    }\n" if inside else ""
                text += f'    HEDDLE_ATOMIC("{name}") {{\n' if name else ""
                inside = name
            text += "        " + {
                "lock": lambda: f"pthread_mutex_lock(&{o[1]});",
                "unlock": lambda: f"pthread_mutex_unlock(&{o[1]});",
                "read": lambda: f"r = {o[1]};",
                "write": lambda: f"{o[1]} = {o[2]};",
                "add": lambda: f"{o[1]} = r + 1;",
                "if": lambda: f"if (r == {o[1]}) {o[2]} = {o[3]};",
            }[o[0]]() + "\n"
        text += ("    }\n" if inside else "") + f"    last[{t}] = r;\n    return arg;\n}}\n"
    text += f"static void p{number}(void) {{\n    run({len(threads)}"
    return text + "".join(f", p{number}_{t}" for t in range(len(threads))) + ");\n}\n"


HEAD = """#include <heddle.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
static int x, y, last[3];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static void run(int count, ...) {
    pthread_t threads[3];
    va_list list;
    va_start(list, count);
    for (int i = 0; i < count; i++) pthread_create(&threads[i], NULL, va_arg(list, void *(*)(void *)), NULL);
    for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);
    va_end(list);
    printf("%d %d %d %d %d\\n", x, y, last[0], last[1], last[2]);
}
"""

# ---- every interleaving ----


def executions(threads):
    """(events, outcome); an event is (thread, operation, transaction, index in its thread)."""
    k = len(threads)

    def go(at, values, regs, held, events):
        moved = False
        for t in range(k):
            if at[t] == len(threads[t]):
                continue
            o, name = threads[t][at[t]]
            if o[0] == "lock" and o[1] in held:
                continue
            moved = True
            v, r, h, did = values, regs, held, o[:2]
            if o[0] == "lock":
                h = held | {o[1]}
            elif o[0] == "unlock":
                h = held - {o[1]}
            elif o[0] == "read":
                r = regs[:t] + (values[VARIABLES.index(o[1])],) + regs[t + 1 :]
            elif o[0] != "if" or regs[t] == o[1]:
                target, value = {"write": lambda: (o[1], o[2]), "add": lambda: (o[1], regs[t] + 1), "if": lambda: (o[2], o[3])}[o[0]]()
                i = VARIABLES.index(target)
                v, did = values[:i] + (value,) + values[i + 1 :], ("write", target)
            else:
                did = None  # nothing is done
            yield from go(at[:t] + (at[t] + 1,) + at[t + 1 :], v, r, h, events + [(t, did, name, at[t])] if did else events)
        if not moved:
            yield events, "%d %d %d %d %d" % (values + regs + (0,) * (3 - k))

    yield from go((0,) * k, (0,) * len(VARIABLES), (0,) * k, frozenset(), [])


def conflict(a, b):
    return a[0] != b[0] and a[1][1] == b[1][1] and a[1][0] in ("read", "write") and "write" in (a[1][0], b[1][0]) and b[1][0] in ("read", "write")


def reach(edges, nodes):
    """Pairs (a, b) with a way of at least one edge."""
    closed = {a: set(edges.get(a, ())) for a in nodes}
    for via in nodes:
        for a in nodes:
            if via in closed[a]:
                closed[a] |= closed[via]
    return closed


def analyse(events):
    """(accused, torn, raced) of one execution."""
    n, accused, torn, raced = len(events), set(), set(), set()
    node = [(e[0], e[2]) if e[2] else (e[0], None, i) for i, e in enumerate(events)]
    later = {}  # event -> events that come after it because of data; regions of a lock may change places
    happens = {}  # the same by happens-before alone
    for i in range(n):
        for j in range(i + 1, n):
            a, b = events[i], events[j]
            same = a[0] == b[0]
            sync = a[1][0] == "unlock" and b[1][0] == "lock" and a[1][1] == b[1][1]
            if same or sync:
                happens.setdefault(i, set()).add(j)
            if same or conflict(a, b):
                later.setdefault(i, set()).add(j)
    hb, way = reach(happens, range(n)), reach(later, range(n))
    for i in range(n):
        for j in range(i + 1, n):
            if conflict(events[i], events[j]) and j not in hb[i]:
                raced.add(events[i][1][1])
            if node[i] == node[j] and any(e[0] != events[i][0] and k in way[i] and j in way[k] for k, e in enumerate(events)):
                torn.add(events[i][2])
    for victim in {e[2] for e in events if e[2]}:
        mine = [i for i in range(n) if events[i][2] == victim]
        me = node[mine[0]]
        edges = {}
        for i in range(n):
            for j in range(i + 1, n):
                if node[i] != node[j] and me not in (node[i], node[j]) and (events[i][0] == events[j][0] or conflict(events[i], events[j])):
                    edges.setdefault(node[i], set()).add(node[j])
        ways = reach(edges, set(node))
        out = [(i, node[j]) for i in mine for j in range(i + 1, n) if conflict(events[i], events[j])]
        back = [(j, node[i]) for j in mine for i in range(j) if conflict(events[i], events[j])]
        if any(i < j and (a == b or b in ways[a]) for i, a in out for j, b in back):
            accused.add(victim)
    return accused, torn & accused, raced


def expectation(threads):
    known, names = {}, {name for ops in threads for _, name in ops if name}
    accused, torn, raced = set(), set(), set()
    broken = {name: set() for name in names}
    surely = {name: set() for name in names}
    whole = {name: set() for name in names}
    for events, outcome in executions(threads):
        order = {}
        for e in events:
            order.setdefault(e[1][1], []).append((e[0], e[3], e[1][0]))
        key = tuple(sorted((k, tuple(v)) for k, v in order.items())), tuple(sorted((e[0], e[3]) for e in events))
        if key not in known:
            known[key] = analyse(events)
        a, t, r = known[key]
        accused |= a
        torn |= t
        raced |= r
        for name in names:
            at = [i for i, e in enumerate(events) if e[2] == name]
            if name in a:
                broken[name].add(outcome)
            if name in t:
                surely[name].add(outcome)
            if not at or at[-1] - at[0] + 1 == len(at):
                whole[name].add(outcome)
    return accused, torn, raced, {name for name in names if broken[name] - whole[name]}, {name for name in names if surely[name] - whole[name]}


def judge(number, threads, program):
    out = os.path.join(BUILD, "verdicts", f"{number}.json")
    r = subprocess.run([os.environ.get("HEDDLE") or os.path.join(BUILD, "bin", "heddle"), "test", "--quiet", "--transactions", "annotated", "--checkers", "blocks,reduction,races,velodrome", "-o", out, program, str(number)], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    try:
        doc = json.load(open(out))
        os.unlink(out)
    except (OSError, ValueError):
        return [f"exit {r.returncode}: {r.stderr[:200]}"]
    accused, torn, raced, may_harm, harms = expectation(threads)
    wrong, confirmed, races = [], set(), set()
    if not doc["statistics"]["exhausted"]:
        wrong.append("the search is not complete")
    for w in doc["warnings"]:
        if w["kind"] == "race":
            name = w["accesses"][0]["variable"]
            if w["verdict"] == "confirmed":
                races.add(name)
            if w["verdict"] == "undecided":
                wrong.append(f"race on {name} is undecided")
        elif w["kind"] == "atomicity":
            name, verdict = w["transaction"]["function"], w["verdict"]
            if verdict == "undecided":
                wrong.append(f"{name} is undecided")
            if verdict == "refuted" and name in torn:
                wrong.append(f"{name} is refuted, but can be interrupted")
            if verdict == "confirmed":
                confirmed.add(name)
                if name not in accused:
                    wrong.append(f"{name} is confirmed, but is on no cycle that accuses it")
                if w["impact"] == "harmful" and name not in may_harm or w["impact"] != "harmful" and name in harms:
                    wrong.append(f"{name} is {w['impact']}, harmful by enumeration: {name in harms}")
    wrong += [f"{name} can be interrupted, and is not confirmed" for name in sorted(torn - confirmed)]
    wrong += [f"a race on {v}: confirmed {v in races}, by enumeration {v in raced}" for v in sorted(races ^ raced)]
    return wrong


def main():
    folder = os.path.join(BUILD, "verdicts")
    os.makedirs(folder, exist_ok=True)
    numbers = range(FIRST, FIRST + COUNT)
    programs = {i: draw(i) for i in numbers}
    source = os.path.join(folder, f"programs{FIRST}.c")
    with open(source, "w") as f:
        f.write(HEAD + "".join(as_c(i, programs[i]) for i in numbers))
        f.write("int main(int argc, char **argv) {\n    switch (atoi(argv[1])) {\n")
        f.write("".join(f"    case {i}: p{i}(); break;\n" for i in numbers) + "    }\n    return 0;\n}\n")
    program = source[:-2]
    subprocess.run([os.path.join(BUILD, "bin", "heddle-cc"), "-g", "-O1", source, "-o", program], check=True)
    bad = 0
    with ThreadPoolExecutor(2) as pool:
        for i, wrong in zip(numbers, pool.map(lambda i: judge(i, programs[i], program), numbers)):
            if wrong:
                bad += 1
                print(f"not ok verdicts_of_program_{i}: {'; '.join(wrong)}")
    print(f"ok {COUNT - bad} random programs: verdicts agree with enumeration" if COUNT > bad else "")


main()
