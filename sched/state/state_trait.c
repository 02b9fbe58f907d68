/* SPDX-License-Identifier: MIT */
/*
 * state_trait.c - the table of traits: slots of features, node classes and generic resources
 *
 * A name gets the lowest free bit of its kind when a node or the configuration names it, and keeps the bit
 * while either does. Names are case-insensitive and keep the spelling with which they were added. A slot is
 * reclaimed when another name needs one and no node, configuration value or setting uses it. So the site
 * controls which names are in the table; jobs keep other names as text (job.unknown) and get the bit as soon
 * as there is one. The number of slots is fixed because the innermost loop of every pass compares single-word
 * masks to see whether a job fits on a node.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "state_inside.h"

#define SLOTS_MAX 64

static uint32_t most_of(enum trait_kind kind)
{
	return kind == TRAIT_GRES ? GRES_MAX : SLOTS_MAX;
}

static const char *plural_of(enum trait_kind kind)
{
	static const char *const names[TRAIT_KIND_COUNT] = {
		[TRAIT_FEATURE] = "features",
		[TRAIT_CLASS] = "classes of nodes",
		[TRAIT_GRES] = "kinds of generic resource",
	};

	return names[kind];
}

/* --- names in a text --------------------------------------------------------------------------- */

/* A name in a text with its count: 1 except for generic resources. */
struct named {
	char name[CONFIG_TITLE];
	uint32_t count;
};

/*
 * Reads the next name at *at and advances *at. Returns false at the end, and with err set for an invalid
 * name.
 */
static bool next_name(enum trait_kind kind, const char **at, struct named *out, struct err *err)
{
	size_t len;
	const char *word = config_word(at, &len);

	*out = (struct named){.count = 1};
	if (word == NULL)
		return false;
	if (kind == TRAIT_GRES && !config_gres_read(word, len, &len, &out->count, err))
		return false;
	if (len >= sizeof out->name)
		return err_set(err, "the name %.20s... is longer than %d bytes", word, CONFIG_TITLE - 1);
	memcpy(out->name, word, len);
	return true;
}

bool state_read_names(enum trait_kind kind, const char *text, struct err *err)
{
	struct named named;
	struct err bad = {""};

	while (text != NULL && next_name(kind, &text, &named, &bad))
		;
	return bad.text[0] == '\0' || err_set(err, "%s", bad.text);
}

bool state_check_job_traits(const struct job_record *record, struct err *err)
{
	return state_read_names(TRAIT_FEATURE, record->features, err) &&
	       state_read_names(TRAIT_FEATURE, record->prefer, err) &&
	       state_read_names(TRAIT_GRES, record->gres, err);
}

/* --- which names are in use ---------------------------------------------------------------------- */

/* A set of names of one kind. Its capacity is the number of slots. */
struct name_set {
	enum trait_kind kind;
	uint32_t count;
	char name[SLOTS_MAX][CONFIG_TITLE];
};

static bool set_has(const struct name_set *set, const char *name)
{
	for (uint32_t i = 0; i < set->count; i++)
		if (str_same_word(set->name[i], name))
			return true;
	return false;
}

/* Adds a name unless the set contains it already. Returns false if the set is full. */
static bool set_add(struct name_set *set, const char *name)
{
	if (set_has(set, name))
		return true;
	if (set->count == most_of(set->kind))
		return false;
	snprintf(set->name[set->count++], CONFIG_TITLE, "%s", name);
	return true;
}

static void set_add_text(struct name_set *set, const char *text)
{
	struct named named;

	while (next_name(set->kind, &text, &named, NULL))
		set_add(set, named.name);
}

/* Adds the names in the configuration, including those of nodes that have not been reported yet. */
static void set_add_values(struct name_set *set, const struct snapshot *s)
{
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_VALUES); i++) {
		const struct config_entry *entry = &snapshot_values(s)[i];

		if (config_row_names(&config_rows[entry->row], set->kind))
			set_add_text(set, snapshot_string(s, entry->text));
	}
}

/* Adds the names in settings, including undone ones, because undoing the undo must not fail. */
static void set_add_settings(struct name_set *set, const struct snapshot *s)
{
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_CHANGES); i++) {
		const struct change *change = &snapshot_changes(s)[i];
		const char *text = snapshot_string(s, change->value);
		struct config_value value;
		char title[CONFIG_TITLE];

		if (change->kind == CHANGE_SETTING &&
		    config_resolve(snapshot_string(s, change->name), text, &value, title, sizeof title,
				   NULL) &&
		    config_row_names(value.row, set->kind))
			set_add_text(set, text);
	}
}

