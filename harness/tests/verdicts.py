#!/usr/bin/env python3
"""verdicts.py - the verdicts of `heddle test` on random small programs, against enumeration.

usage: verdicts.py BUILD FIRST COUNT

A program has two or three threads of reads and writes, some of which depend on what was read, over plain and
atomic variables and a block on the heap; with mutexes (nested, tried, held across the ends of blocks),
reader-writer locks, semaphores, a condition, a barrier. Some print what every thread read last. Some stretches are annotated as atomic, some assert
something. Every interleaving of it is enumerated and held against the definitions (oracle.py). heddle must
come to the end of its search and agree:

  outcomes    exactly those of the enumeration; so for the kinds of failures
  atomicity   confirmed iff the transaction is a victim in some interleaving, or the program failed in the
              sight of it being half done and does not fail so with it as one step; harmful iff a victim in an
              execution that failed or has an outcome that it never has as one step, or that never is where all
              confirmed ones are one step each (Expectation.judge_together); those outcomes are listed
  race        confirmed iff happens-before leaves two conflicting accesses unordered somewhere; harmful iff
              from some state in which both are pending their two orders lead to different outcomes
  deadlock    confirmed iff threads stand still waiting for just these locks

Then once more with a budget that mostly ends before the search does: what is called confirmed, refuted or a
harmful race then must be so by enumeration, too.

Prints `ok`/`not ok`; a program that disagrees is in BUILD/verdicts, with its number."""
import json, os, random, subprocess, sys
from concurrent.futures import ProcessPoolExecutor

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from oracle import Expectation, TooLarge

