#!/bin/sh
# test_litmus_native.sh - every litmus program is an ordinary program.
#
# A plain compiler builds it without a warning, it runs without heddle, and its
# opening comment says what the suite runner needs to know. A program with a
# defect may fail here, or even hang until the time limit; a clean or benign one
# may not. Labels themselves are judged elsewhere, by exploring.
cd suites/litmus || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
CC=${CC:-gcc}
export CC work

kinds='atomicity|determinism|race|deadlock|stale-value|high-level-race|guard'
failures='assertion|crash|deadlock|livelock|exit|misuse|timeout'

# One program: prints its test lines, in one write so that lines do not mix.
cat > "$work/one" <<'EOF'
file=$1
name=${file%.c}
if ! $CC -std=gnu11 -O0 -Wall -Wextra -Werror -pthread "$file" -o "$work/$name" 2> "$work/$name.err"; then
    echo "not ok $name builds: $(head -n 1 "$work/$name.err")"
    exit 0
fi
timeout -k 1 5 "$work/$name" > "$work/$name.out" 2>&1
status=$?
label=$(sed -n 's/^ \* label: //p' "$file")
if [ "$label" != harmful ] && [ $status -ne 0 ]; then
    echo "not ok $name runs natively: exit $status"
else
    echo "ok $name builds and runs"
fi
EOF
ls *.c | xargs -P 2 -n 1 sh "$work/one"

# What the opening comment must hold.
for file in *.c; do
    name=${file%.c}
    head=$(sed '/\*\//q' "$file")
    why=
    echo "$head" | head -n 1 | grep -q "^/\* $file - ..*\.$" || why="first line is not '/* $file - what it is.'"
    labels=$(echo "$head" | grep -cE '^ \* label: (harmful|benign|refutable|clean)$')
    [ "$labels" -eq 1 ] || why="$labels label lines, wanted one"
    expects=$(echo "$head" | grep -c '^ \* expect: ')
    [ "$expects" -ge 1 ] || why="no expect line"
    bad=$(echo "$head" | sed -n 's/^ \* expect: //p' | sed 's, \*/$,,' |
        grep -vE "^(clean|failure ($failures)(\|($failures))*|($kinds) [][A-Za-z0-9_.| ]+ (refuted|undecided|confirmed (harmful|benign)))$")
    [ -z "$bad" ] || why="cannot read: expect: $bad"
    # The label is the worst that is expected.
    label=$(echo "$head" | sed -n 's/^ \* label: //p')
    case $label in
    harmful) echo "$head" | grep -qE 'expect: (failure|.* harmful)' || why="harmful, but nothing harmful is expected" ;;
    benign) echo "$head" | grep -q 'expect: .* benign' || why="benign, but nothing benign is expected" ;;
    refutable) echo "$head" | grep -qE 'expect: (.* refuted|clean)' || why="refutable, but nothing refuted is expected" ;;
    clean) echo "$head" | grep -q 'expect: clean' || why="clean, but that is not expected" ;;
    esac
    [ "$label" = harmful ] || ! echo "$head" | grep -qE 'expect: (failure|.* harmful)' || why="$label, but harm is expected"
    case $label in clean|refutable)
        ! echo "$head" | grep -q 'expect: .* confirmed' || why="$label, but a confirmation is expected" ;;
    esac
    twins=$(echo "$head" | sed -n 's/^ \* twin: \([a-z0-9_]*\.c\).*/\1/p')
    [ -n "$twins" ] || why="no twin"
    for twin in $twins; do
        if [ ! -f "$twin" ]; then
            why="twin $twin does not exist"
        elif ! grep -qE "^ \* twin: $file( \*/)?$" "$twin"; then
            why="twin $twin does not point back"
        fi
    done
    count=$(wc -l < "$file")
    [ "$count" -le 90 ] || why="$count lines; a litmus program is one page"
    if [ -n "$why" ]; then echo "not ok $name comment: $why"; else echo "ok $name comment"; fi
done
