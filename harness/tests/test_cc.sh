# test_cc.sh - a program by heddle-cc runs, at every level and with both compilers.
. harness/tests/cc/lib.sh

cat > spin.c <<'C'
#include <stdio.h>
int flag;
int main(void) {
    while (!flag) {
    }
    puts("done");
    return 0;
}
C
cat > throw.cc <<'C'
#include <atomic>
#include <iostream>
#include <stdexcept>
std::atomic<int> count;
static void fail() {
    count++;
    std::atomic_thread_fence(std::memory_order_seq_cst);
    throw std::runtime_error("caught");
}
int main() {
    try {
        fail();
    } catch (const std::exception &e) {
        std::cout << e.what() << " " << count << "\n";
    }
}
C
for compiler in gcc clang; do
    HEDDLE_CC=$compiler
    export HEDDLE_CC
    for level in -O0 -O1 -O2 -O3 -Os -Og -Ofast; do
        heddle-cc -Wall -Wextra -Werror "$level" spin.c -o spin
        check "a spin loop at $level reads inside the loop ($compiler)" prints ./spin done
        heddle-c++ -Wall -Wextra -Werror "$level" throw.cc -o throw
        check "exceptions and atomics in C++ at $level ($compiler)" prints ./throw "caught 1"
    done
done
