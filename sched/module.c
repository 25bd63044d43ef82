/* module.c - what the dynamic linker has loaded. */
#define _GNU_SOURCE
#include "module.h"

#include "heap.h"
#include "runtime.h"

#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct hd_module_state {
    int count;
    struct hd_module_map map[HD_MODULES];
};

static void read_build_id(const struct dl_phdr_info *info, struct hd_module_map *map) {
    for (int i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type != PT_NOTE) continue;
        const char *at = (const char *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
        const char *end = at + info->dlpi_phdr[i].p_memsz;
        while (at + sizeof(ElfW(Nhdr)) <= end) {
            const ElfW(Nhdr) *note = (const void *)at;
            const char *name = at + sizeof *note;
            const unsigned char *id = (const unsigned char *)name + ((note->n_namesz + 3) & ~3u);
            if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 &&
                memcmp(name, "GNU", 4) == 0) {
                for (unsigned k = 0; k < note->n_descsz && k < 20; k++) {
                    snprintf(map->build_id + 2 * k, 3, "%02x", id[k]);
                }
                return;
            }
            at = (const char *)id + ((note->n_descsz + 3) & ~3u);
        }
    }
}

static int add(struct dl_phdr_info *info, size_t size, void *data) {
    struct hd_module_state *self = data;
    (void)size;
    if (self->count == HD_MODULES) return 1;
    struct hd_module_map *map = &self->map[self->count];
    memset(map, 0, sizeof *map);
    map->base = info->dlpi_addr;
    map->low = map->write_low = UINTPTR_MAX;
    uintptr_t relro = 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t low = info->dlpi_addr + segment->p_vaddr;
        uintptr_t high = low + segment->p_memsz;
        if (segment->p_type == PT_GNU_RELRO) relro = high;
        if (segment->p_type != PT_LOAD) continue;
        if (low < map->low) map->low = low;
        if (high > map->high) map->high = high;
        if (segment->p_flags & PF_W) {
            if (low < map->write_low) map->write_low = low;
            if (high > map->write_high) map->write_high = high;
        }
    }
    if (relro > map->write_low) map->write_low = relro;
    if (map->write_low >= map->write_high) map->write_low = map->write_high = 0;
    if (info->dlpi_name[0]) {
        snprintf(map->path, sizeof map->path, "%s", info->dlpi_name);
    } else if (self->count == 0) {
        ssize_t n = readlink("/proc/self/exe", map->path, sizeof map->path - 1);
        map->path[n > 0 ? n : 0] = '\0';
    } else {
        return 0; /* the kernel's vdso */
    }
    read_build_id(info, map);
    self->count++;
    return 0;
}

static struct hd_module_state *state(void) {
    return (struct hd_module_state *)hd_rt->modules;
}

void hd_module_scan(void) {
    if (!hd_rt->modules) hd_rt->modules = hd_lasting(sizeof(struct hd_module_state));
    state()->count = 0;
    dl_iterate_phdr(add, state());
}

int hd_module_count(void) { return state()->count; }

const struct hd_module_map *hd_module_at(int index) { return &state()->map[index]; }

int hd_module_of(uintptr_t address) {
    const struct hd_module_state *self = state();
    for (int i = 0; i < self->count; i++) {
        if (address >= self->map[i].low && address < self->map[i].high) return i;
    }
    return -1;
}

static const char *tail(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

char *hd_describe_pc(const void *pc, char *buffer, size_t size) {
    /* A return address may already belong to the next line. */
    uintptr_t address = (uintptr_t)pc - (pc ? 1 : 0);
    int module = hd_module_of(address);
    if (module < 0) {
        snprintf(buffer, size, "[?]");
    } else {
        const struct hd_module_map *map = hd_module_at(module);
        snprintf(buffer, size, "[%s+0x%lx]", tail(map->path), address - map->base);
    }
    return buffer;
}

char *hd_describe_address(uintptr_t address, char *buffer, size_t size) {
    int module = hd_module_of(address);
    if (hd_hidden_name(address)) {
        snprintf(buffer, size, "%s", hd_hidden_name(address));
        return buffer;
    }
    if (module >= 0) {
        const struct hd_module_map *map = hd_module_at(module);
        snprintf(buffer, size, "[&%s+0x%lx]", tail(map->path), address - map->base);
        return buffer;
    }
    if (hd_heap_describe(address, buffer, size)) return buffer;
    if (address >= HD_AT_STACKS &&
        address < HD_AT_STACKS + (uintptr_t)HD_HOMES * HD_STACK_STRIDE) {
        uint32_t home = (uint32_t)((address - HD_AT_STACKS) / HD_STACK_STRIDE);
        for (uint32_t i = 0; i < hd_rt->thread_count; i++) {
            char name[128];
            if (hd_rt->threads[i]->home != home) continue;
            snprintf(buffer, size, "stack of thread %s",
                     hd_thread_name(hd_rt->threads[i], name, sizeof name));
            return buffer;
        }
    }
    snprintf(buffer, size, "[?]");
    return buffer;
}
