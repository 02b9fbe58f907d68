/* SPDX-License-Identifier: MIT */
/*
 * mask.c - what may somebody see who is to see no names but their own?
 *
 * Not the names are taken out but the others put in: all strings of the copy are wiped, then those come back
 * that a field names which is for everybody, or is the viewer's own. So a string that nobody thought of, or
 * that is left over in a table, stays hidden. Fields that are hidden name one string, MASK_NAME, which stands
 * behind all others.
 */
#include "mask.h"

#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"
#include "sched/config/config.h"
#include "sched/model/cred.h"

struct mask {
	const struct snapshot *s;
	struct snapshot *copy;
	const struct viewer *viewer;
	uint32_t own;  /* the viewer as a credential; INDEX_NONE = has none */
	uint32_t name; /* the string MASK_NAME                              */
	bool *used;    /* by credential: a job of the viewer has it         */
	struct configured *configured;
	uint64_t *job; /* ids of the viewer's jobs, upward                  */
	size_t count, room;
};

static void *items(const struct mask *m, enum snapshot_table_id id)
{
	return (char *)m->copy + m->copy->table[id].offset;
}

static void show(const struct mask *m, uint32_t string)
{
	const char *text = snapshot_string(m->s, string);

	memcpy((char *)items(m, TABLE_STRINGS) + string, text, strlen(text) + 1);
}

/* A field that says nothing goes on to say nothing. */
static void hide(const struct mask *m, uint32_t *string)
{
	if (*string != 0)
		*string = m->name;
}

static void show_or_hide(const struct mask *m, bool shown, uint32_t *string)
{
	if (shown)
		show(m, *string);
	else
		hide(m, string);
}

/* --- what is shown ------------------------------------------------------------------------------- */

/* A class that was set while the scheduler runs has values, and no section in the text. */
static bool has_values(const struct snapshot *s, const char *name)
{
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_VALUES); i++) {
		const struct config_entry *entry = &snapshot_values(s)[i];

		if (cred_type_find(config_rows[entry->row].scope) == CRED_CLASS &&
		    strcmp(snapshot_string(s, entry->title), name) == 0)
			return true;
	}
	return false;
}

bool mask_is_site_class(struct configured *c, const struct snapshot *s, const char *name)
{
	return strcmp(name, CRED_DEFAULT) == 0 || snapshot_find_trait(s, TRAIT_CLASS, name) >= 0 ||
	       has_values(s, name) || configured_find(c, s, CRED_CLASS, name).this;
}

/* The DEFAULTs, and what holds for jobs without one, are nobody's names. used: a job of the viewer has it. */
static bool is_name_shown(const struct mask *m, enum cred_type type, const char *name, bool used)
{
	if (type == CRED_QOS || strcmp(name, CRED_DEFAULT) == 0 || strcmp(name, CRED_NONE) == 0)
		return true;
	if (type == CRED_CLASS)
		return used || mask_is_site_class(m->configured, m->s, name);
	if (type == CRED_USER)
		return strcmp(name, m->viewer->user) == 0;
	return used || (type == CRED_GROUP && strcmp(name, m->viewer->group) == 0);
}

static bool is_shown(const struct mask *m, uint32_t i)
{
	const struct cred *cred = &snapshot_creds(m->s)[i];

	return is_name_shown(m, (enum cred_type)cred->type, snapshot_string(m->s, cred->name), m->used[i]);
}

static bool is_own(const struct mask *m, const struct job *job)
{
	return m->own != INDEX_NONE && job->state != JOB_NONE && job->cred[CRED_USER] == m->own;
}

static int compare_ids(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static bool is_own_id(const struct mask *m, uint64_t id)
{
	return m->count > 0 && bsearch(&id, m->job, m->count, sizeof *m->job, compare_ids) != NULL;
}

static uint32_t find_own(const struct snapshot *s, const struct viewer *viewer)
{
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_CREDS); i++)
		if (snapshot_creds(s)[i].type == CRED_USER &&
		    strcmp(snapshot_string(s, snapshot_creds(s)[i].name), viewer->user) == 0)
			return i;
	return INDEX_NONE;
}

