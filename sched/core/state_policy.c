/* SPDX-License-Identifier: MIT */
/*
 * state_policy.c - which policy is in force, given the configuration and the live changes?
 *
 * Nothing is ever patched: after any change the policy is built anew from its defaults,
 * the configuration's values in their order, and the live changes in theirs. So undoing
 * an entry in the middle needs no inverse, and the result does not depend on history.
 * Partitions begin with the weights of ALL, then take their own values.
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "priority.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "state_inside.h"

static enum cred_type cred_scope(const struct config_value *value)
{
	return value->row == NULL ? CRED_TYPE_COUNT : cred_type_find(value->row->scope);
}

static bool is_scope(const struct config_value *value, const char *scope)
{
	return value->row != NULL && strcmp(value->row->scope, scope) == 0;
}

/* One value to where it lives, if it belongs to the wanted part. */
typedef void apply_value(struct state *st, const struct config_value *value);

static void apply_global(struct state *st, const struct config_value *value)
{
	if (is_scope(value, ""))
		config_store(value, &st->s->policy, NULL, NULL, NULL);
}

static void apply_partition(struct state *st, const struct config_value *value)
{
	uint32_t i;

	if (!is_scope(value, "partition"))
		return;
	i = state_intern_partition(st, value->title);
	if (i == 0)
		config_store(value, NULL, &st->s->policy.weights, NULL, NULL);
	else
		config_store(value, NULL, &((struct partition *)state_item(st, TABLE_PARTITIONS, i))->weights,
			     NULL, NULL);
}

static void apply_cred(struct state *st, const struct config_value *value)
{
	enum cred_type type = cred_scope(value);
	uint32_t i;

	if (type == CRED_TYPE_COUNT)
		return;
	i = state_intern_cred(st, type, value->title);
	config_store(value, NULL, NULL, &((struct cred *)state_item(st, TABLE_CREDS, i))->attr, NULL);
}

static void apply_change(struct state *st, uint32_t i, apply_value *apply)
{
	const struct change *change = &snapshot_changes(st->s)[i];
	struct config_value value;
	char title[CONFIG_TITLE];

	if (change->kind != CHANGE_SETTING || change->dead)
		return;
	/* It was accepted when it was made; rows that have gone since then say nothing. */
	if (config_resolve(snapshot_string(st->s, change->name), snapshot_string(st->s, change->value),
			   &value, title, sizeof title, NULL))
		apply(st, &value);
}

/* Entry i of the configuration as a value again; it read when it was taken. */
static struct config_value entry_value(const struct snapshot *s, uint32_t i)
{
	const struct config_entry *entry = &snapshot_values(s)[i];
	struct config_value value = {.row = &config_rows[entry->row],
				     .title = snapshot_string(s, entry->title)};

	bool good = option_read(value.row, snapshot_string(s, entry->text), &value.value, NULL);

	assert(good);
	(void)good;
	return value;
}

static void apply_all(struct state *st, apply_value *apply)
{
	for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_VALUES); i++) {
		struct config_value value = entry_value(st->s, i);
		char title[CONFIG_TITLE];

		/* Applying may move the strings it came from. */
		snprintf(title, sizeof title, "%s", value.title);
		value.title = title;
		apply(st, &value);
	}
	for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_CHANGES); i++)
		apply_change(st, i, apply);
}

/* No weight anywhere, so that every job without an operator's priority ranks the same. */
static bool ranks_equal(const struct state *st)
{
	for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_PARTITIONS); i++)
		if (!prio_all_equal(&snapshot_partitions(st->s)[i].weights))
			return false;
	for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_CREDS); i++) {
		const struct cred_attr *attr = &snapshot_creds(st->s)[i].attr;

		if (attr->qt_weight != 0 || attr->xf_weight != 0)
			return false;
	}
	return true;
}

void state_rebuild_policy(struct state *st)
{
	policy_default(&st->s->policy);
	apply_all(st, apply_global);
	for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_PARTITIONS); i++)
		((struct partition *)state_item(st, TABLE_PARTITIONS, i))->weights = st->s->policy.weights;
	apply_all(st, apply_partition);
	for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_CREDS); i++)
		memset(&((struct cred *)state_item(st, TABLE_CREDS, i))->attr, 0, sizeof(struct cred_attr));
	apply_all(st, apply_cred);
	st->s->ranks_equal = ranks_equal(st);
}

bool state_check_setting(const struct state *st, const char *name, const char *value, struct err *err)
{
	struct config_value resolved;
	char title[CONFIG_TITLE];

	(void)st;
	if (!config_resolve(name, value, &resolved, title, sizeof title, err))
		return false;
	if (is_scope(&resolved, "node"))
		return err_set(err,
			       "%s cannot be changed while the scheduler runs; write it in the configuration",
			       name);
	return true;
}
