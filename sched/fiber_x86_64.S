/* fiber_x86_64.S - switching stacks on x86-64, System V calling convention.
 *
 * A resting fiber's stack, from its stack pointer up:
 *     +0  mxcsr (4 bytes), x87 control word (2), padding
 *     +8  r15   +16 r14   +24 r13   +32 r12   +40 rbx   +48 rbp   +56 return address
 *
 * The control words are reloaded only if they differ: almost nobody changes
 * them, and the loads would cost more than the rest of the switch. */

    .text
    .globl  hd_fiber_switch
    .hidden hd_fiber_switch
    .type   hd_fiber_switch, @function
    .p2align 4
hd_fiber_switch:
    .cfi_startproc
    endbr64
    pushq   %rbp
    pushq   %rbx
    pushq   %r12
    pushq   %r13
    pushq   %r14
    pushq   %r15
    subq    $8, %rsp
    stmxcsr (%rsp)
    fnstcw  4(%rsp)
    movq    %rsp, (%rdi)
    movl    (%rsp), %eax            /* in the sizes they were stored in, or the loads wait */
    movzwl  4(%rsp), %ecx
    movq    (%rsi), %rsp
    xorl    (%rsp), %eax
    testl   $0xffffffc0, %eax       /* the six sticky exception flags do not count */
    jne     1f
    cmpw    4(%rsp), %cx
    jne     1f
2:  addq    $8, %rsp
    popq    %r15
    popq    %r14
    popq    %r13
    popq    %r12
    popq    %rbx
    popq    %rbp
    popq    %rcx
    jmp     *%rcx                   /* a ret to where no call came from is mispredicted */
1:  ldmxcsr (%rsp)
    fldcw   4(%rsp)
    jmp     2b
    .cfi_endproc
    .size   hd_fiber_switch, . - hd_fiber_switch

/* hd_fiber_make(fiber, stack_low, size, entry, argument) */
    .globl  hd_fiber_make
    .hidden hd_fiber_make
    .type   hd_fiber_make, @function
    .p2align 4
hd_fiber_make:
    .cfi_startproc
    endbr64
    leaq    (%rsi,%rdx), %rax
    andq    $-16, %rax
    subq    $80, %rax
    stmxcsr (%rax)
    fnstcw  4(%rax)
    movw    $0, 6(%rax)
    movq    $0, 8(%rax)
    movq    $0, 16(%rax)
    movq    %r8, 24(%rax)           /* r13: argument */
    movq    %rcx, 32(%rax)          /* r12: entry */
    movq    $0, 40(%rax)
    movq    $0, 48(%rax)            /* rbp: end of the frame chain */
    leaq    begin(%rip), %rdx
    movq    %rdx, 56(%rax)
    movq    $0, 64(%rax)
    movq    $0, 72(%rax)
    movq    %rax, (%rdi)
    ret
    .cfi_endproc
    .size   hd_fiber_make, . - hd_fiber_make

    .type   begin, @function
begin:
    .cfi_startproc
    .cfi_undefined rip              /* debuggers and unwinders stop here */
    movq    %r13, %rdi
    call    *%r12
    ud2
    .cfi_endproc
    .size   begin, . - begin

    .section .note.GNU-stack, "", @progbits
