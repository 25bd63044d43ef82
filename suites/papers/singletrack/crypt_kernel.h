/* crypt_kernel.h - the block cipher IDEA on an array, encrypted and decrypted again.
 *
 * A block is 64 bits, four words of 16; the key gives 52 subkeys. The decryption
 * is the same procedure with the inverse subkeys. Blocks are independent of each
 * other: each member of the team takes a run of them. */
#include "team.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { CRYPT_SUBKEYS = 52, CRYPT_WORDS = 4 };

struct crypt {
    size_t blocks;
    uint16_t encrypting[CRYPT_SUBKEYS], decrypting[CRYPT_SUBKEYS];
    uint16_t *plain, *secret, *again;
};

struct crypt_pass {
    const uint16_t *from, *keys;
    uint16_t *to;
    size_t blocks;
};

/* Multiplication modulo 2^16 + 1, where 0 stands for 2^16. */
static inline uint16_t crypt_times(uint16_t a, uint16_t b) {
    if (a == 0) {
        return (uint16_t)(1 - b);
    }
    if (b == 0) {
        return (uint16_t)(1 - a);
    }
    uint32_t product = (uint32_t)a * b;
    uint16_t low = (uint16_t)product, high = (uint16_t)(product >> 16);
    return (uint16_t)(low - high + (low < high));
}

/* The x with a * x = 1: a to the power 2^16 - 1, since 2^16 + 1 is prime. */
static uint16_t crypt_inverse(uint16_t a) {
    uint16_t power = a, result = 1;
    for (int bit = 0; bit < 16; bit++) {
        result = crypt_times(result, power);
        power = crypt_times(power, power);
    }
    return result;
}

void crypt_expand(const uint16_t user[8], uint16_t keys[CRYPT_SUBKEYS]) {
    for (int i = 0; i < CRYPT_SUBKEYS; i++) {
        if (i < 8) {
            keys[i] = user[i];
        } else { /* the 128 bits before, rotated left by 25 */
            int base = (i / 8 - 1) * 8;
            keys[i] =
                (uint16_t)(keys[base + (i + 1) % 8] << 9 | keys[base + (i + 2) % 8] >> 7);
        }
    }
}

void crypt_invert(const uint16_t keys[CRYPT_SUBKEYS], uint16_t inverse[CRYPT_SUBKEYS]) {
    for (int round = 0; round <= 8; round++) {
        const uint16_t *from = &keys[(8 - round) * 6];
        uint16_t *to = &inverse[round * 6];
        bool outer = round == 0 || round == 8; /* no exchange of the middle words there */
        to[0] = crypt_inverse(from[0]);
        to[1] = (uint16_t)-from[outer ? 1 : 2];
        to[2] = (uint16_t)-from[outer ? 2 : 1];
        to[3] = crypt_inverse(from[3]);
        if (round < 8) {
            to[4] = from[-2];
            to[5] = from[-1];
        }
    }
}

static void crypt_block(const uint16_t *from, uint16_t *to, const uint16_t *k) {
    uint16_t a = from[0], b = from[1], c = from[2], d = from[3];
    for (int round = 0; round < 8; round++, k += 6) {
        a = crypt_times(a, k[0]);
        b = (uint16_t)(b + k[1]);
        c = (uint16_t)(c + k[2]);
        d = crypt_times(d, k[3]);
        uint16_t left = crypt_times((uint16_t)(a ^ c), k[4]);
        uint16_t right = crypt_times((uint16_t)(left + (b ^ d)), k[5]);
        left = (uint16_t)(left + right);
        a ^= right;
        d ^= left;
        uint16_t kept = b;
        b = c ^ right;
        c = kept ^ left;
    }
    to[0] = crypt_times(a, k[0]);
    to[1] = (uint16_t)(c + k[1]);
    to[2] = (uint16_t)(b + k[2]);
    to[3] = crypt_times(d, k[3]);
}

static void crypt_part(void *job, int me, int threads) {
    struct crypt_pass *pass = job;
    size_t end = team_share(pass->blocks, me + 1, threads);
    for (size_t i = team_share(pass->blocks, me, threads); i < end; i++) {
        crypt_block(pass->from + i * CRYPT_WORDS, pass->to + i * CRYPT_WORDS, pass->keys);
    }
}

void crypt_pass(const uint16_t *from, uint16_t *to, const uint16_t *keys, size_t blocks,
                int threads) {
    struct crypt_pass pass = {from, keys, to, blocks};
    HEDDLE_DETERMINISTIC("crypt_pass") { team_run(threads, crypt_part, &pass); }
}

void crypt_fill(struct crypt *c, size_t blocks) {
    static const uint16_t user[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    size_t words = blocks * CRYPT_WORDS;
    c->blocks = blocks;
    c->plain = malloc(words * sizeof *c->plain);
    c->secret = malloc(words * sizeof *c->secret);
    c->again = malloc(words * sizeof *c->again);
    uint32_t chance = 136506717;
    for (size_t i = 0; i < words; i++) {
        chance = chance * 1664525 + 1013904223;
        c->plain[i] = i < CRYPT_WORDS ? (uint16_t)i : (uint16_t)(chance >> 16);
    }
    crypt_expand(user, c->encrypting);
    crypt_invert(c->encrypting, c->decrypting);
}

/* The checksum of the secret text. */
uint64_t crypt_run(size_t blocks, int threads) {
    struct crypt c;
    uint64_t sum = 0;
    HEDDLE_DETERMINISTIC("crypt") {
        crypt_fill(&c, blocks);
        crypt_pass(c.plain, c.secret, c.encrypting, blocks, threads);
        crypt_pass(c.secret, c.again, c.decrypting, blocks, threads);
        /* The published answer for this key and 0 1 2 3. */
        static const uint16_t known[] = {0x11fb, 0xed2b, 0x0198, 0x6de5};
        assert(memcmp(c.secret, known, sizeof known) == 0);
        size_t bytes = blocks * CRYPT_WORDS * sizeof *c.plain;
        assert(memcmp(c.plain, c.again, bytes) == 0);
        for (size_t i = 0; i < blocks * CRYPT_WORDS; i++) {
            sum = team_mix(sum, c.secret[i]);
        }
    }
    free(c.plain);
    free(c.secret);
    free(c.again);
    return sum;
}
