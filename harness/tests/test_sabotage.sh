#!/bin/sh
# test_sabotage.sh - the promises are checked, not assumed.
#
# Two heddles that lie are built: one that confirms without a cycle, one that
# refutes after a search that was not complete. The labelled programs must catch
# both, and must not accuse the honest one.
. suites/tests/build_litmus.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
objects=$(ls "$BUILD"/obj/harness/*.o | grep -v -e '/cc\.o$' -e '/cc_')
lie() { # NAME FLAG FILE
    cc -std=gnu11 -O1 -I. -DHD_VERSION='"0"' "-D$2" -c "harness/$3.c" -o "$work/$1.o" &&
        cc -o "$work/$1" $(echo "$objects" | grep -v "/$3\.o$") "$work/$1.o" \
            "$BUILD/lib/libcheckers.a" "$BUILD/lib/libtrace.a" -ljansson -ldw -lelf -lm
}
programs="one_lock_deposit.c gated_ab_ba.c worker_print.c publish_index.c two_regions_one_order.c"
harmful="lost_update.c split_pair.c check_then_act.c"
if ! { python3 suites/tests/suite.py litmus "$BUILD" $programs $harmful > "$work/out"; ! grep -q '^not ok' "$work/out"; }; then
    echo "not ok the honest heddle passes"
else
    echo "ok the honest heddle passes"
fi
lie confirms HD_SABOTAGE_CONFIRM question_judge || exit 1
if { HEDDLE=$work/confirms python3 suites/tests/suite.py litmus "$BUILD" $programs > "$work/out"; grep -q '^not ok' "$work/out"; }; then
    echo "ok confirmations without a cycle are caught"
else
    echo "not ok confirmations without a cycle are caught"
fi
lie refutes HD_SABOTAGE_REFUTE question_decide || exit 1
# With next to no budget a defect stays undecided; only a liar calls it refuted.
refuted() {
    for name in aba bounded_queue_if cond_signal_wrong double_checked_early philosophers peterson_late; do
        "$1" test --quiet --executions 1 --strategy round-robin -o "$work/v.json" "$BUILD/litmus/$name"
        grep -q '"verdict": "refuted"' "$work/v.json" && echo "$name"
    done
}
if [ -n "$(refuted "$BUILD/bin/heddle")" ]; then
    echo "not ok the honest heddle refutes nothing without a complete search: $(refuted "$BUILD/bin/heddle")"
else
    echo "ok the honest heddle refutes nothing without a complete search"
fi
if [ -n "$(refuted "$work/refutes")" ]; then
    echo "ok refutations after an incomplete search are caught"
else
    echo "not ok refutations after an incomplete search are caught"
fi
# Random programs, whose verdicts are known by enumeration, catch the first as well.
if { HEDDLE=$work/confirms python3 harness/tests/verdicts.py "$BUILD" 1 12 > "$work/out"; grep -q '^not ok' "$work/out"; }; then
    echo "ok enumeration catches confirmations without a cycle"
else
    echo "not ok enumeration catches confirmations without a cycle"
fi
