# Wang and Stoller, Table 1: what three algorithms cost, and how right they are.
papers_build
sheet papers-accuracy 'Wang and Stoller, Table 1: cost and accuracy, here and (in the paper); reports are bug-benign-false, online also -missed: what offline reduction reports and online does not' \
    program lines paper base paper recorded online paper offline paper blocks paper 'online says' paper 'offline says' paper 'blocks say' paper
: > "$work/plot"
: > "$work/reports"
three=blocks,reduction,reduction-online
bar() { # TITLE WHOSE REPORT: a line of the second picture
    printf '%s\t%s\t%s\n' "$1" "$2" "$(echo "$3" | awk '{ split($1, n, "-"); printf "%d\t%d\t%d\t%d", n[1], n[2], n[3], substr($2, 2) }')"
}
echo "$atomicity_programs" > "$work/list"
while read -r title name size; do
    class=$work/class.$title
    classify "$class" "atomicity/$name" "$size" functions $three
    base=- recording=- online=- offline=- blocks=-
    if [ "$size" != pairs ] && [ "$title" != 'tsp(map4)' ]; then
        bench_times "atomicity/$name"
        base=$(calc '%.4f s' "$native")
        recording=$(calc %.1fx "$recorded/$native")
        online=$(calc %.1fx "($recorded+$(check_time reduction-online --transactions functions))/$native")
        offline=$(calc %.1fx "($recorded+$(check_time reduction --transactions functions))/$native")
        blocks=$(calc %.1fx "($recorded+$(check_time blocks --transactions functions))/$native")
        rm -f "$work/bench.trace"
    fi
    was=$(in_seconds "$(published_field accuracy "$title" base)")
    for kind in online offline block; do
        eval "was_$kind=\$(slower \"\$(in_seconds \"\$(published_field accuracy "'"$title"'" ${kind}_time)\")\" \"\$was\")"
    done
    says_online="$(tally "$class" reduction-online atomicity | sed "s/^\([^ ]*\)/\1-$(missed "$class" reduction-online reduction atomicity)/")"
    says_offline=$(tally "$class" reduction atomicity)
    says_block=$(tally "$class" blocks atomicity)
    paper_online=$(published_field accuracy "$title" online_report)
    paper_offline=$(published_field accuracy "$title" offline_report)
    paper_block=$(published_field accuracy "$title" block_report)
    line "$title" "$(lines_of "atomicity/$name")" "$(published_field accuracy "$title" lines)" "$base" "$(published_field accuracy "$title" base)" "$recording" \
        "$online" "$was_online" "$offline" "$was_offline" "$blocks" "$was_block" \
        "$says_online" "$paper_online" "$says_offline" "$paper_offline" "$says_block" "$paper_block"
    if [ "$says_online/$says_offline/$says_block" != "$paper_online/$paper_offline/$paper_block" ]; then
        remark "$title differs: $(reason accuracy "$title") Here: $(named "$class" atomicity $three)"
    fi
    [ "$online" = - ] || printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$title" "${online%x}" "${was_online%x}" "${offline%x}" "${was_offline%x}" "${blocks%x}" "${was_block%x}" >> "$work/plot"
    {
        bar "$title" online "$says_online"
        bar "$title" paper "$paper_online"
        bar "$title" offline "$says_offline"
        bar "$title" paper "$paper_offline"
        bar "$title" blocks "$says_block"
        bar "$title" paper "$paper_block"
    } >> "$work/reports"
done < "$work/list"
remark 'tsp(map14): reports are about an easy map of 14 cities, costs about one that takes longer; every other cost is that of the bench size, every other report of the test size. tsp(map4) is over too soon for its time to be told, as the collections are'
remark 'recording can cost less than the native run: most of the processor time of hedc (it sleeps some 3,000 times) and of jigsaw and elevator (threads wait for each other, in tens of thousands of system calls) is the system'"'"'s; heddle switches threads without it, and its clock does not wait'
remark 'StringBuffer, Vector, Hashtable, Stack: of the pairs of methods that the paper runs, those of which the first takes the other object and the second does not (suites/papers/README.md); the rest, run as well, changes no figure'
remark "+N?: not decided, since the search did not come to its end in $executions executions (40 of map14)"
end_sheet
plot papers-accuracy log 'times the native program' 'Recording and checking (Wang and Stoller, Table 1)' \
    'online' 'online, paper' 'offline' 'offline, paper' 'blocks' 'blocks, paper' < "$work/plot"
plot papers-accuracy-reports groups 'functions, methods' 'What is reported (Wang and Stoller, Table 1)' bug benign false undecided < "$work/reports"
