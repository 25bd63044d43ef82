#!/bin/sh
# get_unity.sh - bring Unity to a folder, from an installed copy or from Debian.
#
# Debian has no binary package of Unity, but the source package ntpsec carries
# it.
#
# usage: get_unity.sh FOLDER
set -eu
dest=$1
[ -f "$dest/unity.c" ] && exit 0
for have in /usr/src/unity /usr/share/unity /usr/local/src/unity; do
    if [ -f "$have/unity.c" ]; then
        mkdir -p "$dest"
        cp "$have"/unity*.[ch] "$dest"/
        exit 0
    fi
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if ! sh "$(dirname "$0")/get_source.sh" ntpsec "$work/ntpsec"; then
    echo "heddle: cannot fetch Unity (Debian source package ntpsec, folder tests/unity);" >&2
    echo "heddle: put unity.c, unity.h and unity_internals.h in a folder and say make UNITY=FOLDER" >&2
    exit 1
fi
found=$(find "$work/ntpsec" -type f -name unity.c | head -n 1)
[ -n "$found" ] || { echo "heddle: ntpsec's source holds no unity.c" >&2; exit 1; }
mkdir -p "$dest"
find "$work/ntpsec" -type f -name 'unity*.[ch]' -exec cp {} "$dest"/ \;
