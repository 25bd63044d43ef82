#!/bin/sh
# Numbers of classes that are known from elsewhere: complete searches of other
# tools agree on them.
. sched/tests/search/run.sh

anchor() { # anchor PROGRAM N CLASSES
    build "anchor" "anchor_$1.c" "-DN=$2"
    explore dpor 1000000 anchor "$work/anchor"
    got="$(total anchor executions) executions, $(total anchor classes) classes, exhausted $(total anchor exhausted)"
    if [ "$got" = "$3 executions, $3 classes, exhausted 1" ]; then
        echo "ok $1_$2"
    else
        echo "not ok $1_$2: wanted $3, got $got"
    fi
}

anchor locked 4 70
anchor locked 8 12870
anchor atomic 4 3334
anchor atomic 5 34904
anchor lastzero 8 704
anchor lastzero 12 15360
anchor indexer 12 8
anchor indexer 15 4096
anchor filesystem 14 2
anchor filesystem 18 32
anchor filesystem 20 128
