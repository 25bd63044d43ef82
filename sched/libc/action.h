/* action.h - what signals do, put back between executions. */
#ifndef HD_ACTION_H
#define HD_ACTION_H

/* What this signal does is about to change. */
void hd_action_changes(int number);
/* Back to what they did before the execution. */
void hd_actions_restore(void);

#endif
