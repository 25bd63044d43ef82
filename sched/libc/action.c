/* action.c - sigaction and its like: the kernel keeps what a signal does, so what it
 * did is kept here before an execution first changes it. */
#include "action.h"

#include "hold.h"

#include <errno.h>
#include <signal.h>

#pragma GCC diagnostic ignored "-Wdeprecated-declarations" /* programs may use them */

struct hd_action_state {
    uint64_t changed; /* by bit number - 1 */
    struct sigaction before[64];
};

void hd_action_changes(int number) {
    if (!hd_booted || !hd_rt->snapshot || number < 1 || number > 64) return;
    if (!hd_rt->actions) hd_rt->actions = hd_own(sizeof *hd_rt->actions);
    struct hd_action_state *self = hd_rt->actions;
    uint64_t bit = 1UL << (number - 1);
    if (self->changed & bit) return;
    int saved = errno;
    if (hd_rt->real.sigaction(number, NULL, &self->before[number - 1]) == 0) self->changed |= bit;
    errno = saved;
}

void hd_actions_restore(void) {
    struct hd_action_state *self = hd_rt->actions;
    for (; self && self->changed; self->changed &= self->changed - 1) {
        int number = __builtin_ctzl(self->changed) + 1;
        hd_rt->real.sigaction(number, &self->before[number - 1], NULL);
    }
}

HD_TAKEN int sigaction(int number, const struct sigaction *action, struct sigaction *old) {
    struct sigaction aside;
    if (action) hd_action_changes(number);
    int result = HD_REAL(sigaction)(number, action, old ? &aside : NULL);
    if (old && result == 0) hd_give(old, &aside, sizeof aside, HD_PC());
    return result;
}
HD_ALIAS(__sigaction, sigaction);

HD_TAKEN sighandler_t signal(int number, sighandler_t handler) {
    hd_action_changes(number);
    return HD_REAL(signal)(number, handler);
}
HD_ALIAS(ssignal, signal);
HD_ALIAS(bsd_signal, signal);

HD_TAKEN sighandler_t sysv_signal(int number, sighandler_t handler) {
    hd_action_changes(number);
    return HD_REAL(sysv_signal)(number, handler);
}
HD_ALIAS(__sysv_signal, sysv_signal);

HD_TAKEN sighandler_t sigset(int number, sighandler_t handler) {
    hd_action_changes(number);
    return HD_REAL(sigset)(number, handler);
}

HD_TAKEN int sigignore(int number) {
    hd_action_changes(number);
    return HD_REAL(sigignore)(number);
}

HD_TAKEN int siginterrupt(int number, int flag) {
    hd_action_changes(number);
    return HD_REAL(siginterrupt)(number, flag);
}
