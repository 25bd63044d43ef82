#!/bin/sh
# Every command that the documents show is run, and prints what they show.
# After a wanted change: BUILD=$PWD/build python3 harness/tests/readme.py --update README.md
python3 harness/tests/readme.py README.md docs/tutorial.md
