# test_real_programs.sh - programs that strangers wrote, from Debian's sources.
#
# pbzip2 (C++) and xz (C, its configure script), unmodified, with nothing but
# CC=heddle-cc. Under three seeds each must compress what the plain tools read
# back, and read it back itself; the same seed twice must be the same execution.
PATH=$BUILD/bin:$PATH
unset HEDDLE_CC HEDDLE_CXX HEDDLE_OPTIONS
sources=$BUILD/sources
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
head -c 500000 "$BUILD/bin/heddle" > "$work/in"

check() {
    name=$1
    shift
    if "$@" > "$work/log" 2>&1; then
        echo "ok $name"
    else
        echo "not ok $name: exit $?: $(tail -n 3 "$work/log" | tr '\n' ' ')"
    fi
}

bring() { # bring PACKAGE: a copy of its source to build in
    sh harness/get_source.sh "$1" "$sources/$1" && cp -r "$sources/$1" "$work/$1"
}

make_pbzip2() { (cd "$work/pbzip2" && make CC=heddle-cc CXX=heddle-c++); }
make_xz() {
    (cd "$work/xz-utils" &&
        ./configure -q CC=heddle-cc --disable-shared --disable-nls --disable-doc \
            --disable-scripts --disable-lzmadec --disable-lzmainfo --disable-xzdec &&
        make)
}

# there_and_back SEED PLAIN PACK...: what PACK makes of the input, PLAIN and
# PACK itself read.
there_and_back() {
    seed=$1 plain=$2
    shift 2
    HEDDLE_OPTIONS="seed=$seed strategy=random"
    export HEDDLE_OPTIONS
    timeout 120 "$@" -c < "$work/in" > "$work/packed" &&
        "$plain" -dc < "$work/packed" | cmp - "$work/in" &&
        timeout 120 "$@" -dc < "$work/packed" | cmp - "$work/in"
}

# same_execution PACK...: two runs of one seed, two traces, the same bytes.
same_execution() {
    head -c 40000 "$work/in" > "$work/less"
    for run in 1 2; do
        timeout 120 heddle run --seed 5 --strategy random --trace "$work/trace.$run" "$@" -k -c \
            "$work/less" > "$work/out.$run" || return 1
    done
    cmp "$work/trace.1" "$work/trace.2" && cmp "$work/out.1" "$work/out.2"
}

check "pbzip2 is fetched" bring pbzip2
check "pbzip2 is built" make_pbzip2
check "xz is fetched" bring xz-utils
check "xz is built" make_xz
for seed in 1 2 3; do
    check "pbzip2 under seed $seed" there_and_back $seed bzip2 "$work/pbzip2/pbzip2" -p4 -b1
    check "xz under seed $seed" there_and_back $seed xz "$work/xz-utils/src/xz/xz" -0 -T4 --block-size=100000
done
check "pbzip2, one seed, one execution" same_execution "$work/pbzip2/pbzip2" -p4 -b1
check "xz, one seed, one execution" same_execution "$work/xz-utils/src/xz/xz" -0 -T4 --block-size=10000
