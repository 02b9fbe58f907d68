/* SPDX-License-Identifier: MIT */
/*
 * state_config.c - applying a configuration: nodes, credentials, limits, access lists
 *
 * The text is parsed into a draft and checked against the state. A valid draft is stored as entries of the
 * snapshot, from which the policy is rebuilt later without parsing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/arena.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "state_inside.h"
#include "state_policy.h"

/* An empty section consists of its kind only. */
static bool is_node(const struct config_value *value)
{
	return strcmp(value->row != NULL ? value->row->scope : value->value.text, "node") == 0;
}

/* A parsed value that is not applied yet. The arena owns titles and texts. */
struct draft_value {
	struct config_value value;
	uint32_t row;
};

struct draft {
	struct draft_value *item;
	size_t count, room;
	struct arena arena;
};

static bool draft_value(void *self, const struct config_value *value, struct err *err)
{
	struct draft *draft = self;
	struct draft_value *added;

	(void)err;
	/* An empty node section defines a node, which may inherit everything from DEFAULT; other empty
	 * sections do nothing. */
	if (value->row == NULL && !is_node(value))
		return true;
	draft->item = vec_room(draft->item, &draft->room, draft->count + 1, sizeof *draft->item);
	added = &draft->item[draft->count++];
	*added = (struct draft_value){.value = *value};
	if (value->row != NULL)
		added->row = (uint32_t)(value->row - config_rows);
	added->value.title = arena_string(&draft->arena, value->title);
	added->value.value.text = arena_string(&draft->arena, value->value.text);
	return true;
}

static void draft_clear(struct draft *draft)
{
	free(draft->item);
	arena_free(&draft->arena);
}

/* --- nodes ------------------------------------------------------------------------------- */

/* A node section's hardware values. */
struct node_draft {
	struct config_node node;
	const char *partition;
	const char *words[TRAIT_KIND_COUNT]; /* names, separated by blanks; NULL = none */
};

static bool is_default(const struct config_value *value)
{
	return strcmp(value->title, CRED_DEFAULT) == 0;
}

/* The values of a node's section are adjacent: the end of the section that begins at first. */
static size_t section_end(const struct draft *draft, size_t first)
{
	const struct config_value *value = &draft->item[first].value;
	size_t end = first + 1;

	while (is_node(value) && end < draft->count && is_node(&draft->item[end].value) &&
	       strcmp(draft->item[end].value.title, value->title) == 0)
		end++;
	return end;
}

static const char *join(struct draft *draft, const char *words, const char *more)
{
	size_t room = strlen(words) + strlen(more) + 2;
	char *joined = arena_take(&draft->arena, room);

	snprintf(joined, room, "%s %s", words, more);
	return joined;
}

/* A node's own list replaces that of DEFAULT; the elements of one list add up. */
static void read_section(struct draft *draft, size_t first, size_t end, struct node_draft *out)
{
	const struct option *before = NULL;

	for (size_t i = first; i < end; i++) {
		const struct config_value *value = &draft->item[i].value;
		const struct option *row = value->row;

		if (row == NULL)
			continue;
		if (row->form == FORM_PARTITION)
			out->partition = value->value.text;
		else if (row->form == FORM_NODE_WORDS)
			out->words[row->offset] =
				row == before ? join(draft, out->words[row->offset], value->value.text)
					      : value->value.text;
		else
			config_store(value, NULL, NULL, NULL, &out->node);
		before = row;
	}
}

static struct node_draft read_default(struct draft *draft)
{
	struct node_draft node = {.node = {.mem_mb = -1, .swap_mb = -1, .disk_mb = -1}};

	for (size_t i = 0; i < draft->count; i++)
		if (is_node(&draft->item[i].value) && is_default(&draft->item[i].value)) {
			read_section(draft, i, section_end(draft, i), &node);
			break;
		}
	return node;
}

static struct node_record record_of(const char *name, const struct node_draft *draft)
{
	const struct config_node *node = &draft->node;

	return (struct node_record){
		.name = name,
		.partition = draft->partition,
		.procs = node->procs,
		.mem_mb = node->mem_mb < 0 ? 0 : node->mem_mb,
		.swap_mb = node->swap_mb < 0 ? 0 : node->swap_mb,
		.disk_mb = node->disk_mb < 0 ? 0 : node->disk_mb,
		.features = draft->words[TRAIT_FEATURE],
		.classes = draft->words[TRAIT_CLASS],
		.gres = draft->words[TRAIT_GRES],
		.speed = node->speed,
		.procspeed = node->procspeed,
		.rack = node->rack,
		.index = node->index,
		.access = node->access,
		.used = {.load = -1, .procs = -1, .mem_mb = -1, .swap_mb = -1, .disk_mb = -1},
	};
}

