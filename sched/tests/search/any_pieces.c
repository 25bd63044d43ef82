/* any_pieces.c - operations of any.c on bytes that others see as larger or smaller
 * pieces: aligned or not, as a struct, or through memcpy. */
#include "any.h"

#include <stdint.h>
#include <string.h>

struct pair {
    uint32_t a, b, c; /* a word and a half: copied in two pieces at least */
};

static union {
    uint8_t byte[24];
    uint16_t half[12];
    uint32_t most[6];
    uint64_t word[3];
    struct pair pair;
} at;

typedef uint16_t odd_half __attribute__((aligned(1), may_alias));
typedef uint64_t odd_word __attribute__((aligned(1), may_alias));

static int few(uint64_t value) { return (int)(value % 1009); }

int any_piece(int self, int i, unsigned op) {
    unsigned char some[4] = {(unsigned char)(self + 1), 2, 3, 4};
    struct pair pair = {(uint32_t)self + 1, 2, 3};
    switch (op) {
    case 0: return at.byte[i];
    case 1: at.byte[i + 2] = (uint8_t)(self + 1); return 0;
    case 2: return at.half[i];
    case 3: at.half[i + 1] = (uint16_t)(self * 256 + 1); return 0;
    case 4: return few(at.most[i]);
    case 5: at.most[i] = (uint32_t)(self * 65536 + 7); return 0;
    case 6: return few(at.word[i]);
    case 7: at.word[i] = (uint64_t)self << 40 | 5; return 0;
    case 8: return *(odd_half *)&at.byte[i ? 7 : 1];
    case 9: *(odd_half *)&at.byte[i ? 7 : 1] = (uint16_t)(self + 9); return 0;
    case 10: pair = at.pair; return few(pair.a + pair.b * 7ul + pair.c * 49ul);
    case 11: at.pair = pair; return 0;
    case 12: memcpy(some, &at.byte[i + 1], 3); return some[0] + some[1] * 7 + some[2] * 49;
    case 13: memcpy(&at.byte[2 * i + 1], some, 4); return 0;
    case 14: return few(*(odd_word *)&at.byte[3 + i]);
    default: *(odd_word *)&at.byte[3 + i] = (uint64_t)self + 77; return 0;
    }
}
