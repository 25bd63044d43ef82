/* text_begin.S - where the runtime's code begins: the first of the archive's members.
 * confined.c looks for system calls in all that is not between this and text_end.S. */
    .text
    .globl  hd_text_begin
    .hidden hd_text_begin
hd_text_begin:
    .section .note.GNU-stack, "", %progbits
