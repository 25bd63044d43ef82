# test_libc_jump.sh - jumps within a thread, out of it, and into nothing.
. sched/tests/libc/lib.sh
refused() { ! "./jump" "$1" > out1 2> said && grep -q "misuse.*$2" said; }
build jump
check "a thread jumps within its own stack, and out of handlers" prints "times 3
caught 3" ./jump
check "a jump into another thread is misuse" refused 1 "stack of another thread"
check "a jump to a function that has returned is misuse" refused 2 "has returned"
