/* cc_flags.c - the flags of instrumentation and of linking.
 *
 * Instrumentation is asked of the compiler proper and not of its driver (gcc: a
 * specs file, clang: -Xclang). The driver, which would link libtsan for
 * -fsanitize=thread, never hears of it, so one-step compile and link needs no
 * splitting: names of temporary and dependency files, -save-temps, -v, signals and
 * the exit status are the compiler's own.
 *
 * Flags that a user may want to overrule stand before the user's words, the others
 * after them. */
#include "harness/cc_flags.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static void add_all(struct hd_words *out, const char *const *words) {
    for (; *words; words++)
        hd_words_add(out, *words);
}

/* Keep every access that is written: no pass before instrumentation may merge
 * (fre, pre, dom, ipa analyses that feed them), move (lim, sink, hoisting, phiprop)
 * or drop (dse, dce, variables that are only written) one, nor a loop that only looks. */
static const char *const keep_accesses[] = {
    "-fno-tree-fre", "-fno-tree-pre", "-fno-tree-loop-im", "-fno-tree-dominator-opts",
    "-fno-code-hoisting", "-fno-tree-dse", "-fno-tree-dce", "-fno-finite-loops",
    "-fno-tree-sink", "-fno-tree-phiprop", "-fno-hoist-adjacent-loads",
    "-fno-optimize-strlen", "-fno-ipa-pure-const", "-fno-ipa-reference",
    "-fno-ipa-reference-addressable", "-fno-ipa-modref",
    /* and call the functions that move memory instead of expanding them */
    "-fno-builtin-memcpy", "-fno-builtin-memmove", "-fno-builtin-memset",
    "-fno-builtin-memcmp", "-fno-builtin-memchr", "-fno-builtin-mempcpy",
    "-fno-builtin-strcpy", "-fno-builtin-strncpy", "-fno-builtin-stpcpy",
    "-fno-builtin-stpncpy", "-fno-builtin-strcat", "-fno-builtin-strncat",
    "-fno-builtin-strcmp", "-fno-builtin-strncmp", "-fno-builtin-strcasecmp",
    "-fno-builtin-strncasecmp", "-fno-builtin-strchr", "-fno-builtin-strrchr",
    "-fno-builtin-strstr", "-fno-builtin-strpbrk", "-fno-builtin-strspn",
    "-fno-builtin-strcspn", "-fno-builtin-strdup", "-fno-builtin-strndup",
    "-fno-builtin-strnlen", "-fno-builtin-bcopy", "-fno-builtin-bzero",
    "-fno-builtin-bcmp", "-fno-builtin-index", "-fno-builtin-rindex",
    /* and these, which become one of them, or a store */
    "-fno-builtin-sprintf", "-fno-builtin-snprintf", NULL};

/* Locals of separate blocks are separate variables, with an address each. */
static const char *const keep_locals[] = {"-fstack-reuse=none", NULL};

/* Keep functions as they are written: they are units of atomicity, and names and calls
 * are told by them. One that is declared inline and static asks not to be. The others
 * are what goes with that: the compiler wants them off. */
static const char *const keep_functions[] = {
    "-flive-patching=inline-only-static", "-fno-inline-small-functions", "-fno-inline-functions",
    "-fno-inline-functions-called-once", "-fno-partial-inlining", "-fno-ipa-icf",
    "-fno-ipa-cp", "-fno-ipa-cp-clone", "-fno-ipa-sra", "-fno-ipa-pta", "-fno-ipa-ra",
    "-fno-ipa-bit-cp", "-fno-ipa-vrp", "-fno-ipa-stack-alignment", "-fno-whole-program",
    "-fno-optimize-sibling-calls", NULL};

/* What gcc guesses from the flow of values, and guesses worse without the passes above:
 * it may warn where a plain build does not, which must not fail a build. */
static const char *const keep_going[] = {"-Wno-error=maybe-uninitialized",
                                         "-Wno-error=null-dereference",
                                         "-Wno-error=array-bounds",
                                         "-Wno-error=stringop-overflow",
                                         "-Wno-error=stringop-overread",
                                         "-Wno-error=inline",
                                         NULL};

static void add_gcc(const struct hd_cc_tool *tool, const struct hd_cc_args *args,
                    struct hd_words *out) {
    if (access(tool->specs, R_OK) != 0) {
        hd_cc_stop(3, "%s is missing; the installation is not complete", tool->specs);
    }
    hd_words_add(out, hd_cc_format("-specs=%s", tool->specs));
    /* a fence is an event for heddle, not the gap in knowledge that -Wtsan warns of */
    add_all(out, (const char *const[]){"--param", "tsan-distinguish-volatile=1",
                                       "-Wno-tsan", NULL});
    if (!args->as_compiled) {
        add_all(out, keep_accesses);
        add_all(out, keep_functions);
        add_all(out, keep_locals);
        if (args->strict) add_all(out, keep_going);
    }
}

