#!/usr/bin/env python3
"""anomalies.py - the warnings of one checker, or of any, against the anomalies that a program is known to have.

usage: anomalies.py PROGRAM.c CHECKER|any VERDICTS.json    prints: warnings correct false missed undecided
                                                           the checkers with a correct one
                                                           the false ones, and who said them

A warning is correct if it is confirmed as harmful and is about an anomaly (suites/papers/README.md):
it flags the function around the two transactions, or accesses of both. Otherwise it is false, unless
it was not decided. An anomaly without a correct warning is missed."""
import json, re, sys

program, checker, verdicts = sys.argv[1:]
anomalies = [(set(first.split("|")), set(second.split("|")), around)
             for first, second, around in re.findall(r"^ \* anomaly: \S+ (\S+) (\S+) in (\S+)$", open(program).read(), re.M)]


def flagged(warning):
    return warning["transaction"]["function"] if warning["transaction"] else None


def about(warning):
    """Indices of the anomalies that it is about."""
    seen = {access["function"] for access in warning["accesses"]}
    return {i for i, (first, second, around) in enumerate(anomalies)
            if flagged(warning) == around or (seen & first and seen & second)}


def name(warning):
    return flagged(warning) or re.split(r"[.\[]", warning["accesses"][0]["variable"] or "?")[0]


said = [w for w in json.load(open(verdicts))["warnings"] if checker in w["checkers"] or checker == "any"]
correct = [w for w in said if w["impact"] == "harmful" and about(w)]
undecided = [w for w in said if w["verdict"] == "undecided" or (w["verdict"] == "confirmed" and not w["impact"])]
false = [w for w in said if w not in correct and w not in undecided]
found = set().union(*map(about, correct))
print(len(said), len(correct), len(false), len(anomalies) - len(found), len(undecided))
print(*dict.fromkeys(c for w in correct for c in w["checkers"]))
print("; ".join(f"{name(w)} ({' '.join(w['checkers'])}: {w['impact'] or w['verdict']})" for w in false))
