/* cc_elf.h - was this object compiled by heddle-cc? */
#ifndef HD_CC_ELF_H
#define HD_CC_ELF_H

#include "harness/cc_args.h"

#include <stdint.h>

/* Of what kind the objects are: a generated one must be of the same. */
struct hd_cc_machine {
    uint16_t machine; /* e_machine, 0 until known */
    uint32_t flags;   /* e_flags */
};

/* Adds to `plain` the names of what the file at `path` holds that has code and never
 * calls the runtime: the file's own, or those of members of an archive. A file that is no
 * 64-bit ELF of this byte order, or is broken, adds nothing: the linker will speak. */
void hd_cc_elf_examine(const char *path, struct hd_words *plain,
                       struct hd_cc_machine *machine);

#endif
