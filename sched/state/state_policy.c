/* SPDX-License-Identifier: MIT */
/*
 * state_policy.c - the policy in force, from the configuration and the live changes
 *
 * After any change the whole policy is rebuilt from the defaults, the values of the configuration in their
 * order, and the live changes in theirs. So undoing an entry in the middle needs no inverse operation, and
 * the result does not depend on the history. Global values come first: partitions inherit the weights of ALL,
 * nodes the values of node DEFAULT, before their own values are applied.
 */
#include "state_policy.h"

#include <stdio.h>
#include <string.h>

#include "sched/base/str.h"
#include "sched/policy/priority.h"

/* --- all settings, in their order --------------------------------------------------------- */

/* State of a rebuild. */
struct rebuild {
	struct state *st;
	struct str words;   /* texts of the current setting */
	bool node_defaults; /* apply only the values of node DEFAULT */
	double node_priority;
	bool node_drained;
	struct limits_draft limits;
	struct permits_draft permits;
};

typedef void apply_setting(struct rebuild *r, const struct setting *setting);

/*
 * Returns a copy of the text at `first` and sets *second to a copy of the text at `other`, because the texts
 * of the snapshot may move while they are in use.
 */
static const char *copy_texts(struct rebuild *r, uint32_t first, uint32_t other, const char **second)
{
	const struct snapshot *s = r->st->s;
	size_t first_size = strlen(snapshot_string(s, first)) + 1;

	str_clear(&r->words);
	str_add_bytes(&r->words, snapshot_string(s, first), first_size);
	str_add(&r->words, snapshot_string(s, other));
	*second = r->words.data + first_size;
	return r->words.data;
}

/* Does this rebuild include sections of this kind and name? */
static bool is_wanted(const struct rebuild *r, const struct option *row, const char *title)
{
	return !r->node_defaults || (strcmp(row->scope, "node") == 0 && strcmp(title, CRED_DEFAULT) == 0);
}

/* Applies a value of the configuration; it was checked when it was set, so it cannot fail. */
static void apply_entry(struct rebuild *r, const struct config_entry *entry, apply_setting *apply)
{
	struct setting setting = {.value.row = &config_rows[entry->row], .text = entry->text};
	const char *text;

	if (!is_wanted(r, setting.value.row, snapshot_string(r->st->s, entry->title)))
		return;
	setting.value.title = copy_texts(r, entry->title, entry->text, &text);
	if (option_read(setting.value.row, text, &setting.value.value, NULL))
		apply(r, &setting);
}

/*
 * Applies a live change; it was checked when it was made. Changes of options that no longer exist have no
 * effect.
 */
static void apply_change(struct rebuild *r, const struct change *change, apply_setting *apply)
{
	struct setting setting = {.text = change->value, .live = true};
	char title[CONFIG_TITLE];
	const char *name, *text;

	if (change->kind != CHANGE_SETTING || change->dead)
		return;
	name = copy_texts(r, change->name, change->value, &text);
	if (config_resolve(name, text, &setting.value, title, sizeof title, NULL) &&
	    is_wanted(r, setting.value.row, setting.value.title))
		apply(r, &setting);
}

static void apply_all(struct rebuild *r, apply_setting *apply)
{
	const struct state *st = r->st;

	for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_VALUES); i++)
		apply_entry(r, &snapshot_values(st->s)[i], apply);
	for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_CHANGES); i++)
		apply_change(r, &snapshot_changes(st->s)[i], apply);
}

/* --- global values ------------------------------------------------------------------- */

static bool is_scope(const struct config_value *value, const char *scope)
{
	return strcmp(value->row->scope, scope) == 0;
}

static bool is_default(const struct config_value *value)
{
	return strcmp(value->title, CRED_DEFAULT) == 0;
}

/* Applies a setting of the policy. A live change of a list replaces the whole list. */
static void apply_policy(struct rebuild *r, const struct setting *setting)
{
	struct policy *policy = &r->st->s->policy;

	if (setting->live && setting->value.row->form == FORM_AVAILABLE)
		memset(policy->available, AVAILABLE_COMBINED, sizeof policy->available);
	config_store(&setting->value, policy, NULL, NULL, NULL);
}

