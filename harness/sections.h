/* sections.h - what a program has in it, asked without running it. */
#ifndef HD_SECTIONS_H
#define HD_SECTIONS_H

/* 1: the file has a section of that name; 0: it has not, or is no ELF file;
 * -1: it cannot be told (not readable, or its section headers were removed). */
int hd_sections_find(const char *path, const char *name);

#endif
