/* SPDX-License-Identifier: MIT */
/*
 * state_policy.h - declarations shared by the files that build the policy in force
 *
 * state_policy.c applies all settings in order; state_limit.c collects the limits and access lists among
 * them. Each builds a draft of a table, which then replaces the table.
 */
#ifndef STATE_STATE_POLICY_H
#define STATE_STATE_POLICY_H

#include "state_inside.h"

/* Sets PRIORITY, PRIORITYF and DRAINED of a new node, with the same result as state_rebuild_policy. */
void state_settle_node(struct state *st, uint32_t i);

/* One value set by the configuration or a live change. Its texts are copies, because the block may move. */
struct setting {
	struct config_value value;
	uint32_t text; /* offset of value.value.text in the strings of the snapshot */
	bool live;     /* a live change replaces a list; elements in the file add to it */
};

/* Returns the credential to which a setting applies: that of its section; INDEX_NONE = the system. */
static inline uint32_t state_setting_owner(struct state *st, const struct setting *setting)
{
	enum cred_type type = cred_type_find(setting->value.row->scope);

	return type == CRED_TYPE_COUNT ? INDEX_NONE : state_intern_cred(st, type, setting->value.title);
}

/* Limits, in the order in which they were set. A zeroed struct is an empty draft. */
struct limits_draft {
	struct drafted_limit *item;
	size_t count, room;
};
void state_draft_limit(struct state *st, struct limits_draft *draft, const struct setting *setting);
/* Fills the draft with the limits in force. */
void state_draft_limits_in_force(const struct state *st, struct limits_draft *draft);

/*
 * Sorts the draft, makes it the table of limits and clears it. Of limits with the same owner, scope, kind and
 * second credential the last one counts. Order: by owner, the system last; then by scope, limits without a
 * second credential before pairs, then kind.
 */
void state_take_limits(struct state *st, struct limits_draft *draft);

/* Access lists. A zeroed struct is an empty draft. */
struct permits_draft {
	struct permit *item;
	size_t count, room;
};
void state_draft_permits(struct state *st, struct permits_draft *draft, const struct setting *setting);
void state_take_permits(struct state *st, struct permits_draft *draft);

#endif
