# test_cc_build.sh - whole builds: make, configure, CMake, Meson, with heddle-cc as CC.
. harness/tests/cc/lib.sh

cat > main.c <<'C'
#include <pthread.h>
#include <stdio.h>
#include "lib.h"
static void *work(void *arg) { bump(); return arg; }
int main(void) {
    pthread_t id;
    pthread_create(&id, NULL, work, NULL);
    pthread_join(id, NULL);
    printf("count %d\n", bump());
    return 0;
}
C
printf '#ifdef __cplusplus\nextern "C"\n#endif\nint bump(void);\n' > lib.h
printf '#include "lib.h"\n#include <math.h>\nint counter;\nint bump(void) { return counter += (int)sqrt(1.0 + 0 * counter); }\n' > lib.c
cat > more.cc <<'C'
#include <iostream>
#include <mutex>
#include <thread>
#include "lib.h"
static std::mutex guard;
int main() {
    std::thread t([] { std::lock_guard<std::mutex> hold(guard); bump(); });
    t.join();
    std::cout << "count " << bump() << "\n";
}
C

project() { # a fresh copy, in a folder whose name has a blank
    cd "$tree/work" && rm -rf "pro ject" && mkdir "pro ject" && cp ./*.c ./*.cc ./*.h "pro ject" && cd "pro ject"
}
needs() { command -v "$1" > /dev/null || { echo "$1 is not installed"; return 1; }; }

implicit_rules() {
    project && printf 'prog: main.o lib.o\nprog: LDLIBS = -lm\nmain.o lib.o: lib.h\n' > Makefile && mv main.c prog.c &&
        sed -i 's/main.o/prog.o/g' Makefile && make CC=heddle-cc CFLAGS='-O2 -Wall -Werror' && instrumented prog.o && prints ./prog "count 2"
}
implicit_one_step() { project && make CC=heddle-cc CXX=heddle-c++ LDLIBS=-lm lib.o && make CXX=heddle-c++ LDLIBS=lib.o\ -lm more && prints ./more "count 2"; }
environment() { project && mv main.c prog.c && echo 'prog: prog.o lib.o' > Makefile && CC=heddle-cc LDLIBS=-lm make -e && prints ./prog "count 2"; }
parallel_make() {
    project && { printf 'OBJ ='; i=0; while [ $i -lt 24 ]; do printf ' m%d.o' $i; i=$((i + 1)); done
        printf '\nprog: main.o lib.o $(OBJ)\n\t$(CC) -o $@ $^ -lm\nclean:\n\trm -f *.o\n'; } > Makefile &&
        i=0 && while [ $i -lt 24 ]; do echo "int m$i = $i; int f$i(void) { return m$i; }" > m$i.c; i=$((i + 1)); done &&
        make -j4 CC=heddle-cc CFLAGS='-O1 -MMD -pipe' && prints ./prog "count 2" && [ "$(ls ./*.d | wc -l)" = 26 ]
}
library_make() { # the archive rule, and -shared beside it
    project && printf 'prog: main.o libpart.a(lib.o) libs.so\n\t$(CC) -o $@ main.o libpart.a -lm\nlibs.so: lib.c\n\t$(CC) -shared -fPIC -Wl,-z,defs -o $@ $< -lm\n' > Makefile &&
        make CC=heddle-cc && prints ./prog "count 2"
}

# a configure script must see the same machine through heddle-cc as through gcc
configured() {
    needs autoconf && project && cat > configure.ac <<'M' && cat > Makefile.in <<'K' && autoconf &&
AC_INIT([sample], [1.0])
AC_CONFIG_HEADERS([config.h])
AC_PROG_CC
AC_PROG_CXX
AC_PROG_CPP
AC_USE_SYSTEM_EXTENSIONS
AC_C_INLINE
AC_C_CONST
AC_C_BIGENDIAN
AC_CHECK_HEADERS([pthread.h semaphore.h no_such_header.h])
AC_CHECK_SIZEOF([long])
AC_CHECK_FUNCS([memcpy strlen clock_gettime no_such_function])
AC_SEARCH_LIBS([pthread_create], [pthread])
AC_SEARCH_LIBS([sqrt], [m])
AC_CHECK_LIB([no_such_library], [x])
AC_RUN_IFELSE([AC_LANG_PROGRAM([], [return 0;])], [AC_DEFINE([RUNS], [1], [programs run])])
AC_CONFIG_FILES([Makefile])
AC_OUTPUT
M
prog: main.o lib.o
	@CC@ @CFLAGS@ -o $@ main.o lib.o @LIBS@
.c.o:
	@CC@ @CFLAGS@ @DEFS@ -c $<
K
    autoheader && ./configure CC=gcc CXX=g++ > log.gcc 2>&1 && cp config.h config.gcc &&
        ./configure CC="$1" CXX="$2" > log.heddle 2>&1 && diff config.gcc config.h &&
        make && prints ./prog "count 2"
}
automade() {
    needs automake && project && cat > configure.ac <<'M' && cat > Makefile.am <<'K' && autoreconf -fi > log 2>&1 &&
AC_INIT([sample], [1.0])
AM_INIT_AUTOMAKE([foreign subdir-objects])
AC_PROG_CC
AM_PROG_AR
AC_PROG_RANLIB
AC_SEARCH_LIBS([sqrt], [m])
AC_CONFIG_FILES([Makefile])
AC_OUTPUT
M
bin_PROGRAMS = prog
prog_SOURCES = main.c
prog_LDADD = libpart.a
noinst_LIBRARIES = libpart.a
libpart_a_SOURCES = lib.c lib.h
K
    cd "$tree/work" && rm -rf auto && cp -r "pro ject" auto && cd auto && # automake refuses blanks in the path
        ./configure CC=heddle-cc > log 2>&1 && make -j2 && prints ./prog "count 2"
}
cmade() { # $1: generator
    needs cmake && project && cat > CMakeLists.txt <<'M' &&
cmake_minimum_required(VERSION 3.10)
project(sample C CXX)
find_package(Threads REQUIRED)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
include(CheckCSourceRuns)
check_c_source_runs("int main(void) { return 0; }" PROGRAMS_RUN)
if(NOT PROGRAMS_RUN)
  message(FATAL_ERROR "programs do not run")
endif()
add_library(part SHARED lib.c)
target_link_libraries(part m)
target_link_options(part PRIVATE -Wl,--no-undefined)
add_library(fixed STATIC lib.c)
target_link_libraries(fixed m)
add_executable(prog main.c)
target_link_libraries(prog part Threads::Threads)
add_executable(more more.cc)
target_link_libraries(more fixed Threads::Threads)
M
        CC=heddle-cc CXX=heddle-c++ cmake -G "$1" -B out -DCMAKE_BUILD_TYPE=Release > log 2>&1 && cmake --build out -j 2 > log2 2>&1 &&
        prints ./out/prog "count 2" && prints ./out/more "count 2"
}
mesoned() {
    needs meson && needs ninja && project && cat > meson.build <<'M' &&
project('sample', 'c', 'cpp', default_options: ['warning_level=2', 'werror=true', 'buildtype=debugoptimized'])
m = meson.get_compiler('c').find_library('m')
threads = dependency('threads')
part = shared_library('part', 'lib.c', dependencies: m)
executable('prog', 'main.c', link_with: part, dependencies: threads)
fixed = static_library('fixed', 'lib.c', dependencies: m)
executable('more', 'more.cc', link_with: fixed, dependencies: threads, cpp_pch: 'pch/pre.hh')
M
        mkdir pch && echo '#include <iostream>' > pch/pre.hh &&
        CC=heddle-cc CXX=heddle-c++ meson setup out > log 2>&1 && ninja -C out > log2 2>&1 && prints ./out/prog "count 2" && prints ./out/more "count 2"
}

for compiler in gcc clang; do
    HEDDLE_CC=$compiler
    export HEDDLE_CC
    check "make with its own rules ($compiler)" implicit_rules
    check "make, one source to one program ($compiler)" implicit_one_step
    check "CC from the environment ($compiler)" environment
    check "make -j4 of many files ($compiler)" parallel_make
    check "make of an archive and a shared library ($compiler)" library_make
    check "CMake and make ($compiler)" cmade "Unix Makefiles"
    check "Meson and ninja ($compiler)" mesoned
done
HEDDLE_CC=gcc
check "CMake and ninja" cmade Ninja
check "a configure script sees what it sees with gcc" configured heddle-cc heddle-c++
check "automake" automade
