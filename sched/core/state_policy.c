/* SPDX-License-Identifier: MIT */
/*
 * state_policy.c - which policy is in force, given the configuration and the live changes?
 *
 * Nothing is ever patched: after any change the policy is built anew from its defaults,
 * the configuration's values in their order, and the live changes in theirs. So undoing
 * an entry in the middle needs no inverse, and the result does not depend on history.
 * Partitions begin with the weights of ALL, then take their own values.
 */
#include <stdlib.h>
#include <string.h>

#include "priority.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "state_inside.h"

void kept_clear(struct kept_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		free(list->item[i].title);
		free(list->item[i].text);
	}
	free(list->item);
	*list = (struct kept_list){0};
}

static bool keep_value(void *self, const struct config_value *value, struct err *err)
{
	struct kept_list *list = self;
	struct kept_value *kept;

	(void)err;
	list->item = vec_room(list->item, &list->room, list->count + 1, sizeof *list->item);
	kept = &list->item[list->count++];
	*kept = (struct kept_value){.value = *value,
				    .title = mem_string(value->title),
				    .text = mem_string(value->value.text != NULL ? value->value.text : "")};
	kept->value.title = kept->title;
	kept->value.value.text = kept->text;
	kept->value.place.file = NULL;
	return true;
}

bool kept_read(const char *file, const char *text, struct kept_list *out, struct err *err)
{
	if (config_read(file, text, strlen(text), keep_value, out, err))
		return true;
	kept_clear(out);
	return false;
}

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
	char title[256];

	if (change->kind != CHANGE_SETTING || change->dead)
		return;
	/* It was accepted when it was made; rows that have gone since then say nothing. */
	if (config_resolve(snapshot_string(st->s, change->name), snapshot_string(st->s, change->value),
			   &value, title, sizeof title, NULL))
		apply(st, &value);
}

static void apply_all(struct state *st, apply_value *apply)
{
	for (size_t i = 0; i < st->kept.count; i++)
		apply(st, &st->kept.item[i].value);
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
	char title[256];

	(void)st;
	if (!config_resolve(name, value, &resolved, title, sizeof title, err))
		return false;
	if (is_scope(&resolved, "node"))
		return err_set(err,
			       "%s cannot be changed while the scheduler runs; write it in the configuration",
			       name);
	return true;
}

/* --- nodes written in the configuration ---------------------------------------------- */

/* What the sections DEFAULT and `title` say together. */
static struct config_node node_section(const struct kept_list *kept, const char *title)
{
	struct config_node node = {.mem_mb = -1, .swap_mb = -1, .disk_mb = -1};

	for (int own = 0; own < 2; own++)
		for (size_t i = 0; i < kept->count; i++) {
			const struct config_value *value = &kept->item[i].value;

			if (is_scope(value, "node") && strcmp(value->title, own ? title : CRED_DEFAULT) == 0)
				config_store(value, NULL, NULL, NULL, &node);
		}
	return node;
}

static struct node_record node_as_record(const struct kept_list *kept, const char *title)
{
	struct config_node node = node_section(kept, title);

	return (struct node_record){
		.name = title,
		.procs = node.procs,
		.mem_mb = node.mem_mb < 0 ? 0 : node.mem_mb,
		.swap_mb = node.swap_mb < 0 ? 0 : node.swap_mb,
		.disk_mb = node.disk_mb < 0 ? 0 : node.disk_mb,
	};
}

static bool names_node(const struct config_value *value)
{
	return is_scope(value, "node") && strcmp(value->title, CRED_DEFAULT) != 0;
}

static bool check_nodes(const struct state *st, const struct kept_list *kept, struct err *err)
{
	for (size_t i = 0; i < kept->count; i++) {
		const struct config_value *value = &kept->item[i].value;
		struct node_record record;
		uint32_t at;

		if (!names_node(value))
			continue;
		record = node_as_record(kept, value->title);
		if (record.procs == 0)
			return err_set(err, "node %s: procs is missing; say how many processors it has",
				       value->title);
		at = state_find_node(st, value->title);
		if (at != INDEX_NONE && snapshot_nodes(st->s)[at].procs_busy > record.procs)
			return err_set(
				err,
				"node %s: procs = %u is less than the %u processors its running jobs use",
				value->title, record.procs, snapshot_nodes(st->s)[at].procs_busy);
	}
	return true;
}

