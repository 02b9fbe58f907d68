/* SPDX-License-Identifier: MIT */
/*
 * state_policy.h - what the files that build the policy in force share
 *
 * state_policy.c goes through all settings; state_config.c gathers the limits among them,
 * and the lists of QOS. Each drafts a table, which replaces the one before.
 */
#ifndef STATE_STATE_POLICY_H
#define STATE_STATE_POLICY_H

#include "state_inside.h"

/* PRIORITY and PRIORITYF of a node that is new, as if all settings were gone through again. */
void state_settle_node(struct state *st, uint32_t i);

/* One value that the configuration or a live change sets. Its texts are copies: the block may move. */
struct setting {
	struct config_value value;
	uint32_t text; /* string: where value.value.text stands in the snapshot */
	bool live;     /* a change of an operator: it replaces a list, an element of the file adds to it */
};

/* What a setting in a credential's section, or in system { }, is about; INDEX_NONE = the system. */
static inline uint32_t state_setting_owner(struct state *st, const struct setting *setting)
{
	enum cred_type type = cred_type_find(setting->value.row->scope);

	return type == CRED_TYPE_COUNT ? INDEX_NONE : state_intern_cred(st, type, setting->value.title);
}

/* Limits in the order in which they were set. Zero is empty. */
struct limits_draft {
	struct drafted_limit *item;
	size_t count, room;
};
void state_draft_limit(struct state *st, struct limits_draft *draft, const struct setting *setting);
/* Those that are in force. */
void state_draft_limits_in_force(const struct state *st, struct limits_draft *draft);

/*
 * Makes the draft the table of limits and clears it: the last of one owner, scope, kind and second
 * credential counts. They stand by owner, the system's last; those of one owner by scope,
 * plain ones before pairs, then by kind.
 */
void state_take_limits(struct state *st, struct limits_draft *draft);

/* Lists of QOS. Zero is empty. */
struct permits_draft {
	struct permit *item;
	size_t count, room;
};
void state_draft_permits(struct state *st, struct permits_draft *draft, const struct setting *setting);
void state_take_permits(struct state *st, struct permits_draft *draft);

#endif