/* Called for each node that has a section, in the order of the file; false stops. */
typedef bool visit_node(struct state *st, const struct node_record *record, struct err *err);

static bool each_node(struct state *st, struct draft *draft, visit_node *visit, struct err *err)
{
	struct node_draft usual = read_default(draft);

	for (size_t first = 0, end; first < draft->count; first = end) {
		const struct config_value *value = &draft->item[first].value;
		struct node_draft own = usual;
		struct node_record record;

		end = section_end(draft, first);
		if (!is_node(value) || is_default(value))
			continue;
		read_section(draft, first, end, &own);
		record = record_of(value->title, &own);
		if (!visit(st, &record, err))
			return err_prefix(err, "%s:%d", value->place.file, value->place.line);
	}
	return true;
}

/*
 * A section without procs describes a node that a resource manager reports: one that exists or, before the
 * first report, one that may follow.
 */
static bool check_node(struct state *st, const struct node_record *record, struct err *err)
{
	if (record->procs > 0)
		return state_check_node_size(st, record, err);
	return snapshot_count(st->s, TABLE_NODES) == 0 || state_find_node(st, record->name) != INDEX_NONE ||
	       err_set(err,
		       "node %s: procs is missing, and no manager has reported it; say how many processors "
		       "it has",
		       record->name);
}

static bool take_node(struct state *st, const struct node_record *record, struct err *err)
{
	(void)err;
	if (record->procs > 0)
		state_add_node(st, record);
	return true;
}

/* Marks the nodes that the draft describes anew, by index. */
static bool *nodes_described(const struct state *st, struct draft *draft)
{
	bool *described = mem_zero((size_t)snapshot_count(st->s, TABLE_NODES) + 1, sizeof *described);
	struct node_draft usual = read_default(draft);

	for (size_t first = 0, end; first < draft->count; first = end) {
		const struct config_value *value = &draft->item[first].value;
		struct node_draft own = usual;
		uint32_t i;

		end = section_end(draft, first);
		if (!is_node(value) || is_default(value))
			continue;
		read_section(draft, first, end, &own);
		i = state_find_node(st, value->title);
		if (own.node.procs > 0 && i != INDEX_NONE)
			described[i] = true;
	}
	return described;
}

/* The kind of trait whose names are in a value; TRAIT_KIND_COUNT = none. */
static enum trait_kind names_kind(const struct config_value *value)
{
	int kind = 0;

	while (kind < TRAIT_KIND_COUNT &&
	       (value->row == NULL || !config_row_names(value->row, (enum trait_kind)kind)))
		kind++;
	return (enum trait_kind)kind;
}

/* For each kind, the nodes whose names will be replaced. */
struct replaced {
	bool *node[TRAIT_KIND_COUNT];
};

static void replaced_clear(struct replaced *r)
{
	for (int kind = 0; kind < TRAIT_KIND_COUNT; kind++)
		free(r->node[kind]);
}

static struct replaced replaced_by(const struct state *st, struct draft *draft)
{
	struct replaced r;

	for (int kind = 0; kind < TRAIT_KIND_COUNT; kind++)
		r.node[kind] = nodes_described(st, draft);
	return r;
}

/* Adds the reported nodes: what the old configuration said about them is replaced, too. */
static void add_reported(const struct state *st, struct replaced *r)
{
	for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_VALUES); i++) {
		const struct config_entry *entry = &snapshot_values(st->s)[i];
		const struct option *row = &config_rows[entry->row];
		uint32_t node = row->form == FORM_NODE_WORDS
					? state_find_node(st, snapshot_string(st->s, entry->title))
					: INDEX_NONE;

		if (node != INDEX_NONE)
			r->node[row->offset][node] = true;
	}
}

/* The names of each node may fit into the slots, but those of all nodes together may not. */
static bool check_traits(const struct state *st, const struct draft *draft, const struct replaced *r,
			 struct err *err)
{
	struct str words[TRAIT_KIND_COUNT] = {{0}};
	bool good = true;

