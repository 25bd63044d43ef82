#!/usr/bin/env python3
"""kept.py - does what a verdict keeps show what it says?

usage: kept.py BUILD NAME ...

Litmus programs in BUILD/litmus through `heddle test`; every confirmed warning is replayed."""
import json, os, re, subprocess, sys, tempfile

BUILD, NAMES = os.path.abspath(sys.argv[1]), sys.argv[2:]
HEDDLE = f"{BUILD}/bin/heddle"


def shown(outcome, text):
    how = outcome.split(",")[0]
    status = re.fullmatch(r"exit (\d+)", how)
    printed = re.search(r'stdout "(.*)"', outcome)
    if printed and not all(part in text for part in printed.group(1).split("\\n")):
        return False
    return (f"exit status {status.group(1)}" if status else how) in text


def check(name, work):
    path, wrong = f"{work}/{name}.json", []
    subprocess.run([HEDDLE, "test", "-q", "-o", path, f"{BUILD}/litmus/{name}"], stdin=subprocess.DEVNULL,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    kept = [w for w in json.load(open(path))["warnings"] if w["verdict"] == "confirmed"]
    for w in kept:
        evidence = w["evidence"]
        replay = subprocess.run([HEDDLE, "replay", f"{path}#{w['id']}"], stdin=subprocess.DEVNULL,
                                capture_output=True, text=True)
        if not shown(evidence["outcome"], replay.stdout + replay.stderr):
            wrong.append(f"{w['id']} keeps {evidence['outcome']}, its replay ends otherwise")
        fails = not evidence["outcome"].startswith("exit ")  # which is harm even if serial ones do, too
        serial = w["kind"] == "atomicity" and evidence["outcome"] in evidence["serial_outcomes"] and not fails
        if w["impact"] == "harmful" and serial:
            wrong.append(f"{w['id']} is harmful and keeps a serial outcome, {evidence['outcome']}")
    print(f"not ok {name}: {'; '.join(wrong)}" if wrong or not kept else f"ok {name}_keeps_what_it_says")


with tempfile.TemporaryDirectory() as work:
    for name in NAMES:
        check(name, work)
