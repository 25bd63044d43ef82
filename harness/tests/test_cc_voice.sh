# test_cc_voice.sh - exit status, diagnostics and answers are the compiler's own.
. harness/tests/cc/lib.sh

cat > bad.c <<'C'
#include <stdio.h>
#include <string.h>
static int unused_function(void) { return 1; }
int main(int argc, char **argv) {
    int unused, uninit;
    char small[4];
    unsigned u = 3;
    printf("%s %d\n", 5, "x");
    if (argc = 2) puts("assignment");
    if (u < argc) puts("signs");
    strcpy(small, argv[0]);
    return uninit + undeclared_thing;
}
C
sed 's/ + undeclared_thing//' bad.c > warn.c
echo 'int main(void) { return 0' > cut.c
echo 'int missing(void); int main(void) { return missing(); }' > nolink.c
echo 'int main(void) { return 0; }' > good.c
echo '#error on purpose' > stop.c
printf '#include <vector>\nint main() { std::vector<int> v; v.push_back("x"); const int &r; }\n' > bad.cc

# Same status, same words; names of temporary files and of the program differ by nature.
alike() {
    "$plain" "$@" > "$tree/out1" 2> "$tree/err1" < /dev/null
    one=$?
    "$ours" "$@" > "$tree/out2" 2> "$tree/err2" < /dev/null
    two=$?
    [ $one = $two ] || { echo "status $one, with heddle-cc $two"; return 1; }
    sed 's|/tmp/[A-Za-z0-9_./-]*|TMP|g' "$tree/err1" > "$tree/e1"
    sed 's|/tmp/[A-Za-z0-9_./-]*|TMP|g' "$tree/err2" > "$tree/e2"
    diff "$tree/e1" "$tree/e2" && cmp "$tree/out1" "$tree/out2"
}

for compiler in gcc clang; do
    HEDDLE_CC=$compiler
    export HEDDLE_CC
    plain=$compiler
    ours=heddle-cc
    # clang counts inputs after losing one, and libheddle.a is one
    [ $compiler = gcc ] && check "an object that is not there" alike nowhere.o
    for line in "-c bad.c" "-Wall -Wextra -O0 -c bad.c" "-Wall -Wextra -O2 -c warn.c" "-Wall -Werror -c warn.c" \
        "bad.c -o prog" "cut.c" "good.c cut.c -o prog" "stop.c -c" "-c nowhere.c" "-c" "-fnonsense good.c" \
        "-Wall -Wextra -c bad.c -fdiagnostics-color=always" "-Wnonsense -c good.c" "-o" "-x nonsense good.c" \
        "-std=c99 -pedantic-errors -c warn.c" "-fsyntax-only -Wall warn.c" "-E stop.c" "-M -MG stop.c" "-lnowhere_at_all" \
        "--version" "-dumpversion" "-dumpmachine" "-dumpfullversion" "-print-search-dirs" "-print-file-name=libc.so" \
        "-print-prog-name=ld" "-print-multi-os-directory" "--help" "" "-v" "-V" "-qversion" "--print-sysroot" \
        "-E -P -x c /dev/null" "--target-help"; do
        # shellcheck disable=SC2086
        check "the compiler's own words: $compiler $line" alike $line
    done
    plain=$([ $compiler = gcc ] && echo g++ || echo clang++)
    ours=heddle-c++
    for line in "-c bad.cc" "--version" "-Wall bad.cc" ""; do
        # shellcheck disable=SC2086
        check "the compiler's own words: $plain $line" alike $line
    done
done

HEDDLE_CC=gcc
undefined_reference() {
    exits 1 heddle-cc nolink.c -o prog && grep -q "undefined reference to .missing'" "$tree/err" &&
        grep -q 'nolink.c:1' "$tree/err" && [ ! -e prog ]
}
check "an undefined reference names the user's file" undefined_reference

# flow-based guesses get worse without the passes: they may not fail a build
cat > guess.c <<'C'
struct s { int ok, v; };
void other(void);
int f(struct s *p) {
    int x;
    if (p->ok) x = p->v;
    other();
    if (p->ok) return x;
    return 0;
}
C
check "a guess by -Wmaybe-uninitialized does not fail a -Werror build" heddle-cc -O2 -Wall -Werror -c guess.c
printf 'static inline int f(int *p) { return *p; }\nint g(int *p) { return f(p); }\n' > inl.c
check "-Winline -Werror" heddle-cc -O2 -Winline -Werror -c inl.c
printf '#include <stdatomic.h>\nvoid f(void) { atomic_thread_fence(memory_order_seq_cst); }\n' > fence.c
check "a fence with -Wall -Werror" heddle-cc -O2 -Wall -Wextra -Werror -c fence.c

