#!/bin/sh
# test_library_headers.sh - the headers under every compiler and dialect, with heddle
# and without, without a warning.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
here=$PWD/sched/tests/library
PATH=$BUILD/bin:$PATH
unset HEDDLE_OPTIONS HEDDLE_TEST HEDDLE_CC HEDDLE_CXX
cd "$work" || exit 1

builds() { # COMPILER FLAGS...: and its status is 0
    name=$*
    if ! "$@" -Wall -Wextra -Wshadow -pedantic -Werror "$here/annotated.c" -o annotated 2> err; then
        echo "not ok $name: $(head -n 1 err)"
    elif ! ./annotated > out 2> err; then
        echo "not ok $name: runs and returns $?"
    else
        echo "ok $name"
    fi
}

plain=-I$BUILD/include
for std in c99 c11 gnu17; do
    builds gcc "$plain" -std=$std
    builds clang "$plain" -std=$std
    builds heddle-cc -std=$std
    builds env HEDDLE_CC=clang heddle-cc -std=$std
done
for std in c++11 c++20; do
    builds g++ "$plain" -x c++ -std=$std
    builds clang++ "$plain" -x c++ -std=$std
    builds heddle-c++ -x c++ -std=$std
    builds env HEDDLE_CXX=clang++ heddle-c++ -x c++ -std=$std
done

# A heddle that is installed elsewhere does not get in the way.
mkdir other && echo '#error "of another heddle"' > other/heddle.h
builds env C_INCLUDE_PATH="$PWD/other" heddle-cc

# A Unity file in C++.
if heddle-c++ -g -w -I"$UNITY" -x c++ "$here/side.c" -x c "$UNITY/unity.c" -o side 2> err &&
    timeout 60 ./side > out 2> err
    grep -q '^7 Tests 2 Failures 1 Ignored' out; then
    echo "ok Unity tests in C++"
else
    echo "not ok Unity tests in C++: $(grep Tests out) $(head -n 1 err)"
fi
