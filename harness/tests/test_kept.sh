#!/bin/sh
# test_kept.sh - the execution that a verdict keeps: replayed, it has the outcome that the
# verdict names, and where that is harm, it failed or no serial execution has it.
. suites/tests/build_litmus.sh
python3 harness/tests/kept.py "$BUILD" sum_and_next barrier_missing max_unlocked \
    racy_counter_three reduction_true_alarm quicksort_overlap deadlock_beside double_free
