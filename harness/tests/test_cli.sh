#!/bin/sh
# test_cli.sh - the command line from outside: words, streams, exit statuses.
heddle=$BUILD/bin/heddle
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# expect NAME STATUS STDOUT-PATTERN STDERR-PATTERN ARGS...; an empty pattern: nothing is printed
expect() {
    name=$1 status=$2 out=$3 err=$4
    shift 4
    "$heddle" "$@" > "$work/out" 2> "$work/err"
    got=$?
    why=
    [ "$got" -eq "$status" ] || why="exit $got, wanted $status"
    for stream in out err; do
        eval "pattern=\$$stream"
        if [ -z "$pattern" ]; then
            [ -s "$work/$stream" ] && why="$why; something on $stream: $(head -n 1 "$work/$stream")"
        else
            grep -q -e "$pattern" "$work/$stream" || why="$why; no $pattern on $stream: $(head -n 1 "$work/$stream")"
        fi
    done
    if [ -z "$why" ]; then echo "ok $name"; else echo "not ok $name: $why"; fi
}

expect "the version goes to standard output" 0 '^heddle [0-9]' '' --version
expect "help goes to standard output" 0 '^  test ' '' help
expect "--help is help" 0 '^  test ' '' --help
expect "no command is bad usage" 2 '' '^heddle: a command is missing (heddle help)$'
expect "an unknown command gets a suggestion" 2 '' '^heddle: exlpore: no such command; there is explore (heddle help)$' exlpore
expect "nonsense gets none" 2 '' '^heddle: frobnicate: no such command (heddle help)$' frobnicate
expect "help of an unknown command" 2 '' 'no such command; there is list' help lits
expect "help of a command is made from its table" 0 '^usage: heddle list ' '' help list
expect "list without a word" 2 '' '^heddle: list: expected strategies, checkers or checkers NAME$' list
expect "list with another word" 2 '' '^heddle: list: expected strategies' list nonsense
expect "an unknown option of list" 2 '' '^heddle: --al: no such option (heddle help list)$' list --al
expect "an unknown checker gets an answer" 2 '' 'no such checker' list checkers nonsense

# What was not built with heddle-cc is not run to find that out; what was may be stripped.
printf '#!/bin/sh\ntouch "%s/ran"\n' "$work" > "$work/script"
chmod +x "$work/script"
for command in run test explore; do
    expect "$command refuses a script" 3 '' 'script was not built with heddle-cc' $command "$work/script"
    expect "$command refuses another program" 3 '' 'was not built with heddle-cc' $command "$(command -v touch)" "$work/ran"
done
if [ ! -e "$work/ran" ]; then echo "ok nothing of it was run"; else echo "not ok nothing of it was run: it was"; fi
printf 'int main(void) { return 0; }\n' > "$work/small.c"
"$BUILD/bin/heddle-cc" -s "$work/small.c" -o "$work/small"
expect "a stripped program is run" 0 '' '1 thread' run "$work/small"

for name in dpor bounded random pct pos surw round-robin replay portfolio; do
    expect "list strategies: $name" 0 "^$name  *[a-z]" '' list strategies
done

# A wrong value is refused before the program is looked for.
for verb in test run explore; do
    "$heddle" help $verb > "$work/help" 2>&1 || continue # not in this build
    expect "$verb: a bad seed is told first" 2 '' '^heddle: --seed x: expected a number' $verb --seed x /nowhere
    expect "$verb: a bad strategy is told first" 2 '' \
        '^heddle: --strategy ptc: no such strategy; there is pct (heddle list strategies)$' $verb --strategy ptc /nowhere
    expect "$verb: a program is missing" 2 '' '^heddle: ' $verb
done

# What the tables know, the manual page knows, and the other way round.
page=docs/heddle.1
missing=
for option in $(sed -n 's/^ *{"\([a-z-]*\)", .*HD_OPTION_.*/\1/p' harness/option_common.c); do
    written=$(echo "--$option" | sed 's/-/\\\\-/g')
    grep -q -e "$written" "$page" || missing="$missing --$option"
done
if [ -z "$missing" ]; then echo "ok the manual page has every option"; else echo "not ok the manual page has every option:$missing"; fi
missing=
for verb in $("$heddle" help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
    grep -q "^\.B heddle $verb" "$page" || missing="$missing $verb"
done
if [ -z "$missing" ]; then echo "ok the manual page has every command"; else echo "not ok the manual page has every command:$missing"; fi
if command -v man > /dev/null && command -v groff > /dev/null; then
    if groff -man -Tutf8 -ww "$page" 2>&1 > /dev/null | grep -q .; then
        echo "not ok the manual page is well formed: $(groff -man -Tutf8 -ww "$page" 2>&1 > /dev/null | head -n 1)"
    else
        echo "ok the manual page is well formed"
    fi
fi

# Completion asks the command itself.
if command -v bash > /dev/null; then
    complete() {
        PATH=$BUILD/bin:$PATH bash -c '
            source docs/heddle.bash
            COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
            _heddle
            echo "${COMPREPLY[@]}"' bash "$@"
    }
    check() {
        name=$1 wanted=$2
        shift 2
        found=$(complete "$@")
        if [ "$found" = "$wanted" ]; then echo "ok $name"; else echo "not ok $name: $found"; fi
    }
    check "a command is completed" explore heddle exp
    check "a strategy is completed" round-robin heddle explore --strategy round
    check "list is completed" checkers heddle list che
    check "help is completed" replay heddle help rep
fi
