# test_cc_kept.sh - every access that is written is called for, whatever the level.
#
# Expectations stand in cc/kept.c; the calls are counted in the disassembly.
. harness/tests/cc/lib.sh

cp "$here/kept.c" kept.c
cp "$here/kept.c" kept.cc
sed -n 's/^[a-z ]*[ *]\([a-z_]*\)(.*\/\* \([a-z0-9_]*\) \([0-9]\) \*\/$/\1 \2 \3/p' kept.c > wanted
check "there are expectations" [ "$(wc -l < wanted)" -ge 27 ]

kept() {
    objdump -drC --no-show-raw-insn "$1" | awk -f "$here/count.awk" | sort > found
    sort wanted | comm -23 - found > lost
    [ ! -s lost ] || { cat lost; return 1; }
}
for level in -O0 -O1 -O2 -O3 -Os -Ofast; do
    heddle-cc $level -c kept.c -o c.o && check "C at $level (gcc)" kept c.o
    heddle-c++ $level -c kept.cc -o cc.o && check "C++ at $level (gcc)" kept cc.o
    HEDDLE_CC=clang heddle-cc $level -c kept.c -o clang.o &&
        check "C at $level (clang)" kept clang.o
done
# One that is declared inline and static asks for it, and all it accesses is still called for.
heddle-cc -O2 -c kept.c -o c.o && kept c.o
check "declared inline and static: in place" grep -q '^call_tiny read4 3$' found
heddle-c++ -O2 -c kept.cc -o cc.o && kept cc.o
check "the same in C++" grep -q '^call_tiny read4 3$' found
heddle-cc --heddle-as-compiled -O2 -c kept.c -o c.o
loses() { ! kept "$1" && [ "$(wc -l < lost)" -ge 5 ]; }
check "as compiled, some are lost" loses c.o
