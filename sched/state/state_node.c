/* SPDX-License-Identifier: MIT */
/*
 * state_node.c - node reports, and usage by fairshare window
 *
 * A report describes a node; the resources in use on it do not change. PRIORITY and PRIORITYF are policy and
 * come from the settings.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "sched/base/arena.h"
#include "sched/base/duration.h"
#include "state_inside.h"
#include "state_policy.h"

/* --- checks ------------------------------------------------------------------------------------------- */

static bool check_amounts(const struct node_record *r, struct err *err)
{
	const int64_t amount[] = {r->mem_mb, r->swap_mb, r->disk_mb};

	for (size_t i = 0; i < sizeof amount / sizeof amount[0]; i++) {
		if (amount[i] < 0)
			return err_set(err, "node %s was reported with a negative amount of memory or disk",
				       r->name);
		if (amount[i] > MEMORY_MAX_MB)
			return err_set(
				err,
				"node %s was reported with %lld MB of memory or disk; the maximum is %lld MB",
				r->name, (long long)amount[i], (long long)MEMORY_MAX_MB);
	}
	if (!isfinite(r->speed) || r->speed < 0 || !isfinite(r->procspeed) || r->procspeed < 0)
		return err_set(err, "node %s was reported with an invalid speed", r->name);
	return r->access <= ACCESS_SINGLETASK ||
	       err_set(err, "node %s was reported with an access policy that does not exist", r->name);
}

/* Returns the count of a generic resource in a text; the last occurrence of the name counts. */
static uint32_t gres_count(const char *text, const char *name)
{
	const char *word;
	size_t len, name_len;
	uint32_t count, found = 0;

	while (text != NULL && (word = config_word(&text, &len)) != NULL)
		if (config_gres_read(word, len, &name_len, &count, NULL) && strlen(name) == name_len &&
		    strncasecmp(word, name, name_len) == 0)
			found = count;
	return found;
}

/*
 * A report cannot take away processors or generic resources that running jobs use; it may have less memory
 * than is dedicated to them.
 */
static bool check_busy(const struct state *st, const struct node *node, const struct node_record *r,
		       struct err *err)
{
	const struct trait *trait = snapshot_traits(st->s);

	if (r->procs < node->procs_busy)
		return err_set(err, "node %s was reported with %u processors, but its running jobs use %u",
			       r->name, r->procs, node->procs_busy);

	for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_TRAITS); i++) {
		const char *name = snapshot_string(st->s, trait[i].name);

		if (trait[i].kind == TRAIT_GRES && gres_count(r->gres, name) < node->gres_busy[trait[i].bit])
			return err_set(
				err, "node %s was reported with %u units of %s, but its running jobs use %u",
				r->name, gres_count(r->gres, name), name, node->gres_busy[trait[i].bit]);
	}
	return true;
}

bool state_check_node_size(const struct state *st, const struct node_record *r, struct err *err)
{
	uint32_t i;

	if (r->name == NULL || r->name[0] == '\0')
		return err_set(err, "a node was reported without a name");
	if (!check_amounts(r, err))
		return false;
	i = state_find_node(st, r->name);
	return i == INDEX_NONE || check_busy(st, &snapshot_nodes(st->s)[i], r, err);
}

bool state_check_node(const struct state *st, const struct node_record *r, struct err *err)
{
	return state_check_node_size(st, r, err) &&
	       (state_check_node_traits(st, state_find_node(st, r->name), r, err) ||
		err_prefix(err, "node %s", r->name));
}

/* --- applying --------------------------------------------------------------------------------- */

/* Returns which of memory, swap and disk at least one node of the machine has, as bits. */
static unsigned has_what(const struct snapshot *s)
{
	return (s->mem_mb_total > 0 ? 1u : 0u) | (s->swap_mb_total > 0 ? 2u : 0u) |
	       (s->disk_mb_total > 0 ? 4u : 0u);
}

static uint32_t new_node(struct state *st, const char *name)
{
	uint32_t at = state_add_string(st, name), i;

	state_make_room(st, TABLE_NODES, 1);
	i = st->s->table[TABLE_NODES].count++;
	*(struct node *)state_item(st, TABLE_NODES, i) = (struct node){
		.name = at, .user = INDEX_NONE, .used = NODE_NOT_MEASURED, .active_from_s = TIME_NONE};
	state_index_node(st, i);
	return i;
}