static void add_clang(const struct hd_cc_args *args, struct hd_words *out) {
    add_all(out, (const char *const[]){"--start-no-unused-arguments", "-Xclang",
                                       "-fsanitize=thread", "-mllvm",
                                       "-tsan-distinguish-volatile=1", NULL});
    if (!args->as_compiled) {
        /* there are no switches for single passes: without optimisation nothing is lost
         */
        hd_words_add(out, "-O0");
    }
    hd_words_add(out, "--end-no-unused-arguments");
}

static void add_compile(const struct hd_cc_tool *tool, const struct hd_cc_args *args,
                        struct hd_words *out) {
    if (tool->clang)
        add_clang(args, out);
    else
        add_gcc(tool, args, out);
    /* The program is to be the one that ships, not its ThreadSanitizer variant. */
    hd_words_add(out, "-U__SANITIZE_THREAD__");
    if (!args->as_compiled) {
        /* glibc's checked copies are __builtin_ calls, which are expanded without a
         * callback; and at -O0 (clang) its headers warn. */
        hd_words_add(out, "-U_FORTIFY_SOURCE");
        if (args->fortified_late) hd_words_add(out, "-Wp,-U_FORTIFY_SOURCE");
    }
    if (args->lto) hd_words_add(out, "-fno-lto");
}

bool hd_cc_links(const struct hd_cc_args *args) {
    return !args->question && !args->stops_early && args->input_count > 0 &&
           !hd_cc_args_has(args, HD_CC_HEADER) && !args->relocatable;
}

bool hd_cc_links_runtime(const struct hd_cc_args *args) {
    return hd_cc_links(args) && !args->shared && !args->no_libc;
}

static void add_runtime(const struct hd_cc_tool *tool, const struct hd_cc_args *args,
                        struct hd_words *out) {
    if (access(tool->archive, R_OK) != 0) {
        hd_cc_stop(3, "%s is missing; build heddle or install it anew", tool->archive);
    }
    add_all(out, (const char *const[]){"-x", "none", "-Wl,--push-state,--whole-archive",
                                       NULL});
    hd_words_add(out, tool->archive);
    hd_words_add(out, "-Wl,--pop-state");
    /* Bound at the start: a function bound at its first call would be bound anew
     * in every execution, because the table is put back. */
    hd_words_add(out, "-Wl,-z,now");
    /* What shared libraries and plugins call; names that libc defines too are
     * exported by the linker of itself. */
    if (args->gold) {
        hd_words_add(out, "-rdynamic"); /* gold takes no patterns */
    } else {
        add_all(out, (const char *const[]){"-Wl,--export-dynamic-symbol=__tsan_*",
                                           "-Wl,--export-dynamic-symbol=__cxa_guard_*",
                                           "-Wl,--export-dynamic-symbol=heddle_*", NULL});
    }
}

/* Our headers come before those of a heddle that is installed elsewhere on the system.
 * But the system's own folder must stay where it is: C++ headers count on that. */
static bool is_standard(const char *folder) {
    struct stat ours, systems;
    return stat(folder, &ours) == 0 && stat("/usr/include", &systems) == 0 &&
           ours.st_dev == systems.st_dev && ours.st_ino == systems.st_ino;
}

void hd_cc_line(const struct hd_cc_tool *tool, const struct hd_cc_args *args,
                const char *mark, struct hd_words *out) {
    bool compiles =
        hd_cc_args_has(args, HD_CC_SOURCE) || hd_cc_args_has(args, HD_CC_HEADER);
    bool runtime = hd_cc_links_runtime(args);
    /* no libc, so no runtime to call: a one-step build of such a program stays plain */
    bool instruments = compiles && !args->plain &&
                       !(args->no_libc && hd_cc_links(args) && !args->shared);

    for (size_t i = 0; i < tool->command.count; i++) {
        hd_words_add(out, tool->command.word[i]);
    }
    if (args->question || args->input_count == 0) {
        compiles = instruments = runtime = false;
    }
    if (runtime && args->fully_static) {
        hd_cc_stop(
            2, "-static cannot be used with heddle: the functions of libc that it takes "
               "over must stay replaceable; link without -static");
    }
    /* -g would add a line to the output of -E */
    if (compiles && !args->debug && !args->only_text) hd_words_add(out, "-g");
    if (compiles) hd_words_add(out, "-D__HEDDLE__=1");
    if (runtime) hd_words_add(out, "-Wl,--build-id");
    for (size_t i = 0; i < args->argv.count; i++)
        hd_words_add(out, args->argv.word[i]);
    if (compiles) {
        hd_words_add(out, is_standard(tool->include) ? "-idirafter" : "-isystem");
        hd_words_add(out, tool->include);
    }
    if (instruments) add_compile(tool, args, out);
    if (hd_cc_links(args) && mark) {
        add_all(out, (const char *const[]){"-x", "none", NULL});
        hd_words_add(out, mark);
    }
    if (runtime) add_runtime(tool, args, out);
    if (hd_cc_links(args) && args->shared) {
        /* __tsan_* come from the executable: a check that all is defined would fail */
        hd_words_add(out, args->gold ? "-Wl,--unresolved-symbols=ignore-all"
                                     : "-Wl,-z,undefs");
    }
}
