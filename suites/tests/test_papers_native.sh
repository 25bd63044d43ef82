#!/bin/sh
# test_papers_native.sh - the papers' programs are ordinary programs.
#
# A plain compiler builds them without a warning, they run with real threads, and
# what they print is what their sequential version prints where their comment says
# so (suites/papers/README.md), at both sizes. Sequentially none of them fails, whatever
# its defect: that takes a second thread. ThreadSanitizer, the real one, sees the races that
# the comment names, in one of several runs, and in none of them any other.
unset HEDDLE_OPTIONS HEDDLE_CC
CC=${CC:-gcc}
flags="-std=gnu11 -O1 -g -Wall -Wextra -Werror -pthread -I$BUILD/include"
sh suites/tests/build_papers.sh "$BUILD/papers-native" "$CC" $flags
sh suites/tests/build_papers.sh "$BUILD/papers-tsan" "$CC" $flags -fsanitize=thread
export BUILD

# setarch: ThreadSanitizer of gcc 12 does not know every layout of addresses
one='
name=${1% *} file=${1#* }
native=$BUILD/papers-native/$name
tsan=$BUILD/papers-tsan/$name
out=$native.out
line() { sed "/\*\//q" "$file" | sed -n "s/^ \* $1: \(.*\)/\1/p" | sed "s, *\*/\$,,"; }
why=
if ! [ -x "$native" ]; then
    why="does not build: $(head -n 1 "$native.err")"
else
    for size in test bench; do
        timeout -k 1 60 "$native" $size > "$out" 2>&1
        status=$?
        timeout -k 1 60 "$native" $size sequential > "$out.sequential" 2>&1 || why="$size sequential: exit $?"
        [ -s "$out.sequential" ] || why="$size sequential: prints nothing"
        case $(line native) in
        deterministic)
            [ $status -eq 0 ] || why="$size: exit $status"
            cmp -s "$out" "$out.sequential" || why="$size: prints other things than its sequential version" ;;
        varies) [ $status -eq 0 ] || why="$size: exit $status" ;;
        "may fail") [ $status -ne 124 ] || why="$size: does not end" ;;
        *) why="has no line native: deterministic, varies or may fail" ;;
        esac
    done
fi
if [ -n "$why" ]; then echo "not ok $name natively: $why"; else echo "ok $name natively"; fi

# A race may hide from a short run of real threads, not from a long one.
report=$tsan.report
seen() { TSAN_OPTIONS=exitcode=66 timeout -k 1 60 setarch -R "$tsan" "$1" > "$report" 2>&1; }
# The two functions and the global variable of each report, a line each. Nothing else
# that ThreadSanitizer says has such a line, so that it is called by its first words.
races() {
    awk "/WARNING: ThreadSanitizer/ { if (n++) print names; names = \$0 ~ /data race/ ? \"\" : \$0 }
         /^    #0 / { names = names \" \" \$2 }
         /Location is global/ { split(\$0, part, \"\047\"); names = names \" \" part[2] }
         END { if (n) print names }" "$report"
}
why=
if ! [ -x "$tsan" ]; then
    why="does not build: $(head -n 1 "$tsan.err")"
else
    wanted=$(line tsan)
    case $wanted in
    clean)
        for size in test test bench; do
            seen "$size"
            grep -q "WARNING: ThreadSanitizer" "$report" && why="$(grep -m 1 SUMMARY "$report")" && break
        done ;;
    race*)
        all=$(echo ${wanted#race} | tr " " "|")
        : > "$report.all"
        for size in test test bench bench bench bench bench bench; do
            seen "$size"
            races > "$report.now"
            cat "$report.now" >> "$report.all"
            why=$(grep -Ewv "$all" "$report.now" | head -n 1)
            [ -z "$why" ] || { why="a race that its comment does not name:$why"; break; }
            for word in ${wanted#race}; do
                grep -Eqw "$word" "$report.all" || why="no race at $word"
            done
            [ "$size" = test ] || [ -n "$why" ] || break
        done ;;
    unsure) ;;
    *) why="has no line tsan: clean, race NAME or unsure" ;;
    esac
fi
if [ -n "$why" ]; then echo "not ok $name under ThreadSanitizer: $why"; else echo "ok $name under ThreadSanitizer"; fi
'
sh suites/tests/build_papers.sh --list | xargs -P 2 -I '{}' sh -c "$one" one '{}'
