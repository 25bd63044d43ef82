/* fiber_aarch64.S - switching stacks on AArch64 (AAPCS64).
 *
 * Kept: x19-x30, d8-d15, fpcr. A resting fiber's stack, from its stack pointer up:
 *     +0 x19..x28   +80 x29 x30   +96 d8..d15   +160 fpcr, padding   (176 bytes) */

    .text
    .globl  hd_fiber_switch
    .hidden hd_fiber_switch
    .type   hd_fiber_switch, %function
    .p2align 4
hd_fiber_switch:
    sub     sp, sp, #176
    stp     x19, x20, [sp]
    stp     x21, x22, [sp, #16]
    stp     x23, x24, [sp, #32]
    stp     x25, x26, [sp, #48]
    stp     x27, x28, [sp, #64]
    stp     x29, x30, [sp, #80]
    stp     d8, d9, [sp, #96]
    stp     d10, d11, [sp, #112]
    stp     d12, d13, [sp, #128]
    stp     d14, d15, [sp, #144]
    mrs     x2, fpcr
    str     x2, [sp, #160]
    mov     x3, sp
    str     x3, [x0]
    ldr     x3, [x1]
    mov     sp, x3
    ldr     x4, [sp, #160]
    cmp     x2, x4
    b.eq    1f
    msr     fpcr, x4
1:  ldp     x19, x20, [sp]
    ldp     x21, x22, [sp, #16]
    ldp     x23, x24, [sp, #32]
    ldp     x25, x26, [sp, #48]
    ldp     x27, x28, [sp, #64]
    ldp     x29, x30, [sp, #80]
    ldp     d8, d9, [sp, #96]
    ldp     d10, d11, [sp, #112]
    ldp     d12, d13, [sp, #128]
    ldp     d14, d15, [sp, #144]
    add     sp, sp, #176
    ret
    .size   hd_fiber_switch, . - hd_fiber_switch

/* hd_fiber_make(fiber, stack_low, size, entry, argument) */
    .globl  hd_fiber_make
    .hidden hd_fiber_make
    .type   hd_fiber_make, %function
    .p2align 4
hd_fiber_make:
    add     x5, x1, x2
    and     x5, x5, #-16
    sub     x5, x5, #176
    stp     x3, x4, [x5]            /* x19: entry, x20: argument */
    adr     x6, begin
    stp     xzr, x6, [x5, #80]
    mrs     x7, fpcr
    str     x7, [x5, #160]
    str     x5, [x0]
    ret
    .size   hd_fiber_make, . - hd_fiber_make

    .type   begin, %function
begin:
    mov     x29, xzr
    mov     x0, x20
    blr     x19
    brk     #1
    .size   begin, . - begin

    .section .note.GNU-stack, "", %progbits
