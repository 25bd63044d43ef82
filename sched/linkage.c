/* linkage.c - the linkage of a function, from the symbols of the program.
 *
 * A symbol is local because its function is static, or because the linker made it so:
 * a hidden one, one that a version script does not list, a copy of a function that the
 * compiler specialised. Only the first has internal linkage. Shared libraries are not
 * looked into, nor is a program without symbols: all their functions are external. */
#include "linkage.h"

#include "module.h"
#include "pthread/kernel.h"

#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

struct hd_linkage {
    const Elf64_Sym *symbols;
    size_t count;
    const char *names;
    size_t names_size;
};

/* The whole file, or NULL. */
static const char *map_file(const char *path, size_t *size) {
    int fd = (int)hd_kernel(SYS_openat, AT_FDCWD, (long)path, O_RDONLY | O_CLOEXEC, 0, 0, 0);
    if (fd < 0) return NULL;
    long length = hd_kernel(SYS_lseek, fd, 0, SEEK_END, 0, 0, 0);
    void *at = length > 0 ? hd_map_aside((size_t)length, PROT_READ, MAP_PRIVATE, fd) : NULL;
    hd_kernel(SYS_close, fd, 0, 0, 0, 0, 0);
    *size = (size_t)length;
    return at;
}

static bool within(size_t size, uint64_t offset, uint64_t length) {
    return offset <= size && length <= size - offset;
}

void hd_linkage_prepare(void) {
    hd_rt->callees = hd_own(HD_CALLEES * sizeof *hd_rt->callees);
    hd_rt->linkage = hd_own(sizeof *hd_rt->linkage);
    size_t size;
    const char *file = map_file(hd_module_at(0)->path, &size);
    const Elf64_Ehdr *head = (const void *)file;
    if (!file || size < sizeof *head || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 ||
        head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_shentsize != sizeof(Elf64_Shdr) ||
        !within(size, head->e_shoff, (uint64_t)head->e_shnum * sizeof(Elf64_Shdr))) {
        return;
    }
    const Elf64_Shdr *sections = (const void *)(file + head->e_shoff);
    for (unsigned i = 0; i < head->e_shnum; i++) {
        const Elf64_Shdr *each = &sections[i];
        if (each->sh_type != SHT_SYMTAB || each->sh_link >= head->e_shnum) continue;
        const Elf64_Shdr *names = &sections[each->sh_link];
        if (!within(size, each->sh_offset, each->sh_size) ||
            !within(size, names->sh_offset, names->sh_size)) {
            return;
        }
        hd_rt->linkage->symbols = (const void *)(file + each->sh_offset);
        hd_rt->linkage->count = each->sh_size / sizeof(Elf64_Sym);
        hd_rt->linkage->names = file + names->sh_offset;
        hd_rt->linkage->names_size = names->sh_size;
    }
}

static const char *name_of(const struct hd_linkage *self, const Elf64_Sym *symbol) {
    return symbol->st_name < self->names_size ? self->names + symbol->st_name : "";
}

/* Is the function around this place static? */
static bool is_static(const struct hd_linkage *self, uint64_t address) {
    bool of_a_file = false, found = false;
    for (size_t i = 0; i < self->count; i++) {
        const Elf64_Sym *each = &self->symbols[i];
        unsigned type = ELF64_ST_TYPE(each->st_info);
        /* What the linker made local comes behind a file without a name. */
        if (type == STT_FILE) of_a_file = *name_of(self, each) != '\0';
        if (type != STT_FUNC || address - each->st_value >= each->st_size) continue;
        if (!of_a_file || ELF64_ST_BIND(each->st_info) != STB_LOCAL ||
            ELF64_ST_VISIBILITY(each->st_other) != STV_DEFAULT ||
            strchr(name_of(self, each), '.')) {
            return false;
        }
        found = true;
    }
    return found;
}

bool hd_linkage_look(struct hd_callee *callee, void *pc) {
    const struct hd_module_map *program = hd_module_at(0);
    uintptr_t address = (uintptr_t)pc - 1; /* the call, not what comes behind it */
    bool ours = address >= program->low && address < program->high;
    callee->pc = pc;
    callee->divides = hd_rt->config.every_call || hd_rt->config.every_access || !ours ||
                      !is_static(hd_rt->linkage, address - program->base);
    return callee->divides;
}
