#!/bin/sh
# demo.sh - the main job on the shipped example: build it, test it, replay what was found.
#
# Shows every command before it runs. heddle test must confirm the defect, and the
# command that its verdict ends with must show it again: anything else is a failed
# demo. The verdicts stay in results/, so that the commands can be typed again.
#
# environment: BUILD
set -u
prog=${BUILD#"$PWD"/}/demo/lost_update
PATH=$BUILD/bin:$PATH
said=$(mktemp) || exit 3
trap 'rm -f "$said"' EXIT
mkdir -p "$BUILD/demo" || exit 3

# shown WANTED-WORDS COMMAND
shown() {
    echo "\$ $2"
    sh -c "$2" 2>&1 | tee "$said"
    if ! grep -q "$1" "$said"; then
        echo "demo: '$2' did not say '$1'" >&2
        exit 1
    fi
    echo
}

echo "Two tellers deposit 10 each; every access to the balance holds the lock."
echo
sed -n '/^void deposit/,/^}/p' suites/litmus/lost_update.c
echo
echo "\$ heddle-cc -g suites/litmus/lost_update.c -o $prog"
heddle-cc -g suites/litmus/lost_update.c -o "$prog" || exit 1
echo
shown 'confirmed harmful: deposit' "heddle test $prog"
again=$(sed -n 's/^ *again *\(heddle replay .*#W.*\)/\1/p' "$said" | head -n 1)
[ -n "$again" ] || { echo "demo: no replay command was given" >&2; exit 1; }
shown "Assertion \`balance == 20' failed" "$again"
echo "The commands are in build/bin; README.md goes on from here."
