/* sections.c - see sections.h. */
#define _GNU_SOURCE
#include "sections.h"

#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <unistd.h>

static int find(Elf *elf, const char *name) {
    size_t names, count;
    if (elf_kind(elf) != ELF_K_ELF) return 0;
    if (elf_getshdrnum(elf, &count) < 0 || count == 0) return -1;
    if (elf_getshdrstrndx(elf, &names) < 0) return -1;
    for (Elf_Scn *at = elf_nextscn(elf, NULL); at; at = elf_nextscn(elf, at)) {
        GElf_Shdr header;
        const char *found = gelf_getshdr(at, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;
        if (found && strcmp(found, name) == 0) return 1;
    }
    return 0;
}

int hd_sections_find(const char *path, const char *name) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || elf_version(EV_CURRENT) == EV_NONE) {
        if (fd >= 0) close(fd);
        return -1;
    }
    Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
    int found = elf ? find(elf, name) : -1;
    elf_end(elf);
    close(fd);
    return found;
}
