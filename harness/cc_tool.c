/* cc_tool.c - finding the compiler and heddle's own files.
 *
 * Files are found from the real path of the running heddle-cc, so a build tree or
 * an installation may be moved as a whole and reached through symbolic links. */
#include "harness/cc_tool.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

void hd_cc_stop(int status, const char *format, ...) {
    va_list list;
    fputs("heddle-cc: ", stderr);
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fputc('\n', stderr);
    exit(status);
}

static const char *base(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static char *own_path(void) {
    static char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length < 0)
        hd_cc_stop(3, "cannot read /proc/self/exe, so libheddle.a cannot be found");
    path[length] = 0;
    return path;
}

/* First of the places that holds the file, or the first place when none does. */
static char *place_of(const char *root, const char *const *folders, const char *file) {
    for (const char *const *folder = folders; *folder; folder++) {
        char *path = hd_cc_format("%s/%s%s", root, *folder, file);
        if (access(path, R_OK) == 0) return path;
        free(path);
    }
    return hd_cc_format("%s/%s%s", root, *folders, file);
}

static void find_files(struct hd_cc_tool *tool, const char *self) {
    static const char *const lib[] = {"lib/", "lib/heddle/", NULL};
    static const char *const include[] = {"include/", "include/heddle/", NULL};
    char *root = hd_cc_format("%.*s", (int)(base(self) - self - 1), self);
    char *slash = strrchr(root, '/');
    if (slash) *slash = 0;
    tool->archive = place_of(root, lib, "libheddle.a");
    tool->specs = place_of(root, lib, "heddle.specs");
    tool->include = place_of(root, include, "heddle.h");
    tool->include[base(tool->include) - tool->include - 1] = 0;
    free(root);
}

/* The program on PATH, passing over heddle-cc itself: it may stand there under the
 * compiler's name, and `*masked` says so. NULL when there is none. */
static char *on_path(const char *program, const char *self, bool *masked) {
    char real[PATH_MAX];
    *masked = false;
    if (strchr(program, '/')) {
        if (access(program, X_OK) != 0) return NULL;
        bool me = realpath(program, real) && strcmp(real, self) == 0;
        return me ? NULL : hd_cc_format("%s", program);
    }
    const char *list = getenv("PATH");
    char *copy = hd_cc_format("%s", list ? list : "/usr/local/bin:/usr/bin:/bin");
    char *rest = copy, *folder, *found = NULL;
    while (!found && (folder = strsep(&rest, ":"))) {
        char *path = hd_cc_format("%s/%s", *folder ? folder : ".", program);
        bool there = access(path, X_OK) == 0 && realpath(path, real);
        bool me = there && strcmp(real, self) == 0;
        *masked |= me;
        if (there && !me)
            found = path;
        else
            free(path);
    }
    free(copy);
    return found;
}

/* gcc-12 -> g++-12, clang -> clang++, cc -> c++; a word without these as it is. */
static char *as_cxx(const char *word) {
    static const struct {
        const char *c, *cxx;
    } pairs[] = {{"clang++", "clang++"}, {"g++", "g++"}, {"clang", "clang++"},
                 {"gcc", "g++"},         {"c++", "c++"}, {"cc", "c++"}};
    const char *name = base(word);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const char *at = strstr(name, pairs[i].c);
        if (!at) continue;
        return hd_cc_format("%.*s%s%s", (int)(at - word), word, pairs[i].cxx,
                            at + strlen(pairs[i].c));
    }
    return hd_cc_format("%s", word);
}

/* "ccache gcc -m64": the compiler is the last word that is no option. */
static size_t compiler_word(const struct hd_words *words) {
    size_t last = 0;
    for (size_t i = 0; i < words->count; i++) {
        if (words->word[i][0] != '-') last = i;
    }
    return last;
}

/* Asks the compiler for its macros; only for names that do not tell. */
static bool says_clang(char *program) {
    int ends[2];
    if (pipe(ends) != 0) return false;
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], 1);
        close(ends[0]);
        execv(program, (char *[]){program, "-dM", "-E", "-x", "c", "/dev/null", NULL});
        _exit(127);
    }
    close(ends[1]);
    FILE *answer = fdopen(ends[0], "r");
    char text[512];
    bool clang = false;
    while (answer && fgets(text, sizeof text, answer)) {
        clang |= strstr(text, "__clang__") != NULL;
    }
    if (answer) fclose(answer);
    waitpid(child, NULL, 0);
    return clang;
}

/* Mostly the name of the program, or of what it links to, says clang or gcc. */
static bool is_clang(const struct hd_words *words, const char *self) {
    char real[PATH_MAX];
    bool masked;
    char *program = on_path(words->word[compiler_word(words)], self, &masked);
    if (!program) return false;
    const char *names[2] = {base(program), realpath(program, real) ? base(real) : ""};
    bool known = false, clang = false;
    for (int i = 0; i < 2 && !known; i++) {
        clang = strstr(names[i], "clang") != NULL;
        known = clang || strstr(names[i], "gcc") || strstr(names[i], "g++");
    }
    if (!known) clang = says_clang(program);
    free(program);
    return clang;
}

/* The words of HEDDLE_CC or HEDDLE_CXX; without them the first compiler there is. */
static void choose(struct hd_words *words, bool cxx, const char *self) {
    const char *c = getenv("HEDDLE_CC"), *own_cxx = getenv("HEDDLE_CXX");
    if (cxx && own_cxx) {
        hd_cc_split(own_cxx, words);
        if (words->count) return;
    }
    if (c) hd_cc_split(c, words);
    bool masked;
    for (const char *const *name = (const char *const[]){"gcc", "cc", "clang", NULL};
         *name && !words->count; name++) {
        char *found = on_path(*name, self, &masked);
        if (found) hd_words_add(words, *name);
        free(found);
    }
    if (!words->count) hd_words_add(words, "gcc");
    char **word = &words->word[compiler_word(words)];
    if (cxx) *word = as_cxx(*word);
}

/* The compiler may be another heddle-cc, or a script that calls one, and so on for ever. */
static void stop_circles(void) {
    if (getenv("HEDDLE_CC_CALLED")) {
        hd_cc_stop(2, "the compiler that heddle-cc calls is heddle-cc; HEDDLE_CC=gcc or "
                      "HEDDLE_CC=clang chooses another one");
    }
    setenv("HEDDLE_CC_CALLED", "1", 1);
}

void hd_cc_tool_find(struct hd_cc_tool *tool, const char *name) {
    stop_circles();
    size_t length = strlen(base(name));
    bool cxx = length >= 2 && strcmp(base(name) + length - 2, "++") == 0;
    const char *self = own_path();
    struct hd_words words = {0};

    choose(&words, cxx, self);
    bool masked;
    char *program = on_path(words.word[0], self, &masked);
    if (!program) {
        hd_cc_stop(
            2, "there is no compiler %s; HEDDLE_CC=gcc or HEDDLE_CC=clang chooses one",
            words.word[0]);
    }
    tool->clang = is_clang(&words, self);
    /* gcc looks itself up by the name it is called by, and prints it */
    if (masked) words.word[0] = program;
    tool->command = words;
    tool->program = program;
    find_files(tool, self);
}
