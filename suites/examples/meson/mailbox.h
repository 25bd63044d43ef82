/* mailbox.h - one letter at a time, from hand to hand. */
#ifndef MAILBOX_H
#define MAILBOX_H

#include <pthread.h>

struct mailbox {
    pthread_mutex_t guard;
    pthread_cond_t changed;
    const char *letter; /* NULL: empty */
};

#define MAILBOX_EMPTY {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL}

void mailbox_put(struct mailbox *box, const char *letter); /* waits until it is empty */
const char *mailbox_take(struct mailbox *box);             /* waits until it is not */

#endif
