#!/bin/sh
# layers.sh - the dependency direction, asked of the compiler.
#
# usage: layers.sh CC
cc=$1
status=0
# look FOLDER-FILES FORBIDDEN-PATTERN
look() {
    for file in $1; do
        [ -f "$file" ] || continue
        for seen in $($cc -MM -I. -Isched/include "$file" 2>/dev/null | tr -d '\\'); do
            case $seen in *.h | *.def) ;; *) continue ;; esac
            if echo "$seen" | grep -Eq "$2"; then
                echo "$file includes $seen"
                status=1
            fi
        done
    done
}
look "$(echo sched/trace/*.c)" '^(checkers|harness)/|^sched/[^t]|^sched/t[^r]'
look "$(echo sched/*.c sched/pthread/*.c sched/libc/*.c sched/strategies/*.c)" '^(checkers|harness)/'
look "$(echo checkers/*.c)" '^harness/|^sched/[^t]|^sched/t[^r]'
exit $status
