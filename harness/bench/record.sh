# Watching one run: native, under gcc's ThreadSanitizer, recorded by heddle.

# watch NAME LABEL: the whole command, naming and writing of the trace included
watch() {
    name=$1 label=$2
    gcc -O2 $bench/$name.c -o "$work/$name.native" -pthread
    gcc -O2 -g -fsanitize=thread $bench/$name.c -o "$work/$name.tsan" -pthread
    heddle-cc -O2 $bench/$name.c -o "$work/$name"
    native=$(spend 3 "$work/$name.native")
    if ! tsan=$(spend 2 "$work/$name.tsan"); then
        tsan=$(spend 2 setarch -R "$work/$name.tsan") || tsan=0
    fi
    ours=$(spend 2 heddle run --steps 1000000000 --trace "$work/$name.trace" "$work/$name") || ours=0
    row "$label, recorded" "$(calc %.2fx "$ours/$native") native" "TSan, $(calc %.2fx "$tsan/$native") native" \
        "$(calc %.2fx "$tsan/$ours")" 'faster' "$(met "$ours > 0 && $ours < $tsan")"
}
# events PROGRAM: how many it has; almost all are accesses
events() { heddle run --steps 1000000000 "$1" 2>&1 | sed -n 's/.* \([0-9]*\) events.*/\1/p'; }

watch counter '500,000 locked increments x 4 threads'
watch matrix 'matrix multiply 512, 4 threads'
size=$(wc -c < "$work/matrix.trace")
handled=$(events "$work/matrix")
row '  its trace' "$(calc '%.1f MB' "$size/1e6")" - - '< 100 MB' "$(met "$size < 100e6")"
row '  accesses handled a second' "$(calc '%.1f M' "$handled/$ours/1e6")" "native, $(calc '%.0f M' "$handled/$native/1e6")" \
    "$(calc %.3fx "$native/$ours")" '30 M' "$(met "$handled/$ours >= 30e6")"
rm -f "$work/matrix.trace"
watch sor 'SOR 256, 200 sweeps, 4 threads'
rm -f "$work/sor.trace"
heddle-cc -O2 -DSIZE=192 $bench/matrix.c -o "$work/small"
every=$(spend 2 heddle run --every-access --trace "$work/every.trace" "$work/small")
handled=$(events "$work/small")
row 'every access kept (matrix 192), a second' "$(calc '%.1f M' "$handled/$every/1e6")" \
    "trace of $(calc '%.0f MB' "$(wc -c < "$work/every.trace")/1e6")" - '20 M' "$(met "$handled/$every >= 20e6")"
rm -f "$work/every.trace"
