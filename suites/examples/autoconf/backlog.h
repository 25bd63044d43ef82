/* backlog.h - lines are queued by anybody and written by one thread. */
#ifndef BACKLOG_H
#define BACKLOG_H

void backlog_open(void);
void backlog_add(int line);
int backlog_close(void); /* how many lines were written */

#endif