static double node_priority(const struct config_value *value)
{
	struct config_node node = {.procs = 0};

	config_store(value, NULL, NULL, NULL, &node);
	return node.priority;
}

static bool node_drained(const struct config_value *value)
{
	struct config_node node = {.procs = 0};

	config_store(value, NULL, NULL, NULL, &node);
	return node.drained;
}

static void set_drained(struct node *node, bool drained)
{
	node->set_drained = drained;
	node->drained = drained || node->shut != 0;
}

static void apply_for_all(struct rebuild *r, const struct setting *setting)
{
	const struct config_value *value = &setting->value;

	if (value->row->form == FORM_PROGRAM)
		r->st->s->local_program = setting->text;
	else if (value->row->form == FORM_SITE_TEXT)
		r->st->s->site_text[value->row->offset] = setting->text;
	else if (is_scope(value, "") || is_scope(value, "reservationlevel"))
		apply_policy(r, setting);
	else if (value->row->form == FORM_PRIORITYF && is_default(value))
		r->st->s->priorityf = setting->text;
	else if (config_is_node_priority(value) && is_default(value))
		r->node_priority = node_priority(value);
	else if (config_is_node_drained(value) && is_default(value))
		r->node_drained = node_drained(value);
}

static void begin_partitions(struct state *st)
{
	for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_PARTITIONS); i++)
		((struct partition *)state_item(st, TABLE_PARTITIONS, i))->weights = st->s->policy.weights;
}

static void begin_creds(struct state *st)
{
	for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_CREDS); i++) {
		struct cred *cred = state_item(st, TABLE_CREDS, i);

		memset(&cred->attr, 0, sizeof cred->attr);
		cred->qdef = cred->adef = INDEX_NONE;
	}
}

static void begin_node(const struct rebuild *r, uint32_t i)
{
	struct node *node = state_item(r->st, TABLE_NODES, i);

	node->priority = r->node_priority;
	set_drained(node, r->node_drained);
	node->priorityf = 0;
}

/* --- sections -------------------------------------------------------------------- */

static void apply_partition(struct state *st, const struct config_value *value)
{
	uint32_t i = state_intern_partition(st, value->title);
	struct partition *partition = state_item(st, TABLE_PARTITIONS, i);

	config_store(value, NULL, i == 0 ? &st->s->policy.weights : &partition->weights, NULL, NULL);
}

static void apply_qdef(struct state *st, const struct setting *setting)
{
	const char *name = setting->value.value.text;
	uint32_t qos = str_same_word(name, CRED_NONE) ? INDEX_NONE : state_intern_cred(st, CRED_QOS, name);
	uint32_t owner = state_setting_owner(st, setting);

	if (owner == INDEX_NONE)
		st->s->qdef = qos;
	else
		((struct cred *)state_item(st, TABLE_CREDS, owner))->qdef = qos;
}

static void apply_adef(struct state *st, const struct setting *setting)
{
	const char *name = setting->value.value.text;
	uint32_t account =
		str_same_word(name, CRED_NONE) ? INDEX_NONE : state_intern_cred(st, CRED_ACCOUNT, name);
	uint32_t owner = state_setting_owner(st, setting);

	((struct cred *)state_item(st, TABLE_CREDS, owner))->adef = account;
}

static void apply_features(struct state *st, const struct setting *setting)
{
	uint64_t bits = state_intern_traits(st, TRAIT_FEATURE, setting->value.value.text);
	uint32_t owner = state_setting_owner(st, setting);
	struct cred_attr *attr = &((struct cred *)state_item(st, TABLE_CREDS, owner))->attr;

	attr->default_features = setting->live ? bits : attr->default_features | bits;
}

static void apply_cred(struct state *st, const struct setting *setting)
{
	uint32_t i = state_setting_owner(st, setting);

	if (i != INDEX_NONE)
		config_store(&setting->value, NULL, NULL,
			     &((struct cred *)state_item(st, TABLE_CREDS, i))->attr, NULL);
}

