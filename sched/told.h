/* told.h - notes of the runtime that heddle, which gets them, has to know again. */
#ifndef HD_TOLD_H
#define HD_TOLD_H

/* In some execution all rules of the goal were kept (strategies/goal.h). */
#define HD_GOAL_KEPT "goal: an execution keeps to the order that was asked for"

#endif
