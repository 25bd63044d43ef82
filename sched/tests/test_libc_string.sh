# test_libc_string.sh - string functions: results, accesses, races.
. sched/tests/libc/lib.sh
same_as_plain() {
    gcc -O0 -w "$here/strings.c" -o plain && ./plain > plain.out && ./strings > heddle.out &&
        diff plain.out heddle.out
}
checked() {
    ! ./strings toolong > out1 2> said && grep -q 'buffer = fits' out1 && grep -q 'buffer overflow detected in strcpy' said
}
of() { # KIND NAME LENGTH: events of that kind on bytes of that variable
    low=$((0x$(nm string_events | sed -n "s/ . $2\$//p")))
    sed -n "s/.* $1 string_events+\([0-9]*\) .*/\1/p" trace.txt |
        awk -v low=$low -v n="$3" '$1 >= low && $1 < low + n' | wc -l
}
accesses() { # sixteen bytes in two words; then thirteen more: of these a word is read a second time
    traced string_events
    [ "$(of rd from 64) $(of wr to 64)" = "3 4" ] || { of rd from 64; of wr to 64; return 1; }
}
fields() { # a struct copied after its fields were seen is a copy of its fields
    [ "$(of rd pair 8) $(of wr pair 8) $(of wr other 8)" = "2 4 1" ] ||
        { of rd pair 8; of wr pair 8; of wr other 8; return 1; }
}
mixtures() {
    explored string_race strategy=dpor executions=100000 && grep -q '^exhausted 1' results &&
        [ "$(grep -c '^observed' results)" = 8 ] || { grep -E '^(observed|exh)' results; return 1; }
}
build strings -O2
check "string functions give what libc gives" same_as_plain
check "a checked function stops the program" checked
build string_events
check "a copy is accesses to the words it touches" accesses
check "a copy of a struct is accesses to its fields" fields
build string_race
check "a racing copy shows every mixture of words" mixtures
