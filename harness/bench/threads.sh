# Many threads in one execution: is the cost of one the same however many there are?
heddle-cc -O2 $bench/threads.c -o "$work/threads"
gcc -O2 $bench/threads.c -o "$work/threads.native" -pthread

# each MANY LIVE: microseconds of processor time a thread, or nothing if it fails
each() {
    took=$(spend 3 "$work/threads" "$1" "$2") && calc %.2f "$took*1e6/$1"
}
few=$(each 1000 1)
for many in 3000 10000; do
    if all=$(each $many 1); then
        native=$(calc %.2f "$(spend 3 "$work/threads.native" $many 1)*1e6/$many")
        row "$many threads, one after the other" "$all us each" "native, $native us each" "$(calc %.2fx "$native/$all")" - -
        row '  linear?' "$all us each" "1000 threads, $few us each" "$(calc %.2fx "$all/$few")" 'at most 1.5x' \
            "$(met "$all/$few <= 1.5")"
    else
        row "$many threads, one after the other" fails - - works no
    fi
done
few=$(each 10000 100)
if all=$(each 10000 1000); then
    row '10,000 threads, 1,000 alive at once' "$all us each" "100 alive, $few us each" "$(calc %.2fx "$all/$few")" \
        'at most 1.5x' "$(met "$all/$few <= 1.5")"
else
    row '10,000 threads, 1,000 alive at once' fails - - works no
fi
