#!/bin/sh
# test_litmus_verdicts.sh - every litmus program through `heddle test`: the
# verdict against the label, and the confusion matrix.
. suites/tests/build_litmus.sh
python3 suites/tests/suite.py litmus "$BUILD" ${GOLDEN:-}
