/* cc_mark.c - the object file that lists uninstrumented inputs. */
#include "harness/cc_mark.h"
#include "harness/cc_elf.h"
#include "harness/cc_memory.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef SHF_GNU_RETAIN
#define SHF_GNU_RETAIN (1 << 21) /* kept by --gc-sections */
#endif

#if defined(__x86_64__)
#define OWN_MACHINE EM_X86_64
#elif defined(__aarch64__)
#define OWN_MACHINE EM_AARCH64
#else
#define OWN_MACHINE EM_NONE
#endif

/* ---- which inputs ---------------------------------------------------------- */

/* What the linker finds for -lNAME in a folder; it prefers the shared library. */
static char *library_in(const char *folder, const char *name) {
    char *candidates[3] = {name[0] == ':' ? hd_cc_format("%s/%s", folder, name + 1)
                                          : NULL,
                           hd_cc_format("%s/lib%s.so", folder, name),
                           hd_cc_format("%s/lib%s.a", folder, name)};
    char *found = NULL;
    for (int i = 0; i < 3; i++) {
        if (candidates[i] && !found && access(candidates[i], R_OK) == 0) {
            found = candidates[i];
        } else {
            free(candidates[i]);
        }
    }
    return found;
}

/* Libraries of the system are expected to be plain and are not looked for. */
static bool is_system(const char *folder) {
    return strncmp(folder, "/usr/lib", 8) == 0 || strncmp(folder, "/lib", 4) == 0;
}

static void examine_library(const struct hd_cc_args *args, const char *name,
                            struct hd_words *plain, struct hd_cc_machine *machine) {
    for (size_t i = 0; i < args->lib_dirs.count; i++) {
        const char *folder = args->lib_dirs.word[i];
        char *path = library_in(folder, name);
        if (!path) continue;
        if (!is_system(folder)) hd_cc_elf_examine(path, plain, machine);
        free(path);
        return;
    }
}

/* Assembly that -S made calls what instrumented code calls. */
static bool is_instrumented(const char *path) {
    FILE *file = fopen(path, "r");
    char line[512];
    bool found = false;
    while (file && !found && fgets(line, sizeof line, file)) found = strstr(line, "__tsan_") != NULL;
    if (file) fclose(file);
    return found;
}

static void find_plain(const struct hd_cc_args *args, struct hd_words *plain,
                       struct hd_cc_machine *machine) {
    for (size_t i = 0; i < args->input_count; i++) {
        const struct hd_cc_input *input = &args->inputs[i];
        if ((input->kind == HD_CC_ASM && !is_instrumented(input->name)) ||
            (input->kind == HD_CC_SOURCE && args->plain)) {
            const char *slash = strrchr(input->name, '/');
            hd_words_add(plain, slash ? slash + 1 : input->name);
        } else if (strncmp(input->name, "-l", 2) == 0) {
            examine_library(args, input->name + 2, plain, machine);
        } else if (input->kind == HD_CC_OBJECT) {
            hd_cc_elf_examine(input->name, plain, machine);
        }
    }
}

/* ---- the object ------------------------------------------------------------ */

static const char section_names[] =
    "\0.heddle.uninstrumented\0.note.GNU-stack\0.symtab\0.strtab\0.shstrtab";
static const char symbol_names[] = "\0hd_uninstrumented";

static uint32_t name_at(const char *name) {
    const char *at = section_names + 1;
    while (strcmp(at, name) != 0)
        at += strlen(at) + 1;
    return (uint32_t)(at - section_names);
}

static char *append(char *at, const void *bytes, size_t size) {
    return size ? (char *)memcpy(at, bytes, size) + size : at;
}

/* Header, section headers, symbols, names, list: in this order, without gaps. */
static const char *object_with(const char *list, size_t size,
                               struct hd_cc_machine machine) {
    enum { NONE, LIST, STACK, SYMBOLS, STRINGS, NAMES, SECTIONS };
    Elf64_Shdr sections[SECTIONS] = {0};
    Elf64_Sym symbols[2] = {{0}};
    Elf64_Ehdr header = {.e_type = ET_REL,
                         .e_machine = machine.machine,
                         .e_flags = machine.flags,
                         .e_version = EV_CURRENT,
                         .e_ehsize = sizeof header,
                         .e_shoff = sizeof header,
                         .e_shentsize = sizeof sections[0],
                         .e_shnum = SECTIONS,
                         .e_shstrndx = NAMES};
    memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] =
        __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    header.e_ident[EI_OSABI] = ELFOSABI_GNU; /* SHF_GNU_RETAIN is a GNU extension */

    symbols[1] = (Elf64_Sym){.st_name = 1,
                             .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT),
                             .st_other = STV_HIDDEN,
                             .st_shndx = LIST,
                             .st_size = size};
    const struct {
        const void *at;
        size_t size;
    } bodies[SECTIONS] = {[LIST] = {list, size},
                          [SYMBOLS] = {symbols, sizeof symbols},
                          [STRINGS] = {symbol_names, sizeof symbol_names},
                          [NAMES] = {section_names, sizeof section_names}};
    static const int order[] = {SYMBOLS, STRINGS, NAMES, LIST, STACK};

    sections[LIST] = (Elf64_Shdr){.sh_name = name_at(".heddle.uninstrumented"),
                                  .sh_type = SHT_PROGBITS,
                                  .sh_flags = SHF_ALLOC | SHF_GNU_RETAIN};
    sections[STACK] =
        (Elf64_Shdr){.sh_name = name_at(".note.GNU-stack"), .sh_type = SHT_PROGBITS};
    sections[SYMBOLS] = (Elf64_Shdr){.sh_name = name_at(".symtab"),
                                     .sh_type = SHT_SYMTAB,
                                     .sh_link = STRINGS,
                                     .sh_info = 1, /* the first that is not local */
                                     .sh_entsize = sizeof symbols[0]};
    sections[STRINGS] =
        (Elf64_Shdr){.sh_name = name_at(".strtab"), .sh_type = SHT_STRTAB};
    sections[NAMES] =
        (Elf64_Shdr){.sh_name = name_at(".shstrtab"), .sh_type = SHT_STRTAB};
    uint64_t offset = sizeof header + sizeof sections;
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        Elf64_Shdr *each = &sections[order[i]];
        each->sh_addralign = order[i] == SYMBOLS ? 8 : 1;
        each->sh_offset = offset;
        each->sh_size = bodies[order[i]].size;
        offset += each->sh_size;
    }
    char *object = malloc(offset), *at = object;
    if (!object) return NULL;
    at = append(at, &header, sizeof header);
    at = append(at, sections, sizeof sections);
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        at = append(at, bodies[order[i]].at, bodies[order[i]].size);
    }
    const char *path = hd_cc_memory_file("heddle-uninstrumented", object, offset);
    free(object);
    return path;
}

static char *joined(const struct hd_words *words, size_t *size) {
    *size = 1;
    for (size_t i = 0; i < words->count; i++)
        *size += strlen(words->word[i]) + 1;
    char *list = calloc(*size, 1), *at = list;
    for (size_t i = 0; list && i < words->count; i++) {
        at = stpcpy(at, words->word[i]) + 1;
    }
    return list;
}

const char *hd_cc_mark(const struct hd_cc_args *args) {
    struct hd_words plain = {0};
    struct hd_cc_machine machine = {0};
    size_t size;

    find_plain(args, &plain, &machine);
    if (machine.machine == 0) machine.machine = OWN_MACHINE;
    if (plain.count == 0 || machine.machine == EM_NONE) return NULL;
    char *list = joined(&plain, &size);
    return list ? object_with(list, size, machine) : NULL;
}
