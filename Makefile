# heddle: build, demo, test, bench, install. `make help` lists the targets.
#
# Every folder is a layer and owns its tests; sources are found by place, so a
# new file needs no line here. Everything that is built goes to $(BUILD).

CC       ?= gcc
BUILD    ?= build
# One name for one folder: what depends on what is kept by name.
override BUILD := $(patsubst $(CURDIR)/%,%,$(abspath $(BUILD)))
PREFIX   ?= /usr/local
UNITY    ?= $(BUILD)/unity
FIBER    ?= auto
VERSION  := 0.1.0

WARN     := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wno-unused-parameter
CSTD     := -std=gnu11
OPT      ?= -O2
CFLAGS   += $(CSTD) $(OPT) -g $(WARN) -MMD -MP -DHD_VERSION='"$(VERSION)"'
# The runtime is linked into other people's programs: position independent, and
# free of anything that would call back into what it replaces.
NO_LOOPS := $(shell $(CC) -fno-tree-loop-distribute-patterns -x c -c /dev/null -o /dev/null \
              2>/dev/null && echo -fno-tree-loop-distribute-patterns)
# libc's headers define some names inline, which clang will not have defined again.
NO_INLINE := $(shell $(CC) --version 2>/dev/null | grep -q clang && echo -D__NO_INLINE__)
RTFLAGS  := -fPIC -fno-stack-protector -fno-builtin $(NO_LOOPS) $(NO_INLINE) \
            -ftls-model=initial-exec -U_FORTIFY_SOURCE -include sched/bytes.h

ARCH     := $(shell $(CC) -dumpmachine | cut -d- -f1)
ifeq ($(FIBER),auto)
FIBER_SRC := $(wildcard sched/fiber_$(ARCH).S)
else
FIBER_SRC := $(wildcard sched/fiber_$(FIBER).S)
endif
ifeq ($(FIBER_SRC),)
FIBER_SRC := $(wildcard sched/fiber_ucontext.c)
endif

