# test_libc_stdio.sh - streams and descriptors: results, order, exclusion, waiting, reset.
. sched/tests/libc/lib.sh
same_as_plain() {
    gcc -w "$here/stdio.c" -o plain -pthread && ./plain > plain.out 2> plain.err &&
        for seed in 1 2 3 4 5; do
            HEDDLE_OPTIONS="strategy=random seed=$seed" ./stdio > heddle.out 2> heddle.err &&
                diff plain.out heddle.out && diff plain.err heddle.err || return 1
        done
}
order() { # HOW OUTCOMES
    HEDDLE_OPTIONS="explore result=3 strategy=dpor executions=20000" ./order "$1" 3> results || return 1
    grep -q '^exhausted 1' results && [ "$(grep -c '^finding' results)" = "$2" ] ||
        { grep -E '^(output|exhausted|failure|message)' results; return 1; }
}
no_points() { order alone 1 && [ "$(sed -n 's/^executions //p' results)" -le 2 ]; }
wrong() { ! ./order wrong 2> said && grep -q 'misuse.*unlocks what it does not hold.*stdout' said; }
cookie() {
    for seed in 1 2 3; do
        got=$(HEDDLE_OPTIONS="strategy=random seed=$seed" timeout 10 ./cookie)
        [ "$got" = "1 at once, all came" ] || { echo "$got"; return 1; }
    done
}
outputs() { traced order plain && [ "$(grep -c ' output stdout' trace.txt)" = 2 ] || { cat trace.txt; return 1; }; }
reset() { # however often it runs, it sees the same
    echo input > given
    HEDDLE_OPTIONS="explore result=3 strategy=random executions=3000" ./leaves 3> results < given || return 1
    [ "$(grep -c '^finding' results)" = 1 ] && grep -q '^output seen' results &&
        grep -q '^executions 3000' results && grep -q "^observed .*cwd=$work;fresh=1;token=1;env=1;locale=1" results ||
        { cat results; return 1; }
}
outside() { # only standard input can bring the program on: it waits, and says so
    (sleep 0.2; echo word) | ./waits > out1 2> said && [ "$(cat out1)" = "word" ] &&
        grep -q 'note.*descriptor 0' said || { cat out1 said; return 1; }
}
stuck() {
    ! timeout 10 ./waits pipe 2> said && grep -q 'deadlock.*waits for.*files' said || { cat said; return 1; }
}
cat > "$work/waits.c" <<'C'
#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv) {
    char text[20];
    int ends[2];
    (void)argv;
    if (argc > 1) return pipe(ends) < 0 || read(ends[0], text, 1) < 0;
    ssize_t n = read(0, text, sizeof text);
    return write(1, text, (size_t)n) < 0;
}
C
build stdio
check "streams and descriptors give what libc gives" same_as_plain
build order
check "the order of two lines is explored" order plain 2
check "streams of one thread are no points" no_points
check "flockfile keeps others out" order locked 2
check "without flockfile the pieces mix" order unlocked 6
check "printf and write meet at standard output" order mixed 2
check "ftrylockfile fails while another has it" order try 4
check "unlocking what is not locked is misuse" wrong
check "output is in the trace" outputs
build cookie
check "a stream that calls back excludes others" cookie
build leaves
check "the next execution sees nothing of the last" reset
"$BUILD/bin/heddle-cc" -g waits.c -o waits
check "a read from outside is waited for, and told" outside
check "a read from one's own empty pipe is a deadlock" stuck
polls() { # each way of waiting for standard input
    cat > polls.c <<'C'
#include <poll.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/select.h>
int main(int argc, char **argv) {
    struct pollfd in = {0, POLLIN, 0};
    struct epoll_event event = {.events = EPOLLIN};
    fd_set set;
    (void)argv;
    FD_ZERO(&set);
    FD_SET(0, &set);
    int epoll = epoll_create1(0);
    epoll_ctl(epoll, EPOLL_CTL_ADD, 0, &event);
    int n = argc == 1 ? poll(&in, 1, -1) : argc == 2 ? select(1, &set, NULL, NULL, NULL) : epoll_wait(epoll, &event, 1, -1);
    printf("%d\n", n);
    return 0;
}
C
    "$BUILD/bin/heddle-cc" polls.c -o polls || return 1
    for arguments in "" "1" "1 2"; do
        got=$( (sleep 0.1; echo x) | timeout 10 ./polls $arguments 2> said) && [ "$got" = 1 ] && grep -q 'note.*descriptor' said ||
            { echo "$arguments: $got"; cat said; return 1; }
    done
}
check "poll, select and epoll wait for what comes from outside" polls
errors() {
    gcc -w "$here/error.c" -o error.plain && mkdir -p a b && mv error.plain a/error && cp error b/error || return 1
    for argument in "" last; do
        (cd a && ./error $argument > ../plain.out 2>&1; echo $? >> ../plain.out)
        (cd b && ./error $argument > ../heddle.out 2>&1; echo $? >> ../heddle.out)
        diff plain.out heddle.out || return 1
    done
}
build error
check "err and error end the program as exit does" errors
# Both results of a race with what a function reads or stores through a pointer.
given() { # CASE
    HEDDLE_OPTIONS="explore result=3 strategy=dpor executions=10000" ./given_race "$1" 3> results > given.out || return 1
    grep -q '^exhausted 1' results && [ "$(grep '^output ' results | sort -u | wc -l)" = 2 ] ||
        { grep -E '^(output|exhausted)' results; return 1; }
}
build given_race
for case in create join semaphore clock time number scan gmtime_r mktime atoi printf rand_r pipe stat \
    sigaction uname getline strerror_r ctime_r asctime_r strftime swab getcwd gethostname realpath \
    inet_pton open_memstream fflush; do
    check "what a function is given is accessed in its turn: $case" given "$case"
done
formats() {
    explored format_race strategy=dpor executions=10000 && grep -q '^exhausted 1' results &&
        [ "$(grep '^output ' results | sort -u | tr -d '\n')" = 'output 0\noutput 1\noutput 2\noutput 3\n' ] ||
        { grep -E '^(output|exhausted|status)' results; return 1; }
}
build format_race
check "strings are printed as they were when they were read" formats
