#!/bin/sh
# test_verdicts.sh - verdicts on random small programs against enumeration.
python3 harness/tests/verdicts.py "$BUILD" "${FIRST:-1}" "${COUNT:-200}"