	for (size_t i = 0; i < draft->count; i++) {
		enum trait_kind kind = names_kind(&draft->item[i].value);

		if (kind != TRAIT_KIND_COUNT)
			str_addf(&words[kind], " %s", draft->item[i].value.value.text);
	}
	for (int kind = 0; kind < TRAIT_KIND_COUNT; kind++) {
		good = good && state_check_traits(st, (enum trait_kind)kind, str_text(&words[kind]),
						  r->node[kind], true, err);
		str_free(&words[kind]);
	}
	return good;
}

/* Names of reported nodes are kept until the next report, unless their slots are needed now. */
static bool find_slots(const struct state *st, const struct draft *draft, struct replaced *r, struct err *err)
{
	if (check_traits(st, draft, r, NULL))
		return true;
	add_reported(st, r);
	return check_traits(st, draft, r, err);
}

/* Releases the names of the old configuration for those of the new one. */
static void forget_traits(struct state *st, const struct replaced *r)
{
	for (int kind = 0; kind < TRAIT_KIND_COUNT; kind++)
		for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_NODES); i++)
			if (r->node[kind][i])
				state_forget_traits(st, i, (enum trait_kind)kind);
	for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_CREDS); i++)
		((struct cred *)state_item(st, TABLE_CREDS, i))->attr.default_features = 0;
	st->s->table[TABLE_VALUES].count = 0;
}

/* Names in the configuration get their slots at once: the nodes may follow later. */
static void intern_traits(struct state *st, const struct draft *draft)
{
	for (size_t i = 0; i < draft->count; i++) {
		enum trait_kind kind = names_kind(&draft->item[i].value);

		if (kind != TRAIT_KIND_COUNT)
			state_intern_traits(st, kind, draft->item[i].value.value.text);
	}
}

/* --- taking ------------------------------------------------------------------------------ */

static void take_entry(struct state *st, const struct draft_value *drafted)
{
	struct config_entry entry = {.row = drafted->row, .line = (uint32_t)drafted->value.place.line};

	entry.title = state_add_string(st, drafted->value.title);
	entry.text = state_add_string(st, drafted->value.value.text);
	state_make_room(st, TABLE_VALUES, 1);
	*(struct config_entry *)state_item(st, TABLE_VALUES, st->s->table[TABLE_VALUES].count++) = entry;
}

static void take_values(struct state *st, const struct draft *draft, const char *file, const char *text)
{
	uint32_t at = state_add_string(st, file);

	st->s->config_file = at;
	at = state_add_string(st, text);
	st->s->config_text = at;
	st->s->table[TABLE_VALUES].count = 0;
	for (size_t i = 0; i < draft->count; i++)
		if (draft->item[i].value.row != NULL)
			take_entry(st, &draft->item[i]);
	intern_traits(st, draft);
	state_rebuild_policy(st);
}

bool state_set_config(struct state *st, const char *file, const char *text, struct err *err)
{
	struct draft draft = {0};
	struct replaced replaced = {{NULL}};
	bool ok = config_read(file, text, strlen(text), draft_value, &draft, err) &&
		  each_node(st, &draft, check_node, err);

	if (ok) {
		replaced = replaced_by(st, &draft);
		ok = find_slots(st, &draft, &replaced, err);
	}
	if (ok) {
		forget_traits(st, &replaced);
		each_node(st, &draft, take_node, NULL);
		take_values(st, &draft, file, text);
	}
	replaced_clear(&replaced);
	draft_clear(&draft);
	return ok;
}

bool state_restore_config(struct state *st, const char *file, const char *text, struct err *err)
{
	struct draft draft = {0};
	bool ok = config_read(file, text, strlen(text), draft_value, &draft, err);

	if (ok)
		take_values(st, &draft, file, text);
	draft_clear(&draft);
	return ok;
}

/* --- rows of credentials ------------------------------------------------------------------------------ */

/*
 * Users can name any account, and any class if the site defines none; the rows that their jobs leave must not
 * accumulate. A credential is in use while a job, a limit, a list, a reservation, a setting or usage in a
 * fairshare window refers to it (a node's user has jobs there). Unused credentials are not part of the
 * state's hash, so that a state that reuses rows equals a restored one that never had them.
 */

#define CREDS_FEW 256 /* a table up to this size is never searched for unused rows */

static void need(bool *spare, uint32_t cred)
{
	if (cred != INDEX_NONE)
		spare[cred] = false;
}

