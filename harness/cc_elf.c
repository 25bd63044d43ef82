/* cc_elf.c - looking into object files and archives.
 *
 * Every unit that is compiled with thread instrumentation calls __tsan_init from a
 * constructor, even one without a single access, so an object that has code and no
 * undefined __tsan_ symbol was not compiled by heddle-cc. Inputs are not trusted:
 * every offset is checked against the file's size. */
#include "harness/cc_elf.h"

#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct bytes {
    const unsigned char *at;
    size_t size;
};

enum verdict { NO_CODE, PLAIN, INSTRUMENTED };

static bool map_file(const char *path, struct bytes *out) {
    struct stat info;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool good =
        fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0;
    if (good) {
        out->size = (size_t)info.st_size;
        out->at = mmap(NULL, out->size, PROT_READ, MAP_PRIVATE, fd, 0);
        good = out->at != MAP_FAILED;
    }
    if (fd >= 0) close(fd);
    return good;
}

static void unmap_file(struct bytes file) { munmap((void *)file.at, file.size); }

/* The bytes at `offset`, or an empty range when they are not all there. */
static struct bytes part(struct bytes all, uint64_t offset, uint64_t size) {
    if (offset > all.size || size > all.size - offset) return (struct bytes){0};
    return (struct bytes){all.at + offset, size};
}

static bool section(struct bytes file, const Elf64_Ehdr *header, uint64_t index,
                    Elf64_Shdr *out) {
    struct bytes entry = part(file, header->e_shoff, (index + 1) * sizeof *out);
    if (!entry.at) return false;
    memcpy(out, entry.at + index * sizeof *out, sizeof *out);
    return true;
}

static bool calls_runtime(struct bytes file, const Elf64_Ehdr *header,
                          const Elf64_Shdr *table) {
    Elf64_Shdr names;
    struct bytes symbols = part(file, table->sh_offset, table->sh_size);
    if (!symbols.at || !section(file, header, table->sh_link, &names)) return false;
    struct bytes text = part(file, names.sh_offset, names.sh_size);
    static const char prefix[] = "__tsan_";
    for (size_t i = 0; i + sizeof(Elf64_Sym) <= symbols.size; i += sizeof(Elf64_Sym)) {
        Elf64_Sym symbol;
        memcpy(&symbol, symbols.at + i, sizeof symbol);
        struct bytes name = part(text, symbol.st_name, sizeof prefix - 1);
        if (symbol.st_shndx == SHN_UNDEF && name.at &&
            memcmp(name.at, prefix, sizeof prefix - 1) == 0) {
            return true;
        }
    }
    return false;
}

static enum verdict judge(struct bytes file, struct hd_cc_machine *machine) {
    static const unsigned char wanted[] = {
        0x7f,
        'E',
        'L',
        'F',
        ELFCLASS64,
        __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB};
    Elf64_Ehdr header;
    Elf64_Shdr each = {0};
    bool code = false;
    if (file.size < sizeof header || memcmp(file.at, wanted, sizeof wanted) != 0)
        return NO_CODE;
    memcpy(&header, file.at, sizeof header);
    if (header.e_shoff == 0 || header.e_shentsize != sizeof each) return NO_CODE;
    uint64_t count = header.e_shnum;
    if (count == 0 && section(file, &header, 0, &each)) count = each.sh_size;
    if (machine->machine == 0) {
        machine->machine = header.e_machine;
        machine->flags = header.e_flags;
    }
    for (uint64_t i = 0; i < count && section(file, &header, i, &each); i++) {
        if (each.sh_type == SHT_SYMTAB || each.sh_type == SHT_DYNSYM) {
            if (calls_runtime(file, &header, &each)) return INSTRUMENTED;
        } else if (each.sh_type == SHT_PROGBITS && (each.sh_flags & SHF_EXECINSTR)) {
            code |= each.sh_size > 0;
        }
    }
    return code ? PLAIN : NO_CODE;
}

