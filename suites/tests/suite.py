#!/usr/bin/env python3
"""suite.py - every program of a suite through `heddle test`, verdict against label and reference.

usage: suite.py litmus|papers|modules BUILD [--reference|--rewrite] [NAME ...]

Programs are in BUILD/SUITE (build_litmus.sh, build_papers.sh, test_modules_verdicts.sh). Prints a line for each that is wrong,
then the confusion matrix. What a program must yield stands in its opening comment (suites/README.md).
A verdict worse than its label is an error; so is an expectation that did not come out. Undecided
warnings are counted apart.

--reference: the verdict file, without what differs from machine to machine, must also be that in
results/SUITE/NAME.json, byte for byte. --rewrite puts it there."""
import glob, json, os, re, subprocess, sys, tempfile
from concurrent.futures import ThreadPoolExecutor

SUITE, BUILD = sys.argv[1], os.path.abspath(sys.argv[2])
REFERENCE, REWRITE = "--reference" in sys.argv, "--rewrite" in sys.argv
EXTRA = os.environ.get("LITMUS_OPTIONS", "").split()  # for heddle test
TOP = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
HERE = os.path.join(TOP, "suites", SUITE)
HEDDLE = os.environ.get("HEDDLE") or os.path.join(BUILD, "bin", "heddle")



def sources():
    """Name of a program (of the papers: with its set) -> its main file, or None."""
    if SUITE == "modules":
        modules = [os.path.basename(os.path.dirname(f)) for f in glob.glob(f"{HERE}/*/README.md")]
        return {name + defect: None for name in modules for defect in ("", "_defect")}
    if SUITE == "litmus":
        return {os.path.basename(f)[:-2]: f for f in glob.glob(f"{HERE}/*.c")}
    files = glob.glob(f"{HERE}/*/*.c") + glob.glob(f"{HERE}/*/*/*.c")
    return {os.path.relpath(f, HERE).split("/")[0] + "/" + os.path.basename(f)[:-2]: f
            for f in files if re.search(r"^ \* label: ", open(f).read(), re.M)}


def read(name):
    if SUITE == "modules":
        return "harmful" if name.endswith("_defect") else "right", [], False, "2000", None
    text = open(PROGRAMS[name]).read()
    comment = text[: text.index("*/")]
    budget = re.search(r"budget: (\d+)", comment)
    checkers = re.search(r"checkers: (\S+)", comment)
    executions = budget.group(1) if budget else "500" if SUITE == "papers" else "10000"
    return (re.search(r"label: (\S+)", comment).group(1), re.findall(r"expect: (.*?)\s*(?:\*/)?$", comment, re.M), "unseen: " in comment, executions, checkers.group(1) if checkers else None)


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


# right: whatever is benign
RANK = {"right": 1, "clean": 0, "refutable": 0, "benign": 1, "harmful": 2}


def settled(doc):
    """The verdicts as they are kept: what depends on the machine or the place of the build is taken out."""
    doc["program"]["path"] = os.path.basename(doc["program"]["path"])
    doc["program"]["build_id"] = None
    for key in ("seconds", "executions_per_second"):
        del doc["statistics"][key]
    text = json.dumps(doc, indent=1, ensure_ascii=False).replace(TOP + "/", "")
    # a step of a schedule, a list of short words: a line each
    text = re.sub(r"\[\s+([^\[\]{}]{1,120}?)\s+\]", lambda m: "[" + re.sub(r"\s*\n\s*", " ", m.group(1)) + "]", text)
    return text + "\n"


def compare(name, doc):
    """Why the verdicts are not those of the reference, in a list."""
    path, text = os.path.join(TOP, "results", SUITE, name + ".json"), settled(doc)
    if REWRITE:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        open(path, "w").write(text)
        return []
    kept = open(path).read() if os.path.exists(path) else ""
    if kept == text:
        return []
    if not kept:
        return [f"no reference results/{SUITE}/{name}.json: make golden"]
    for n, (a, b) in enumerate(zip(kept.splitlines() + [""], text.splitlines() + [""]), 1):
        if a != b:
            return [f"results/{SUITE}/{name}.json:{n} was {a.strip()}, is {b.strip()}: explain and make golden"]
    return ["differs from its reference"]


def run(name):
    label, expects, unseen, executions, checkers = read(name)
    with tempfile.TemporaryDirectory() as tmp:
        exe, out = os.path.join(BUILD, SUITE, name), os.path.join(tmp, "v.json")
        if not os.path.exists(exe):
            return name, label, "broken", ["does not build"], 0, 0
        # no budget of time: what it would cut off differs from run to run
        limits = ["--executions", executions, "--time", "60"] + (["--checkers", checkers] if checkers else [])
        try:
            r = subprocess.run([HEDDLE, "test", "--quiet", *limits, *EXTRA, "-o", out, exe], capture_output=True, text=True, timeout=90)
        except subprocess.TimeoutExpired:
            return name, label, "broken", ["no end in 90 s"], 0, 0
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
    if got in RANK and RANK[got] < RANK[label] and label != "right":
        bad.append(f"is {label}, came out {got}")
    if unseen:  # known not to be found; when it is, the line is out of date
        got, bad = "unseen", [] if bad else ["is found now: take out its line \"unseen:\""]
    if REFERENCE or REWRITE:
        bad += compare(name, doc)
    return name, label, got, bad, undecided, len(doc["warnings"])


def main():
    chosen = [n.removesuffix(".c") for n in sys.argv[3:] if not n.startswith("--")] or sorted(PROGRAMS)
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
    for label in ("right", "harmful") if SUITE == "modules" else ("harmful", "benign", "refutable", "clean"):
        print(label.ljust(12) + "".join(str(matrix.get((label, c), 0)).rjust(10) for c in columns))
    print(f"{undecided} of {warnings} warnings undecided")


PROGRAMS = sources()
main()
