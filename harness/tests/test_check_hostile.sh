#!/bin/sh
# heddle check on files that nobody should have written: an answer or a refusal that
# names the place, within a gigabyte or two, never a crash.

heddle=$BUILD/bin/heddle
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1

python3 - <<'P'
def put(name, data):
    with open(name, "wb") as f: f.write(data if isinstance(data, bytes) else data.encode())
put("2.empty", "")
put("0.blank", "\n\n")
put("0.crlf", "T1 begin a\r\nT1 rd x\r\nT1 end\r\n")
put("0.no_newline", "T1 rd x")
put("0.mark", b"\xef\xbb\xbfT1 rd x\n")
put("0.long_comment", "#" + "c" * 1000000 + "\nT1 rd x\n")
put("0.many_operands", "T1 op r " + "r " * 200000 + "\n")
put("2.long_name:1", "T1 rd " + "x" * 1000000 + "\n")
put("2.long_std:1", "T1|r(" + "x" * 1000000 + ")|1\n")
put("2.zero_byte:1", b"T1 rd x\0y\n")
put("2.number:2", "T1 rd x\nT1 barr b 99999999999999999999\n")
put("2.size:1", "T1 alloc x 18446744073709551615\n")
put("2.half_std:1", "T1|r(x|1\n")
put("2.version", b"heddle\x1a\n" + b"\xff" * 4000)
put("2.threads:65537", "".join("T%d wr x\n" % i for i in range(66000)))
put("0.operands_to_come", "T1 op r =4000000000\nT1 arg r\n")
put("0.deep_regions", "T1 begin a\n" * 100000 + "T1 rd x\n" + "T1 end\n" * 100000)
put("0.deep_calls", "".join("T1 enter f%d\n" % (i % 100) for i in range(100000)) + "T1 rd x\n")
put("0.deep_locks", "".join("T1 acq m%d\nT1 rd x\n" % i for i in range(3000)) +
    "".join("T1 rel m%d\n" % i for i in range(3000)))
put("0.reentrant", "T1 acq m\n" * 100000 + "T1 wait c m\nT1 wake c m\n" + "T1 rel m\n" * 100000)
put("0.semaphore", "".join("T%d V s\n" % (i % 8) for i in range(50000)) +
    "".join("T%d P s\n" % (i % 8) for i in range(60000)))
put("0.many_threads", "".join("T%d begin a\nT%d rd x\nT%d wr x\nT%d end\n" % (i, i, i, i) for i in range(1500)))
put("0.overlapping", "".join("%%variable v%d object=o offset=%d size=64\n" % (i, i % 64) for i in range(500)) +
    "".join("T%d wr v%d\n" % (i % 3, i) for i in range(500)))
P

# The name says what must happen: the exit status, and behind the colon the line.
for file in *; do
    wanted=${file%%.*}
    place=
    case $file in *:*) place=$file:${file##*:}: ;; esac
    (ulimit -v 4000000; timeout 60 "$heddle" check "./$file" > out.txt 2> err.txt)
    status=$?
    if [ "$status" -ne "$wanted" ]; then
        echo "not ok $file: status $status: $(head -c 200 err.txt)"
    elif [ "$status" -eq 2 ] && ! grep -q -F "${place:-$file}" err.txt; then
        echo "not ok $file: its place is not named: $(head -c 200 err.txt)"
    else
        echo "ok $file"
    fi
done
