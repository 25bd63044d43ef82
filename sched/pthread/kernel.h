/* kernel.h - system calls, past everything that is taken over. */
#ifndef HD_KERNEL_H
#define HD_KERNEL_H

/* A result, or -errno. Arguments beyond those that a call has are ignored. */
long hd_kernel(long number, long a, long b, long c, long d, long e, long f);

#endif
