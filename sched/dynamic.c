/* dynamic.c - see dynamic.h. */
#define _GNU_SOURCE
#include "dynamic.h"

#include <string.h>

#define HIDDEN 0x8000 /* in a symbol's version: only for who asks for that version */

bool hd_dynamic_read(const struct dl_phdr_info *info, struct hd_dynamic *out) {
    *out = (struct hd_dynamic){.base = info->dlpi_addr};
    for (int i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
        const ElfW(Dyn) *entry = (const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
        for (; entry->d_tag != DT_NULL; entry++) {
            uintptr_t at = entry->d_un.d_ptr; /* glibc has added the base, in most files */
            if (at < out->base) at += out->base;
            if (entry->d_tag == DT_SYMTAB) out->symbols = (const void *)at;
            if (entry->d_tag == DT_STRTAB) out->strings = (const void *)at;
            if (entry->d_tag == DT_VERSYM) out->versions = (const void *)at;
            if (entry->d_tag == DT_GNU_HASH) out->hash = (const void *)at;
        }
    }
    return out->symbols && out->strings && out->hash;
}

/* The table: number of buckets, first symbol in it, words of the filter, a shift; the
 * filter, the buckets, and for each symbol its hash, of which the lowest bit says
 * that it is the last one of its bucket. */
void *hd_dynamic_find(const struct hd_dynamic *self, const char *name) {
    uint32_t hash = 5381, buckets = self->hash[0], first = self->hash[1];
    for (const char *at = name; *at; at++) hash = hash * 33 + (unsigned char)*at;
    const uint32_t *bucket = self->hash + 4 + self->hash[2] * (sizeof(ElfW(Addr)) / 4);
    const uint32_t *chain = bucket + buckets;
    uint32_t i = buckets ? bucket[hash % buckets] : 0;
    if (i < first || i == 0) return NULL;
    for (;; i++) {
        const ElfW(Sym) *symbol = &self->symbols[i];
        bool shown = !self->versions || !(self->versions[i] & HIDDEN);
        if (shown && (chain[i - first] | 1) == (hash | 1) && symbol->st_shndx != SHN_UNDEF &&
            strcmp(self->strings + symbol->st_name, name) == 0) {
            return (void *)(self->base + symbol->st_value);
        }
        if (chain[i - first] & 1) return NULL;
    }
}

/* Those come before all that are in the table. */
bool hd_dynamic_imports(const struct hd_dynamic *self, bool (*each)(const char *name, void *argument),
                        void *argument) {
    uint32_t first = self->hash[1];
    if (self->symbols[first].st_shndx == SHN_UNDEF) return false;
    for (uint32_t i = 1; i < first; i++) {
        const ElfW(Sym) *symbol = &self->symbols[i];
        if (symbol->st_shndx != SHN_UNDEF) continue;
        if (!each(self->strings + symbol->st_name, argument)) return false;
    }
    return true;
}
