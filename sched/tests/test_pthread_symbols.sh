#!/bin/sh
# The only names without a prefix that libheddle.a puts into a program are those
# listed in sched/pthread/symbols.txt: the list and the archive must agree.
lib=$BUILD/lib/libheddle.a
list=sched/pthread/symbols.txt
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
[ -f "$lib" ] || { echo "not ok the_library_is_there: $lib"; exit 1; }
nm -g --defined-only "$lib" 2>/dev/null | awk 'NF == 3 { print $3 }' |
    grep -v -e '^hd_' -e '^__tsan_' -e '^heddle_' -e '^DW\.ref\.' | sort -u >"$work/defined"
grep -v -e '^#' -e '^$' "$list" | sort -u >"$work/listed"
missing=$(comm -23 "$work/defined" "$work/listed" | tr '\n' ' ')
stale=$(comm -13 "$work/defined" "$work/listed" | tr '\n' ' ')
if [ -z "$missing" ]; then echo "ok every_name_taken_is_listed"
else echo "not ok every_name_taken_is_listed: $missing"; fi
if [ -z "$stale" ]; then echo "ok every_name_listed_is_taken"
else echo "not ok every_name_listed_is_taken: $stale"; fi

strong=$(nm -g --defined-only "$lib" 2>/dev/null | awk 'NF == 3 && $2 != "W" && $2 != "V" { print $3 }' |
    sort -u | comm -12 - "$work/listed" | grep -v '^__libc_start_main$' | tr '\n' ' ')
if [ -z "$strong" ]; then echo "ok names_taken_are_weak"
else echo "not ok names_taken_are_weak: $strong"; fi

# Constants with addresses in them (.data.rel.ro) are read-only once loaded. Where strtok
# goes on and where localtime and asctime put their results is the program's data: it is to
# be put back.
writable=$(objdump -t "$lib" 2>/dev/null | grep -e '\.data' -e '\.bss' -e 'COM' |
    grep -v -e 'data\.rel\.ro' | awk '$(NF - 1) != "0000000000000000" { print $NF }' |
    grep -v -e '^hd_booted$' -e '^DW\.ref\.' -e '^position\.[0-9]*$' \
             -e '^localtime_result$' -e '^asctime_result$' | tr '\n' ' ')
if [ -z "$writable" ]; then echo "ok the_runtime_has_no_writable_data"
else echo "not ok the_runtime_has_no_writable_data: $writable"; fi
