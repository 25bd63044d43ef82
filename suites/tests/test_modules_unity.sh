#!/bin/sh
# test_modules_unity.sh - the modules' unit tests, explored.
#
# As a user runs them: built by heddle-cc, started by themselves. Correct modules
# pass every test; with its defect each module fails the test that its README
# names, and the line after the failure is a command that shows it again.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$PWD
PATH=$BUILD/bin:$PATH
unset HEDDLE_OPTIONS HEDDLE_TEST

ok() { echo "ok $1"; }
no() { echo "not ok $1: $2"; }

cd "$work" || exit 1
for readme in "$root"/suites/modules/*/README.md; do
    folder=${readme%/README.md}
    m=${folder##*/}
    for defect in '' -DDEFECT; do
        name="$m${defect:+ with its defect}"
        if ! heddle-cc -O1 -g $defect -I"$UNITY" "$folder/$m.c" "$folder/test_$m.c" \
            "$UNITY/unity.c" -o "test_$m$defect" 2> err; then
            no "$name builds" "$(head -n 1 err)"
            continue
        fi
        timeout 60 "./test_$m$defect" > out 2> err
        status=$?
        tests=$(grep -c 'RUN_TEST(' "$folder/test_$m.c")
        counts=$(sed -n 's/ Tests.*//p' out)
        if [ "$counts" = "$tests" ]; then
            ok "$name: Unity counts every test"
        else
            no "$name: Unity counts every test" "$counts of $tests"
        fi
        if [ -z "$defect" ]; then
            if [ $status -eq 0 ] && ! grep -q ':FAIL' out; then
                ok "$name passes whatever the schedule"
            else
                no "$name passes whatever the schedule" "$(grep -m 1 ':FAIL' out) status $status"
            fi
            continue
        fi
        culprit=$(sed -n 's/^Explored, `\([a-z_]*\)`.*/\1/p' "$readme")
        failure=$(grep -m 1 ":$culprit:FAIL" out)
        if [ -n "$failure" ] && [ $status -ne 0 ]; then
            ok "$name fails $culprit"
        else
            no "$name fails $culprit" "status $status: $(grep -m 1 ':FAIL' out)"
            continue
        fi
        command=$(grep -A 1 ":$culprit:FAIL" out | sed -n 2p)
        eval "$command" > again 2>&1
        status=$?
        said=${failure#*:FAIL}
        case $failure in
        *Expected*) grep -q "^assertion .*:FAIL$said" again ;;
        *) grep -q -e '^deadlock ' -e '^misuse ' again ;;
        esac
        if [ $? -eq 0 ] && [ $status -eq 1 ]; then
            ok "$name: the failure comes again on command"
        else
            no "$name: the failure comes again on command" "$command: $(tail -n 1 again)"
        fi
    done
done
