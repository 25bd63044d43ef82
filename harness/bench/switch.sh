# Leaving one stack for another.
switch=$(ls "$BUILD"/rt/sched/fiber_*.o | head -n 1)
if ${CC:-cc} -O2 -I. $bench/switch.c "$switch" -o "$work/switch" -pthread && "$work/switch" > "$work/times"; then
    while read -r name value; do eval "ns_$name=$value"; done < "$work/times"
    row 'switch, bare' "$ns_bare ns" "swapcontext, $ns_swapcontext ns" \
        "$(calc %.1fx "$ns_swapcontext/$ns_bare")" '30x' "$(met "$ns_swapcontext/$ns_bare >= 30")"
    row 'switch, bare' "$ns_bare ns" "OS threads, one core, $ns_threads ns" \
        "$(calc %.0fx "$ns_threads/$ns_bare")" '300x' "$(met "$ns_threads/$ns_bare >= 300")"
    row 'switch, thread pointer moved, next picked' "$ns_scheduled ns" "swapcontext, $ns_swapcontext ns" \
        "$(calc %.1fx "$ns_swapcontext/$ns_scheduled")" '8x' "$(met "$ns_swapcontext/$ns_scheduled >= 8")"
    row 'switch, thread pointer moved, next picked' "$ns_scheduled ns" "OS threads, one core, $ns_threads ns" \
        "$(calc %.0fx "$ns_threads/$ns_scheduled")" '80x' "$(met "$ns_threads/$ns_scheduled >= 80")"
else
    row 'switch' 'not built' - - - no
fi
