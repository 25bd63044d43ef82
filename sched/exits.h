/* exits.h - the ways a program ends by itself. */
#ifndef HD_EXITS_H
#define HD_EXITS_H

/* Handlers registered so far (by constructors) belong to every execution. */
void hd_exits_mark(void);

/* Thread-local destructors and keys of the current thread; in pthread/. */
void hd_thread_farewell(void) __attribute__((weak));

#endif