static uint64_t node_bits(const struct node *node, enum trait_kind kind)
{
	uint64_t bits = 0;

	if (kind != TRAIT_GRES)
		return kind == TRAIT_FEATURE ? node->features : node->classes;
	for (int i = 0; i < GRES_MAX; i++)
		if ((node->gres[i] | node->gres_busy[i]) != 0)
			bits |= UINT64_C(1) << i;
	return bits;
}

/*
 * Returns the bits in use by nodes and by default features. replaced, new_config: as for
 * state_check_traits().
 */
static uint64_t bits_in_use(const struct snapshot *s, enum trait_kind kind, const bool *replaced,
			    bool new_config)
{
	uint64_t bits = 0;

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_NODES); i++)
		if (replaced == NULL || !replaced[i])
			bits |= node_bits(&snapshot_nodes(s)[i], kind);
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_CREDS) && kind == TRAIT_FEATURE && !new_config; i++)
		bits |= snapshot_creds(s)[i].attr.default_features;
	return bits;
}

static void set_add_bits(struct name_set *set, const struct snapshot *s, uint64_t bits)
{
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_TRAITS); i++) {
		const struct trait *trait = &snapshot_traits(s)[i];

		if (trait->kind == set->kind && (bits >> trait->bit & 1) != 0)
			set_add(set, snapshot_string(s, trait->name));
	}
}

static bool all_have_slots(const struct snapshot *s, enum trait_kind kind, const char *text)
{
	struct named named;

	while (next_name(kind, &text, &named, NULL))
		if (snapshot_find_trait(s, kind, named.name) < 0)
			return false;
	return true;
}

bool state_check_traits(const struct state *st, enum trait_kind kind, const char *text, const bool *replaced,
			bool new_config, struct err *err)
{
	struct name_set set = {.kind = kind};
	struct named named;

	if (text == NULL || text[0] == '\0')
		return true;
	if (!state_read_names(kind, text, err))
		return false;
	/* Most reports contain no new names. A new configuration may release slots that it needs. */
	if (!new_config && all_have_slots(st->s, kind, text))
		return true;
	set_add_bits(&set, st->s, bits_in_use(st->s, kind, replaced, new_config));
	if (!new_config)
		set_add_values(&set, st->s);
	set_add_settings(&set, st->s);
	while (next_name(kind, &text, &named, NULL))
		if (!set_add(&set, named.name))
			return err_set(err,
				       "%s would exceed the maximum of %u %s that nodes and the "
				       "configuration can name at a time; remove a name that is not needed",
				       named.name, most_of(kind), plural_of(kind));
	return true;
}

bool state_check_node_traits(const struct state *st, uint32_t i, const struct node_record *record,
			     struct err *err)
{
	const char *const text[TRAIT_KIND_COUNT] = {[TRAIT_FEATURE] = record->features,
						    [TRAIT_CLASS] = record->classes,
						    [TRAIT_GRES] = record->gres};
	struct snapshot *s = st->s;
	bool *replaced = NULL, good = true;

	for (int kind = 0; kind < TRAIT_KIND_COUNT && good; kind++) {
		/* The list of replaced names is built only if there is a new name. */
		if (text[kind] != NULL && i != INDEX_NONE && replaced == NULL &&
		    !all_have_slots(s, (enum trait_kind)kind, text[kind])) {
			replaced = mem_zero(snapshot_count(s, TABLE_NODES), sizeof *replaced);
			replaced[i] = true;
		}
		good = state_check_traits(st, (enum trait_kind)kind, text[kind], replaced, false, err);
	}
	free(replaced);
	return good;
}

/* --- names of jobs without a slot ------------------------------------------------------------------ */

static enum trait_kind kind_of(enum job_unknown which)
{
	return which == UNKNOWN_GRES ? TRAIT_GRES : TRAIT_FEATURE;
}

static void add_word(struct str *out, enum trait_kind kind, const struct named *named)
{
	if (out->len > 0)
		str_add_char(out, ' ');
	str_add(out, named->name);
	if (kind == TRAIT_GRES)
		str_addf(out, ":%u", named->count);
}

/*
 * Sets *out to the text without one name. If the text contained the name, returns true and sets *count to its
 * count.
 */
