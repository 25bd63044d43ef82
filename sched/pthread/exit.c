/* exit.c - leaving a thread from anywhere: pthread_exit, and cleanup handlers.
 *
 * The stack is unwound frame by frame (libgcc's forced unwinding), so that
 * destructors of C++ objects and cleanups compiled with -fexceptions run.
 * pthread_cleanup_push in plain C registers a jump buffer instead; it lies in
 * the frame that pushed it, so when unwinding comes to the first frame that
 * ends above the innermost buffer, that handler is next: jump there, and it
 * comes back by __pthread_unwind_next. Where there is nothing left to unwind,
 * the thread ends. */
#include "block.h"
#include "state.h"

#include <setjmp.h>
#include <stdlib.h>

extern void __pthread_register_cancel(__pthread_unwind_buf_t *buffer);
extern void __pthread_unregister_cancel(__pthread_unwind_buf_t *buffer);
extern void __pthread_register_cancel_defer(__pthread_unwind_buf_t *buffer);
extern void __pthread_unregister_cancel_restore(__pthread_unwind_buf_t *buffer);
extern void __pthread_unwind_next(__pthread_unwind_buf_t *buffer);

enum { BEFORE, TYPE }; /* use of a buffer's four spare pointers */

static void jump(__pthread_unwind_buf_t *buffer) {
    /* glibc gives the buffer the layout of a jmp_buf up to its mask, which is
     * marked as not saved. */
    siglongjmp((struct __jmp_buf_tag *)(void *)buffer, 1);
}

static _Unwind_Reason_Code stop(int version, _Unwind_Action actions,
                                _Unwind_Exception_Class class_,
                                struct _Unwind_Exception *exception,
                                struct _Unwind_Context *context, void *argument) {
    (void)version;
    (void)class_;
    (void)exception;
    struct hd_thread *self = argument;
    bool bottom = (actions & _UA_END_OF_STACK) != 0;
    __pthread_unwind_buf_t *innermost = self->cleanup;
    if (innermost && (bottom || _Unwind_GetCFA(context) > (uintptr_t)innermost)) jump(innermost);
    if (bottom) hd_thread_end(self->result);
    return _URC_NO_REASON;
}

static void go_on(struct hd_thread *self) __attribute__((noreturn));
static void go_on(struct hd_thread *self) {
    struct _Unwind_Exception *exception = &hd_pthread_of(self)->unwinding;
    memset(exception, 0, sizeof *exception);
    hd_rt->entered = true;
    _Unwind_ForcedUnwind(exception, stop, self);
    /* Only if the stack cannot be read: run at least what was registered. */
    if (self->cleanup) jump(self->cleanup);
    hd_thread_end(self->result);
}

void hd_thread_unwind(void *result) {
    struct hd_thread *self = hd_rt->current;
    self->result = result;
    self->leaving = true;
    go_on(self);
}

HD_TAKEN void pthread_exit(void *result) {
    if (!hd_inside()) exit(0);
    hd_thread_unwind(result);
}

HD_TAKEN void __pthread_register_cancel(__pthread_unwind_buf_t *buffer) {
    if (!hd_inside()) return;
    buffer->__pad[BEFORE] = hd_rt->current->cleanup;
    hd_rt->current->cleanup = buffer;
}

HD_TAKEN void __pthread_unregister_cancel(__pthread_unwind_buf_t *buffer) {
    if (!hd_inside()) return;
    hd_rt->current->cleanup = buffer->__pad[BEFORE];
}

HD_TAKEN void __pthread_register_cancel_defer(__pthread_unwind_buf_t *buffer) {
    if (!hd_inside()) return;
    buffer->__pad[TYPE] = (void *)(uintptr_t)hd_rt->current->cancel_async;
    hd_rt->current->cancel_async = false;
    __pthread_register_cancel(buffer);
}

HD_TAKEN void __pthread_unregister_cancel_restore(__pthread_unwind_buf_t *buffer) {
    if (!hd_inside()) return;
    __pthread_unregister_cancel(buffer);
    hd_rt->current->cancel_async = buffer->__pad[TYPE] != NULL;
}

HD_TAKEN void __pthread_unwind_next(__pthread_unwind_buf_t *buffer) {
    hd_rt->current->cleanup = buffer->__pad[BEFORE];
    go_on(hd_rt->current);
}
