/* names_symbol.c - opening a module, and what its symbol table knows. */
#include "names_inner.h"

#include "sched/trace/error.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Modules that were closed last. The traces of one program name the same files
 * one after the other, and reading debug information is most of naming them. */
enum { KEPT = 8 };
static struct hd_module_names *kept[KEPT];

static bool same_file(const struct stat *a, const struct stat *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

static struct hd_module_names *take_kept(const char *path) {
    struct stat now;
    if (stat(path, &now) < 0) return NULL;
    for (size_t i = 0; i < KEPT; i++) {
        struct hd_module_names *self = kept[i];
        if (!self || !same_file(&self->file, &now)) continue;
        kept[i] = NULL;
        return self;
    }
    return NULL;
}

static void read_build_id(struct hd_module_names *self) {
    Elf_Scn *section = NULL;
    while ((section = elf_nextscn(self->elf, section))) {
        GElf_Shdr header;
        if (!gelf_getshdr(section, &header) || header.sh_type != SHT_NOTE) continue;
        Elf_Data *data = elf_getdata(section, NULL);
        GElf_Nhdr note;
        size_t name, desc, at = 0;
        while (data && (at = gelf_getnote(data, at, &note, &name, &desc)) > 0) {
            const char *bytes = data->d_buf;
            if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != 4) continue;
            if (memcmp(bytes + name, "GNU", 4) != 0) continue;
            for (size_t i = 0; i < note.n_descsz && i < 32; i++) {
                snprintf(self->build_id + 2 * i, 3, "%02x",
                         (unsigned char)bytes[desc + i]);
            }
            return;
        }
    }
}

static void release(struct hd_module_names *self) {
    if (!self) return;
    if (self->dwarf) dwarf_end(self->dwarf);
    if (self->elf) elf_end(self->elf);
    if (self->fd >= 0) close(self->fd);
    hd_arena_free(self->arena);
}

struct hd_module_names *hd_names_open(const char *path, struct hd_error *err) {
    struct hd_module_names *before = take_kept(path);
    if (before) return before;
    struct hd_arena *arena = hd_arena_new();
    if (!arena) {
        hd_fail(err, 0, "out of memory");
        return NULL;
    }
    struct hd_module_names *self = hd_arena_get(arena, sizeof *self);
    self->arena = arena;
    elf_version(EV_CURRENT);
    self->fd = open(path, O_RDONLY | O_CLOEXEC);
    if (self->fd < 0 || fstat(self->fd, &self->file) < 0) {
        hd_fail(err, 0, "cannot open %s: %s", path, strerror(errno));
        goto bad;
    }
    self->elf = elf_begin(self->fd, ELF_C_READ_MMAP, NULL);
    if (!self->elf || elf_kind(self->elf) != ELF_K_ELF) {
        hd_fail(err, 0, "%s: not an ELF file", path);
        goto bad;
    }
    self->dwarf = dwarf_begin_elf(self->elf, DWARF_C_READ, NULL); /* NULL: stripped */
    read_build_id(self);
    return self;

bad:
    release(self);
    return NULL;
}

void hd_names_close(struct hd_module_names *self) {
    if (!self) return;
    size_t free_ = 0;
    while (free_ < KEPT - 1 && kept[free_]) free_++;
    release(kept[free_]); /* the one that was not asked for longest, if none is free */
    memmove(kept + 1, kept, free_ * sizeof *kept);
    kept[0] = self;
}

const char *hd_names_build_id(const struct hd_module_names *self) {
    return self->build_id;
}

static int by_address(const void *left, const void *right) {
    const struct hd_symbol *a = left, *b = right;
    if (a->address != b->address) return a->address < b->address ? -1 : 1;
    if (a->size != b->size)
        return a->size < b->size ? -1 : 1; /* the larger one last: it wins */
    if (a->local != b->local) return a->local ? -1 : 1;
    return strcmp(b->name, a->name);
}

/* A clone's suffix (.part.0, .constprop.1, .cold) was not written by anybody, and
 * neither was the number of a static local. */
static const char *plain_name(struct hd_module_names *self, const char *name) {
    const char *dot = strchr(name + 1, '.');
    char text[512];
    if (hd_demangle(name, text, sizeof text)) return hd_arena_string(self->arena, text);
    if (!dot) return name;
    char *copy = hd_arena_string(self->arena, name);
    copy[dot - name] = '\0';
    return copy;
}

static void take(struct hd_module_names *self, Elf_Scn *section,
                 const GElf_Shdr *header) {
    Elf_Data *data = elf_getdata(section, NULL);
    size_t count = header->sh_entsize ? header->sh_size / header->sh_entsize : 0;
    if (!data) return;
    self->code.at = hd_arena_array(self->arena, count + 1, sizeof *self->code.at);
    self->data.at = hd_arena_array(self->arena, count + 1, sizeof *self->data.at);
    for (size_t i = 0; i < count; i++) {
        GElf_Sym symbol;
        if (!gelf_getsym(data, (int)i, &symbol)) break;
        int type = GELF_ST_TYPE(symbol.st_info);
        struct hd_symbols *to = type == STT_FUNC || type == STT_GNU_IFUNC ? &self->code
                                : type == STT_OBJECT                      ? &self->data
                                                                          : NULL;
        const char *name = elf_strptr(self->elf, header->sh_link, symbol.st_name);
        if (!to || symbol.st_shndx == SHN_UNDEF || !name || !*name || !symbol.st_size)
            continue;
        to->at[to->count++] =
            (struct hd_symbol){symbol.st_value, symbol.st_size, plain_name(self, name),
                               GELF_ST_BIND(symbol.st_info) == STB_LOCAL};
    }
    qsort(self->code.at, self->code.count, sizeof *self->code.at, by_address);
    qsort(self->data.at, self->data.count, sizeof *self->data.at, by_address);
}

void hd_symbols_read(struct hd_module_names *self) {
    static const GElf_Word tables[] = {SHT_SYMTAB, SHT_DYNSYM};
    if (self->symbols_read) return;
    self->symbols_read = true;
    for (size_t i = 0; i < 2 && !self->code.count && !self->data.count; i++) {
        Elf_Scn *section = NULL;
        while ((section = elf_nextscn(self->elf, section))) {
            GElf_Shdr header;
            if (gelf_getshdr(section, &header) && header.sh_type == tables[i]) {
                take(self, section, &header);
            }
        }
    }
}

const struct hd_symbol *hd_symbol_at(const struct hd_symbols *symbols, uint64_t address) {
    size_t low = 0, high = symbols->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (symbols->at[middle].address <= address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == 0) return NULL;
    const struct hd_symbol *found = &symbols->at[low - 1];
    return address - found->address < found->size ? found : NULL;
}
