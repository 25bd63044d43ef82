/* text_end.S - where the runtime's code ends: the last of the archive's members.
 * confined.c looks for system calls in all that is not between text_begin.S and this. */
    .text
    .globl  hd_text_end
    .hidden hd_text_end
hd_text_end:
    .section .note.GNU-stack, "", %progbits
