#!/bin/sh
# build_papers.sh - the papers' programs, built once for all that run them.
#
# usage: build_papers.sh FOLDER COMPILER [FLAGS...]   each program to FOLDER/SET/NAME
#        build_papers.sh --list                       "SET/NAME MAIN-FILE", a line each
#
# What is newer than its sources and the runtime is kept. A program that does not
# build is missing in the folder, with NAME.err beside. Environment: BUILD.
self=suites/tests/build_papers.sh
case $1 in
--list)
    for file in suites/papers/*/*.c suites/papers/*/*/*.c; do
        case $file in */\*.c) continue ;; esac
        grep -q '^ \* label: ' "$file" || continue
        set=${file#suites/papers/}
        echo "${set%%/*}/$(basename "$file" .c) $file"
    done ;;
--one)
    name=${2% *} file=${2#* } out=$3/${2% *}
    shift 3
    case $file in
    suites/papers/*/*/*.c) sources=$(ls "${file%/*}"/*.c) ;;
    *) sources="$file $(sed -n -e '/\*\//q' -e "s|^ \* sources: |${file%/*}/|p" "$file")" ;;
    esac
    newer=$(find suites/papers/*.h "${file%/*}" -newer "$out" 2> /dev/null)
    if [ -e "$out" ] && [ -z "$newer" ] && [ "$out" -nt "$BUILD/lib/libheddle.a" ] && [ "$out" -nt $self ]; then
        exit 0
    fi
    mkdir -p "${out%/*}"
    "$@" $sources -lm -o "$out" 2> "$out.err" || rm -f "$out" ;;
*)
    exec 9> "$BUILD/papers.lock"
    flock 9 # two tests may want them at once
    sh $self --list | xargs -P 2 -I '{}' sh $self --one '{}' "$@" ;;
esac