static const char *base(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* ---- archives -------------------------------------------------------------- */

struct member { /* ar's own layout: blank-padded text */
    char name[16], date[12], uid[6], gid[6], mode[8], size[10], magic[2];
};

/* A member's name: "x.o/", or "/123", a place in the table of long names. */
static char *member_name(const struct member *head, struct bytes long_names) {
    size_t length = sizeof head->name;
    const char *name = head->name;
    if (name[0] == '/' && name[1] >= '0' && name[1] <= '9') {
        char digits[16] = {0};
        memcpy(digits, name + 1, 15);
        uint64_t offset = strtoull(digits, NULL, 10);
        struct bytes rest = offset < long_names.size
                                ? part(long_names, offset, long_names.size - offset)
                                : (struct bytes){0};
        const char *end = rest.at ? memchr(rest.at, '\n', rest.size) : NULL;
        if (!end) return NULL;
        name = (const char *)rest.at;
        length = (size_t)(end - name);
    }
    while (length && (name[length - 1] == ' ' || name[length - 1] == '/'))
        length--;
    return length ? hd_cc_format("%.*s", (int)length, name) : NULL;
}

static enum verdict judge_thin(const char *archive, const char *name,
                               struct hd_cc_machine *machine) {
    char *path = name[0] == '/' ? hd_cc_format("%s", name)
                                : hd_cc_format("%.*s%s", (int)(base(archive) - archive),
                                               archive, name);
    struct bytes file;
    enum verdict verdict = NO_CODE;
    if (map_file(path, &file)) {
        verdict = judge(file, machine);
        unmap_file(file);
    }
    free(path);
    return verdict;
}

/* Members one by one; an archive without any instrumented code by its own name. */
static void examine_archive(const char *path, struct bytes file, bool thin,
                            struct hd_words *plain, struct hd_cc_machine *machine) {
    struct hd_words found = {0};
    struct bytes long_names = {0};
    bool any_instrumented = false;
    for (uint64_t at = 8; at + sizeof(struct member) <= file.size;) {
        struct member head;
        char digits[11] = {0};
        memcpy(&head, file.at + at, sizeof head);
        if (memcmp(head.magic, "`\n", 2) != 0) break;
        memcpy(digits, head.size, sizeof head.size);
        uint64_t size = strtoull(digits, NULL, 10);
        at += sizeof head;
        bool table = head.name[0] == '/' && (head.name[1] < '0' || head.name[1] > '9');
        bool held = table || !thin; /* a thin archive holds only its tables */
        struct bytes body = part(file, at, held ? size : 0);
        if (held && !body.at) break;
        if (table) {
            if (head.name[1] == '/') long_names = body;
        } else {
            char *name = member_name(&head, long_names);
            enum verdict verdict = !name  ? NO_CODE
                                   : thin ? judge_thin(path, name, machine)
                                          : judge(body, machine);
            any_instrumented |= verdict == INSTRUMENTED;
            if (verdict == PLAIN) {
                hd_words_add(&found, hd_cc_format("%s(%s)", base(path), base(name)));
            }
        }
        if (held) at += size + (size & 1);
    }
    if (found.count && !any_instrumented) hd_words_add(plain, base(path));
    for (size_t i = 0; any_instrumented && i < found.count; i++) {
        hd_words_add(plain, found.word[i]);
    }
}

void hd_cc_elf_examine(const char *path, struct hd_words *plain,
                       struct hd_cc_machine *machine) {
    struct bytes file;
    if (!map_file(path, &file)) return;
    bool thin = file.size >= 8 && memcmp(file.at, "!<thin>\n", 8) == 0;
    if (thin || (file.size >= 8 && memcmp(file.at, "!<arch>\n", 8) == 0)) {
        examine_archive(path, file, thin, plain, machine);
    } else if (judge(file, machine) == PLAIN) {
        hd_words_add(plain, base(path));
    }
    unmap_file(file);
}
