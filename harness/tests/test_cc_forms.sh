# test_cc_forms.sh - every way that a build calls a compiler, with gcc and clang behind.
. harness/tests/cc/lib.sh

cat > main.c <<'C'
#include <stdio.h>
#include "part.h"
int main(void) {
    printf("sum %d\n", part() + OTHER);
    return 0;
}
C
echo 'int part(void);' > part.h
printf '#include "part.h"\nint shared_cell = 40;\nint part(void) { return shared_cell; }\n' > part.c
cat > asm.s <<'C'
	.text
	.globl	from_asm
from_asm:
	ret
	.section .note.GNU-stack,"",@progbits
C
cp asm.s pre.S
cat > asm.c <<'C'
#include <stdio.h>
void from_asm(void);
int main(void) { from_asm(); puts("asm"); return 0; }
C

fresh() { rm -rf w && mkdir w && cp ./*.c ./*.h ./*.s ./*.S w && cd w; }
same() { cmp "$1" "$2"; }

forms() {
    cc=heddle-cc
    one_step() { fresh && $cc -DOTHER=2 main.c part.c -o prog && prints ./prog "sum 42" && [ ! -e main.o ]; }
    separate() {
        fresh && $cc -DOTHER=2 -c main.c && $cc -c part.c -opart_.o && instrumented main.o &&
            instrumented part_.o && $cc main.o part_.o -o prog && prints ./prog "sum 42"
    }
    many_at_once() {
        fresh && $cc -DOTHER=2 -c main.c part.c asm.s && $cc main.o part.o -oprog && prints ./prog "sum 42" &&
            ! instrumented asm.o
    }
    default_name() { fresh && $cc -DOTHER=2 main.c part.c && prints ./a.out "sum 42"; }
    mixed() { fresh && $cc -c part.c && $cc -D OTHER=3 main.c part.o -o prog && prints ./prog "sum 43"; }
    to_assembler() {
        fresh && $cc -DOTHER=2 -S main.c -o main.S.s && grep -q __tsan_func_entry main.S.s &&
            $cc -c main.S.s -o main.o && $cc main.o part.c -o prog && prints ./prog "sum 42"
    }
    preprocess() {
        fresh && $cc -E -DOTHER=2 main.c > main.i && $cc -c main.i && instrumented main.o &&
            echo __HEDDLE__ | $cc -E -P - | grep -qx 1
    }
    not_tsan() {
        fresh && printf '#ifdef __SANITIZE_THREAD__\n#error seen\n#endif\nint x;\n' > t.c && $cc -c t.c &&
            $cc -E t.c > t.i
    }
    depend() {
        fresh && $cc -M main.c | grep -q 'main.o:.*main.c' && $cc -MM -DOTHER main.c | grep -qx 'main.o: main.c part.h'
    }
    depend_file() {
        fresh && $cc -DOTHER=1 -MD -c main.c -o obj.o && grep -q '^obj.o: main.c' obj.d &&
            $cc -DOTHER=1 -MMD -MP -MT goal -MF dep.mk -c main.c -o obj2.o && grep -q '^goal: main.c part.h' dep.mk
    }
    depend_one_step() {
        fresh && mkdir a b && $HEDDLE_CC -DOTHER=1 -MMD main.c part.c -o a/prog && $cc -DOTHER=1 -MMD main.c part.c -o b/prog &&
            (cd a && ls && cat ./*.d) | sed 's/a\/prog/P/' > a.all && (cd b && ls && cat ./*.d) | sed 's/b\/prog/P/' > b.all &&
            same a.all b.all && [ "$(ls b | wc -l)" -ge 2 ]
    }
    language() {
        fresh && mv part.c part.weird && $cc -DOTHER=2 -x c part.weird main.c -x none -o prog && prints ./prog "sum 42" &&
            $cc -xc part.weird -c -o w.o && instrumented w.o
    }
    language_cxx() { fresh && echo 'struct S { int x = 1; }; int f(S *s) { return s->x; }' > f.c && $cc -x c++ -c f.c && instrumented f.o; }
    standard_input() {
        fresh && $cc -DOTHER=2 -x c - part.c -o prog < main.c && prints ./prog "sum 42" &&
            $cc -DOTHER=2 -xc -c -o in.o - < main.c && instrumented in.o
    }
    assembler_inputs() {
        fresh && $cc asm.c asm.s -o p1 && prints ./p1 asm && $cc asm.c pre.S -o p2 && prints ./p2 asm &&
            $cc -x assembler asm.s -c -o x.o && ! instrumented x.o && $cc -Wall -Werror -c pre.S && ! instrumented pre.o
    }
    archive() {
        fresh && $cc -c part.c && ar rc libpart.a part.o && $cc -DOTHER=2 main.c libpart.a -o p1 && prints ./p1 "sum 42" &&
            $cc -DOTHER=2 main.c -L. -lpart -o p2 && prints ./p2 "sum 42" && $cc -DOTHER=2 main.c -L . -l part -o p3 && prints ./p3 "sum 42"
    }
    pipe() { fresh && $cc -pipe -DOTHER=2 main.c part.c -o prog && prints ./prog "sum 42"; }
    syntax_only() { fresh && $cc -DOTHER=2 -fsyntax-only main.c && [ ! -e a.out ] && ! $cc -fsyntax-only main.c; }
    save_temps() { fresh && $cc -DOTHER=2 -save-temps -c main.c && [ -s main.i ] && [ -s main.s ] && instrumented main.o; }
    save_temps_one_step() {
        fresh && $cc -DOTHER=2 -save-temps main.c part.c -o prog && prints ./prog "sum 42" && ls ./*main.i ./*part.s
    }
    precompiled() {
        fresh && $cc -DOTHER=2 -O2 part.h && ls part.h.*ch && $cc -DOTHER=2 -O2 -Winvalid-pch -Werror main.c part.c -o prog &&
            prints ./prog "sum 42" && $cc -x c-header part.h -o other.pch
    }
    response() {
        fresh && echo '-DOTHER=2 main.c' > inner && echo "@inner 'part.c' -o \"my prog\"" > outer && $cc @outer &&
            prints "./my prog" "sum 42"
    }
    response_quotes() {
        fresh && printf '%s\n' 'int printf(const char *, ...); int main(void) { printf("%s", TEXT); return 0; }' > "a b'c.c" &&
            cp "$here/quotes.args" args && $cc @args && prints ./prog "x y"
    }
    response_lost() { fresh && ! $cc @nowhere 2> err && grep -q '@nowhere' err; }
    response_of_itself() { fresh && echo '@loop' > loop && ! timeout 20 $cc -c @loop 2> err; }
    odd_names() {
        fresh && mkdir "d ir" && cp main.c "d ir/it's \"m\" \$x.c" && cp part.c "d ir/p;a.c" && cp part.h "d ir" &&
            $cc -DOTHER=2 "d ir/it's \"m\" \$x.c" "d ir/p;a.c" -o "d ir/pro g" && prints "./d ir/pro g" "sum 42"
    }
    many_sources() {
        fresh && i=0 && while [ $i -lt 40 ]; do
            echo "int cell$i = 1; int f$i(void) { return cell$i; }" > "m$i.c"
            i=$((i + 1))
        done && { echo 'int printf(const char *, ...);'; i=0
            while [ $i -lt 40 ]; do echo "int f$i(void);"; i=$((i + 1)); done
            echo 'int main(void) { printf("%d", 0'; i=0
            while [ $i -lt 40 ]; do echo "+ f$i()"; i=$((i + 1)); done; echo '); return 0; }'; } > mm.c &&
            $cc m*.c -DOTHER=1 -Dmain=other_main -c && rm main.o && $cc mm.c m?.o m[0-9][0-9].o -o prog && prints ./prog 40
    }
    header_found() { fresh && printf '#include <heddle.h>\nint x = HEDDLE_HEADER;\n' > h.c && $cc -c h.c; }
    header_last() {
        fresh && mkdir inc && echo '#define HEDDLE_HEADER 7' > inc/heddle.h &&
            printf '#include <heddle.h>\n_Static_assert(HEDDLE_HEADER == 7, "");\n' > h.c && $cc -I inc -c h.c
    }
    debug_info() {
        fresh && $cc -c part.c && readelf -S part.o | grep -q debug_info && $cc -g0 -c part.c && ! readelf -S part.o | grep -q debug_info &&
            $cc -gz -c part.c && readelf -S part.o | grep -q debug_info
    }
    opt_out() { fresh && $cc -fno-sanitize=thread -c part.c && ! instrumented part.o; }
    lto() { fresh && $cc -flto -O2 -DOTHER=2 main.c part.c -o prog 2> err && prints ./prog "sum 42" && grep -q flto err &&
        $cc -flto -c part.c 2> err && instrumented part.o; }
    fortify() {
        fresh && printf '#include <string.h>\nstruct s { char b[100]; };\nvoid copy(struct s *a, struct s *b) { memcpy(a, b, 100); }\n' > f.c &&
            $cc -O2 -Wall -Werror -D_FORTIFY_SOURCE=2 -c f.c && nm f.o | grep -q ' U memcpy' &&
            $cc -O2 -Wall -Werror -Wp,-D_FORTIFY_SOURCE=2 -c f.c && nm f.o | grep -q ' U memcpy'
    }
    as_compiled() {
        fresh && printf 'int cell; int f(void) { int a = cell; int b = cell; return a * b; }\n' > f.c &&
            $cc -O2 -c f.c && [ "$(calls f.o __tsan_read4)" = 2 ] &&
            $cc -O2 --heddle-as-compiled -c f.c && [ "$(calls f.o __tsan_read4)" = 1 ]
    }
    calls() { objdump -dr "$1" | grep -c "R_.*[[:space:]]$2[-+]"; }

    HEDDLE_CC=$1
    export HEDDLE_CC
    for form in one_step separate many_at_once default_name mixed to_assembler preprocess not_tsan depend \
        depend_file depend_one_step language language_cxx standard_input assembler_inputs archive pipe syntax_only \
        save_temps save_temps_one_step precompiled response response_quotes response_lost response_of_itself \
        odd_names many_sources header_found header_last debug_info opt_out lto fortify as_compiled; do
        cd "$tree/work" || exit 1
        check "$(echo $form | tr _ ' ') ($1)" $form
    done
    cd "$tree/work" || exit 1
}
forms gcc
forms clang
