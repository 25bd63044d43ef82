# Complete searches, whose number of executions is known from other tools.

# complete LABEL SOURCE N COUNT: how many classes there are, and how fast they are run
complete() {
    label=$1 source=$2 n=$3 count=$4
    heddle-cc -O2 -DN=$n "$source" -o "$work/search" || return
    # what the command costs without the executions is taken off
    idle=$(spend 3 heddle explore --jobs 1 --strategy dpor --executions 1 -o "$work/v.json" "$work/search")
    took=$(spend 3 heddle explore --jobs 1 --strategy dpor --executions 1000000 --time 20 -o "$work/v.json" "$work/search")
    found=$(field "$work/v.json" executions)
    whole=$(field "$work/v.json" exhausted)
    [ "$whole" = true ] && said="$found" || said="$found, not complete"
    row "$label" "$said" 'count of GenMC and Nidhugg' - "$count" "$([ "$whole" = true ] && [ "$found" = "$count" ] && echo yes || echo no)"
    row '  a second' "$(calc %.0f "$found/($took-$idle)")/s" - - '50,000/s' "$(met "$found/($took-$idle) >= 50000")"
}
complete 'locked counter, 2 threads x 8' sched/tests/search/anchor_locked.c 8 12870
complete 'atomic counter, 2 threads x 5' sched/tests/search/anchor_atomic.c 5 34904
complete 'lastzero, 12 writers' sched/tests/search/anchor_lastzero.c 12 15360
complete 'indexer, 15 threads' sched/tests/search/anchor_indexer.c 15 4096
complete 'file system, 20 threads' sched/tests/search/anchor_filesystem.c 20 128
