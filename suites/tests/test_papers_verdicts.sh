#!/bin/sh
# test_papers_verdicts.sh - the papers' programs through `heddle test`: verdicts
# against their comments and against the reference in results/papers.
unset HEDDLE_OPTIONS HEDDLE_CC
sh suites/tests/build_papers.sh "$BUILD/papers" "$BUILD/bin/heddle-cc" -g -O1
python3 suites/tests/suite.py papers "$BUILD" "${GOLDEN:---reference}"
