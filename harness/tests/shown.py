#!/usr/bin/env python3
"""shown.py - do the accesses that a confirmed entry shows occur so in the execution that is kept?

usage: shown.py BUILD FILE.json PROGRAM [FILE.json PROGRAM ...]

Replays the schedule of each confirmed atomicity violation, race and high-level race, and looks in
its trace for the accesses of the entry: by those threads, on those lines, in that order. An entry
that was confirmed by a transaction that never came to its end has no more than its beginning."""
import json, os, subprocess, sys, tempfile
from concurrent.futures import ThreadPoolExecutor

HEDDLE = os.path.join(sys.argv[1], "bin", "heddle")
OPS = {"read": {"rd", "vrd"}, "write": {"wr", "vwr"}, "update": {"vrmw"}, "free": {"wr"}}
KINDS = {"atomicity", "race", "high-level-race"}


def trace_of(doc, entry, program, work):
    schedule, trace = os.path.join(work, "schedule.json"), os.path.join(work, "trace")
    with open(schedule, "w") as f:
        json.dump(entry["evidence"]["schedule"], f)
    spurious = ["--spurious-wakeups"] if doc["configuration"].get("spurious_wakeups") else []
    done = subprocess.run([HEDDLE, "replay", "--quiet", "--trace", trace, *spurious, schedule, program],
                          capture_output=True, text=True, timeout=60)
    if done.returncode not in (0, 1):
        return None, done.stderr.strip()
    text = subprocess.run([HEDDLE, "trace", "--format", "json", trace], capture_output=True, text=True,
                          timeout=60).stdout
    return [json.loads(line) for line in text.splitlines()], None


def missing(entry, events):
    """The first access that does not come when it should, or None."""
    rest = iter(events)
    for a in entry["accesses"]:
        if not any(e["thread"] == a["thread"] and e["op"] in OPS.get(a["op"], {e["op"]}) and
                   e.get("line") == a["line"] and e.get("variable") for e in rest):
            return a
    return None


def check(pair):
    path, program = pair
    doc, wrong, count = json.load(open(path)), [], 0
    name = os.path.basename(path)[:-5]
    for entry in doc["warnings"]:
        if entry["verdict"] != "confirmed" or entry["kind"] not in KINDS:
            continue
        if "half done" in entry["evidence"]["reason"]:
            continue
        with tempfile.TemporaryDirectory() as work:
            events, said = trace_of(doc, entry, program, work)
        a = missing(entry, events) if events is not None else None
        count += 1
        if said:
            wrong.append(f"{name}#{entry['id']}: {said}")
        elif a:
            wrong.append(f"{name}#{entry['id']} ({entry['kind']}): {a['thread']} {a['op']} {a['variable']} "
                         f"line {a['line']} does not come then")
    return count, wrong


pairs = list(zip(sys.argv[2::2], sys.argv[3::2]))
with ThreadPoolExecutor(2) as pool:
    results = list(pool.map(check, pairs))
for _, wrong in results:
    for line in wrong:
        print("  " + line)
print(sum(count for count, _ in results))
sys.exit(any(wrong for _, wrong in results))