static void note_own(struct mask *m, const struct job *job)
{
	static const enum cred_type theirs[] = {CRED_GROUP, CRED_ACCOUNT, CRED_CLASS};

	m->job = vec_room(m->job, &m->room, m->count + 1, sizeof *m->job);
	m->job[m->count++] = job->id;
	for (size_t i = 0; i < sizeof theirs / sizeof theirs[0]; i++)
		if (job->cred[theirs[i]] != INDEX_NONE)
			m->used[job->cred[theirs[i]]] = true;
}

static void look_for_own(struct mask *m)
{
	const struct job *jobs = snapshot_jobs(m->s);

	m->own = find_own(m->s, m->viewer);
	m->used = mem_zero((size_t)snapshot_count(m->s, TABLE_CREDS) + 1, sizeof *m->used);
	for (uint32_t i = 0; i < snapshot_count(m->s, TABLE_JOBS); i++)
		if (is_own(m, &jobs[i]))
			note_own(m, &jobs[i]);
	if (m->count > 0)
		qsort(m->job, m->count, sizeof *m->job, compare_ids);
}

/* --- table by table ------------------------------------------------------------------------------- */

static void mask_creds(const struct mask *m)
{
	struct cred *cred = items(m, TABLE_CREDS);

	for (uint32_t i = 0; i < snapshot_count(m->s, TABLE_CREDS); i++) {
		show_or_hide(m, is_shown(m, i), &cred[i].name);
		cred[i].stored = cred[i].kept_depends = 0;
	}
}

/* An empty slot has strings of who was there. */
static void mask_job(const struct mask *m, struct job *job)
{
	bool own = is_own(m, job);

	if (job->state == JOB_NONE)
		return;
	job->launch_size = job->stored = 0;
	show(m, job->label);
	show(m, job->hosts);
	show(m, job->order);
	show_or_hide(m, own, &job->name);
	show_or_hide(m, own, &job->hold_reason);
	show_or_hide(m, own, &job->base_reason);
	for (int k = 0; k < UNKNOWN_COUNT; k++)
		show_or_hide(m, own, &job->unknown[k]);
}

static void mask_jobs(const struct mask *m)
{
	struct job *job = items(m, TABLE_JOBS);

	for (uint32_t i = 0; i < snapshot_count(m->s, TABLE_JOBS); i++)
		mask_job(m, &job[i]);
}

static void show_machine(const struct mask *m)
{
	const struct snapshot *s = m->s;

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_NODES); i++) {
		show(m, snapshot_nodes(s)[i].name);
		show(m, snapshot_nodes(s)[i].priorityf);
	}
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_PARTITIONS); i++)
		show(m, snapshot_partitions(s)[i].name);
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_TRAITS); i++)
		show(m, snapshot_traits(s)[i].name);
}

static void mask_changes(const struct mask *m)
{
	struct change *change = items(m, TABLE_CHANGES);

	for (uint32_t i = 0; i < snapshot_count(m->s, TABLE_CHANGES); i++) {
		bool own = is_own_id(m, change[i].job);

		show_or_hide(m, own, &change[i].name);
		show_or_hide(m, own, &change[i].value);
		show_or_hide(m, own, &change[i].base);
	}
}

static bool is_own_guest(const struct mask *m, const struct guest *guest)
{
	return guest->type == GUEST_JOB ? is_own_id(m, guest->job)
					: guest->cred != INDEX_NONE && is_shown(m, guest->cred);
}

/* For everybody or nobody, as maintenance is, or for the viewer among others. */
static bool is_for_viewer(const struct mask *m, const struct advance *a)
{
	for (uint32_t i = 0; i < a->guest_count; i++)
		if (is_own_guest(m, &snapshot_guests(m->s)[a->first_guest + i]))
			return true;
	return a->guest_count == 0;
}

/*
 * Whoever made a reservation knows the names that it is for, and jobs with the same credential would then be
 * known by name. It is for nobody instead. may_ask() refuses users such guests; some may be from before.
 */
static void hide_guests(const struct mask *m, const struct advance *a)
{
	struct guest *guest = items(m, TABLE_GUESTS);

	for (uint32_t i = a->first_guest; i < a->first_guest + a->guest_count; i++)
		if (guest[i].type != GUEST_JOB && !is_own_guest(m, &guest[i]))
			guest[i] = (struct guest){.type = GUEST_JOB, .cred = INDEX_NONE};
}

