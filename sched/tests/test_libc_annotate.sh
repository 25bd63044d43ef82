# test_libc_annotate.sh - heddle.h: blocks, transactions, disciplines, choices, outcomes.
. sched/tests/libc/lib.sh

count() { # WORD NUMBER: so many such events in the trace
    got=$(grep -c " $1" trace.txt)
    [ "$got" = "$2" ] || { echo "$got events '$1', wanted $2"; return 1; }
}
plain() {
    for cc in gcc clang; do
        command -v $cc > /dev/null || continue
        $cc -std=c99 -Wall -Wextra -Wpedantic -Wshadow -Werror -I"$BUILD/include" \
            -D_GNU_SOURCE "$here/annotate.c" -o plain -pthread && prints "10 20 40 20 20 sum 3" ./plain || return 1
    done
}
cpp() {
    cat > t.cc <<'C'
#include <heddle.h>
#include <cstdio>
static int cell;
static void thrower() { HEDDLE_ATOMIC("throws") { cell++; throw 1; } }
int main() {
    try { thrower(); } catch (int i) { std::printf("caught %d\n", i); }
    HEDDLE_ATOMIC("after") { cell++; }
    HEDDLE_GUARDED_BY(&cell, &cell);
    heddle_observe("cell", cell);
    return heddle_choose(1);
}
C
    "$BUILD/bin/heddle-c++" -Wall -Wextra -Werror t.cc -o t && prints "caught 1" ./t && traced t &&
        count begin 2 && count end 2
}
blocks_end() { traced annotate && count begin 7 && count 'end' 7; }
transactions() { count txb 4 && count txe 4; }
disciplines() { count 'guarded' 1 && count 'requires' 1; }
explores_choices() { # three answers, each an outcome of its own; no update is lost
    explored annotate strategy=dpor executions=5000 && grep -q '^exhausted 1' results &&
        [ "$(grep -c '^observed ' results)" = 3 ] && ! grep -v 'balance=3;name=x;' results | grep '^observed'
}
refuses_nothing() {
    printf '#include <heddle.h>\nint main(void) { return heddle_choose(0); }\n' > none.c
    "$BUILD/bin/heddle-cc" none.c -o none && ! ./none 2> said && grep -q 'nothing to choose from' said
}

build annotate
check "annotations mean nothing to a plain compiler" plain
check "annotated blocks run as written" prints "10 20 40 20 20 sum 3" ./annotate
check "a block ends however it is left" blocks_end
check "transactions nest" transactions
check "lock disciplines are in the trace" disciplines
check "choices and outcomes are explored" explores_choices
check "a choice among nothing is misuse" refuses_nothing
check "blocks end by exceptions" cpp
