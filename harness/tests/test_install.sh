#!/bin/sh
# An installed heddle is complete, stays inside DESTDIR/PREFIX, takes a path with
# blanks, and works after it was moved as a whole.
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
unset HEDDLE_OPTIONS HEDDLE_CC MAKEFLAGS MFLAGS MAKELEVEL DESTDIR PREFIX

ok() { echo "ok $1"; }
no() { echo "not ok $1: $2"; }
# says NAME WANTED-STATUS WORDS COMMAND...
says() {
    name=$1 status=$2 words=$3
    shift 3
    "$@" > "$work/out" 2>&1 < /dev/null
    got=$?
    if [ $got -ne "$status" ]; then no "$name" "status $got, $(tail -n 1 "$work/out")"
    elif [ -n "$words" ] && ! grep -q -e "$words" "$work/out"; then no "$name" "does not say '$words'"
    else ok "$name"; fi
}

root=$(pwd)
stage="$work/stage with blanks"
says make_install_into_a_staging_folder 0 'installed in' \
    make -s BUILD="${BUILD#"$root"/}" PREFIX=/opt/heddle DESTDIR="$stage" install

for file in bin/heddle bin/heddle-cc bin/heddle-c++ lib/libheddle.a lib/heddle.specs include/heddle.h \
    lib/pkgconfig/heddle.pc share/man/man1/heddle.1 share/man/man1/heddle-cc.1 \
    share/man/man3/heddle.h.3 share/heddle/verdict.schema.json \
    share/bash-completion/completions/heddle; do
    if [ -s "$stage/opt/heddle/$file" ]; then ok "installs_$file"; else no "installs_$file" "is not there"; fi
done
others=$(cd "$stage" && find . -type f ! -path './opt/heddle/*' | head -n 1)
if [ -z "$others" ]; then ok nothing_outside_of_the_prefix; else no nothing_outside_of_the_prefix "$others"; fi
named=$(grep -rlIF -e "$stage" -e "$root" "$stage/opt/heddle" | head -n 1)
if [ -z "$named" ]; then ok no_text_file_names_where_it_was_built
else no no_text_file_names_where_it_was_built "$named"; fi
says a_relative_prefix_is_refused 2 'must be an absolute path' \
    env BUILD="$BUILD" PREFIX=here DESTDIR= VERSION=0 sh harness/install.sh

# As a user of the tree that was moved, with the build tree out of sight
moved="$work/moved to/another place"
mkdir -p "$work/moved to" && mv "$stage/opt/heddle" "$moved"
cp suites/litmus/lost_update.c "$work/prog.c"
cd "$work" || exit 1
PATH=$moved/bin:$PATH
says the_moved_compiler_builds 0 '' heddle-cc -g prog.c -o prog
says the_moved_command_tests 1 'confirmed harmful: deposit' heddle test ./prog
again=$(sed -n 's/^ *again *heddle replay \(.*#W.*\)/\1/p' out | head -n 1)
says its_verdict_replays 1 'Assertion' heddle replay "$again"
says the_version_is_told 0 '^heddle [0-9]' heddle --version

ln -s "$moved/bin/heddle-cc" "$work/linked-cc"
says through_a_symbolic_link_it_builds 0 '' "$work/linked-cc" -g prog.c -o prog
echo 'int main() { return 0; }' > plain.cc
says the_moved_cxx_compiler_builds 0 '' heddle-c++ plain.cc -o plain

PKG_CONFIG_PATH=$moved/lib/pkgconfig
export PKG_CONFIG_PATH
says pkg_config_knows_the_version 0 '^[0-9]' pkg-config --modversion heddle
says pkg_config_flags_build_with_gcc 0 '' \
    sh -c 'eval "gcc prog.c -o by-hand $(pkg-config --cflags --libs heddle)"'
says what_it_built_is_tested_too 1 'Assertion' heddle test ./by-hand
cat > annotated.c <<'C'
#include <heddle.h>
int main(void) {
    HEDDLE_ATOMIC("nothing") { heddle_yield(); }
    return heddle_choose(3);
}
C
says a_plain_build_includes_the_header 0 '' \
    sh -c 'eval "gcc annotated.c -o annotated $(pkg-config --cflags-only-I heddle)" && ./annotated'
says bash_completion_offers_the_verbs 0 '^replay$' bash -c \
    '. "$1/share/bash-completion/completions/heddle"
     COMP_WORDS=(heddle re) COMP_CWORD=1; _heddle; printf "%s\n" "${COMPREPLY[@]}"' - "$moved"
