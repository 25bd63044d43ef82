#!/bin/sh
# get_unity.sh - bring Unity to a folder, from an installed copy or from Debian.
#
# Debian has no binary package of Unity, but the source package ntpsec carries
# it. The system's own list of package sources is copied into a private apt
# configuration with "deb" turned into "deb-src", so nothing of the system's
# configuration changes and no host is named here.
#
# usage: get_unity.sh FOLDER
set -eu
case $1 in /*) dest=$1 ;; *) dest=$PWD/$1 ;; esac
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
mkdir -p "$work/sources" "$work/lists/partial" "$work/cache/archives/partial"
for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.sources /etc/apt/sources.list.d/*.list; do
    [ -f "$file" ] || continue
    grep -q debian "$file" || continue
    sed -e 's/^Types: *deb *$/Types: deb-src/' -e 's/^deb /deb-src /' "$file" \
        > "$work/sources/$(basename "$file")"
done
: > "$work/empty"
apt="-o Dir::Etc::SourceList=$work/empty -o Dir::Etc::SourceParts=$work/sources
     -o Dir::State::Lists=$work/lists -o Dir::Cache=$work/cache
     -o APT::Sandbox::User=root"
cd "$work"
# shellcheck disable=SC2086
if ! apt-get $apt -qq update > apt.log 2>&1 ||
    ! apt-get $apt -qq source --download-only ntpsec >> apt.log 2>&1; then
    cat apt.log >&2
    echo "heddle: cannot fetch Unity (Debian source package ntpsec, folder tests/unity);" >&2
    echo "heddle: put unity.c, unity.h and unity_internals.h in a folder and say make UNITY=FOLDER" >&2
    exit 1
fi
mkdir -p src
tar -xf ntpsec_*.orig.tar.* -C src
found=$(find src -type f -name unity.c | head -n 1)
[ -n "$found" ] || { echo "heddle: ntpsec's source holds no unity.c" >&2; exit 1; }
mkdir -p "$dest"
find src -type f -name 'unity*.[ch]' -exec cp {} "$dest"/ \;
