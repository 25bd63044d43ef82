/* users.c - users and groups by name or number, and other results in static memory.
 *
 * libc answers in memory of its own, which the next call overwrites. Here that memory is
 * the runtime's, behind the arguments: what libc says is made aside and stored there, each
 * word in its turn. Nobody has an address in it who has not asked, so it is never put back. */
#define _GNU_SOURCE
#include "hold.h"

#include <arpa/inet.h>
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <string.h>

#define TEXT 4096

struct hd_told {
    struct passwd user;
    struct group group;
    char user_text[TEXT], group_text[TEXT] __attribute__((aligned(8)));
    char address[INET_ADDRSTRLEN];
};

void hd_users_boot(void) { hd_rt->told = hd_region_take(&hd_rt->words, sizeof *hd_rt->told); }

/* libc may load libraries to find the answer, and holds locks meanwhile (hidden.c). */
static void begin(void) {
    if (!hd_inside()) return;
    hd_rt->foreign = true;
    hd_rt->closed_depth++;
}
static void end(void) {
    if (hd_inside()) hd_rt->closed_depth--;
}

/* The same place in the text that stays. */
static char *moved(char *at, const char *from, char *to) { return at ? to + (at - from) : NULL; }

static size_t used_of(const char *text) { /* behind its last byte that is not zero, and an end */
    size_t used = TEXT - 1;
    while (used > 0 && !text[used - 1]) used--;
    return used + 1;
}

static struct passwd *tell_user(struct passwd *found, const char *text, int code, void *pc) {
    if (!found || !hd_rt->told) {
        if (code) errno = code;
        return NULL;
    }
    char **parts[] = {&found->pw_name, &found->pw_passwd, &found->pw_gecos, &found->pw_dir, &found->pw_shell};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) *parts[i] = moved(*parts[i], text, hd_rt->told->user_text);
    hd_give(hd_rt->told->user_text, text, used_of(text), pc);
    hd_give(&hd_rt->told->user, found, sizeof *found, pc);
    return &hd_rt->told->user;
}

static struct group *tell_group(struct group *found, char *text, int code, void *pc) {
    if (!found || !hd_rt->told) {
        if (code) errno = code;
        return NULL;
    }
    for (char **member = found->gr_mem; member && *member; member++) *member = moved(*member, text, hd_rt->told->group_text);
    found->gr_name = moved(found->gr_name, text, hd_rt->told->group_text);
    found->gr_passwd = moved(found->gr_passwd, text, hd_rt->told->group_text);
    found->gr_mem = (char **)(void *)moved((char *)found->gr_mem, text, hd_rt->told->group_text);
    hd_give(hd_rt->told->group_text, text, used_of(text), pc);
    hd_give(&hd_rt->told->group, found, sizeof *found, pc);
    return &hd_rt->told->group;
}

#define ASKS(type, name, by, tell)                                                       \
    HD_TAKEN struct type *name(by) {                                                     \
        char text[TEXT] __attribute__((aligned(8)));                                     \
        struct type aside, *found = NULL;                                                \
        memset(text, 0, sizeof text);                                                    \
        begin();                                                                         \
        int code = HD_REAL(name##_r)(who, &aside, text, sizeof text, &found);            \
        end();                                                                           \
        return tell(found, text, code, HD_PC());                                         \
    }
ASKS(passwd, getpwnam, const char *who, tell_user)
ASKS(passwd, getpwuid, uid_t who, tell_user)
ASKS(group, getgrnam, const char *who, tell_group)
ASKS(group, getgrgid, gid_t who, tell_group)

HD_TAKEN char *inet_ntoa(struct in_addr from) {
    char aside[INET_ADDRSTRLEN];
    if (!hd_rt->told || !HD_REAL(inet_ntop)(AF_INET, &from, aside, sizeof aside)) return NULL;
    hd_give(hd_rt->told->address, aside, HD_REAL(strlen)(aside) + 1, HD_PC());
    return hd_rt->told->address;
}
