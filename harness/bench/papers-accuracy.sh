# Wang and Stoller, Table 1: what three algorithms cost, and how right they are.
papers_build
sheet papers-accuracy 'Wang and Stoller, Table 1: cost and accuracy, here and (in the paper); reports are bug-benign-false, online also -missed' \
    program lines base recorded online paper offline paper blocks paper 'online says' paper 'offline says' paper 'blocks say' paper
: > "$work/plot"
echo "$atomicity_programs" > "$work/list"
while read -r title name size; do
    class=$work/class.$title
    classify "$class" "atomicity/$name" "$size" functions blocks,reduction,reduction-online
    files=$(ls suites/papers/atomicity/$name.c suites/papers/atomicity/$name/*.c 2> /dev/null; sed -n 's|^ \* sources: |suites/papers/atomicity/|p' suites/papers/atomicity/$name.c 2> /dev/null)
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
    says_online="$(tally "$class" reduction-online atomicity | sed "s/^\([^ ]*\)/\1-$(missed "$class" reduction-online atomicity)/")"
    says_offline=$(tally "$class" reduction atomicity)
    says_block=$(tally "$class" blocks atomicity)
    line "$title" "$(cat $files | wc -l)" "$base" "$recording" "$online" "$was_online" "$offline" "$was_offline" "$blocks" "$was_block" \
        "$says_online" "$(published_field accuracy "$title" online_report)" \
        "$says_offline" "$(published_field accuracy "$title" offline_report)" \
        "$says_block" "$(published_field accuracy "$title" block_report)"
    same=yes
    [ "$says_offline" = "$(published_field accuracy "$title" offline_report)" ] || same=no
    [ "$says_block" = "$(published_field accuracy "$title" block_report)" ] || same=no
    if [ $same = no ]; then
        remark "$title differs: $(sed -n "s/^$title: //p" $published/accuracy.why) Here: $(named "$class" atomicity)"
    fi
    [ "$online" = - ] || printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$title" "${online%x}" "${was_online%x}" "${offline%x}" "${was_offline%x}" "${blocks%x}" "${was_block%x}" >> "$work/plot"
done < "$work/list"
end_sheet
plot papers-accuracy log 'times the native program' 'Recording and checking (Wang and Stoller, Table 1)' \
    'online' 'online, paper' 'offline' 'offline, paper' 'blocks' 'blocks, paper' < "$work/plot"
