# test_judge_alone.sh - the judge asks nothing of anybody.
#
# It is linked into programs under test: no allocation, no stdio, no other part of
# heddle, no data of its own that a snapshot of the process would wipe.
all=$(nm "$BUILD"/obj/checkers/judge*.o | sed -n 's/^ *U \(.*\)/\1/p' | sort -u |
    grep -v -e '^hd_judge_' -e '^memcpy$' -e '^memset$')
if [ -z "$all" ]; then
    echo "ok the judge uses memcpy and memset, nothing else"
else
    echo "not ok the judge uses memcpy and memset, nothing else:" $all
fi
data=$(nm "$BUILD"/obj/checkers/judge*.o | sed -n 's/^[0-9a-f]* [bBdD] \(.*\)/\1/p')
if [ -z "$data" ]; then
    echo "ok the judge has no writable data"
else
    echo "not ok the judge has no writable data:" $data
fi
