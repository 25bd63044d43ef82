# plot.awk - a table as horizontal bars, in SVG.
#
# Lines are "LABEL TAB VALUE TAB VALUE...", a value for each series; - is none.
# Variables: mode, unit, title, series (names, by tabs). The same lines make the same
# bytes. Modes:
#   bars      a bar a series
#   log       the same on a scale of powers of ten; bars begin at 1, those of less go to
#             the left
#   stacked   one bar a label, a piece a series
#   groups    stacked, several bars a label: lines are "LABEL TAB BAR TAB VALUE..."
# Nothing is a line in the colour of its series, with its figure.
# What a paper says is paler: the series "paper" or "NAME, paper" behind its own, the bar "paper".
# What became of warnings has one colour in all pictures (`meant`).

function escaped(s) { gsub(/&/, "\\&amp;", s); gsub(/</, "\\&lt;", s); return s }
function log10(x) { return log(x) / log(10) }
function text(x, y, anchor, class, s) {
    printf "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" class=\"%s\">%s</text>\n", x, y, anchor, class, escaped(s)
}
function box(x, y, w, h, fill) {
    printf "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>\n", x, y, w, h, fill
}
function number(x) { # as it was given, if that is short
    if (x < 1e6 && length(x "") <= 5) return x ""
    if (x >= 1e6) return x >= 1e9 ? sprintf("%.1fG", x / 1e9) : sprintf("%.1fM", x / 1e6)
    return x >= 100 || x == int(x) ? sprintf("%d", x + 0.5) : x >= 10 ? sprintf("%.1f", x) : sprintf("%.2f", x)
}
function place(v) { # of a value on the axis
    return mode == "log" ? left + wide * (log10(v) - low) / (high - low) : left + wide * v / high
}

BEGIN {
    names = split(series, name, "\t")
    stacked = mode == "stacked" || mode == "groups"
    split("#4269d0 #ff725c #3ca951 #efb118 #a463f2 #9c6b4e #38b2ac #9498a0", hue, " ")
    meant["bug"] = meant["confirmed harmful"] = meant["correct"] = meant["found"] = "#ff725c"
    meant["benign"] = meant["confirmed benign"] = "#3ca951"
    meant["false"] = meant["refuted"] = "#4269d0"
    meant["missed"] = "#efb118"
    meant["undecided"] = "#9498a0"
    for (i = 1; i <= names; i++) {
        pale = name[i] ~ /(^|, )paper$/ && i > 1
        if (!pale) used++
        own = name[i]
        sub(/, paper$/, "", own)
        colour[i] = (own in meant ? meant[own] : hue[used]) (pale ? "\" fill-opacity=\"0.4" : "")
    }
    gap = 10
    thick = mode == "stacked" ? 16 : mode == "groups" || names > 3 ? 10 : 11
    top = 62
    next_y = top
}
{
    rows++
    label[rows] = $1
    if (mode == "groups") {
        bar[rows] = $2
        if (rows > 1 && $1 == label[rows - 1]) {
            next_y -= gap - 1
            shown[first] = rows
        } else {
            first = rows
            shown[first] = rows
        }
        if (length($2) > long_bar) long_bar = length($2)
    } else {
        shown[rows] = rows
    }
    y_of[rows] = next_y
    next_y += (stacked ? thick : names * thick) + gap
    if (length($1) > long_label) long_label = length($1)
    total = 0
    for (i = 1; i <= names; i++) {
        v = value[rows, i] = $(i + 1 + (mode == "groups"))
        if (v + 0 > most) most = v + 0
        if (v + 0 > 0 && (least == "" || v + 0 < least)) least = v + 0
        total += v
    }
    if (stacked && total > most) most = total
}
END {
    label_end = 12 + long_label * 7.2
    left = label_end + 8 + (long_bar ? long_bar * 5 + 8 : 0)
    wide = 560
    bottom = next_y
    width = left + wide + 70
    if (mode == "log") { # 1 is there, and so is the least
        low = least == "" || least >= 1 ? 0 : int(log10(least) + 100) - 100
        high = most > 1 ? int(log10(most) + 100.999) - 100 : 1
        steps = high - low
        zero = place(1)
    } else { # at most eight lines, at 1, 2 or 5 times a power of ten
        step = 1
        while (most > 8 * step) step *= step ~ /^2/ ? 2.5 : 2
        steps = int(most / step)
        if (steps * step < most || !steps) steps++
        high = steps * step
        zero = left
    }
    legend = 1 # lines
    x = 12
    for (i = 1; i <= names; i++) {
        long = 32 + 7 * length(name[i])
        if (x + long > width && x > 12) {
            legend++
            x = 12
        }
        key_x[i] = x
        key_y[i] = 34 + 16 * (legend - 1)
        x += long
    }
    down = 16 * (legend - 1)
    bottom += down
    height = bottom + 44
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n", width, height, width, height
    print "<style>text{font:12px sans-serif;fill:#222}.title{font-size:15px;font-weight:bold}.small{font-size:9px;fill:#555}</style>"
    printf "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n", width, height
    text(12, 22, "start", "title", title)
    for (i = 1; i <= names; i++) {
        box(key_x[i], key_y[i], 11, 11, colour[i])
        text(key_x[i] + 15, key_y[i] + 10, "start", "", name[i])
    }
    for (k = 0; k <= steps; k++) {
        v = mode == "log" ? 10 ^ (low + k) : high * k / steps
        printf "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#ddd\"/>\n", place(v), top + down - 4, place(v), bottom
        text(place(v), bottom + 14, "middle", "small", v >= 1000000 ? sprintf("1e%d", log10(v) + 0.5) : number(v))
    }
    text(left + wide / 2, bottom + 32, "middle", "small", unit (mode == "log" ? ", logarithmic scale" : ""))
    for (r = 1; r <= rows; r++) {
        y = y_of[r] + down
        if (r in shown) {
            end = y_of[shown[r]] + down + (stacked ? thick : names * thick)
            text(label_end, (y + end) / 2 + 4, "end", "", label[r])
        }
        if (mode == "groups") text(left - 6, y + thick - 1.5, "end", "small", bar[r])
        paler = bar[r] == "paper" ? "\" fill-opacity=\"0.4" : ""
        from = left
        sum = known = 0
        for (i = 1; i <= names; i++) {
            v = value[r, i]
            if (v == "-" || v == "" || v + 0 < 0) continue
            known = 1
            if (stacked) {
                long = wide * v / high
                if (v > 0) box(from, y, long, thick - (mode == "groups"), colour[i] paler)
                from += long
                sum += v
                continue
            }
            at = y + (i - 1) * thick
            to = v + 0 > 0 ? place(v) : zero
            box(to < zero ? to : zero, at, to < zero ? zero - to : to > zero + 1.5 ? to - zero : 1.5, thick - 1, colour[i])
            text((to > zero ? to : zero) + 4, at + thick - 1.5, "start", "small", number(v))
        }
        if (stacked && known) text(from + 4, y + thick - (mode == "groups" ? 1.5 : 4), "start", "small", number(sum))
    }
    printf "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#222\"/>\n", zero, top + down - 4, zero, bottom
    print "</svg>"
}
