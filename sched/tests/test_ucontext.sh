#!/bin/sh
# test_ucontext.sh - the portable way of switching passes the tests of the fast one.
#
# A second runtime is built with FIBER=ucontext, beside copies of the commands,
# and the tests of endings and of the pthread layer run against it.
other=$BUILD/ucontext
mkdir -p "$other/bin" "$other/lib"
cp -P "$BUILD"/bin/* "$other/bin/"
cp -r "$BUILD/include" "$other/"
cp "$BUILD"/lib/*.specs "$other/lib/" 2> /dev/null
cp "$BUILD/.deps" "$other/.deps"
if ! make -s BUILD="$other" FIBER=ucontext lib > "$other/log" 2>&1; then
    echo "not ok the runtime builds with ucontext: $(tail -n 1 "$other/log")"
    exit 0
fi
echo "ok the runtime builds with ucontext"
for test in endings pthread; do
    BUILD=$other sh sched/tests/test_$test.sh | sed -e 's/^ok /ok ucontext: /' -e 's/^not ok /not ok ucontext: /'
done
