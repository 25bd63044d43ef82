/* mailbox.c - waits in loops, under the lock: nothing to find here. */
#include "mailbox.h"

#include <stddef.h>

void mailbox_put(struct mailbox *box, const char *letter) {
    pthread_mutex_lock(&box->guard);
    while (box->letter) pthread_cond_wait(&box->changed, &box->guard);
    box->letter = letter;
    pthread_cond_broadcast(&box->changed);
    pthread_mutex_unlock(&box->guard);
}

const char *mailbox_take(struct mailbox *box) {
    pthread_mutex_lock(&box->guard);
    while (!box->letter) pthread_cond_wait(&box->changed, &box->guard);
    const char *letter = box->letter;
    box->letter = NULL;
    pthread_cond_broadcast(&box->changed);
    pthread_mutex_unlock(&box->guard);
    return letter;
}