/* Updates the sums by the difference, so that the reports of a machine of 40 000 nodes take linear time. */
static void move_sums(struct snapshot *s, const struct node *node, const struct node_record *record)
{
	s->procs_total += (int64_t)record->procs - node->procs;
	s->mem_mb_total += record->mem_mb - node->mem_mb;
	s->swap_mb_total += record->swap_mb - node->swap_mb;
	s->disk_mb_total += record->disk_mb - node->disk_mb;
}

void state_forget_traits(struct state *st, uint32_t i, enum trait_kind kind)
{
	struct node *node = state_item(st, TABLE_NODES, i);

	if (kind == TRAIT_FEATURE)
		node->features = 0;
	else if (kind == TRAIT_CLASS)
		node->classes = 0;
	for (int k = 0; k < GRES_MAX && kind == TRAIT_GRES; k++)
		if (node->gres_busy[k] == 0)
			node->gres[k] = 0;
}

static void describe_node(struct state *st, uint32_t i, const struct node_record *record)
{
	uint32_t partition = state_intern_partition(st, record->partition);
	uint32_t gres[GRES_MAX];
	uint64_t features, classes;
	struct node *node;

	/* The slots of old names may be needed for new ones. */
	for (int kind = 0; kind < TRAIT_KIND_COUNT; kind++)
		state_forget_traits(st, i, (enum trait_kind)kind);
	features = state_intern_traits(st, TRAIT_FEATURE, record->features);
	classes = state_intern_traits(st, TRAIT_CLASS, record->classes);
	state_intern_gres(st, record->gres, gres);
	node = state_item(st, TABLE_NODES, i);
	move_sums(st->s, node, record);
	node->partition = partition;
	node->features = features;
	node->classes = classes;
	memcpy(node->gres, gres, sizeof gres);
	node->procs = record->procs;
	node->mem_mb = record->mem_mb;
	node->swap_mb = record->swap_mb;
	node->disk_mb = record->disk_mb;
	node->speed = record->speed > 0 ? record->speed : 1;
	node->procspeed = record->procspeed;
	node->rack = record->rack;
	node->index = record->index;
	node->access = record->access;
	node->shut = record->shut;
	node->drained = node->set_drained != 0 || node->shut != 0;
}

static void set_said(struct state *st, uint32_t i, const char *said)
{
	uint32_t at = snapshot_nodes(st->s)[i].said;

	if (strcmp(snapshot_string(st->s, at), said != NULL ? said : "") == 0)
		return;
	state_waste_string(st, at);
	at = state_add_string(st, said);
	((struct node *)state_item(st, TABLE_NODES, i))->said = at;
}

uint32_t state_add_node(struct state *st, const struct node_record *record)
{
	uint32_t i = state_find_node(st, record->name);
	bool is_new = i == INDEX_NONE;
	unsigned had = has_what(st->s);
	struct node before;

	if (is_new)
		i = new_node(st, record->name);
	before = snapshot_nodes(st->s)[i];
	describe_node(st, i, record);
	set_said(st, i, record->said);
	if (has_what(st->s) != had)
		state_note_particular(st);
	if (is_new)
		state_settle_node(st, i); /* applies the settings for this node */
	if (is_new && snapshot_count(st->s, TABLE_ADVANCES) > 0)
		state_rebuild_advances(st, NULL); /* reservations of all nodes include the new one */
	state_note_difference(st, i, is_new, &before);
	return i;
}

void state_set_load(struct state *st, uint32_t node, const struct node_used *used, const char *by)
{
	uint32_t used_by = snapshot_nodes(st->s)[node].used_by;
	struct node *n;
	bool was_measured;

	if (strcmp(snapshot_string(st->s, used_by), by != NULL ? by : "") != 0) {
		state_waste_string(st, used_by);
		used_by = state_add_string(st, by);
	}
	n = state_item(st, TABLE_NODES, node);
	was_measured = n->used.procs >= 0;
	n->used = *used;
	n->used_by = used_by;
	if ((n->used.procs >= 0) != was_measured)
		state_note_nodes_differ(st);
}

/* --- nodes that both the resource manager and the configuration describe ------------------------------ */