void state_keep_config(struct state *st, const char *file, const char *text, struct kept_list *kept)
{
	uint32_t at;

	kept_clear(&st->kept);
	st->kept = *kept;
	at = state_add_string(st, file);
	st->s->config_file = at;
	at = state_add_string(st, text);
	st->s->config_text = at;
	state_rebuild_policy(st);
}

bool state_set_config(struct state *st, const char *file, const char *text, struct err *err)
{
	struct kept_list kept = {0};

	if (!kept_read(file, text, &kept, err))
		return false;
	if (!check_nodes(st, &kept, err)) {
		kept_clear(&kept);
		return false;
	}
	for (size_t i = 0; i < kept.count; i++)
		if (names_node(&kept.item[i].value)) {
			struct node_record record = node_as_record(&kept, kept.item[i].value.title);

			state_add_node(st, &record);
		}
	state_keep_config(st, file, text, &kept);
	return true;
}

/* --- changes ------------------------------------------------------------------------- */

const struct change *state_find_change(const struct snapshot *s, uint64_t seq)
{
	const struct change *change = snapshot_changes(s);
	uint32_t low = 0, high = snapshot_count(s, TABLE_CHANGES);

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (change[middle].seq < seq)
			low = middle + 1;
		else
			high = middle;
	}
	return low < snapshot_count(s, TABLE_CHANGES) && change[low].seq == seq ? &change[low] : NULL;
}

/* Newest first: an undo that is itself alive kills what it names. */
void state_mark_dead_changes(struct state *st)
{
	struct change *change = state_item(st, TABLE_CHANGES, 0);
	uint32_t count = snapshot_count(st->s, TABLE_CHANGES);

	for (uint32_t i = 0; i < count; i++)
		change[i].dead = 0;
	for (uint32_t i = count; i-- > 0;) {
		const struct change *found;

		if (change[i].kind != CHANGE_UNDO || change[i].dead)
			continue;
		found = state_find_change(st->s, (uint64_t)change[i].number);
		if (found != NULL)
			change[found - change].dead = 1;
	}
}

void state_apply_job_changes(struct state *st, uint32_t slot)
{
	const struct change *change = snapshot_changes(st->s);
	struct job job = *state_job(st, slot);

	job.holds = job.base_holds;
	job.adjust = JOB_ADJUST_NONE;
	job.points = 0;
	for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_CHANGES); i++) {
		if (change[i].job != job.id || change[i].dead)
			continue;
		if (change[i].kind == CHANGE_HOLD) {
			uint8_t bits = (uint8_t)change[i].number;

			job.holds = change[i].on ? job.holds | bits : job.holds & (uint8_t)~bits;
		} else if (change[i].kind == CHANGE_PRIORITY) {
			job.adjust = (uint8_t)change[i].on;
			job.points = change[i].number;
		}
	}
	if (job.state == JOB_IDLE)
		state_edit_waiting(st, slot, &job);
	else
		*state_job(st, slot) = job;
}

/* Brings the thing a change touches up to date. */
static void apply_touched(struct state *st, const struct change *change)
{
	if (change->job != 0) {
		uint32_t slot = state_find(st, change->job);

		if (slot != INDEX_NONE)
			state_apply_job_changes(st, slot);
	} else if (change->kind == CHANGE_SETTING) {
		state_rebuild_policy(st);
	}
}

/* Follows undo of undo to the change that really moves. */
static const struct change *undone_change(const struct snapshot *s, const struct change *change)
{
	while (change != NULL && change->kind == CHANGE_UNDO)
		change = state_find_change(s, (uint64_t)change->number);
	return change;
}

void state_add_change(struct state *st, const struct change *change, const char *name, const char *value)
{
	uint32_t name_at = state_add_string(st, name), value_at = state_add_string(st, value);
	struct change *added;
	const struct change *moved;

	state_make_room(st, TABLE_CHANGES, 1);
	added = state_item(st, TABLE_CHANGES, st->s->table[TABLE_CHANGES].count++);
	*added = *change;
	added->name = name_at;
	added->value = value_at;
	state_mark_dead_changes(st);
	moved = undone_change(st->s, added);
	if (moved != NULL) {
		struct change copy = *moved;

		apply_touched(st, &copy);
	}
}
