# sheet_json.awk - a table of sheet.sh as JSON: an object a row, a key a column.
#
# A figure that has words about it stays as it is printed and is there a second time
# as a number, under its key and one word more:
#
#   3.2x            times              26K, 12.3 M   number          1-0-2, 3/4   counts
#   0.7 s, 8m59s    seconds            1.4 MB        bytes           1-0-2 +3?    undecided, too
#   >13hrs          seconds at least   0.7 at most   at most         6-30+        incomplete, too
#
# Variables: part, title, remarks (a file, a line each).

function quoted(s) { gsub(/\\/, "\\\\", s); gsub(/"/, "\\\"", s); return "\"" s "\"" }
function value(s) { return s == "-" || s == "" ? "null" : s ~ /^-?(0|[1-9][0-9]*)(\.[0-9]+)?$/ ? s : quoted(s) }
function more(key, word, figure) { printf ", %s: %s", quoted(key " " word), figure }
function plain(x) { return x == int(x) ? sprintf("%.0f", x) : sprintf("%.6g", x) }
function scaled(s) { return plain(s * (s ~ /K/ ? 1e3 : s ~ /M/ ? 1e6 : 1e9)) }

function seconds(s,    part, sum) {
    while (match(s, /[0-9.]+ ?(hrs|m|s)/)) {
        part = substr(s, RSTART, RLENGTH)
        s = substr(s, RSTART + RLENGTH)
        sum += part * (part ~ /hrs/ ? 3600 : part ~ /m/ ? 60 : 1)
    }
    return plain(sum)
}

function counts(key, s,    n, i, some, list) {
    n = split(s, some, /[-\/ ]/)
    for (i = 1; i <= n && some[i] !~ /\?/; i++) list = list (i > 1 ? ", " : "") some[i] + 0
    more(key, "counts", "[" list "]")
    if (s ~ /\?$/) more(key, "undecided", substr(some[n], 2) + 0)
    if (s ~ /\+$/) more(key, "incomplete", "true")
}

function number(key, s) {
    if (s ~ /^[0-9.]+x$/) more(key, "times", plain(s + 0))
    else if (s ~ /^[0-9.]+ at most$/) more(key, "at most", plain(s + 0))
    else if (s ~ /^[0-9.]+ ?[KMG]$/) more(key, "number", scaled(s))
    else if (s ~ /^[0-9.]+ [KMG]B$/) more(key, "bytes", scaled(s))
    else if (s ~ /^([0-9.]+ ?(hrs|m|s))+$/) more(key, "seconds", seconds(s))
    else if (s ~ /^>([0-9.]+ ?(hrs|m|s))+$/) more(key, "seconds at least", seconds(s))
    else if (s ~ /^[0-9]+([-\/][0-9]+)+(\+| \+[0-9]+\?)?$/) counts(key, s)
}

NR == 1 { # keys occur once
    for (i = 1; i <= NF; i++) {
        part_of = $i == "time" || $i == "fields"
        name[i] = $i == "paper" ? name[i - 1] " paper" : part_of ? base " " $i : $i
        if (!part_of && $i != "paper") base = $i
    }
    columns = NF
    printf "{\n  \"part\": %s,\n  \"title\": %s,\n  \"rows\": [", quoted(part), quoted(title)
    next
}
{
    printf "%s\n    {", (NR > 2 ? "," : "")
    for (i = 1; i <= columns; i++) {
        printf "%s%s: %s", (i > 1 ? ", " : ""), quoted(name[i]), value($i)
        number(name[i], $i)
    }
    printf "}"
}
END {
    printf "\n  ],\n  \"remarks\": ["
    while ((getline text < remarks) > 0) printf "%s\n    %s", (said++ ? "," : ""), quoted(text)
    printf "%s]\n}\n", (said ? "\n  " : "")
}
