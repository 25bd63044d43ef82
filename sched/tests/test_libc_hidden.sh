# test_libc_hidden.sh - state that libc hides: explored; chance: the same every time;
# libraries loaded by an execution: gone in the next.
. sched/tests/libc/lib.sh
outcomes() { # WHAT NUMBER
    HEDDLE_OPTIONS="explore result=3 strategy=dpor executions=20000" ./hidden "$1" 3> results || return 1
    grep -q '^exhausted 1' results && [ "$(grep -c '^finding' results)" = "$2" ] ||
        { grep -E '^(observed|exhausted|failure|message)' results; return 1; }
}
at_least() { # WHAT NUMBER
    HEDDLE_OPTIONS="explore result=3 strategy=dpor executions=20000" ./hidden "$1" 3> results || return 1
    grep -q '^exhausted 1' results && [ "$(grep -c '^finding' results)" -ge "$2" ] ||
        { grep -E '^(observed|exhausted|failure|message)' results; return 1; }
}
same_chance() {
    ./chance > one && HEDDLE_OPTIONS="strategy=random seed=1" ./chance > two && diff one two &&
        tail -1 one | grep -q '^4 4 4$' && head -1 one | grep -q ' 1$'
}
seed_changes() { HEDDLE_OPTIONS="seed=2" ./chance > three && ! cmp -s one three; }
cpp() {
    printf '#include <random>\n#include <cstdio>\nint main() { std::random_device r; std::printf("%%u\\n", r()); }\n' > r.cc
    "$BUILD/bin/heddle-c++" r.cc -o r && ./r > one && ./r > two && diff one two
}
loads() {
    echo 'static int count; int part(void) { return ++count; }' > part.c
    gcc -shared -fPIC part.c -o plain.so && "$BUILD/bin/heddle-cc" -shared -fPIC part.c -o seen.so &&
        cat > load.c <<'C' && "$BUILD/bin/heddle-cc" -g load.c -o load
#include <dlfcn.h>
#include <heddle.h>
int main(int argc, char **argv) {
    void *library = dlopen(argc > 1 ? argv[1] : "./seen.so", RTLD_NOW);
    int (*part)(void) = library ? (int (*)(void))dlsym(library, "part") : 0;
    if (!part) return 1;
    heddle_observe("part", part() + 10 * part());
    return 0;
}
C
    HEDDLE_OPTIONS="explore result=3 strategy=random executions=20000" ./load 3> results || return 1
    grep -q '^executions 20000' results && [ "$(grep -c '^finding' results)" = 1 ] || { cat results; return 1; }
}
notes() { ./load ./plain.so 2> said; grep -q 'note: plain.so was loaded' said && ./load ./seen.so 2> said && ! grep -q note said; }

changes_locale() {
    HEDDLE_OPTIONS="explore result=3 strategy=dpor executions=1000" timeout 30 ./locale 3> results > /dev/null &&
        grep -q '^exhausted 1' results
}
build locale
check "threads change the locale" changes_locale
build hidden
check "random numbers come in either order" outcomes rand 2
check "the environment is shared" outcomes environ 2
check "reading it is not a step" outcomes getenv 1
check "strtok has one state" at_least strtok 2
check "a result in static memory is shared" at_least gmtime 3
check "a user's entry in static memory is shared" at_least user 2
check "an address in static memory is shared" at_least address 2
check "the working directory is shared" outcomes folder 2
check "hsearch has one table" outcomes hsearch 2
check "environ is a variable, too" outcomes variable 2
build chance
check "chance from outside is the same every time" same_chance
check "another seed, other chance" seed_changes
check "std::random_device too" cpp
check "a library that an execution loads is gone in the next" loads
check "a library that is not instrumented is told" notes
