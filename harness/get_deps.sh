#!/bin/sh
# get_deps.sh - install what is missing, by Debian package name, or say what is.
#
# usage: get_deps.sh build|test
set -eu
build="gcc g++ libc6-dev libjansson-dev libdw-dev"
test="bzip2 libbz2-dev xz-utils clang cmake meson ninja-build autoconf automake pkg-config valgrind python3 gdb check libcmocka-dev clang-format"
case $1 in
build) want=$build ;;
test) want="$build $test" ;;
*) echo "usage: get_deps.sh build|test" >&2; exit 2 ;;
esac
missing=
for name in $want; do
    dpkg-query -W -f '${Status}' "$name" 2>/dev/null | grep -q 'install ok installed' ||
        missing="$missing $name"
done
[ -n "$missing" ] || exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null; then
    log=$(mktemp)
    echo "heddle: installing$missing"
    # shellcheck disable=SC2086
    if (apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y $missing) > "$log" 2>&1; then
        rm -f "$log"
        exit 0
    fi
    tail -n 5 "$log" >&2
    rm -f "$log"
fi
echo "heddle: these packages are missing; as root: apt-get install$missing" >&2
exit 1
