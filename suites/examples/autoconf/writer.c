/* writer.c - one line goes in; does it come out? */
#include "config.h"

#include "backlog.h"

#include <assert.h>

int main(void) {
    backlog_open();
    backlog_add(1);
    int written = backlog_close();
    assert(written == 1);
    return 0;
}