/*
 * The resource manager reports the hardware. The node's own section in the configuration takes precedence
 * over the report; the section DEFAULT applies where neither of them has a value. So it does not matter
 * whether the report or the configuration comes first: a configuration that is loaded later is followed by
 * another report (driver.h).
 */

/* The description of the node so far. The arena owns the texts, because those of the snapshot may move. */
struct report {
	const struct state *st;
	struct node_record node;
	struct arena arena;
};

/* --- from the configuration --------------------------------------------------------------------------- */

static const char *join(struct arena *arena, const char *words, const char *more)
{
	size_t room = strlen(words) + strlen(more) + 2;
	char *joined = arena_take(arena, room);

	snprintf(joined, room, "%s %s", words, more);
	return joined;
}

static const char **words_of(struct node_record *node, enum trait_kind kind)
{
	return kind == TRAIT_FEATURE ? &node->features : kind == TRAIT_CLASS ? &node->classes : &node->gres;
}

/*
 * Adds an element of a list in the configuration to the list of the node. first: it is the first element of
 * its list, and replaces what the node's list contained before.
 */
static void take_words(struct report *r, const struct config_value *value, bool first)
{
	const char **words = words_of(&r->node, (enum trait_kind)value->row->offset);
	const char *text = arena_string(&r->arena, value->value.text);

	*words = first ? text : join(&r->arena, *words, text);
}

static void take_numbers(struct node_record *node, const struct config_value *value)
{
	struct config_node said = {.procs = node->procs,
				   .rack = node->rack,
				   .index = node->index,
				   .speed = node->speed,
				   .procspeed = node->procspeed,
				   .mem_mb = node->mem_mb,
				   .swap_mb = node->swap_mb,
				   .disk_mb = node->disk_mb,
				   .access = node->access};

	config_store(value, NULL, NULL, NULL, &said);
	node->procs = said.procs;
	node->rack = said.rack;
	node->index = said.index;
	node->speed = said.speed;
	node->procspeed = said.procspeed;
	node->mem_mb = said.mem_mb;
	node->swap_mb = said.swap_mb;
	node->disk_mb = said.disk_mb;
	node->access = said.access;
}

/* Applies the values of the configuration's section with this name. */
static void take_section(struct report *r, const char *title)
{
	const struct snapshot *s = r->st->s;
	const struct option *before = NULL;

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_VALUES); i++) {
		const struct config_entry *entry = &snapshot_values(s)[i];
		struct config_value value = {.row = &config_rows[entry->row], .title = title};

		if (strcmp(value.row->scope, "node") != 0 ||
		    strcmp(snapshot_string(s, entry->title), title) != 0 ||
		    !option_read(value.row, snapshot_string(s, entry->text), &value.value, NULL))
			continue;
		if (value.row->form == FORM_PARTITION)
			r->node.partition = arena_string(&r->arena, value.value.text);
		else if (value.row->form == FORM_NODE_WORDS)
			take_words(r, &value, value.row != before);
		else
			take_numbers(&r->node, &value);
		before = value.row;
	}
}

/* --- from the resource manager ------------------------------------------------------------------------ */

static const char *either(const char *said, const char *otherwise)
{
	return said != NULL && said[0] != '\0' ? said : otherwise;
}

static void take_reported(struct node_record *node, const struct node_record *said)
{
	struct node_record usual = *node;

	*node = *said;
	node->partition = either(said->partition, usual.partition);
	node->features = either(said->features, usual.features);
	node->classes = either(said->classes, usual.classes);
	node->gres = either(said->gres, usual.gres);
	if (said->procs == 0)
		node->procs = usual.procs;
	if (said->mem_mb == 0)
		node->mem_mb = usual.mem_mb;
	if (said->swap_mb == 0)
		node->swap_mb = usual.swap_mb;
	if (said->disk_mb == 0)
		node->disk_mb = usual.disk_mb;
	if (!(said->speed > 0))
		node->speed = usual.speed;
	if (!(said->procspeed > 0))
		node->procspeed = usual.procspeed;
	if (said->rack == 0)
		node->rack = usual.rack;
	if (said->index == 0)
		node->index = usual.index;
	if (said->access == ACCESS_UNSET)
		node->access = usual.access;
}