static void need_jobs(const struct snapshot *s, bool *spare)
{
	for (uint32_t slot = 0; slot < snapshot_count(s, TABLE_JOBS); slot++) {
		const struct job *job = &snapshot_jobs(s)[slot];

		if (job->state == JOB_NONE)
			continue;
		for (int t = 0; t < CRED_TYPE_COUNT; t++)
			need(spare, job->cred[t]);
		need(spare, job->qos_asked);
	}
}

static void need_site(const struct snapshot *s, bool *spare)
{
	need(spare, s->qdef);
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_LIMITS); i++) {
		need(spare, snapshot_limits(s)[i].cred);
		need(spare, snapshot_limits(s)[i].second);
	}
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_PERMITS); i++) {
		if (snapshot_permits(s)[i].kind != PERMIT_LEVEL)
			need(spare, snapshot_permits(s)[i].owner);
		need(spare, snapshot_permits(s)[i].qos);
	}
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_GUESTS); i++)
		if (snapshot_guests(s)[i].type != GUEST_JOB)
			need(spare, snapshot_guests(s)[i].cred);
}

static bool has_used(const struct snapshot *s, const struct cred *cred)
{
	for (int c = 0; cred->usage != INDEX_NONE && c < FS_DEPTH_MAX; c++)
		if (snapshot_usage(s)[cred->usage].amount[c] != 0)
			return true;
	return false;
}

static bool is_set(double value)
{
	return value < 0 || value > 0;
}

static bool has_settings(const struct cred *cred)
{
	const struct cred_attr *a = &cred->attr;

	return cred->qdef != INDEX_NONE || cred->adef != INDEX_NONE || is_set(a->priority) ||
	       is_set(a->qt_weight) || is_set(a->xf_weight) || is_set(a->xf_target) || is_set(a->fs_target) ||
	       (a->fs_mode | a->access) != 0 || a->default_features != 0 ||
	       (a->qt_target_s | a->default_wall_s | a->max_wall_s | a->min_wall_s | a->max_procs |
		a->min_procs | a->max_nodes | a->min_nodes) != 0;
}

static void need_creds(const struct snapshot *s, bool *spare)
{
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_CREDS); i++) {
		const struct cred *cred = &snapshot_creds(s)[i];

		need(spare, cred->qdef);
		need(spare, cred->adef);
		if (i < CRED_TYPE_COUNT || has_settings(cred) || has_used(s, cred))
			spare[i] = false;
	}
}

void state_find_spare_creds(struct state *st)
{
	uint32_t count = snapshot_count(st->s, TABLE_CREDS), needed = 0;

	if (count < CREDS_FEW || count < st->creds_look || st->spare_at < st->spare_end)
		return;
	st->spare_cred = mem_resize(st->spare_cred, count * sizeof *st->spare_cred);
	memset(st->spare_cred, true, count * sizeof *st->spare_cred);
	need_jobs(st->s, st->spare_cred);
	need_site(st->s, st->spare_cred);
	need_creds(st->s, st->spare_cred);
	for (uint32_t i = 0; i < count; i++)
		needed += !st->spare_cred[i];
	st->spare_end = count;
	st->spare_at = 0;
	/* If few rows are unused the table grows first, so that the cost of a search is amortized. */
	st->creds_look = needed > count / 2 ? 2 * needed : count;
}

/* An unused row, removed from the index of names; otherwise a new one. */
static uint32_t take_row(struct state *st)
{
	for (; st->spare_at < st->spare_end; st->spare_at++) {
		uint32_t i = st->spare_at;

		if (!st->spare_cred[i])
			continue;
		st->spare_at++;
		state_unindex_cred(st, i);
		state_waste_string(st, snapshot_creds(st->s)[i].name);
		return i;
	}
	state_make_room(st, TABLE_CREDS, 1);
	((struct cred *)state_item(st, TABLE_CREDS, st->s->table[TABLE_CREDS].count))->usage = INDEX_NONE;
	return st->s->table[TABLE_CREDS].count++;
}