static bool leave_out(enum trait_kind kind, const char *text, const char *name, struct str *out,
		      uint32_t *count)
{
	struct named named;
	bool found = false;

	str_clear(out);
	while (next_name(kind, &text, &named, NULL)) {
		if (!str_same_word(named.name, name)) {
			add_word(out, kind, &named);
			continue;
		}
		found = true;
		*count = named.count;
	}
	return found;
}

static void set_unknown(struct state *st, struct job *job, enum job_unknown which, const char *text)
{
	state_waste_string(st, job->unknown[which]);
	job->unknown[which] = state_add_string(st, text);
}

static void give_bit(struct job *job, enum job_unknown which, int bit, uint32_t count)
{
	if (which == UNKNOWN_GRES)
		job->gres[bit] = count;
	else if (which == UNKNOWN_PREFER)
		job->prefer |= UINT64_C(1) << bit;
	else
		job->features |= UINT64_C(1) << bit;
}

/* Removes the bit from the job. Returns the count that the job requested. */
static uint32_t take_bit(struct job *job, enum job_unknown which, int bit)
{
	uint64_t *mask = which == UNKNOWN_PREFER ? &job->prefer : &job->features;
	uint32_t count = 1;

	if (which == UNKNOWN_GRES) {
		count = job->gres[bit];
		job->gres[bit] = 0;
		return count;
	}
	if ((*mask >> bit & 1) == 0)
		return 0;
	*mask &= ~(UINT64_C(1) << bit);
	return count;
}

typedef void visit_job(struct state *st, struct job *job, enum job_unknown which, const char *name, int bit);

/*
 * Calls visit for each job and each of its kinds of names that belong to this kind of trait. Jobs are edited
 * as copies, because the tables move when strings are added.
 */
static void each_job(struct state *st, enum trait_kind kind, const char *name, int bit, visit_job *visit)
{
	for (uint32_t slot = 0; slot < snapshot_count(st->s, TABLE_JOBS); slot++) {
		struct job job = *state_job(st, slot);

		if (job.state == JOB_NONE)
			continue;
		for (int which = 0; which < UNKNOWN_COUNT; which++)
			if (kind_of((enum job_unknown)which) == kind)
				visit(st, &job, (enum job_unknown)which, name, bit);
		*state_job(st, slot) = job;
	}
}

static void bind_job(struct state *st, struct job *job, enum job_unknown which, const char *name, int bit)
{
	struct str rest = {0};
	uint32_t count;

	if (job->unknown[which] != 0 &&
	    leave_out(kind_of(which), snapshot_string(st->s, job->unknown[which]), name, &rest, &count)) {
		give_bit(job, which, bit, count);
		set_unknown(st, job, which, str_text(&rest));
	}
	str_free(&rest);
}

static void unbind_job(struct state *st, struct job *job, enum job_unknown which, const char *name, int bit)
{
	struct named named = {.count = take_bit(job, which, bit)};
	struct str text = {0};

	if (named.count == 0)
		return;
	snprintf(named.name, sizeof named.name, "%s", name);
	str_add(&text, snapshot_string(st->s, job->unknown[which]));
	add_word(&text, kind_of(which), &named);
	set_unknown(st, job, which, str_text(&text));
	str_free(&text);
}

void state_name_traits(struct state *st, struct job *job, enum job_unknown which, const char *text)
{
	enum trait_kind kind = kind_of(which);
	struct str unknown = {0}, rest = {0};
	struct named named;
	uint32_t count;

	if (which == UNKNOWN_GRES)
		memset(job->gres, 0, sizeof job->gres);
	else
		*(which == UNKNOWN_PREFER ? &job->prefer : &job->features) = 0;
	while (text != NULL && next_name(kind, &text, &named, NULL)) {
		int bit = snapshot_find_trait(st->s, kind, named.name);

		if (bit >= 0) {
			give_bit(job, which, bit, named.count);
			continue;
		}
		/* The last occurrence of a name counts. */
		leave_out(kind, str_text(&unknown), named.name, &rest, &count);
		if (named.count > 0)
			add_word(&rest, kind, &named);
		str_clear(&unknown);
		str_add(&unknown, str_text(&rest));
	}
	set_unknown(st, job, which, str_text(&unknown));
	str_free(&unknown);
	str_free(&rest);
}

