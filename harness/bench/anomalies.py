#!/usr/bin/env python3
"""anomalies.py - the warnings of one checker against the anomalies that a program is known to have.

usage: anomalies.py PROGRAM.c CHECKER VERDICTS.json    prints: warnings correct false missed undecided

A warning is correct if it is confirmed as harmful and is about an anomaly (suites/papers/README.md):
it flags the function around the two transactions, or accesses of both. Confirmed as benign, or
refuted, it is false. An anomaly without a correct warning is missed."""
import json, re, sys

program, checker, verdicts = sys.argv[1:]
anomalies = [(set(first.split("|")), set(second.split("|")), around)
             for first, second, around in re.findall(r"^ \* anomaly: \S+ (\S+) (\S+) in (\S+)$", open(program).read(), re.M)]


def about(warning):
    """Indices of the anomalies that it is about."""
    flagged = warning["transaction"]["function"] if warning["transaction"] else None
    seen = {access["function"] for access in warning["accesses"]}
    return {i for i, (first, second, around) in enumerate(anomalies)
            if flagged == around or (seen & first and seen & second)}


said = [w for w in json.load(open(verdicts))["warnings"] if checker in w["checkers"]]
correct = [w for w in said if w["impact"] == "harmful" and about(w)]
undecided = [w for w in said if w["verdict"] == "undecided" or (w["verdict"] == "confirmed" and not w["impact"])]
found = set().union(*map(about, correct))
print(len(said), len(correct), len(said) - len(correct) - len(undecided), len(anomalies) - len(found), len(undecided))
