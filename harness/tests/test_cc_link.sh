# test_cc_link.sh - executables, shared libraries, plugins, and what is refused.
. harness/tests/cc/lib.sh

cat > main.c <<'C'
#include <stdio.h>
int part(void);
int main(void) { printf("part %d\n", part()); return 0; }
C
echo 'int cell = 1; int part(void) { return cell; }' > part.c
cat > host.c <<'C'
#include <dlfcn.h>
#include <stdio.h>
int main(void) {
    void *plugin = dlopen("./plugin.so", RTLD_NOW);
    int (*part)(void) = plugin ? (int (*)(void))dlsym(plugin, "part") : 0;
    printf("%s %d\n", plugin ? "loaded" : dlerror(), part ? part() : -1);
    return 0;
}
C
has() { readelf -p .heddle.uninstrumented "$1" 2> /dev/null | grep -qF "$2"; }
listed() { [ "$(readelf -p .heddle.uninstrumented "$1" 2> /dev/null | sed -n 's/^ *\[ *[0-9a-f]*\] *//p' | tr '\n' ' ')" = "$2" ]; }
fresh() { rm -rf w && mkdir w && cp ./*.c w && cd w; }
cc=heddle-cc

whole_runtime() { fresh && $cc main.c part.c -o prog && nm prog | grep -q stub_is_linked; }
exported() { fresh && $cc main.c part.c -o prog && nm -D prog | grep -q ' T __tsan_read4' && ! nm -D prog | grep -q ' T part'; }
hidden_libs() { # hiding what archives define may not hide the runtime
    fresh && $cc -shared -fPIC part.c -o plugin.so && $cc host.c -Wl,--exclude-libs,ALL -o prog 2> err && prints ./prog "loaded 1" &&
        grep -q 'exclude-libs,ALL left out' err
}
build_id() { fresh && $cc main.c part.c -o prog && readelf -n prog | grep -q 'Build ID'; }
no_libtsan() { fresh && $cc -fsanitize=thread main.c part.c -o prog && ! readelf -d prog | grep -q tsan && prints ./prog "part 1"; }
shared() {
    fresh && $cc -shared -fPIC part.c -o libpart.so && ! nm libpart.so | grep -q stub_is_linked &&
        $cc main.c -L. -lpart -Wl,-rpath,"$PWD" -o prog && prints ./prog "part 1" &&
        $cc main.c ./libpart.so -o prog2 && prints ./prog2 "part 1"
}
shared_defs() { # $1: the check for undefined symbols that the user asked for
    fresh && $cc -shared -fPIC $1 part.c -o libpart.so && $cc main.c ./libpart.so -o prog && prints ./prog "part 1"
}
plugin() { fresh && $cc -shared -fPIC part.c -o plugin.so && $cc host.c -ldl -o prog && prints ./prog "loaded 1"; }
plugin_collected() { # unused sections dropped: what plugins call must stay
    fresh && $cc -shared -fPIC part.c -o plugin.so &&
        $cc -ffunction-sections host.c -Wl,--gc-sections -o prog && prints ./prog "loaded 1"
}
relocatable() {
    fresh && $cc -c main.c part.c && $cc -r main.o part.o -o both.o && ! nm both.o | grep -q stub_is_linked &&
        $cc -no-pie -nostdlib -Wl,-r main.o part.o -o both2.o && $cc both.o -o prog && prints ./prog "part 1"
}
position() { fresh && $cc -no-pie main.c part.c -o p1 && prints ./p1 "part 1" && $cc -pie -fPIE main.c part.c -o p2 && prints ./p2 "part 1"; }
static_refused() {
    fresh && exits 2 $cc -static main.c part.c -o prog && grep -q 'heddle-cc: -static' "$tree/err" &&
        exits 2 $cc -static-pie main.c part.c && exits 0 $cc -static -c part.c && [ ! -e prog ]
}
static_some() { fresh && $cc -static-libgcc main.c part.c -o prog && prints ./prog "part 1"; }
static_cxx() {
    fresh && echo '#include <iostream>
int main() { try { throw 1; } catch (int i) { std::cout << "caught " << i; } }' > t.cc &&
        heddle-c++ -static-libstdc++ -static-libgcc t.cc -o prog && prints ./prog "caught 1"
}
no_runtime() {
    fresh && rm -rf "$tree/bare" && mkdir -p "$tree/bare/bin" && cp "$tree/bin/heddle-cc" "$tree/bare/bin" && mkdir "$tree/bare/lib" &&
        cp "$tree/lib/heddle.specs" "$tree/bare/lib" && exits 0 "$tree/bare/bin/heddle-cc" -c main.c &&
        exits 3 "$tree/bare/bin/heddle-cc" main.c part.c && grep -q 'libheddle.a is missing' "$tree/err"
}
moved() { # an installed layout, moved, reached through a link, libheddle.a in lib/heddle
    fresh && mkdir -p "in st/bin" "in st/lib/heddle" "in st/include" && cp "$tree/bin/heddle-cc" "in st/bin" &&
        cp "$tree/lib/libheddle.a" "$tree/lib/heddle.specs" "in st/lib/heddle" && mv "in st" "moved, to" &&
        ln -s "moved, to/bin/heddle-cc" mycc && ./mycc main.c part.c -o prog && prints ./prog "part 1"
}
freestanding() {
    fresh && echo 'void _start(void) { __asm__ volatile("" ::: "memory"); for (;;); }' > k.c &&
        $cc -ffreestanding -nostdlib -nostartfiles k.c -o k && ! nm k | grep -q tsan
}
explicit_libc() { fresh && $cc -nodefaultlibs main.c part.c -lc -lgcc -o prog && prints ./prog "part 1"; }
sanitizers() {
    fresh && $cc -fsanitize=address,undefined -c part.c 2> err && [ "$(wc -l < err)" = 1 ] && grep -q 'fsanitize=address left out' err &&
        instrumented part.o && ! nm part.o | grep -q asan
}
unknown() { fresh && exits 2 $cc --heddle-as-compild main.c && grep -q 'no such option' "$tree/err"; }

# what was not compiled by heddle-cc
plain_object() { fresh && gcc -c part.c && $cc main.c part.o -o prog && listed prog "part.o " && prints ./prog "part 1"; }
plain_archive() { fresh && gcc -c part.c && ar rc libpart.a part.o && $cc main.c -L. -lpart -o prog && listed prog "libpart.a "; }
mixed_archive() {
    fresh && echo 'int spare(void) { return 3; }' > a_name_longer_than_fifteen.c && $cc -c part.c && gcc -c a_name_longer_than_fifteen.c &&
        ar rc libpart.a part.o a_name_longer_than_fifteen.o && $cc main.c libpart.a -o prog &&
        listed prog "libpart.a(a_name_longer_than_fifteen.o) "
}
thin_archive() { fresh && gcc -c part.c && ar rcT libpart.a part.o && $cc main.c libpart.a -o prog && listed prog "libpart.a "; }
plain_shared() { fresh && gcc -shared -fPIC part.c -o libpart.so && $cc main.c ./libpart.so -o prog && listed prog "libpart.so " && prints ./prog "part 1"; }
asm_listed() { fresh && gcc -S part.c -o part.s && $cc main.c part.s -o prog && listed prog "part.s "; }
own_asm_not_listed() { fresh && $cc -S part.c -o part.s && $cc main.c part.s -o prog && listed prog ""; }
all_ours() { fresh && $cc -c main.c part.c && ar rc l.a part.o && $cc main.o l.a -o prog && listed prog ""; }
only_data() { fresh && echo 'int table[4] = {1};' > d.c && gcc -c d.c && $cc main.c part.c d.o -o prog && listed prog ""; }
survives_gc() { fresh && gcc -c part.c && $cc main.c part.o -Wl,--gc-sections,--fatal-warnings -o prog && listed prog "part.o " && ! readelf -lW prog | grep STACK | grep -q RWE; }
broken_inputs() { # truncated and made-up objects: the linker says so, heddle-cc does not fall over
    fresh && gcc -c part.c && size=$(wc -c < part.o) && i=0 && while [ $i -lt "$size" ]; do
        head -c $i part.o > cut.o
        $cc main.c cut.o -o prog > log 2>&1
        [ $? -le 1 ] || return 1
        i=$((i + 97))
    done
    ar rc l.a part.o && for i in 8 60 68 90 200; do
        head -c $i l.a > cut.a
        $cc -c main.c && $cc main.o cut.a -o prog > log 2>&1
        [ $? -le 1 ] || return 1
    done
}

for compiler in gcc clang; do
    HEDDLE_CC=$compiler
    export HEDDLE_CC
    for test in whole_runtime exported hidden_libs build_id no_libtsan shared plugin plugin_collected relocatable position static_refused \
        static_some static_cxx no_runtime moved freestanding explicit_libc sanitizers unknown plain_object plain_archive \
        mixed_archive thin_archive plain_shared asm_listed own_asm_not_listed all_ours only_data \
        survives_gc; do
        cd "$tree/work" || exit 1
        check "$(echo $test | tr _ ' ') ($compiler)" $test
    done
    for flag in -Wl,-z,defs -Wl,--no-undefined "-z defs" "-Xlinker -z -Xlinker defs"; do
        cd "$tree/work" || exit 1
        check "a shared library with $flag ($compiler)" shared_defs "$flag"
    done
done
cd "$tree/work" || exit 1
HEDDLE_CC=gcc
check "broken objects and archives" broken_inputs
for linker in gold lld; do
    command -v ld.$linker > /dev/null || continue
    cc="heddle-cc -fuse-ld=$linker"
    for test in whole_runtime shared plugin plain_object plugin_collected; do
        cd "$tree/work" || exit 1
        check "$(echo $test | tr _ ' ') ($linker)" $test
    done
    cd "$tree/work" || exit 1
    check "a shared library with -Wl,-z,defs ($linker)" shared_defs -Wl,-z,defs
done
