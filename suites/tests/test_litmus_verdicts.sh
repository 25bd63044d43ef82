#!/bin/sh
# test_litmus_verdicts.sh - every litmus program through `heddle test`: the
# verdict against the label and the reference in results/litmus, and the confusion
# matrix. GOLDEN=--rewrite makes the reference anew.
. suites/tests/build_litmus.sh
python3 suites/tests/suite.py litmus "$BUILD" "${GOLDEN:---reference}"
