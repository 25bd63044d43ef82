#!/bin/sh
# install.sh - copy what was built to DESTDIR/PREFIX.
#
# The commands find the library, the specs file and the headers from their own
# real path, and heddle.pc from its own: the installed tree may be moved as a
# whole. Nothing is written outside of DESTDIR/PREFIX.
#
# environment: BUILD, PREFIX, DESTDIR, VERSION
set -eu
case $PREFIX in
/*) ;;
*) echo "heddle: PREFIX=$PREFIX: must be an absolute path" >&2; exit 2 ;;
esac
to=${DESTDIR:-}$PREFIX

# put MODE FOLDER FILE...
put() {
    mode=$1 folder=$to/$2
    shift 2
    mkdir -p "$folder"
    for file in "$@"; do install -m "$mode" "$file" "$folder/"; done
}

put 755 bin "$BUILD/bin/heddle" "$BUILD/bin/heddle-cc"
ln -sf heddle-cc "$to/bin/heddle-c++"
put 644 lib "$BUILD/lib/libheddle.a" "$BUILD/lib/heddle.specs"
put 644 include "$BUILD"/include/*.h
put 644 share/man/man1 docs/*.1
put 644 share/man/man3 docs/*.3
put 644 share/heddle docs/verdict.schema.json
put 644 share/bash-completion/completions docs/heddle.bash
mv "$to/share/bash-completion/completions/heddle.bash" "$to/share/bash-completion/completions/heddle"
mkdir -p "$to/lib/pkgconfig"
sed "s/@VERSION@/$VERSION/" heddle.pc.in > "$to/lib/pkgconfig/heddle.pc"
chmod 644 "$to/lib/pkgconfig/heddle.pc"
echo "heddle: installed in $to"
