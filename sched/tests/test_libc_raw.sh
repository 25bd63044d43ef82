# test_libc_raw.sh - the runtime does not call what it takes over, but by intent.
#
# A call of memcpy or open inside heddle would be an event of the program. raw.h
# keeps such names apart; here the objects are asked. The layers that take names
# over may call each other's names: that is how one name is defined by another.
known='^(exit|_exit|abort|malloc|syscall|gettid|raise|time|nanosleep|gettimeofday|clock_gettime|clock_nanosleep|sched_yield|sched_getaffinity|setitimer|pthread_.*|sem_.*|signal)$'
work=$(mktemp -d "${TMPDIR:-/tmp}/heddle-raw.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
grep -v '^#' sched/pthread/symbols.txt | sort -u > "$work/taken"
# An undefined name in an object is called by it; a defined one is its own business.
nm -A "$BUILD"/rt/sched/*.o "$BUILD"/rt/sched/*/*.o | awk '$2 == "U" { print $3, $1 }' | sed 's/:.*//' |
    sort -u > "$work/called"
bad=$(join "$work/taken" "$work/called" | awk -v known="$known" '$1 !~ known' | sed 's|[^ ]*/||' | head -20 | tr '\n' ';')
if [ -z "$bad" ]; then
    echo "ok the runtime calls nothing that it takes over"
else
    echo "not ok the runtime calls nothing that it takes over: $bad"
fi
