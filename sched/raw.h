/* raw.h - what the runtime means when it names a function that it takes over.
 *
 * memcpy, snprintf, open: in a program under heddle these names are heddle's, and
 * calling them is an event of the program. Runtime code that calls them, and the
 * compiler when it copies a struct, mean the plain thing. So in every file of the
 * runtime the assembler is told that such a name stands for hd_raw_<name> (in the
 * manner of glibc's symbol-hacks.h); a file that defines a group of names leaves
 * that group out (the Makefile says which). */
#ifndef HD_RAW_H
#define HD_RAW_H

#define HD_RAW(name) __asm__(#name " = hd_raw_" #name);

#ifndef HD_DEFINES_STRINGS
HD_RAW(memcpy)
HD_RAW(memmove)
HD_RAW(memset)
HD_RAW(memcmp)
HD_RAW(strlen)
HD_RAW(strcmp)
HD_RAW(strncmp)
HD_RAW(strchr)
HD_RAW(strrchr)
HD_RAW(strcspn)
HD_RAW(strspn)
#endif

#ifndef HD_DEFINES_STDIO
HD_RAW(snprintf)
HD_RAW(vsnprintf)
#endif

#ifndef HD_DEFINES_FILES
HD_RAW(open)
HD_RAW(close)
HD_RAW(read)
HD_RAW(write)
HD_RAW(pread)
HD_RAW(lseek)
HD_RAW(fcntl)
HD_RAW(dup2)
HD_RAW(fchdir)
#endif

#ifndef HD_DEFINES_MEMORY
HD_RAW(mmap)
HD_RAW(munmap)
HD_RAW(madvise)
#endif

#ifndef HD_DEFINES_NUMBERS
HD_RAW(strtol)
HD_RAW(strtoul)
HD_RAW(strtoull)
HD_RAW(strtod)
#endif

#ifndef HD_DEFINES_JUMPS
HD_RAW(siglongjmp)
#endif

#endif
