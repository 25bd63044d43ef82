/* sem.h - what named and unnamed semaphores share. */
#ifndef HD_SEM_H
#define HD_SEM_H

#include "block.h"

#include <semaphore.h>

void hd_sem_make(sem_t *sem, unsigned value);

#endif
