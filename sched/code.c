/* code.c - see code.h. */
#define _GNU_SOURCE
#include "code.h"

#include <stdint.h>
#include <string.h>

/* Around the runtime's code: the Makefile gives it a section. */
extern const char __start_hd_code[], __stop_hd_code[];

static bool all_but_ours(const struct dl_phdr_info *info,
                         bool (*has)(const unsigned char *at, const unsigned char *end)) {
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X)) continue;
        if (segment->p_flags & PF_W) return false; /* code that changes */
        const char *low = (const char *)(info->dlpi_addr + segment->p_vaddr);
        const char *high = low + segment->p_memsz, *from = __start_hd_code, *to = __stop_hd_code;
        if (from < low || to < from || to > high) return false;
        if (has((const void *)low, (const void *)from)) return false;
        if (has((const void *)to, (const void *)high)) return false;
    }
    return true;
}

#if defined(__x86_64__)
static bool calls(const unsigned char *at, const unsigned char *end) { /* syscall */
    for (; at + 1 < end; at++) {
        if (at[0] == 0x0f && at[1] == 0x05) return true;
    }
    return false;
}

static int32_t immediate(const unsigned char *at) {
    int32_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

/* What moves the stack pointer by more than that, or by how much a register says. To
 * have it from the frame pointer again (rbp) is what the end of a function does. */
static bool moves_far(const unsigned char *at, const unsigned char *end) {
    for (; at + 8 <= end; at++) {
        if ((at[0] & 0xf8) != 0x48) continue;
        switch (at[1]) {
        case 0x81: /* add, sub */
            if (at[2] == 0xec && immediate(at + 3) > HD_SMALL_FRAME) return true;
            if (at[2] == 0xc4 && immediate(at + 3) < -HD_SMALL_FRAME) return true;
            if (at[2] == 0xe4 && immediate(at + 3) < -HD_SMALL_FRAME) return true; /* and */
            break;
        case 0x8d: /* lea */
            if (at[2] == 0xa4 && at[3] == 0x24 && immediate(at + 4) < -HD_SMALL_FRAME) return true;
            break;
        case 0x29: /* sub %r, %rsp; mov %r, %rsp */
        case 0x89:
            if ((at[2] & 0xc7) == 0xc4 && at[2] != 0xec && !(at[0] & 1)) return true;
            break;
        case 0x2b: /* the same, written the other way round */
        case 0x8b:
            if ((at[2] & 0x38) == 0x20 && at[2] != 0xe5 && !(at[0] & 4)) return true;
            break;
        default: break;
        }
    }
    return false;
}
#else
static uint32_t word(const unsigned char *at) {
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

static bool calls(const unsigned char *at, const unsigned char *end) { /* svc */
    for (; at + 4 <= end; at += 4) {
        if ((word(at) & 0xffe0001fu) == 0xd4000001u) return true;
    }
    return false;
}

static bool moves_far(const unsigned char *at, const unsigned char *end) {
    for (; at + 4 <= end; at += 4) {
        uint32_t it = word(at), amount = it >> 10 & 0xfff;
        if ((it & 0xff8003ffu) == 0xd10003ffu) { /* sub sp, sp, #amount[, lsl 12] */
            if ((it >> 22 & 1 ? amount << 12 : amount) > HD_SMALL_FRAME) return true;
        }
        if ((it & 0xffe003ffu) == 0xcb2003ffu) return true; /* sub sp, sp, x */
        if ((it & 0xff80001fu) == 0x9200001fu) return true; /* and sp, x, #mask */
        if ((it & 0xfffffc1fu) == 0x9100001fu && (it >> 5 & 31) != 29) return true; /* mov sp, x */
    }
    return false;
}
#endif

bool hd_code_calls_nothing(const struct dl_phdr_info *info) { return all_but_ours(info, calls); }

bool hd_code_has_small_frames(const struct dl_phdr_info *info) {
    return all_but_ours(info, moves_far);
}