/* Combines a report with the configuration. The caller frees the arena when it no longer needs the node. */
static void lay_over(struct report *r, const struct state *st, const struct node_record *reported)
{
	*r = (struct report){.st = st};
	take_section(r, CRED_DEFAULT);
	take_reported(&r->node, reported);
	take_section(r, reported->name);
}

bool state_check_report(const struct state *st, const struct node_record *reported, struct err *err)
{
	struct report r;
	bool ok;

	if (reported->name == NULL)
		return state_check_node(st, reported, err);
	lay_over(&r, st, reported);
	ok = state_check_node(st, &r.node, err);
	arena_free(&r.arena);
	return ok;
}

void state_report_node(struct state *st, const struct node_record *reported)
{
	struct report r;

	lay_over(&r, st, reported);
	state_add_node(st, &r.node);
	arena_free(&r.arena);
}

/* --- whether a report changes anything ---------------------------------------------------------------- */

/* Do the names in a text currently have exactly these bits? */
static bool same_traits(const struct snapshot *s, enum trait_kind kind, const char *text, uint64_t bits)
{
	const char *word;
	size_t len;
	uint64_t named = 0;

	while (text != NULL && (word = config_word(&text, &len)) != NULL) {
		char name[CONFIG_TITLE];
		int bit;

		snprintf(name, sizeof name, "%.*s", (int)len, word);
		bit = snapshot_find_trait(s, kind, name);
		if (bit < 0)
			return false;
		named |= UINT64_C(1) << bit;
	}
	return named == bits;
}

static bool same_gres(const struct snapshot *s, const char *text, const struct node *node)
{
	uint32_t named[GRES_MAX] = {0};
	const char *word;
	size_t len;

	while (text != NULL && (word = config_word(&text, &len)) != NULL) {
		char name[CONFIG_TITLE] = "";
		uint32_t count = 0;
		int bit;

		if (config_gres_read(word, len, &len, &count, NULL))
			snprintf(name, sizeof name, "%.*s", (int)len, word);
		bit = snapshot_find_trait(s, TRAIT_GRES, name);
		if (bit < 0 && count == 0)
			continue; /* a node without the resource equals a count of 0 */
		if (bit < 0)
			return false;
		named[bit] = count;
	}
	return memcmp(named, node->gres, sizeof named) == 0;
}

static bool same_node(const struct state *st, const struct node *node, const struct node_record *r)
{
	double speed = r->speed > 0 ? r->speed : 1;

	return node->procs == r->procs && node->mem_mb == r->mem_mb && node->swap_mb == r->swap_mb &&
	       node->disk_mb == r->disk_mb && node->rack == r->rack && node->index == r->index &&
	       node->access == r->access && !(node->speed < speed) && !(node->speed > speed) &&
	       !(node->procspeed < r->procspeed) && !(node->procspeed > r->procspeed) &&
	       node->partition == state_find_partition(st, r->partition) && node->shut == r->shut &&
	       strcmp(snapshot_string(st->s, node->said), r->said != NULL ? r->said : "") == 0 &&
	       same_traits(st->s, TRAIT_FEATURE, r->features, node->features) &&
	       same_traits(st->s, TRAIT_CLASS, r->classes, node->classes) && same_gres(st->s, r->gres, node);
}

bool state_report_is_news(const struct state *st, const struct node_record *reported)
{
	uint32_t i = state_find_node(st, reported->name);
	struct report r;
	bool same;

	if (i == INDEX_NONE)
		return true;
	lay_over(&r, st, reported);
	same = same_node(st, &snapshot_nodes(st->s)[i], &r.node);
	arena_free(&r.arena);
	return !same;
}

/* --- fairshare usage by window ------------------------------------------------------------------------ */

/*
 * A job is charged when it ends, to the windows in which it ran; before that, its usage follows from the time
 * (fairshare.h). Without a fairshare policy dedicated processor-seconds are recorded, so that a policy that
 * is set later can use past usage.
 */

static void clear_column(struct state *st, uint32_t column)
{
	struct usage *usage = state_item(st, TABLE_USAGE, 0);

	for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_USAGE); i++)
		usage[i].amount[column] = 0;
}

/*
 * Returns the column of a window, and clears the data of the window that it replaces. INDEX_NONE: the window
 * is too old to be kept.
 */
