#!/bin/sh
# test_litmus_schedules.sh - labels against a handful of schedules.
#
# Every litmus program is built by heddle-cc and runs by itself under the default
# schedule and a few random ones. A program that is not labelled harmful ends
# with 0 in all of them, and a benign or refutable one prints the same in all of
# them. That decides no label, but a wrong one rarely survives it, and neither
# does a primitive that is not modelled right.
cd suites/litmus || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export BUILD work

cat > "$work/one" <<'EOF'
file=$1
name=${file%.c}
label=$(sed -n 's/^ \* label: //p' "$file")
if ! "$BUILD/bin/heddle-cc" -g "$file" -o "$work/$name" 2> "$work/$name.err"; then
    echo "not ok $name builds: $(head -n 1 "$work/$name.err")"
    exit 0
fi
why=
for options in 'seed=1' 'strategy=random seed=1' 'strategy=random seed=2' 'strategy=random seed=3'; do
    HEDDLE_OPTIONS=$options timeout 10 "$work/$name" > "$work/$name.now" 2> "$work/$name.err"
    status=$?
    [ -f "$work/$name.first" ] || cp "$work/$name.now" "$work/$name.first"
    case $status in 2|3|124|139) why="exit $status with $options: $(head -n 1 "$work/$name.err")" ;; esac
    [ $label = harmful ] || [ $status -eq 0 ] ||
        why="$label, and exit $status with $options: $(head -n 1 "$work/$name.err")"
    case $label in benign|refutable)
        cmp -s "$work/$name.first" "$work/$name.now" || why="$label, and prints other things with $options" ;;
    esac
done
if [ -n "$why" ]; then echo "not ok $name under heddle: $why"; else echo "ok $name under heddle"; fi
rm -f "$work/$name" "$work/$name".*
EOF
ls *.c | xargs -P 2 -n 1 sh "$work/one"
