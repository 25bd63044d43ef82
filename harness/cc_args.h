/* cc_args.h - what a compiler command line asks for.
 *
 * heddle-cc does not redo the compiler driver's work: it reads the line only far
 * enough to know what to add. Rules that the rest relies on:
 *   (1) `argv` is the user's line in the user's order, response files expanded,
 *       without heddle-cc's own options and without what instrumentation
 *       excludes; `notes` has a line for each thing left out.
 *   (2) A word that is an option's argument is never taken for an input.
 *   (3) Nothing is said about errors in the line: the compiler says it, in its
 *       own words. */
#ifndef HD_CC_ARGS_H
#define HD_CC_ARGS_H

#include <stdbool.h>
#include <stddef.h>

/* A growing list of words, NULL at the end. */
struct hd_words {
    char **word;
    size_t count, room;
};

void hd_words_add(struct hd_words *words, const char *word);
char *hd_cc_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

enum hd_cc_input_kind {
    HD_CC_SOURCE, /* C, C++ or Objective-C: gets instrumented */
    HD_CC_HEADER, /* the same, to be precompiled: nothing is linked */
    HD_CC_ASM,    /* assembled as it is */
    HD_CC_OBJECT, /* object, archive, shared library, linker script, -lNAME */
};

struct hd_cc_input {
    enum hd_cc_input_kind kind;
    const char *name; /* for -lNAME with the -l */
};

struct hd_cc_args {
    struct hd_words argv;
    struct hd_words notes;    /* said on standard error, a line each */
    struct hd_words lib_dirs; /* -L, in order */
    struct hd_cc_input *inputs;
    size_t input_count;
    bool from_file;   /* a response file was read: the line may be very long */
    bool question;    /* --version, -print-...: the compiler only answers */
    bool stops_early; /* -c -S -E -M -MM -fsyntax-only: nothing is linked */
    bool only_text;   /* of these -E -M -MM: nothing is compiled */
    bool shared;
    bool relocatable;    /* -r */
    bool fully_static;   /* -static, -static-pie */
    bool no_libc;        /* -nostdlib and the like, and no -lc of its own */
    bool debug;          /* some -g option was given, be it -g0 */
    bool lto;            /* -flto is in force */
    bool plain;          /* -fno-sanitize=thread or =all: do not instrument */
    bool as_compiled;    /* --heddle-as-compiled */
    bool gold;           /* -fuse-ld=gold */
    bool strict;         /* some -Werror */
    bool fortified_late; /* -Wp,-D_FORTIFY_SOURCE: after every -U of the driver */
    const char *unknown; /* a --heddle- option that there is not, or NULL */
};

/* `argv` without argv[0]. */
void hd_cc_args_read(struct hd_cc_args *args, char **argv);

bool hd_cc_args_has(const struct hd_cc_args *args, enum hd_cc_input_kind kind);

/* The words of a response file's text, quotes and backslashes as gcc reads them. */
void hd_cc_split(const char *text, struct hd_words *out);

/* `argv` with every @file replaced by its words; were there any? */
bool hd_cc_expand(char **argv, struct hd_words *out);

/* Words as the text of a response file, a word a line. */
char *hd_cc_join(char *const *word);

#endif