/* Applies the policy values of a node section; its hardware values are applied with the node. */
static void apply_node(struct state *st, const struct setting *setting)
{
	const struct config_value *value = &setting->value;
	uint32_t i = is_default(value) ? INDEX_NONE : state_find_node(st, value->title);

	if (i == INDEX_NONE)
		return;
	if (value->row->form == FORM_PRIORITYF)
		((struct node *)state_item(st, TABLE_NODES, i))->priorityf = setting->text;
	else if (config_is_node_priority(value))
		((struct node *)state_item(st, TABLE_NODES, i))->priority = node_priority(value);
	else if (config_is_node_drained(value))
		set_drained(state_item(st, TABLE_NODES, i), node_drained(value));
}

static void apply_for_some(struct rebuild *r, const struct setting *setting)
{
	const struct config_value *value = &setting->value;
	enum config_form form = (enum config_form)value->row->form;

	if (form == FORM_LIMIT)
		state_draft_limit(r->st, &r->limits, setting);
	else if (form == FORM_QLIST || form == FORM_LEVEL_QOS || form == FORM_ALIST)
		state_draft_permits(r->st, &r->permits, setting);
	else if (form == FORM_QDEF)
		apply_qdef(r->st, setting);
	else if (form == FORM_ADEF)
		apply_adef(r->st, setting);
	else if (form == FORM_FEATURES)
		apply_features(r->st, setting);
	else if (is_scope(value, "partition"))
		apply_partition(r->st, value);
	else if (is_scope(value, "node"))
		apply_node(r->st, setting);
	else
		apply_cred(r->st, setting);
}

/* --- rebuilding the policy ---------------------------------------------------------------- */

/*
 * Do these weights rank jobs without an operator's priority? Without a fairshare policy, the fairshare
 * component is 0.
 */
static bool weights_rank(const struct policy *policy, const struct prio_weights *weights)
{
	struct prio_weights counting = *weights;

	if (policy->fs_policy == FS_NONE)
		counting.component[PRIO_FS] = 0;
	return !priority_all_equal(&counting);
}

/* Do all jobs without an operator's priority have the same rank? Yes if no weight is set anywhere. */
static bool ranks_equal(const struct state *st)
{
	for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_PARTITIONS); i++)
		if (weights_rank(&st->s->policy, &snapshot_partitions(st->s)[i].weights))
			return false;
	for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_CREDS); i++) {
		const struct cred_attr *attr = &snapshot_creds(st->s)[i].attr;

		if (attr->qt_weight != 0 || attr->xf_weight != 0)
			return false;
	}
	return true;
}

/* Does the factor grow while a job waits, or change while others run? */
static bool changes_with_time(enum prio_factor f)
{
	return policy_factor_info(f)->course != COURSE_STEADY;
}

/*
 * Do these weights allow one job to overtake another without an event? Queue time alone grows by the same
 * amount for all jobs; together with constant factors it can change the order, because ranks are rounded to
 * whole numbers.
 */
static bool weights_drift(const struct policy *policy, const struct prio_weights *weights)
{
	bool drift = false, other = false;

	for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++) {
		enum prio_component c = policy_factor_info(f)->component;

		if (weights->factor[f] == 0 || weights->component[c] == 0 || c == PRIO_USAGE ||
		    (c == PRIO_FS && policy->fs_policy == FS_NONE))
			continue;
		drift = drift || changes_with_time(f);
		other = other || f != PRIO_SERV_QUEUETIME || weights->factor_cap[f] > 0 ||
			weights->component_cap[c] > 0;
	}
	return drift && other;
}

static bool same_queue_time(const struct prio_weights *a, const struct prio_weights *b)
{
	return a->factor[PRIO_SERV_QUEUETIME] == b->factor[PRIO_SERV_QUEUETIME] &&
	       a->component[PRIO_SERV] == b->component[PRIO_SERV];
}

/*
 * Can one job overtake another without an event? It can if the weights of a partition permit it, or if queue
 * time has different weights in different partitions or for different credentials.
 */
static bool ranks_drift(const struct state *st)
{
	const struct prio_weights *all = &st->s->policy.weights;

	for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_PARTITIONS); i++)
		if (weights_drift(&st->s->policy, &snapshot_partitions(st->s)[i].weights) ||
		    !same_queue_time(&snapshot_partitions(st->s)[i].weights, all))
			return true;
	for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_CREDS); i++) {
		const struct cred_attr *attr = &snapshot_creds(st->s)[i].attr;

		if (attr->qt_weight != 0 || attr->xf_weight != 0)
			return true;
	}
	return false;
}

