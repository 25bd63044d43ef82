/* cc_args.c - reading a compiler command line.
 *
 * Tables first: which options take the next word, which suffix is which language,
 * which sanitizers cannot stand beside thread instrumentation. */
#include "harness/cc_args.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Options whose argument is the next word when it is not joined; of gcc, clang and
 * what both hand on to the linker. */
static const char *const takes_next[] = {"-o",
                                         "-x",
                                         "-D",
                                         "-U",
                                         "-I",
                                         "-L",
                                         "-l",
                                         "-B",
                                         "-A",
                                         "-T",
                                         "-u",
                                         "-z",
                                         "-e",
                                         "-G",
                                         "-h",
                                         "-J",
                                         "-F",
                                         "-MF",
                                         "-MT",
                                         "-MQ",
                                         "-MJ",
                                         "-include",
                                         "-imacros",
                                         "-isystem",
                                         "-idirafter",
                                         "-iquote",
                                         "-iprefix",
                                         "-iwithprefix",
                                         "-iwithprefixbefore",
                                         "-isysroot",
                                         "-imultilib",
                                         "-imultiarch",
                                         "-iframework",
                                         "-framework",
                                         "-ivfsoverlay",
                                         "-cxx-isystem",
                                         "-include-pch",
                                         "-Xlinker",
                                         "-Xassembler",
                                         "-Xpreprocessor",
                                         "-Xclang",
                                         "-Xopenmp-target",
                                         "-Xanalyzer",
                                         "-mllvm",
                                         "-aux-info",
                                         "-dumpbase",
                                         "-dumpdir",
                                         "-dumpbase-ext",
                                         "-wrapper",
                                         "-specs",
                                         "-target",
                                         "-arch",
                                         "-gcc-toolchain",
                                         "-Tbss",
                                         "-Tdata",
                                         "-Ttext",
                                         "-rpath",
                                         "-working-directory",
                                         "-serialize-diagnostics",
                                         "--param",
                                         "--sysroot",
                                         "--output",
                                         "--language",
                                         "--include",
                                         "--imacros",
                                         "--config",
                                         "--include-directory",
                                         "--include-directory-after",
                                         "--include-barrier",
                                         "--library-directory",
                                         "--define-macro",
                                         "--undefine-macro",
                                         "--entry",
                                         "--prefix",
                                         "--for-linker",
                                         "--for-assembler",
                                         "--specs",
                                         "--dumpbase",
                                         "--dumpdir",
                                         "--force-link",
                                         "--assert",
                                         NULL};

static const char *const source_suffixes[] = {"c",   "i",   "ii",  "cc", "cp", "cxx",
                                              "cpp", "CPP", "c++", "C",  "m",  "mi",
                                              "mm",  "M",   "mii", NULL};
static const char *const header_suffixes[] = {"h",   "hh",  "H",   "hp",  "hxx",
                                              "hpp", "HPP", "h++", "tcc", NULL};
static const char *const asm_suffixes[] = {"s", "S", "sx", NULL};

/* Each brings a runtime that takes over the same functions as heddle's. */
static const char *const clashing[] = {
    "thread",        "address",  "kernel-address",   "hwaddress",  "leak", "memory",
    "kernel-memory", "dataflow", "kernel-hwaddress", "safe-stack", NULL};
static const char *const clashing_libs[] = {"tsan", "asan", "lsan", "hwasan", NULL};

static bool among(const char *const *list, const char *word) {
    for (; *list; list++) {
        if (strcmp(*list, word) == 0) return true;
    }
    return false;
}

static bool starts(const char *word, const char *prefix) {
    return strncmp(word, prefix, strlen(prefix)) == 0;
}

static const char *after(const char *word, const char *prefix) {
    return starts(word, prefix) ? word + strlen(prefix) : NULL;
}

/* ---- inputs ---------------------------------------------------------------- */

static enum hd_cc_input_kind kind_by_language(const char *language) {
    if (starts(language, "assembler")) return HD_CC_ASM;
    if (strstr(language, "header")) return HD_CC_HEADER;
    bool c_family = starts(language, "c") || starts(language, "objective-c");
    return c_family && !starts(language, "cuda") ? HD_CC_SOURCE : HD_CC_ASM;
}

static enum hd_cc_input_kind kind_by_suffix(const char *name) {
    const char *slash = strrchr(name, '/');
    const char *dot = strrchr(slash ? slash : name, '.');
    if (!dot) return HD_CC_OBJECT;
    if (among(source_suffixes, dot + 1)) return HD_CC_SOURCE;
    if (among(header_suffixes, dot + 1)) return HD_CC_HEADER;
    if (among(asm_suffixes, dot + 1)) return HD_CC_ASM;
    return HD_CC_OBJECT;
}

