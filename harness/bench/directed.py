#!/usr/bin/env python3
"""directed.py BUILD - the figures of directed.sh, a line each: name and value.

A violation is an atomicity warning that the whole job confirms. What a strategy does not show within
200 executions counts as 200."""
import glob, json, os, resource, statistics, subprocess, sys, tempfile

BUILD, MOST = os.path.abspath(sys.argv[1]), 200
SEEDS = int(os.environ.get("SEEDS", "5"))
work = tempfile.mkdtemp()


def test(program, *options):
    out = os.path.join(work, "v.json")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([f"{BUILD}/bin/heddle", "test", "--quiet", "-o", out, *options, program], stdin=subprocess.DEVNULL, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    doc = json.load(open(out))
    found = {w["id"]: w["evidence"]["found"] for w in doc["warnings"] if w["kind"] == "atomicity" and "found" in w["evidence"]}
    return found, spent


programs = [p for p in sorted(glob.glob(f"{BUILD}/litmus/*")) if os.access(p, os.X_OK)]
first, by_plan, seconds, others = [], 0, {}, {s: [] for s in ("random", "pct:3", "surw", "pos")}
for program in programs:
    _, seconds[os.path.basename(program)] = test(program)
    found, _ = test(program, "--record", "round-robin")
    first += [f["execution"] for f in found.values()]
    by_plan += sum(f["strategy"] == "goal" for f in found.values())
    for strategy in others if found else ():
        runs = [test(program, "--record", "round-robin", "--strategy", strategy, "--executions", str(MOST), "--seed", str(seed))[0] for seed in range(1, SEEDS + 1)]
        for id in found:
            others[strategy].append(statistics.median(r[id]["execution"] if id in r else MOST for r in runs))
os.system(f"rm -rf {work}")
worst = max(seconds, key=seconds.get)
print("programs", len(programs))
print("violations", len(first))
print("by_plan", by_plan)
print("plans", statistics.median(first))
print("plans_most", max(first))
print("plans_mean", round(statistics.mean(first), 1))
for strategy, counts in others.items():
    print(strategy, statistics.median(counts))
    print(strategy.split(":")[0] + "_mean", round(statistics.mean(counts), 1))
print("seconds", round(statistics.median(seconds.values()), 3))
print("seconds_most", round(seconds[worst], 3))
print("worst", worst)