static void apply_limit(struct rebuild *r, const struct setting *setting)
{
	if (setting->value.row->form == FORM_LIMIT)
		state_draft_limit(r->st, &r->limits, setting);
}

/* Rebuilds the limits in a state with hidden names: the limits in force, plus visible changes. */
static void rebuild_limits(struct rebuild *r)
{
	state_draft_limits_in_force(r->st, &r->limits);
	for (uint32_t i = 0; i < snapshot_count(r->st->s, TABLE_CHANGES); i++)
		apply_change(r, &snapshot_changes(r->st->s)[i], apply_limit);
	state_take_limits(r->st, &r->limits);
	str_free(&r->words);
}

void state_rebuild_policy(struct state *st)
{
	struct rebuild r = {.st = st};

	if (st->s->masked) {
		rebuild_limits(&r);
		return;
	}
	policy_default(&st->s->policy);
	st->s->local_program = st->s->priorityf = 0;
	memset(st->s->site_text, 0, sizeof st->s->site_text);
	st->s->qdef = INDEX_NONE;
	apply_all(&r, apply_for_all);
	begin_partitions(st);
	begin_creds(st);
	for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_NODES); i++)
		begin_node(&r, i);
	apply_all(&r, apply_for_some);
	state_take_limits(st, &r.limits);
	state_take_permits(st, &r.permits);
	str_free(&r.words);
	st->s->ranks_equal = ranks_equal(st);
	st->s->ranks_drift = ranks_drift(st);
	state_note_nodes_differ(st);
}

/* A node with its own section is created by a configuration, which rebuilds the policy; so a new node has
 * only the defaults. */
void state_settle_node(struct state *st, uint32_t i)
{
	struct rebuild r = {.st = st, .node_defaults = true};

	apply_all(&r, apply_for_all);
	begin_node(&r, i);
	str_free(&r.words);
	state_note_nodes_differ(st);
}

static bool is_in_sight(const struct state *st, enum cred_type type, const char *name)
{
	return strcmp(name, SNAPSHOT_HIDDEN) != 0 && snapshot_find_cred(st->s, type, name) != INDEX_NONE;
}

/* Is it a limit of the system, or of a credential whose name is visible? */
static bool is_limit_in_sight(const struct state *st, const char *name, const char *value)
{
	struct config_value resolved;
	struct config_limit limit;
	char title[CONFIG_TITLE], second[CONFIG_TITLE];
	enum cred_type type;

	if (!config_resolve(name, value, &resolved, title, sizeof title, NULL) ||
	    resolved.row->form != FORM_LIMIT ||
	    !config_limit_read(resolved.row, resolved.second, resolved.second_len, value, &limit, NULL))
		return false;
	type = cred_type_find(resolved.row->scope);
	if (type != CRED_TYPE_COUNT && !is_in_sight(st, type, resolved.title))
		return false;
	snprintf(second, sizeof second, "%.*s", (int)limit.second_len,
		 limit.second_len > 0 ? limit.second : "");
	return second[0] == '\0' || is_in_sight(st, limit.second_type, second);
}

bool state_check_setting(const struct state *st, const char *name, const char *value, struct err *err)
{
	struct config_value resolved;
	char title[CONFIG_TITLE];

	if (st->s->masked && !is_limit_in_sight(st, name, value))
		return err_set(
			err,
			"the configuration of others is hidden here (hidenames), so no "
			"setting except your own limits can be tried; an administrator can try them all");
	if (!config_resolve(name, value, &resolved, title, sizeof title, err) ||
	    !config_check_live(&resolved, err))
		return false;
	if (resolved.row->form == FORM_FEATURES)
		return state_check_traits(st, TRAIT_FEATURE, value, NULL, false, err);
	if (!is_scope(&resolved, "node") || is_default(&resolved) ||
	    state_find_node(st, resolved.title) != INDEX_NONE)
		return true;
	return err_set(err, "there is no node %s", resolved.title);
}
