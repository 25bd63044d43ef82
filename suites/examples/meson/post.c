/* post.c - two letters, in order. */
#include "mailbox.h"

#include <stddef.h>
#include <string.h>

static struct mailbox box = MAILBOX_EMPTY;

static void *sender(void *arg) {
    mailbox_put(&box, "first");
    mailbox_put(&box, "second");
    return arg;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, NULL, sender, NULL);
    int wrong = strcmp(mailbox_take(&box), "first");
    wrong |= strcmp(mailbox_take(&box), "second");
    pthread_join(other, NULL);
    return wrong != 0;
}
