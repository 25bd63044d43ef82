# count.awk - objdump -drC in, "function callee count" out.
#
# A call shows as a relocation, or, within the file, as the callee itself.
function bare(text) {
    sub(/^.*</, "", text)
    sub(/[(>].*$/, "", text)
    return text
}
/^[0-9a-f]+ <.*>:$/ { f = bare($0) }
/R_[A-Z0-9_]+[ \t]+[A-Za-z_]/ {
    c = $0
    sub(/^.*R_[A-Z0-9_]+[ \t]+/, "", c)
    sub(/[-+(].*$/, "", c)
    sub(/^__tsan_/, "", c)
    outside[f " " c]++
}
/[ \t](call|bl) .*<[A-Za-z_]/ && !/\+0x/ { inside[f " " bare($0)]++ }
END {
    for (k in outside) print k, outside[k]
    for (k in inside) if (!(k in outside)) print k, inside[k]
}