BUILD, FIRST, COUNT = os.path.abspath(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
MOST = 3000  # interleavings of one program; larger ones are drawn anew
THEMES = ("plain", "plain", "nested", "rwlock", "semaphore", "condition", "barrier", "atomic", "heap", "try", "across", "counter")


# ---- programs ------------------------------------------------------------------------------------------


def simple(rng, themes):
    v, r = rng.choice("xy"), rng.random()
    if "heap" in themes and r < 0.5:
        return [rng.choice((("read", "p"), ("write", "p", rng.randint(1, 2)), ("free", "p")))]
    if "atomic" in themes and r < 0.5:
        return [rng.choice((("aread", "a"), ("rmw", "a"), ("awrite", "a", 2)))]
    r = rng.random()
    if r < 0.4:
        return [("read", v)]
    if r < 0.6:
        return [("write", v, rng.randint(1, 2))]
    if r < 0.78:
        return [("add", v)]
    if r < 0.95:
        return [("if", rng.randint(0, 1), v, rng.randint(1, 3))]
    return [("fail", rng.randint(1, 2))]


def body(rng, themes):
    return [o for _ in range(rng.choice((1, 1, 2))) for o in simple(rng, themes)]


def piece(rng, themes, thread):
    theme, inner = rng.choice(themes), body(rng, themes)
    lock = rng.choice("mn")
    if theme == "nested":
        other = "n" if lock == "m" else "m"
        return [("lock", lock)] + inner[:1] + [("lock", other)] + inner[1:] + [("unlock", other), ("unlock", lock)]
    if theme == "rwlock":
        return [(rng.choice(("rdlock", "wrlock")), "w")] + inner + [("rwunlock", "w")]
    if theme == "semaphore":
        how = rng.random()
        if how < 0.4:
            return [("pend", "s")] + inner + [("post", "s")]
        return inner + [("post", "s")] if how < 0.75 else [("pend", "s")] + inner
    if theme == "condition":
        if thread == 0:
            return [("lock", "m"), ("test", "x", 3), ("sleep", "c", "m"), ("wake", "c", "m", 2)] + inner + [("unlock", "m")]
        return [("lock", "m")] + inner + [(rng.choice(("signal", "broadcast")), "c"), ("unlock", "m")]
    if theme == "counter":  # taken and put back apart
        v = rng.choice("xxy")
        return [("lock", lock), ("read", v), ("unlock", lock), ("lock", lock), ("add", v), ("unlock", lock)]
    if theme == "try":
        return [("try", "m", len(inner) + 1)] + inner + [("unlock", "m")]
    if rng.random() < 0.3:
        return inner
    return [("lock", lock)] + inner + [("unlock", lock)]


def draw(seed):
    rng = random.Random(seed)
    while True:
        themes = rng.sample(THEMES, rng.choice((1, 1, 2)))
        count, threads = rng.choice((2, 2, 2, 3)), []
        for t in range(count):
            ops = []
            for b in range(rng.choice((1, 1, 2))):
                name = f"t{t}b{b}" if rng.random() < 0.7 else None
                block = [(o, name) for _ in range(rng.choice((1, 1, 2))) for o in piece(rng, themes, t)]
                if "across" in themes and rng.random() < 0.5:  # a lock that reaches beyond the block
                    first, last = rng.choice(((None, None), (name, None), (None, name)))
                    block = [(("lock", "k"), first)] + block + [(("unlock", "k"), last)]
                ops += block
                if "barrier" in themes and b == 0:
                    inside = rng.choice((name, None))
                    ops += [(("arrive", "b"), inside), (("leave", "b"), inside)]
            threads.append(ops)
        permits = {"s": rng.choice((0, 1, 1))}
        if not any(name for ops in threads for _, name in ops):
            continue
        try:
            # Who looks at a counter alone does not see whose increment was lost.
            return threads, permits, Expectation(threads, permits, MOST, mute="counter" in themes and rng.random() < 0.7)
        except TooLarge:
            continue


def as_c(number, threads, permits, want):
    text = ""
    for t, ops in enumerate(threads):
        text += f"static void *p{number}_{t}(void *arg) {{\n    int r = 0;\n"
        inside, tries = None, []
        for at, (o, name) in enumerate(ops):
            text += "    }\n" * tries.count(at)
            if name != inside:
                text += "    }\n" if inside else ""
                text += f'    HEDDLE_ATOMIC("{name}") {{\n' if name else ""
                inside = name
            block = o[1] == "p"
            v = "*p" if block else o[1]
            if o[0] == "try":
                tries.append(at + 1 + o[2])
            text += "        " + {
                "lock": lambda: f"pthread_mutex_lock(&{v});",
                "unlock": lambda: f"pthread_mutex_unlock(&{v});",
                "rdlock": lambda: f"pthread_rwlock_rdlock(&{v});",
                "wrlock": lambda: f"pthread_rwlock_wrlock(&{v});",
                "rwunlock": lambda: f"pthread_rwlock_unlock(&{v});",
                "try": lambda: f"if (pthread_mutex_trylock(&{v}) == 0) {{",
                "post": lambda: f"sem_post(&{v});",
                "pend": lambda: f"sem_wait(&{v});",
                "arrive": lambda: f"pthread_barrier_wait(&{v});",
                "leave": lambda: "",
                "test": lambda: f"while ({v} == 0) pthread_cond_wait(&c, &m);",
                "sleep": lambda: "",
                "wake": lambda: "",
                "signal": lambda: f"pthread_cond_signal(&{v});",
                "broadcast": lambda: f"pthread_cond_broadcast(&{v});",
                "read": lambda: f"r = {v};",
                "write": lambda: f"{v} = {o[2]};",
                "add": lambda: f"{v} = r + 1;",
                "if": lambda: f"if (r == {o[1]}) {o[2]} = {o[3]};",
                "fail": lambda: f"assert(r != {o[1]});",
                "aread": lambda: f"r = atomic_load(&{v});",
                "awrite": lambda: f"atomic_store(&{v}, {o[2]});",
                "rmw": lambda: f"r = atomic_fetch_add(&{v}, 1);",
                "free": lambda: "free(p);",
            }[o[0]]() + "\n"
        text += "    }\n" * tries.count(len(ops)) + ("    }\n" if inside else "")
        text += ("" if want.mute else f"    last[{t}] = r;\n") + "    return arg;\n}\n"
    parties = sum(any(o[0] == "arrive" for o, _ in ops) for ops in threads)
    text += f"static void p{number}(void) {{\n    run({permits['s']}, {parties}, {len(threads)}"
    return text + "".join(f", p{number}_{t}" for t in range(len(threads))) + ");\n}\n"


HEAD = """#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
static int x, y, *p, last[3];
static atomic_int a;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER,
                       k = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t w = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t b;
static sem_t s;
static void run(int permits, int parties, int count, ...) {
    pthread_t threads[3];
    va_list list;
    va_start(list, count);
    sem_init(&s, 0, permits);
    if (parties) pthread_barrier_init(&b, NULL, parties);
    p = malloc(sizeof *p);
    *p = 0;
    for (int i = 0; i < count; i++) pthread_create(&threads[i], NULL, va_arg(list, void *(*)(void *)), NULL);
    for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);
    va_end(list);
    printf("%d %d %d %d %d %d\\n", x, y, atomic_load(&a), last[0], last[1], last[2]);
}
"""

# ---- verdicts --------------------------------------------------------------------------------------------


def atomicity(want, entry, wrong):
    name, verdict, impact = entry["transaction"]["function"], entry["verdict"], entry["impact"]
    half = want.half[name] - want.whole[name]
    if name in want.victims:
        right, harm = "confirmed", name in want.harmful
    else:
        right, harm = ("confirmed" if half else "undecided" if want.half[name] else "refuted"), True
    if verdict != right:
        wrong.append(f"{name} is {verdict}, by enumeration {right}")
    elif verdict == "confirmed":
        wanted = "harmful" if harm else "benign" if want.whole[name] else None
        if impact != wanted:
            wrong.append(f"{name} is {impact}, by enumeration {wanted}")
        serial = want.whole[name] & want.serial if name in want.together else want.whole[name]
        if set(entry["evidence"]["serial_outcomes"]) != serial:
            wrong.append(f"{name} as one step: {sorted(entry['evidence']['serial_outcomes'])}, by enumeration {sorted(serial)}")
    return name


def race(want, entry, wrong):
    name = {"block#0": "p"}.get(entry["accesses"][0]["variable"], entry["accesses"][0]["variable"])
    right = "confirmed" if name in want.raced else "refuted"
    if entry["verdict"] != right:
        wrong.append(f"race on {name} is {entry['verdict']}, by enumeration {right}")
    elif right == "confirmed" and name in want.race_harm:
        wanted = "harmful" if want.race_harm[name] else "benign"
        if entry["impact"] != wanted:
            wrong.append(f"race on {name} is {entry['impact']}, by enumeration {wanted}")
    return name


def deadlock(want, entry, wrong):
    locks = {access["variable"] for access in entry["accesses"]}
    right = "confirmed" if any(locks <= stuck for stuck in want.stuck) else "refuted"
    if entry["verdict"] != right:
        wrong.append(f"deadlock of {sorted(locks)} is {entry['verdict']}, by enumeration {right}")


def test(number, program, *options):
    out = os.path.join(BUILD, "verdicts", f"{number}.json")
    heddle = os.environ.get("HEDDLE") or os.path.join(BUILD, "bin", "heddle")
    checkers = "blocks,reduction,races,velodrome,deadlock"
    r = subprocess.run(
        [heddle, "test", "--quiet", "--transactions", "annotated", "--checkers", checkers, "-o", out, *options, program, str(number)],
        capture_output=True, text=True, stdin=subprocess.DEVNULL,
    )
    try:
        with open(out) as f:
            doc = json.load(f)
        os.unlink(out)
    except (OSError, ValueError):
        return None, [f"exit {r.returncode}: {r.stderr[:200]}"]
    return doc, []


def hasty(number, want, program):
    """What is said before the search is complete is said for good."""
    doc, wrong = test(number, program, "--executions", str(12 + number % 30))
    for entry in doc["warnings"] if doc and not doc["statistics"]["exhausted"] else []:
        if entry["verdict"] == "refuted":
            wrong.append("refuted before the search was complete")
        if entry["verdict"] != "confirmed":
            continue
        if entry["kind"] == "atomicity":
            name = entry["transaction"]["function"]
            if name not in want.victims:
                wrong.append(f"{name} is confirmed in a hurry, by enumeration it is not")
        elif entry["kind"] == "race":
            variable = entry["accesses"][0]["variable"]
            name = {"block#0": "p"}.get(variable, variable)
            if name not in want.raced:
                wrong.append(f"race on {name} is confirmed in a hurry, by enumeration it is not")
            elif entry["impact"] == "harmful" and not doc["failures"] and want.race_harm.get(name) is False:
                wrong.append(f"race on {name} is harmful in a hurry, by enumeration it is not")
    return wrong


def judge(number, want, program):
    doc, wrong = test(number, program)
    if not doc:
        return wrong
    victims, raced = set(), set()
    if not doc["statistics"]["exhausted"]:
        wrong.append("the search is not complete")
    outcomes = {o["outcome"] for o in doc["outcomes"]}
    if outcomes != want.outcomes:
        wrong.append(f"outcomes {sorted(outcomes)}, by enumeration {sorted(want.outcomes)}")
    if {f["kind"] for f in doc["failures"]} != want.failures:
        wrong.append(f"failures {sorted(f['kind'] for f in doc['failures'])}, by enumeration {sorted(want.failures)}")
    for entry in doc["warnings"]:
        if entry["kind"] == "atomicity":
            name = atomicity(want, entry, wrong)
            victims |= {name} if entry["verdict"] == "confirmed" else set()
        elif entry["kind"] == "race":
            raced.add(race(want, entry, wrong))
        elif entry["kind"] == "deadlock":
            deadlock(want, entry, wrong)
    wrong += [f"{name} can be interrupted, and is not confirmed" for name in sorted(want.victims - victims)]
    wrong += [f"a race on {v} is not told" for v in sorted(want.raced - raced)]
    return wrong + hasty(number, want, program)


def one(task):
    return judge(*task)


def main():
    folder = os.path.join(BUILD, "verdicts")
    os.makedirs(folder, exist_ok=True)
    numbers = range(FIRST, FIRST + COUNT)
    source = os.path.join(folder, f"programs{FIRST}.c")
    program = source[:-2]
    bad = 0
    with ProcessPoolExecutor(int(os.environ.get("TEST_JOBS") or 2)) as pool:
        drawn = dict(zip(numbers, pool.map(draw, numbers, chunksize=4)))
        with open(source, "w") as f:
            f.write(HEAD + "".join(as_c(i, *drawn[i]) for i in numbers))
            f.write("int main(int argc, char **argv) {\n    switch (argc > 1 ? atoi(argv[1]) : 0) {\n")
            f.write("".join(f"    case {i}: p{i}(); break;\n" for i in numbers) + "    }\n    return 0;\n}\n")
        subprocess.run([os.path.join(BUILD, "bin", "heddle-cc"), "-g", "-O1", source, "-o", program], check=True)
        for i, wrong in zip(numbers, pool.map(one, [(i, drawn[i][2], program) for i in numbers])):
            if wrong:
                bad += 1
                print(f"not ok verdicts_of_program_{i}: {'; '.join(wrong)}")
    if COUNT > bad:
        print(f"ok {COUNT - bad} random programs: verdicts agree with enumeration")


if __name__ == "__main__":
    main()