static uint32_t take_column(struct state *st, int64_t begin_s, int64_t length_s)
{
	bool forget = false;
	uint32_t column = fs_column(st->s->fs_window, begin_s, &forget);

	if (column == INDEX_NONE)
		return column;
	if (forget)
		clear_column(st, column);
	if (forget || st->s->fs_window[column].length_s == 0)
		st->s->fs_window[column] = (struct fs_window){.begin_s = begin_s, .length_s = length_s};
	return column;
}

static void charge_cred(struct state *st, uint32_t cred, uint32_t column, int64_t amount)
{
	uint32_t row = snapshot_creds(st->s)[cred].usage;
	int64_t *used;

	if (row == INDEX_NONE) {
		state_make_room(st, TABLE_USAGE, 1);
		row = st->s->table[TABLE_USAGE].count++;
		*(struct usage *)state_item(st, TABLE_USAGE, row) = (struct usage){.amount = {0}};
		((struct cred *)state_item(st, TABLE_CREDS, cred))->usage = row;
	}
	used = &((struct usage *)state_item(st, TABLE_USAGE, row))->amount[column];
	*used = fs_add(*used, amount);
}

static void charge_window(struct state *st, const struct job *job, int64_t begin_s, int64_t length_s,
			  int64_t amount)
{
	uint32_t column = amount > 0 ? take_column(st, begin_s, length_s) : INDEX_NONE;
	struct fs_window *window;

	if (column == INDEX_NONE)
		return;
	window = &st->s->fs_window[column];
	window->total = fs_add(window->total, amount);
	for (int t = 0; t < CRED_TYPE_COUNT; t++)
		if (job->cred[t] != INDEX_NONE)
			charge_cred(st, job->cred[t], column, amount);
}

void state_charge_job(struct state *st, uint32_t slot, int64_t end_s)
{
	const struct job job = *state_job(st, slot);
	const struct policy *policy = &st->s->policy;
	enum fs_policy metric = fs_metric((enum fs_policy)policy->fs_policy);
	int64_t length_s = policy->fs_interval_s;
	struct machine machine = snapshot_machine(st->s);
	int64_t last_s = fs_window_begin(end_s - 1, length_s);
	int64_t begin_s = fs_window_begin(job.start_s, length_s);

	if (job.state != JOB_RUNNING)
		return;
	if (metric == FS_NONE)
		metric = FS_DEDICATEDPS;
	/* Windows older than the oldest one kept would be dropped again. */
	if ((last_s - begin_s) / length_s >= FS_DEPTH_MAX)
		begin_s = last_s - (FS_DEPTH_MAX - 1) * length_s;
	for (; begin_s <= last_s; begin_s += length_s)
		charge_window(st, &job, begin_s, length_s,
			      fs_job_usage(metric, &job, &machine, end_s, begin_s, begin_s + length_s));
}

/* --- imported windows ------------------------------------------------------------------ */

bool state_check_usage(const struct state *st, const struct usage_window *window, struct err *err)
{
	bool forget;

	if (window->length_s <= 0)
		return err_set(err, "a window of fairshare usage must last at least one second, got %lld",
			       (long long)window->length_s);
	if (window->total < 0)
		return err_set(err, "a window of fairshare usage has a total below 0");
	for (uint32_t i = 0; i < window->count; i++) {
		const struct used_by *used = &window->item[i];

		if (used->type >= CRED_TYPE_COUNT || used->name == NULL || used->name[0] == '\0')
			return err_set(err, "fairshare usage without the name of a credential");
		if (used->amount < 0)
			return err_set(err, "the fairshare usage of %s %s is below 0",
				       cred_type_name((enum cred_type)used->type), used->name);
	}
	return fs_column(st->s->fs_window, window->begin_s, &forget) != INDEX_NONE ||
	       err_set(err, "a window of fairshare usage is older than the %d that are kept", FS_DEPTH_MAX);
}

void state_set_usage(struct state *st, const struct usage_window *window)
{
	uint32_t column = take_column(st, window->begin_s, window->length_s);

	clear_column(st, column);
	st->s->fs_window[column].length_s = window->length_s;
	st->s->fs_window[column].total = window->total;
	for (uint32_t i = 0; i < window->count; i++) {
		const struct used_by *used = &window->item[i];

		charge_cred(st, state_intern_cred(st, (enum cred_type)used->type, used->name), column,
			    used->amount);
	}
}