static void add_input(struct hd_cc_args *args, const char *name, const char *language) {
    enum hd_cc_input_kind kind =
        language ? kind_by_language(language) : kind_by_suffix(name);
    if (starts(name, "-l")) kind = HD_CC_OBJECT;
    if (strcmp(name, "-") == 0 && !language) kind = HD_CC_SOURCE; /* -E - means C */
    args->inputs = realloc(args->inputs, (args->input_count + 1) * sizeof *args->inputs);
    if (!args->inputs) {
        fputs("heddle-cc: out of memory\n", stderr);
        exit(3);
    }
    args->inputs[args->input_count++] = (struct hd_cc_input){kind, name};
}

bool hd_cc_args_has(const struct hd_cc_args *args, enum hd_cc_input_kind kind) {
    for (size_t i = 0; i < args->input_count; i++) {
        if (args->inputs[i].kind == kind) return true;
    }
    return false;
}

/* ---- options --------------------------------------------------------------- */

/* Keeps of -fsanitize=a,b what can stand beside thread instrumentation; NULL when
 * nothing is left. */
static char *without_clashing(struct hd_cc_args *args, const char *option,
                              const char *list) {
    char *kept = hd_cc_format("%.*s", (int)(list - option), option);
    char *copy = hd_cc_format("%s", list), *rest = copy, *item;
    bool any = false;
    while ((item = strsep(&rest, ","))) {
        if (strcmp(item, "thread") == 0) args->plain = false;
        if (among(clashing, item)) {
            hd_words_add(&args->notes,
                         hd_cc_format("-fsanitize=%s left out: heddle-cc instruments for "
                                      "heddle, and the two cannot be combined",
                                      item));
            continue;
        }
        kept = hd_cc_format("%s%s%s", kept, any ? "," : "", item);
        any = true;
    }
    free(copy);
    return any ? kept : NULL;
}

static void read_no_sanitize(struct hd_cc_args *args, const char *list) {
    char *copy = hd_cc_format("%s", list), *rest = copy, *item;
    while ((item = strsep(&rest, ","))) {
        if (strcmp(item, "thread") == 0 || strcmp(item, "all") == 0) args->plain = true;
    }
    free(copy);
}

static void read_linker_words(struct hd_cc_args *args, const char *list) {
    char *copy = hd_cc_format("%s", list), *rest = copy, *item;
    while ((item = strsep(&rest, ","))) {
        if (strcmp(item, "-r") == 0 || strcmp(item, "--relocatable") == 0) {
            args->relocatable = true;
        } else if (strcmp(item, "-shared") == 0 || strcmp(item, "--shared") == 0) {
            args->shared = true;
        }
    }
    free(copy);
}

/* -gz, -gno-column-info and their like only say how. */
static bool asks_for_debug(const char *word) {
    static const char *const kinds[] = {"gdb",   "dwarf", "stabs", "line", "mlt",
                                        "split", "ctf",   "btf",   "lldb", "modules",
                                        "full",  "used",  "vms",   NULL};
    if (!starts(word, "-g")) return false;
    if (!word[2] || (word[2] >= '0' && word[2] <= '9')) return true;
    for (const char *const *kind = kinds; *kind; kind++) {
        if (starts(word + 2, *kind)) return true;
    }
    return false;
}

static bool is_question(const char *word) {
    return starts(word, "--version") || starts(word, "-dump") ||
           starts(word, "-print-") || starts(word, "--print-") ||
           starts(word, "--help") || starts(word, "--target-help") ||
           strcmp(word, "-help") == 0 || strcmp(word, "-V") == 0;
}

