# plot.awk - a table as horizontal bars, in SVG.
#
# Lines are "LABEL TAB VALUE TAB VALUE...", a value for each series; - is none.
# Variables: mode (bars; log: the same on a scale of powers of ten; stacked: one bar
# a label), unit, title, series (names, by tabs). The same lines make the same bytes.

function escaped(s) { gsub(/&/, "\\&amp;", s); gsub(/</, "\\&lt;", s); return s }
function log10(x) { return log(x) / log(10) }
function text(x, y, anchor, class, s) {
    printf "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" class=\"%s\">%s</text>\n", x, y, anchor, class, escaped(s)
}
function number(x) { return x >= 100 || x == int(x) ? sprintf("%d", x + 0.5) : x >= 10 ? sprintf("%.1f", x) : sprintf("%.2f", x) }
function place(v) { # of a value on the axis
    return mode == "log" ? left + wide * (log10(v) - low) / (high - low) : left + wide * v / high
}

BEGIN {
    names = split(series, name, "\t")
    split("#4269d0 #ff725c #3ca951 #efb118 #a463f2 #9c6b4e #38b2ac #9498a0", hue, " ")
    for (i = 1; i <= names; i++) { # what a paper says is a paler one of its neighbour
        pale = name[i] ~ /(^|, )paper$/ && i > 1
        if (!pale) used++
        colour[i] = hue[used] (pale ? "\" fill-opacity=\"0.4" : "")
    }
}
{
    rows++
    label[rows] = $1
    if (length($1) > longest) longest = length($1)
    total = 0
    for (i = 1; i <= names; i++) {
        value[rows, i] = $(i + 1)
        if ($(i + 1) + 0 > most) most = $(i + 1) + 0
        if ($(i + 1) + 0 > 0 && (least == "" || $(i + 1) + 0 < least)) least = $(i + 1) + 0
        total += $(i + 1)
    }
    if (mode == "stacked" && total > most) most = total
}
END {
    thick = mode == "stacked" ? 16 : names > 3 ? 9 : 11
    gap = 10
    each = mode == "stacked" ? thick + gap : names * thick + gap
    left = 20 + longest * 7.2
    wide = 560
    top = 62
    bottom = top + rows * each
    width = left + wide + 70
    height = bottom + 44
    if (mode == "log") {
        low = least == "" ? 0 : int(log10(least) + 100) - 100
        high = most > 0 ? int(log10(most) + 100.999) - 100 : 1
        if (high <= low) high = low + 1
    } else {
        high = 1
        while (high < most) high *= 10
        if (high / 5 >= most) high /= 5
        else if (high / 2 >= most) high /= 2
    }
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n", width, height, width, height
    print "<style>text{font:12px sans-serif;fill:#222}.title{font-size:15px;font-weight:bold}.small{font-size:9px;fill:#555}</style>"
    printf "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n", width, height
    text(12, 22, "start", "title", title)
    x = 12
    for (i = 1; i <= names; i++) {
        printf "<rect x=\"%.1f\" y=\"34\" width=\"11\" height=\"11\" fill=\"%s\"/>\n", x, colour[i]
        text(x + 15, 44, "start", "", name[i])
        x += 32 + 7 * length(name[i])
    }
    steps = mode == "log" ? high - low : 5
    for (k = 0; k <= steps; k++) {
        v = mode == "log" ? 10 ^ (low + k) : high * k / steps
        printf "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#ddd\"/>\n", place(v), top - 4, place(v), bottom
        text(place(v), bottom + 14, "middle", "small", v >= 1000000 ? sprintf("1e%d", log10(v) + 0.5) : number(v))
    }
    text(left + wide / 2, bottom + 32, "middle", "small", unit)
    for (r = 1; r <= rows; r++) {
        y = top + (r - 1) * each
        text(left - 8, y + (each - gap) / 2 + 4, "end", "", label[r])
        from = left
        for (i = 1; i <= names; i++) {
            v = value[r, i]
            if (v == "-" || v == "" || v + 0 < 0) continue
            if (mode == "stacked") {
                long = wide * v / high
                if (v > 0) printf "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>\n", from, y, long, thick, colour[i]
                from += long
                sum[r] += v
                continue
            }
            to = mode == "log" && v + 0 <= 0 ? left : place(v)
            at = y + (i - 1) * thick
            printf "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>\n", left, at, (to > left ? to - left : 1), thick - 1, colour[i]
            text((to > left ? to : left) + 4, at + thick - 1.5, "start", "small", number(v))
        }
        if (mode == "stacked") text(from + 4, y + thick - 4, "start", "small", number(sum[r]))
    }
    printf "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#222\"/>\n", left, top - 4, left, bottom
    print "</svg>"
}