# the flags are accepted in silence everywhere
silent() { heddle-cc "$@" > "$tree/said" 2>&1 && [ ! -s "$tree/said" ]; }
printf '\t.text\n' > e.s
cp e.s e.S
for compiler in gcc clang; do
    HEDDLE_CC=$compiler
    for level in -O0 -O1 -O2 -O3 -Os -Og -Ofast; do
        for file in good.c good.cc e.s e.S; do
            [ $file = good.cc ] && cp good.c good.cc
            check "nothing is said about $file at $level ($compiler)" silent -Wall -Wextra -Wpedantic "$level" -c $file
        done
    done
    check "nothing is said at a link ($compiler)" silent -Wall good.o -o good
done

# killed by a signal, and nothing left behind
cat > "$tree/dies" <<'S'
#!/bin/sh
kill -SEGV $$
S
chmod +x "$tree/dies"
killed() { HEDDLE_CC="$tree/dies" heddle-cc -c good.c; [ $? = 139 ]; }
check "a compiler killed by a signal is seen as killed" killed
interrupted() {
    mkdir -p t && rm -f t/* good.o
    sleep 1 | TMPDIR=$PWD/t heddle-cc -x c -c - -o good.o &
    child=$!
    sleep 0.4
    kill -TERM $child
    wait $child
    status=$?
    sleep 1 # the compiler proper has its input from the other sleep
    [ $status -gt 1 ] && [ -z "$(ls t)" ] && [ ! -e good.o ]
}
check "an interrupted compile leaves nothing" interrupted
left() { mkdir -p u && TMPDIR=$PWD/u heddle-cc -Wall good.c good.cc -c && TMPDIR=$PWD/u heddle-cc good.o -o g && ! TMPDIR=$PWD/u heddle-cc nolink.c && [ -z "$(ls u)" ]; }
check "no temporary file stays" left

# who the compiler is
HEDDLE_CC=
by_name() { ln -sf "$(command -v "$2")" "$tree/$1"; HEDDLE_CC=$tree/$1 heddle-cc -c good.c && instrumented good.o; }
check "a compiler under a name that says nothing, gcc" by_name mycompiler gcc
check "a compiler under a name that says nothing, clang" by_name othercompiler clang
printf '#!/bin/sh\nexec clang "$@"\n' > "$tree/wrapped"
chmod +x "$tree/wrapped"
wrapped() { HEDDLE_CC=$tree/wrapped heddle-cc -O2 -c good.c && instrumented good.o; }
check "a script around clang is asked what it is" wrapped
with_words() { HEDDLE_CC="gcc -DEXTRA=1" heddle-cc -E -P -x c - < word.txt | grep -qx 1; }
echo EXTRA > word.txt
check "words in HEDDLE_CC" with_words
derived() { [ "$(HEDDLE_CC=$1 heddle-c++ --version | head -n 1)" = "$($2 --version | head -n 1)" ]; }
check "gcc gives g++" derived gcc g++
check "gcc-12 gives g++-12" derived gcc-12 g++-12
check "clang gives clang++" derived clang clang++
check "clang-14 gives clang++-14" derived clang-14 clang++-14
cxx() { [ "$(HEDDLE_CC=gcc HEDDLE_CXX=clang++ heddle-c++ --version | head -n 1)" = "$(clang++ --version | head -n 1)" ]; }
check "HEDDLE_CXX comes first" cxx
none() { HEDDLE_CC=no-such-compiler exits 2 heddle-cc good.c && grep -q 'no compiler no-such-compiler' "$tree/err"; }
check "a compiler that is not there" none
myself() { HEDDLE_CC=heddle-cc exits 2 timeout 10 heddle-cc good.c; }
check "heddle-cc behind heddle-cc is refused" myself
masquerade() {
    mkdir -p "$tree/mask" && ln -sf "$tree/bin/heddle-cc" "$tree/mask/gcc" && ln -sf "$tree/bin/heddle-cc" "$tree/mask/g++" &&
        rm -f good.o && PATH=$tree/mask:$PATH timeout 10 gcc -c good.c && instrumented good.o &&
        rm -f good.o && PATH=$tree/mask:$PATH timeout 10 g++ -c good.cc && instrumented good.o
}
check "heddle-cc under the name gcc, first on PATH" masquerade