/* One option by itself: sets what it means. False: leave it out of the line. */
static bool read_option(struct hd_cc_args *args, const char *word) {
    const char *rest;
    if ((rest = after(word, "--heddle-"))) {
        if (strcmp(rest, "as-compiled") == 0)
            args->as_compiled = true;
        else
            args->unknown = word;
        return false;
    }
    if (is_question(word) && !starts(word, "-dumpbase") && !starts(word, "-dumpdir")) {
        args->question = true;
    } else if (among((const char *const[]){"-c", "-S", "-E", "-M", "-MM", "-fsyntax-only",
                                           "--compile", "--assemble", "--preprocess",
                                           "--precompile", "--dependencies", "--analyze",
                                           "-emit-ast", "--user-dependencies", NULL},
                     word)) {
        args->stops_early = true;
        args->only_text |=
            among((const char *const[]){"-E", "-M", "-MM", "--preprocess",
                                        "--dependencies", "--user-dependencies", NULL},
                  word);
    } else if (strcmp(word, "-shared") == 0 || strcmp(word, "--shared") == 0) {
        args->shared = true;
    } else if (strcmp(word, "-r") == 0) {
        args->relocatable = true;
    } else if (among((const char *const[]){"-static", "--static", "-static-pie", NULL},
                     word)) {
        args->fully_static = true;
    } else if (among((const char *const[]){"-nostdlib", "--no-standard-libraries",
                                           "-nolibc", "-nodefaultlibs", NULL},
                     word)) {
        args->no_libc = true;
    } else if (starts(word, "-flto")) {
        args->lto = true;
    } else if (strcmp(word, "-fno-lto") == 0) {
        args->lto = false;
    } else if (asks_for_debug(word)) {
        args->debug = true;
    } else if ((rest = after(word, "-fno-sanitize="))) {
        read_no_sanitize(args, rest);
    } else if (starts(word, "-Wp,") && strstr(word, "_FORTIFY_SOURCE")) {
        args->fortified_late = true;
    } else if (starts(word, "-Werror")) {
        args->strict = true;
    } else if ((rest = after(word, "-Wl,"))) {
        read_linker_words(args, rest);
    } else if (strcmp(word, "-fuse-ld=gold") == 0) {
        args->gold = true;
    } else if ((rest = after(word, "-L")) && *rest) {
        hd_words_add(&args->lib_dirs, rest);
    }
    return true;
}

/* -lNAME, already joined. False: leave it out. */
static bool read_library(struct hd_cc_args *args, const char *word,
                         const char *language) {
    if (among(clashing_libs, word + 2)) {
        hd_words_add(&args->notes,
                     hd_cc_format("%s left out: libheddle takes its place", word));
        return false;
    }
    add_input(args, word, language);
    return true;
}

/* Hiding what archives define would hide the runtime from shared libraries. */
static void show_runtime(struct hd_cc_args *args) {
    size_t kept = 0;
    for (size_t i = 0; i < args->argv.count; i++) {
        char *word = args->argv.word[i];
        if (strcmp(word, "-Wl,--exclude-libs,ALL") == 0 ||
            strcmp(word, "-Wl,--exclude-libs=ALL") == 0) {
            hd_words_add(&args->notes,
                         hd_cc_format("%s left out: libheddle must stay visible", word));
        } else {
            args->argv.word[kept++] = word;
        }
    }
    args->argv.count = kept;
    if (args->argv.word) args->argv.word[kept] = NULL;
}

void hd_cc_args_read(struct hd_cc_args *args, char **argv) {
    struct hd_words line = {0};
    const char *language = NULL; /* of -x, or NULL: by suffix */
    bool has_libc = false;

    args->from_file = hd_cc_expand(argv, &line);
    for (size_t i = 0; i < line.count; i++) {
        const char *word = line.word[i];
        const char *next =
            among(takes_next, word) && i + 1 < line.count ? line.word[++i] : NULL;
        const char *rest;
        bool keep = true;

        if (word[0] != '-' || !word[1]) {
            add_input(args, word, language);
        } else if (starts(word, "-l")) {
            char *joined = hd_cc_format("-l%s", next ? next : word + 2);
            has_libc |= strcmp(joined, "-lc") == 0;
            keep = read_library(args, joined, language);
        } else if (starts(word, "-x") || starts(word, "--language")) {
            rest = next ? next : word[1] == 'x' ? word + 2 : strchr(word, '=');
            if (rest && *rest == '=') rest++;
            language = !rest || strcmp(rest, "none") == 0 ? NULL : rest;
        } else if (strcmp(word, "-Xlinker") == 0 && next) {
            read_linker_words(args, next);
        } else if (strcmp(word, "-L") == 0 && next) {
            hd_words_add(&args->lib_dirs, next);
        } else if ((rest = after(word, "-fsanitize="))) {
            word = without_clashing(args, word, rest);
            keep = word != NULL;
        } else {
            keep = next ? true : read_option(args, word);
        }
        if (keep) hd_words_add(&args->argv, word);
        if (keep && next) hd_words_add(&args->argv, next);
    }
    if (has_libc) args->no_libc = false;
    if (!args->shared && !args->stops_early) show_runtime(args);
}
