#!/usr/bin/env python3
"""litmus.py - every litmus program through `heddle test`, verdict against label.

usage: litmus.py BUILD [NAME.c ...]   (programs in BUILD/litmus, see build_litmus.sh)

Prints a line for each that is wrong, then the confusion matrix

What a program must yield stands in its opening comment (suites/README.md). A verdict worse than its
label is an error; so is an expectation that did not come out. Undecided warnings are counted apart."""
import json, os, re, subprocess, sys, tempfile
from concurrent.futures import ThreadPoolExecutor

BUILD = os.path.abspath(sys.argv[1])
EXTRA = os.environ.get("LITMUS_OPTIONS", "").split()  # for heddle test
HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "litmus")
HEDDLE = os.environ.get("HEDDLE") or os.path.join(BUILD, "bin", "heddle")


KNOWN = {line.split()[0] for line in subprocess.run([HEDDLE, "list", "checkers"], capture_output=True, text=True).stdout.splitlines() if line}


def read(name):
    text = open(os.path.join(HERE, name)).read()
    comment = text[: text.index("*/")]
    return (re.search(r"label: (\S+)", comment).group(1), re.findall(r"expect: (.*?)\s*(?:\*/)?$", comment, re.M), "unseen: " in comment)


def base(name):
    return re.split(r"[.\[#+ (]", name)[0] if name else ""


def names_of(w):
    found = set()
    if w["transaction"]:
        found.add(w["transaction"]["function"])
    for a in w["accesses"]:
        for n in [a["variable"], a["function"]] + a["locks"]:
            if n:
                found |= {n, base(n), n.split(".")[-1]}
    return found


def met(line, doc):
    words = line.split()
    if words[0] == "stale-value" and "stale" not in KNOWN:
        return True  # nobody there to raise it
    if words == ["clean"]:
        return not doc["failures"] and not any(w["verdict"] == "confirmed" for w in doc["warnings"])
    if words[0] == "failure":
        return any(f["kind"] in words[1].split("|") for f in doc["failures"])
    kinds, verdict = words[0].split("|"), words[-1]
    impact = None
    if verdict in ("harmful", "benign"):
        impact, verdict, names = verdict, words[-2], words[1:-2]
    else:
        names = words[1:-1]
    for w in doc["warnings"]:
        if w["kind"] in kinds and w["verdict"] == verdict and (impact is None or w["impact"] == impact):
            if all(any(n in names_of(w) for n in alt.split("|")) for alt in names):
                return True
    return False


RANK = {"clean": 0, "refutable": 0, "benign": 1, "harmful": 2}


def run(name):
    label, expects, unseen = read(name)
    with tempfile.TemporaryDirectory() as tmp:
        exe, out = os.path.join(BUILD, "litmus", name[:-2]), os.path.join(tmp, "v.json")
        if not os.path.exists(exe):
            return name, label, "broken", ["does not build"], 0, 0
        try:
            r = subprocess.run([HEDDLE, "test", "--quiet", "--time", "20", *EXTRA, "-o", out, exe], capture_output=True, text=True, timeout=60)
        except subprocess.TimeoutExpired:
            return name, label, "broken", ["no end in 60 s"], 0, 0
        try:
            doc = json.load(open(out))
        except (OSError, ValueError):
            return name, label, "broken", [f"exit {r.returncode}, no verdicts: {r.stderr[:200]}"], 0, 0
    bad = [f"expected {e}" for e in expects if not met(e, doc)]
    harmful = doc["failures"] or any(w["impact"] == "harmful" for w in doc["warnings"])
    confirmed = any(w["verdict"] == "confirmed" for w in doc["warnings"])
    undecided = sum(w["verdict"] == "undecided" for w in doc["warnings"])
    got = "harmful" if harmful else "benign" if confirmed else "undecided" if undecided else "clean"
    if got in RANK and RANK[got] > RANK[label]:
        bad.append(f"is {label}, came out {got}: " + "; ".join(
            f"{w['kind']} {(w['transaction'] or {}).get('function')} {w['verdict']} {w['impact']}" for w in doc["warnings"] if w["verdict"] == "confirmed") + " ".join(f["kind"] for f in doc["failures"]))
    if got in RANK and RANK[got] < RANK[label]:
        bad.append(f"is {label}, came out {got}")
    if unseen:  # known not to be found; when it is, the line is out of date
        got, bad = "unseen", [] if bad else ["is found now: take out its line \"unseen:\""]
    return name, label, got, bad, undecided, len(doc["warnings"])


def main():
    chosen = sys.argv[2:] or sorted(n for n in os.listdir(HERE) if n.endswith(".c"))
    matrix, wrong, undecided, warnings = {}, 0, 0, 0
    with ThreadPoolExecutor(2) as pool:
        for name, label, got, bad, und, count in pool.map(run, chosen):
            matrix[label, got] = matrix.get((label, got), 0) + 1
            undecided += und
            warnings += count
            print(f"{'not ok' if bad else 'ok'} {name}" + (": " + "; ".join(bad) if bad else ""))
            wrong += bool(bad)
    columns = ["harmful", "benign", "clean", "undecided", "unseen", "broken"]
    print("\n" + "label".ljust(12) + "".join(c.rjust(10) for c in columns))
    for label in ("harmful", "benign", "refutable", "clean"):
        print(label.ljust(12) + "".join(str(matrix.get((label, c), 0)).rjust(10) for c in columns))
    print(f"{undecided} of {warnings} warnings undecided")


main()
