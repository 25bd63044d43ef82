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

# The modules' defects: the test that shows it, alone, up to the replay command.
worst=0 which=none found=0 all=0
for readme in suites/modules/*/README.md; do
    folder=${readme%/README.md} m=$(basename "${readme%/README.md}")
    culprit=$(sed -n 's/^Explored, `\([a-z_]*\)`.*/\1/p' "$readme")
    heddle-cc -g -w -DDEFECT -I"$UNITY" "$folder/$m.c" "$folder/test_$m.c" "$UNITY/unity.c" -o "$work/test_$m"
    took=$(cd "$work" && HEDDLE_TEST=$culprit spend 3 "./test_$m")
    all=$((all + 1))
    (cd "$work" && HEDDLE_TEST=$culprit "./test_$m" 2> /dev/null) | grep -q ":$culprit:FAIL" && found=$((found + 1))
    [ "$(met "$took > $worst")" = yes ] && worst=$took which=$m
done
row "defects of $all modules, the slowest ($which)" "$(calc %.3f "$worst") s" "found in $found of $all" - 'under 1 s' \
    "$(met "$found == $all && $worst < 1")"
