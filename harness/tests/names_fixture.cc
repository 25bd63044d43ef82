/* names_fixture.cc - what C++ adds: scopes, members, mangled names. */
#include "names_fixture.h"

namespace bank {
int total;
struct Account {
    int number;
    static long opened;
    __attribute__((noinline)) const void *deposit(int amount);
};
struct Savings : Account {
    int rate;
};
long Account::opened;
Savings savings;

static __attribute__((noinline)) const void *where() {
    return __builtin_extract_return_addr(__builtin_return_address(0));
}

const void *Account::deposit(int amount) {
    number += amount;
    const void *after = where();
    number += amount;
    return after;
}
} // namespace bank

extern "C" const data_probe *data_probes(size_t *count) {
    static data_probe probes[8];
    size_t n = 0;
    probes[n++] = {&bank::total, sizeof bank::total, "bank::total"};
    probes[n++] = {&bank::Account::opened, sizeof bank::Account::opened, "bank::Account::opened"};
    probes[n++] = {&bank::savings.rate, sizeof(int), "bank::savings.rate"};
    probes[n++] = {&bank::savings.number, sizeof(int), "bank::savings.number"};
    *count = n;
    return probes;
}

extern "C" const code_probe *code_probes(size_t *count) {
    static code_probe probe;
    probe = {bank::savings.deposit(1), 23, "bank::Account::deposit", "bank::Account::deposit", 0};
    *count = 1;
    return &probe;
}