TRACE_SRC    := $(wildcard sched/trace/*.c)
RT_SRC       := $(filter-out sched/fiber_ucontext.c,$(wildcard sched/*.c)) \
                $(wildcard sched/pthread/*.c sched/libc/*.c sched/strategies/*.c) $(FIBER_SRC)
RT_TRACE     := sched/trace/bug.c
CHECKERS_SRC := $(wildcard checkers/*.c)
CC_SRC       := $(wildcard harness/cc.c harness/cc_*.c)
HARNESS_SRC  := $(filter-out $(CC_SRC),$(wildcard harness/*.c))

obj = $(patsubst %,$(BUILD)/obj/%.o,$(basename $(1)))
rt  = $(patsubst %,$(BUILD)/rt/%.o,$(basename $(1)))

TRACE_OBJ    := $(call obj,$(TRACE_SRC))
RT_OBJ       := $(call rt,$(RT_SRC) $(RT_TRACE))
CHECKERS_OBJ := $(call obj,$(CHECKERS_SRC))
HARNESS_OBJ  := $(call obj,$(HARNESS_SRC))
CC_OBJ       := $(call obj,$(CC_SRC))

COMMANDS := $(if $(HARNESS_SRC),$(BUILD)/bin/heddle) \
            $(if $(CC_SRC),$(BUILD)/bin/heddle-cc $(BUILD)/bin/heddle-c++)
HEADERS  := $(patsubst sched/include/%,$(BUILD)/include/%,$(wildcard sched/include/*.h))

TEST_C   := $(wildcard sched/trace/tests/test_*.c checkers/tests/test_*.c harness/tests/test_*.c)
TEST_BIN := $(patsubst %.c,$(BUILD)/tests/%,$(TEST_C))
TEST_SH  := $(wildcard sched/trace/tests/test_*.sh sched/tests/test_*.sh \
                       checkers/tests/test_*.sh harness/tests/test_*.sh suites/tests/test_*.sh)

.PHONY: all lib deps demo test bench soak suites-native check-layers golden format install clean help
.DEFAULT_GOAL := all
.SECONDARY:

all: deps $(BUILD)/lib/libheddle.a $(BUILD)/lib/heddle.specs $(COMMANDS) $(HEADERS)

help:
	@echo "make                 build everything into $(BUILD)/"
	@echo "make demo            the main job on the shipped example"
	@echo "make test            every test; ends with 'N passed, N failed'"
	@echo "make bench           benchmark tables, to standard output and results/bench/"
	@echo "make soak            long random comparisons with brute force; 1,000 native runs of each module"
	@echo "make suites-native   the suites with a plain compiler, real threads and ThreadSanitizer"
	@echo "make golden          rewrite what tests compare with; the diff is the review"
	@echo "make install PREFIX=$(PREFIX) DESTDIR="
	@echo "make check-layers | format | clean"

# ---- what must be on the machine ------------------------------------------

deps: $(BUILD)/.deps
$(BUILD)/.deps: harness/get_deps.sh
	@mkdir -p $(BUILD)
	@sh harness/get_deps.sh build
	@touch $@

$(UNITY)/unity.c:
	@sh harness/get_unity.sh $(UNITY)

# ---- objects ---------------------------------------------------------------

$(BUILD)/obj/%.o: %.c | deps
	@mkdir -p $(dir $@)
	$(CC) $(CFLAGS) -I. -c $< -o $@

# Names that these files define are not to be taken for raw ones (sched/raw.h).
$(BUILD)/rt/sched/libc/string%.o: RTFLAGS += -DHD_DEFINES_STRINGS
$(BUILD)/rt/sched/libc/stdio%.o: RTFLAGS += -DHD_DEFINES_STDIO
$(BUILD)/rt/sched/libc/file%.o: RTFLAGS += -DHD_DEFINES_FILES
$(BUILD)/rt/sched/libc/memory%.o: RTFLAGS += -DHD_DEFINES_MEMORY
$(BUILD)/rt/sched/libc/number.o: RTFLAGS += -DHD_DEFINES_NUMBERS
$(BUILD)/rt/sched/libc/jump%.o: RTFLAGS += -DHD_DEFINES_JUMPS

# Its code has a section of its own, so that it can tell itself from the program: crash.c.
OBJCOPY ?= objcopy
own_code = $(OBJCOPY) --rename-section .text=hd_code --rename-section .text.unlikely=hd_code \
           --rename-section .text.hot=hd_code $@

$(BUILD)/rt/%.o: %.c | deps
	@mkdir -p $(dir $@)
	$(CC) $(CFLAGS) $(RTFLAGS) -I. -Isched/include -c $< -o $@
	@$(own_code)

# An exception may leave an initialiser: it then has not run.
$(BUILD)/rt/sched/pthread/once.o: RTFLAGS += -fexceptions

$(BUILD)/rt/%.o: %.S | deps
	@mkdir -p $(dir $@)
	$(CC) $(CFLAGS) -c $< -o $@
	@$(own_code)

lib: $(BUILD)/lib/libheddle.a
$(BUILD)/lib/libheddle.a: $(RT_OBJ)
	@mkdir -p $(dir $@)
	@rm -f $@
	ar rcs $@ $^

$(BUILD)/lib/libtrace.a: $(TRACE_OBJ)
	@mkdir -p $(dir $@)
	@rm -f $@
	ar rcs $@ $^

$(BUILD)/lib/libcheckers.a: $(CHECKERS_OBJ)
	@mkdir -p $(dir $@)
	@rm -f $@
	ar rcs $@ $^

# The harness without its main, so that its unit tests can link it.
$(BUILD)/lib/libharness.a: $(filter-out $(BUILD)/obj/harness/main.o,$(HARNESS_OBJ))
	@mkdir -p $(dir $@)
	@rm -f $@
	ar rcs $@ $^

ABOVE_TRACE := $(BUILD)/lib/libcheckers.a $(BUILD)/lib/libtrace.a

$(BUILD)/bin/heddle: $(HARNESS_OBJ) $(ABOVE_TRACE)
	@mkdir -p $(dir $@)
	$(CC) -o $@ $^ -ljansson -ldw -lelf -lm

$(BUILD)/bin/heddle-cc: $(CC_OBJ)
	@mkdir -p $(dir $@)
	$(CC) -o $@ $^

$(BUILD)/bin/heddle-c++: $(BUILD)/bin/heddle-cc
	ln -sf heddle-cc $@

# What heddle-cc tells gcc; found beside libheddle.a.
$(BUILD)/lib/heddle.specs: harness/cc/heddle.specs
	@mkdir -p $(dir $@)
	cp $< $@

$(BUILD)/include/%.h: sched/include/%.h
	@mkdir -p $(dir $@)
	cp $< $@

# ---- tests -----------------------------------------------------------------

$(BUILD)/obj/unity.o: $(UNITY)/unity.c | deps
	@mkdir -p $(dir $@)
	$(CC) -O1 -g -w -c $< -o $@

$(BUILD)/tests/sched/trace/%: sched/trace/%.c $(BUILD)/obj/unity.o $(BUILD)/lib/libtrace.a
	@mkdir -p $(dir $@)
	$(CC) $(CFLAGS) -I. -I$(UNITY) $< $(BUILD)/obj/unity.o $(BUILD)/lib/libtrace.a -ljansson -lm -o $@

# What test programs share: every file of a tests folder that is no test itself.
CHECKERS_AID := $(call obj,$(filter-out checkers/tests/test_% checkers/tests/bench_%,$(wildcard checkers/tests/*.c)))

$(BUILD)/tests/checkers/%: checkers/%.c $(BUILD)/obj/unity.o $(CHECKERS_AID) $(ABOVE_TRACE) \
                           $(wildcard checkers/tests/*.h)
	@mkdir -p $(dir $@)
	$(CC) $(CFLAGS) -I. -I$(UNITY) $< $(BUILD)/obj/unity.o $(CHECKERS_AID) $(ABOVE_TRACE) -ljansson -lm -o $@

$(BUILD)/bench/%: checkers/tests/bench_%.c $(ABOVE_TRACE)
	@mkdir -p $(dir $@)
	$(CC) $(CFLAGS) -I. $< $(ABOVE_TRACE) -lm -o $@

$(BUILD)/tests/harness/%: harness/%.c $(BUILD)/obj/unity.o $(BUILD)/lib/libharness.a $(ABOVE_TRACE)
	@mkdir -p $(dir $@)
	$(CC) $(CFLAGS) -I. -I$(UNITY) $< $(BUILD)/obj/unity.o $(BUILD)/lib/libharness.a $(ABOVE_TRACE) \
	    -ljansson -ldw -lelf -lm -o $@

test: all $(BUILD)/.test-deps check-layers $(TEST_BIN)
	@BUILD=$(abspath $(BUILD)) UNITY=$(abspath $(UNITY)) sh harness/tests/runner.sh $(TEST_BIN) $(TEST_SH)

$(BUILD)/.test-deps: harness/get_deps.sh
	@sh harness/get_deps.sh test
	@touch $@

soak: all $(TEST_BIN) $(UNITY)/unity.c
	@SOAK=1 BUILD=$(abspath $(BUILD)) UNITY=$(abspath $(UNITY)) sh harness/tests/runner.sh $(TEST_BIN) sched/tests/test_search_any.sh
	@RUNS=1000 UNITY=$(abspath $(UNITY)) sh harness/tests/runner.sh suites/tests/test_modules_native.sh
	@COUNT=4000 FIRST=1000 BUILD=$(abspath $(BUILD)) sh harness/tests/runner.sh harness/tests/test_verdicts.sh
	@ISOLATE_RUNS=60 BUILD=$(abspath $(BUILD)) sh harness/tests/runner.sh suites/tests/test_isolate.sh

# Who may include whom: sched/trace only itself; sched nothing above it;
# checkers only itself and sched/trace. The compiler is asked, not the text.
check-layers:
	@sh harness/tests/layers.sh $(CC)

demo: all
	@BUILD=$(abspath $(BUILD)) sh harness/demo.sh

bench: all
	@BUILD=$(abspath $(BUILD)) UNITY=$(abspath $(UNITY)) sh harness/bench.sh

suites-native: all $(BUILD)/.test-deps $(UNITY)/unity.c
	@BUILD=$(abspath $(BUILD)) UNITY=$(abspath $(UNITY)) sh harness/tests/runner.sh $(wildcard suites/tests/test_*_native.sh)

GOLDEN_C := $(patsubst %.c,$(BUILD)/tests/%,harness/tests/test_column.c harness/tests/test_say.c)
golden: all $(BUILD)/.test-deps $(UNITY)/unity.c $(GOLDEN_C)
	@for test in $(GOLDEN_C); do HD_GOLDEN=1 $$test; done
	@for suite in litmus papers modules; do GOLDEN=--rewrite BUILD=$(abspath $(BUILD)) UNITY=$(abspath $(UNITY)) \
	    sh suites/tests/test_$${suite}_verdicts.sh; done

format:
	clang-format -i $$(git ls-files '*.c' '*.h')

install: all
	@BUILD=$(BUILD) PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" VERSION=$(VERSION) sh harness/install.sh

clean:
	rm -rf $(BUILD)

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