/* What the site reserves is for all to see, but for who did it; what it reserves for others is not. */
static void mask_advances(const struct mask *m)
{
	struct advance *a = items(m, TABLE_ADVANCES);

	for (uint32_t i = 0; i < snapshot_count(m->s, TABLE_ADVANCES); i++) {
		bool own = strcmp(snapshot_string(m->s, a[i].owner), m->viewer->user) == 0;

		show_or_hide(m, own, &a[i].owner);
		show_or_hide(m, own || (a[i].personal == 0 && is_for_viewer(m, &a[i])), &a[i].name);
		show_or_hide(m, own, &a[i].reason);
		if (own)
			hide_guests(m, &a[i]);
	}
}

/* What is set for people hides whom it is set for; limits and lists of administrators name them as well. */
static bool names_nobody(const struct option *row)
{
	enum cred_type type = cred_type_find(row->scope);

	return type != CRED_USER && type != CRED_GROUP && type != CRED_ACCOUNT && row->form != FORM_LIMIT &&
	       row->form != FORM_SITE_TEXT && row->form != FORM_PROGRAM && row->form != FORM_ALIST &&
	       row->form != FORM_ADEF;
}

/* The policy in force is in numbers; the text it came from names whom it is about. */
static void mask_configuration(const struct mask *m)
{
	struct config_entry *entry = items(m, TABLE_VALUES);

	for (uint32_t i = 0; i < snapshot_count(m->s, TABLE_VALUES); i++) {
		bool shown = names_nobody(&config_rows[entry[i].row]);

		show_or_hide(m, shown, &entry[i].title);
		show_or_hide(m, shown, &entry[i].text);
	}
	hide(m, &m->copy->config_text);
	show(m, m->copy->config_file);
	for (int i = 0; i < SITE_TEXT_COUNT; i++)
		hide(m, &m->copy->site_text[i]);
	hide(m, &m->copy->local_program);
	show(m, m->copy->priorityf);
}

/* --- what is asked ---------------------------------------------------------------------------------- */

const struct advance_guest *mask_hidden_guest(struct configured *c, const struct snapshot *s,
					      const struct viewer *viewer, const struct advance_text *text)
{
	struct mask m = {.s = s, .viewer = viewer, .configured = c};
	const struct advance_guest *hidden = NULL;

	look_for_own(&m);
	for (size_t i = 0; hidden == NULL && i < text->guest_count; i++) {
		const struct advance_guest *guest = &text->guest[i];
		uint32_t cred = guest->type == GUEST_JOB
					? INDEX_NONE
					: snapshot_find_cred(s, (enum cred_type)guest->type, guest->name);

		if (guest->type != GUEST_JOB && !is_name_shown(&m, (enum cred_type)guest->type, guest->name,
							       cred != INDEX_NONE && m.used[cred]))
			hidden = guest;
	}
	free(m.used);
	free(m.job);
	return hidden;
}

/* --- all ------------------------------------------------------------------------------------------- */

static struct snapshot *copy_with_a_name(const struct snapshot *s, uint32_t *name)
{
	uint32_t room[TABLE_COUNT];
	struct snapshot *copy;

	for (int i = 0; i < TABLE_COUNT; i++)
		room[i] = snapshot_count(s, (enum snapshot_table_id)i);
	*name = room[TABLE_STRINGS];
	room[TABLE_STRINGS] += (uint32_t)sizeof MASK_NAME;
	copy = snapshot_copy_with_room(s, room);
	copy->table[TABLE_STRINGS].count = room[TABLE_STRINGS];
	return copy;
}

struct snapshot *mask_snapshot(const struct snapshot *s, const struct viewer *viewer)
{
	struct mask m = {.s = s, .viewer = viewer, .configured = configured_new()};
	char *strings;

	m.copy = copy_with_a_name(s, &m.name);
	strings = items(&m, TABLE_STRINGS);
	memset(strings, 0, snapshot_count(m.copy, TABLE_STRINGS));
	memcpy(strings + m.name, MASK_NAME, sizeof MASK_NAME);
	look_for_own(&m);
	mask_creds(&m);
	mask_jobs(&m);
	show_machine(&m);
	mask_changes(&m);
	mask_advances(&m);
	mask_configuration(&m);
	m.copy->masked = 1;
	configured_free(m.configured);
	free(m.used);
	free(m.job);
	return m.copy;
}