bool state_check_slots(const struct state *st, struct err *err)
{
	const struct snapshot *s = st->s;

	for (uint32_t slot = 0; slot < snapshot_count(s, TABLE_JOBS); slot++)
		for (int which = 0; which < UNKNOWN_COUNT; which++) {
			const struct job *job = &snapshot_jobs(s)[slot];
			const char *text = snapshot_string(s, job->unknown[which]);
			enum trait_kind kind = kind_of((enum job_unknown)which);
			struct named named;

			while (job->state != JOB_NONE && next_name(kind, &text, &named, NULL))
				if (snapshot_find_trait(s, kind, named.name) >= 0)
					return err_set(err, "job %llu does not use the slot of %s",
						       (unsigned long long)job->id, named.name);
		}
	return true;
}

/* --- slots ----------------------------------------------------------------------------------------- */

static uint64_t bits_taken(const struct snapshot *s, enum trait_kind kind)
{
	uint64_t bits = 0;

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_TRAITS); i++)
		if (snapshot_traits(s)[i].kind == kind)
			bits |= UINT64_C(1) << snapshot_traits(s)[i].bit;
	return bits;
}

/* Returns the lowest free bit; -1 = there is none. */
static int free_bit(const struct snapshot *s, enum trait_kind kind)
{
	uint64_t taken = bits_taken(s, kind);

	for (int bit = 0; bit < (int)most_of(kind); bit++)
		if ((taken >> bit & 1) == 0)
			return bit;
	return -1;
}

static void drop_slot(struct state *st, uint32_t i)
{
	struct trait trait = snapshot_traits(st->s)[i];
	char name[CONFIG_TITLE];

	snprintf(name, sizeof name, "%s", snapshot_string(st->s, trait.name));
	each_job(st, (enum trait_kind)trait.kind, name, trait.bit, unbind_job);
	state_waste_string(st, trait.name);
	state_close_gap(st, TABLE_TRAITS, i);
}

/* Frees unused slots. held: bits that are about to be used. */
static void reclaim(struct state *st, enum trait_kind kind, uint64_t held)
{
	struct name_set set = {.kind = kind};

	set_add_bits(&set, st->s, held | bits_in_use(st->s, kind, NULL, false));
	set_add_values(&set, st->s);
	set_add_settings(&set, st->s);
	for (uint32_t i = 0; i < snapshot_count(st->s, TABLE_TRAITS);)
		if (snapshot_traits(st->s)[i].kind == kind &&
		    !set_has(&set, snapshot_string(st->s, snapshot_traits(st->s)[i].name)))
			drop_slot(st, i);
		else
			i++;
}

/*
 * Returns the bit of a name, and gives it a slot if it has none. held: bits that are about to be used.
 * Returns -1 if all slots are in use, which an earlier check has ruled out.
 */
static int intern(struct state *st, enum trait_kind kind, const char *name, uint64_t held)
{
	int bit = snapshot_find_trait(st->s, kind, name);
	uint32_t at;

	if (bit >= 0)
		return bit;
	bit = free_bit(st->s, kind);
	if (bit < 0) {
		reclaim(st, kind, held);
		bit = free_bit(st->s, kind);
	}
	if (bit < 0)
		return bit;
	at = state_add_string(st, name);
	state_make_room(st, TABLE_TRAITS, 1);
	*(struct trait *)state_item(st, TABLE_TRAITS, st->s->table[TABLE_TRAITS].count++) =
		(struct trait){.name = at, .kind = (uint8_t)kind, .bit = (uint8_t)bit};
	each_job(st, kind, name, bit, bind_job);
	return bit;
}

uint64_t state_intern_traits(struct state *st, enum trait_kind kind, const char *text)
{
	uint64_t bits = 0;
	struct named named;

	while (text != NULL && next_name(kind, &text, &named, NULL)) {
		int bit = intern(st, kind, named.name, bits);

		if (bit >= 0)
			bits |= UINT64_C(1) << bit;
	}
	return bits;
}

void state_intern_gres(struct state *st, const char *text, uint32_t gres[static GRES_MAX])
{
	struct named named;
	uint64_t held = 0;

	memset(gres, 0, GRES_MAX * sizeof *gres);
	while (text != NULL && next_name(TRAIT_GRES, &text, &named, NULL)) {
		int bit = intern(st, TRAIT_GRES, named.name, held);

		if (bit < 0)
			continue;
		gres[bit] = named.count;
		held |= UINT64_C(1) << bit;
	}
}