uint32_t state_intern_cred(struct state *st, enum cred_type type, const char *name)
{
	uint32_t i = state_find_cred(st, type, name), at, usage;

	if (i != INDEX_NONE) {
		if (i < st->spare_end)
			st->spare_cred[i] = false;
		return i;
	}
	at = state_add_string(st, name);
	i = take_row(st);
	usage = snapshot_creds(st->s)[i].usage; /* all windows are 0 */
	*(struct cred *)state_item(st, TABLE_CREDS, i) = (struct cred){
		.type = (uint32_t)type, .name = at, .usage = usage, .qdef = INDEX_NONE, .adef = INDEX_NONE};
	state_index_cred(st, i);
	return i;
}

/* --- limits ------------------------------------------------------------------------------------------- */

/*
 * A limit replaces an earlier one with the same owner, scope, kind and second credential; so a live change of
 * one limit does not affect other limits of the same option.
 */

struct drafted_limit {
	struct limit limit;
	uint32_t order; /* position in the order of settings */
};

/* Adds the credential; the name must not be one of the state's own strings. */
static uint32_t intern_second(struct state *st, const struct config_limit *limit)
{
	char name[CONFIG_TITLE];

	if (limit->second_len == 0)
		return INDEX_NONE;
	memcpy(name, limit->second, limit->second_len);
	name[limit->second_len] = '\0';
	return state_intern_cred(st, limit->second_type, name);
}

void state_draft_limit(struct state *st, struct limits_draft *draft, const struct setting *setting)
{
	const struct config_value *value = &setting->value;
	struct config_limit read;
	struct drafted_limit *added;

	/* It was checked when it was set, so it cannot fail. */
	if (!config_limit_read(value->row, value->second, value->second_len, value->value.text, &read, NULL))
		return;
	draft->item = vec_room(draft->item, &draft->room, draft->count + 1, sizeof *draft->item);
	added = &draft->item[draft->count];
	*added = (struct drafted_limit){.order = (uint32_t)draft->count++,
					.limit = {.cred = state_setting_owner(st, setting),
						  .kind = (uint8_t)read.kind,
						  .scope = (uint8_t)read.scope,
						  .second_type = (uint8_t)read.second_type,
						  .second = intern_second(st, &read),
						  .soft = read.soft,
						  .hard = read.hard}};
}

void state_draft_limits_in_force(const struct state *st, struct limits_draft *draft)
{
	uint32_t count = snapshot_count(st->s, TABLE_LIMITS);

	draft->item = vec_room(draft->item, &draft->room, draft->count + count, sizeof *draft->item);
	for (uint32_t i = 0; i < count; i++, draft->count++)
		draft->item[draft->count] = (struct drafted_limit){.limit = snapshot_limits(st->s)[i],
								   .order = (uint32_t)draft->count};
}

static int by_number(uint32_t a, uint32_t b)
{
	return (a > b) - (a < b);
}

static int by_place_and_order(const void *a, const void *b)
{
	const struct drafted_limit *x = a, *y = b;
	int place = limit_compare(&x->limit, &y->limit);

	return place != 0 ? place : by_number(x->order, y->order);
}

/* Of several limits with the same key the last one stays. */
static void drop_replaced(struct limits_draft *draft)
{
	size_t kept = 0;

	for (size_t i = 0; i < draft->count; i++) {
		if (i + 1 < draft->count &&
		    limit_compare(&draft->item[i].limit, &draft->item[i + 1].limit) == 0)
			continue;
		draft->item[kept++] = draft->item[i];
	}
	draft->count = kept;
}

static void name_rows(struct state *st)
{
	const struct limit *limit = snapshot_limits(st->s);
	struct cred *cred = state_item(st, TABLE_CREDS, 0);

	for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_CREDS); i++)
		cred[i].limit_first = cred[i].limit_count = 0;
	for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_LIMITS); i++) {
		struct cred *owner = limit[i].cred == INDEX_NONE ? NULL : &cred[limit[i].cred];

		if (owner != NULL && owner->limit_count++ == 0)
			owner->limit_first = i;
	}
}

void state_take_limits(struct state *st, struct limits_draft *draft)
{
	if (draft->count > 0)
		qsort(draft->item, draft->count, sizeof *draft->item, by_place_and_order);
	drop_replaced(draft);
	st->s->table[TABLE_LIMITS].count = 0;
	state_make_room(st, TABLE_LIMITS, (uint32_t)draft->count);
	for (size_t i = 0; i < draft->count; i++)
		*(struct limit *)state_item(st, TABLE_LIMITS, (uint32_t)i) = draft->item[i].limit;
	st->s->table[TABLE_LIMITS].count = (uint32_t)draft->count;
	name_rows(st);
	free(draft->item);
	*draft = (struct limits_draft){.count = 0};
}

