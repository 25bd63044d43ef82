#!/bin/sh
# get_source.sh - bring the upstream source of a Debian package to a folder.
#
# The system's own list of package sources is copied into a private apt
# configuration with "deb" turned into "deb-src", so nothing of the system's
# configuration changes and no host is named here.
#
# usage: get_source.sh PACKAGE FOLDER    FOLDER then holds what the archive holds
set -eu
package=$1
case $2 in /*) dest=$2 ;; *) dest=$PWD/$2 ;; esac
[ -d "$dest" ] && exit 0

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/sources" "$work/lists/partial" "$work/cache/archives/partial" "$work/src"
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
    ! apt-get $apt -qq source --download-only --tar-only "$package" >> apt.log 2>&1; then
    cat apt.log >&2
    echo "heddle: cannot fetch the Debian source package $package" >&2
    exit 1
fi
tar -xf ./*.orig.tar.?z* -C src --strip-components=1
mkdir -p "$(dirname "$dest")"
mv src "$dest"
