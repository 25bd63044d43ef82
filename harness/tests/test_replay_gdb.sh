#!/bin/sh
# heddle replay --gdb: a breakpoint stops where the schedule says, however long one looks.
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
unset HEDDLE_OPTIONS HEDDLE_CC
PATH=$BUILD/bin:$PATH
if ! command -v gdb > /dev/null; then
    echo "not ok replay_under_gdb: there is no gdb"
    exit 0
fi
cp suites/litmus/lost_update.c "$work/prog.c" && cd "$work" || exit 1
heddle-cc -g prog.c -o prog && heddle test prog > said 2>&1
entry=$(sed -n 's/^ *again *heddle replay \(.*#F.*\)/\1/p' said | head -n 1)
printf 'break 24\nrun\nprint seen\nprint balance\ncontinue\nprint seen\nprint balance\nkill\nquit\n' |
    heddle replay --gdb "$entry" > out 2>&1
# Both threads are at their write with 0 in hand; the second one overwrites.
seen=$(sed -n 's/.*\$[0-9]* = \([0-9]*\)$/\1/p' out | tr '\n' ' ')
if [ "$seen" = '0 0 0 10 ' ]; then echo "ok replay_under_gdb"
else echo "not ok replay_under_gdb: saw '$seen', $(tail -n 1 out)"; fi
PATH=$BUILD/bin heddle replay --gdb "$entry" > out 2>&1
if grep -q 'cannot start gdb' out; then echo "ok without_gdb_it_says_so"
else echo "not ok without_gdb_it_says_so: $(tail -n 1 out)"; fi