/* --- access lists ------------------------------------------------------------------------------------- */

/*
 * The elements of a list in the configuration add up; a live change sets the whole list. A suffix & or ^ of
 * one name applies to the whole list.
 *
 * Source: Maui Administrator's Guide 7.3 (QLIST), Appendix F (RESERVATIONQOSLIST).
 */

#define EVERY_QOS "ALL"

static bool is_level(const struct permit *permit)
{
	return permit->kind == PERMIT_LEVEL;
}

static bool is_account(const struct permit *permit)
{
	return permit->kind == PERMIT_ACCOUNT;
}

static bool same_list(const struct permit *a, const struct permit *b)
{
	return a->owner == b->owner && is_level(a) == is_level(b) && is_account(a) == is_account(b);
}

/* Empties the list. */
static void drop_list(struct permits_draft *draft, const struct permit *list)
{
	size_t kept = 0;

	for (size_t i = 0; i < draft->count; i++)
		if (!same_list(&draft->item[i], list))
			draft->item[kept++] = draft->item[i];
	draft->count = kept;
}

/* Removes the suffix of a QOS in a list; returns the kind of the list. */
static uint32_t take_suffix(const char *word, size_t *len)
{
	char last = word[*len - 1];

	*len -= last == '&' || last == '^';
	return last == '&' ? PERMIT_QOS_BOTH : last == '^' ? PERMIT_QOS_ONLY : PERMIT_QOS;
}

static uint32_t intern_named(struct state *st, enum cred_type type, const char *word, size_t len)
{
	char name[CONFIG_TITLE];

	memcpy(name, word, len);
	name[len] = '\0';
	return state_intern_cred(st, type, str_same_word(name, CRED_DEFAULT) ? CRED_DEFAULT : name);
}

static void draft_word(struct state *st, struct permits_draft *draft, struct permit permit, const char *word,
		       size_t len)
{
	if (!is_level(&permit) && !is_account(&permit))
		permit.kind = take_suffix(word, &len);
	else if (is_level(&permit) && len == strlen(EVERY_QOS) && strncmp(word, EVERY_QOS, len) == 0)
		return;
	permit.qos = intern_named(st, is_account(&permit) ? CRED_ACCOUNT : CRED_QOS, word, len);
	draft->item = vec_room(draft->item, &draft->room, draft->count + 1, sizeof *draft->item);
	draft->item[draft->count++] = permit;
}

void state_draft_permits(struct state *st, struct permits_draft *draft, const struct setting *setting)
{
	const struct config_value *value = &setting->value;
	struct permit permit = {.kind = PERMIT_QOS};
	const char *at = value->value.text, *word;
	size_t len;

	if (value->row->form == FORM_LEVEL_QOS) {
		permit.kind = PERMIT_LEVEL;
		permit.owner = config_level(value->title);
	} else {
		if (value->row->form == FORM_ALIST)
			permit.kind = PERMIT_ACCOUNT;
		permit.owner = state_setting_owner(st, setting);
	}
	if (setting->live)
		drop_list(draft, &permit);
	while ((word = config_word(&at, &len)) != NULL)
		draft_word(st, draft, permit, word, len);
}

/* The entries of a list are adjacent. Applies the strictest suffix to all of them; returns the start of the
 * next list. */
static size_t even_out(struct permits_draft *draft, size_t first)
{
	uint32_t kind = draft->item[first].kind;
	size_t end = first;

	for (; end < draft->count && same_list(&draft->item[first], &draft->item[end]); end++)
		if (draft->item[end].kind > kind)
			kind = draft->item[end].kind;
	for (size_t i = first; i < end; i++)
		draft->item[i].kind = kind;
	return end;
}

void state_take_permits(struct state *st, struct permits_draft *draft)
{
	for (size_t i = 0; i < draft->count;)
		i = even_out(draft, i);
	st->s->table[TABLE_PERMITS].count = 0;
	state_make_room(st, TABLE_PERMITS, (uint32_t)draft->count);
	for (size_t i = 0; i < draft->count; i++)
		*(struct permit *)state_item(st, TABLE_PERMITS, (uint32_t)i) = draft->item[i];
	st->s->table[TABLE_PERMITS].count = (uint32_t)draft->count;
	free(draft->item);
	*draft = (struct permits_draft){.count = 0};
}
