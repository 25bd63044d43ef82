# Unit tests: what a file of them costs, checkers on the side included.
[ -f "$UNITY/unity.c" ] || sh harness/get_unity.sh "$UNITY" || exit 3
units() { # COMPILER FLAGS NAME
    $1 $2 -O1 -g -w -I"$UNITY" $bench/units.c "$UNITY/unity.c" -o "$work/$3" -pthread
}
units heddle-cc '' units
units heddle-cc -DLONE lone
units gcc -DLONE lone.native

said=$(cd "$work" && ./units 2>&1 | tr '\n' ' ')
case $said in
*'50 Tests 0 Failures'*'explored in 50000 executions'*) ;;
*) echo "bench: units: not what was to be measured: $said" >&2 ;;
esac
all=$(cd "$work" && spend 3 ./units)
alone=$(cd "$work" && HEDDLE_OPTIONS=warnings=off spend 3 ./units)
row '50 Unity tests, 1,000 executions each' "$(calc %.2f "$all") s" "without checkers, $(calc %.2f "$alone") s" \
    "$(calc %.1fx "$all/$alone")" 'under 5 s' "$(met "$all < 5")"

lone=$(spend 5 "$work/lone")
native=$(spend 5 "$work/lone.native")
each=$(calc %.3f "($lone-$native)*1000/50")
row 'a Unity test without a second thread' "$each ms more" "plain Unity, $(calc %.3f "$native*1000/50") ms" \
    "$(calc %.0fx "$lone/$native")" 'under 5 ms' "$(met "$each < 5")"
