/* SPDX-License-Identifier: MIT */
/*
 * mask.c - names and reasons hidden from a user (option hidenames)
 *
 * The copy starts with all strings wiped. Then only permitted strings are restored: those referred to by a
 * field that is public or belongs to the viewer. So a string that was not considered, or that no record
 * refers to, remains hidden. Hidden fields refer to the single string MASK_NAME, which follows all others.
 */
#include "mask.h"

#include <stdlib.h>
#include <string.h>

#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "sched/config/config.h"
#include "sched/model/cred.h"

/* --- reasons why starts failed or jobs were cancelled ------------------------------------------------- */

/*
 * A failure reason may name files of the job's user. The scheduler writes it as the reason of a deferred or
 * retried job, and of the batch hold that follows too many deferrals. Without the reason, the screens say
 * only that the start failed. In the copy the text itself is overwritten, because a client can read the whole
 * file.
 */

/* Job IDs, ascending. */
struct ids {
	uint64_t *item;
	size_t count, room;
};

struct hiding {
	const struct snapshot *s;
	struct snapshot *copy;
	const char *user;
	struct ids own; /* IDs of the viewer's jobs */
};

bool mask_is_held_after_defers(const char *reason)
{
	return strncmp(reason, HOLD_AFTER_DEFERS, strlen(HOLD_AFTER_DEFERS)) == 0;
}

static bool is_held_for(const struct snapshot *s, uint32_t text)
{
	return mask_is_held_after_defers(snapshot_string(s, text));
}

static const char *user_of(const struct snapshot *s, const struct job *job)
{
	uint32_t user = job->cred[CRED_USER];

	return user == INDEX_NONE ? "" : snapshot_string(s, snapshot_creds(s)[user].name);
}

/* --- ids ------------------------------------------------------------------------------------------- */

static void add_id(struct ids *ids, uint64_t id)
{
	ids->item = vec_room(ids->item, &ids->room, ids->count + 1, sizeof *ids->item);
	ids->item[ids->count++] = id;
}

static int compare_ids(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void sort_ids(struct ids *ids)
{
	if (ids->count > 0)
		qsort(ids->item, ids->count, sizeof *ids->item, compare_ids);
}

static bool has_id(const struct ids *ids, uint64_t id)
{
	return ids->count > 0 && bsearch(&id, ids->item, ids->count, sizeof *ids->item, compare_ids) != NULL;
}

/* --- owners of reasons --------------------------------------------------------------------------------- */

/* Is this change a hold after too many deferrals? After the release of the hold, the change is kept for undo
 * with its reason, even once the job has started. */
static bool is_hold_after_defers(const struct snapshot *s, const struct change *change)
{
	return change->kind == CHANGE_HOLD && change->value != 0 && is_held_for(s, change->value);
}

static struct ids held_after_defers(const struct snapshot *s)
{
	struct ids held = {.item = NULL};

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_CHANGES); i++)
		if (is_hold_after_defers(s, &snapshot_changes(s)[i]))
			add_id(&held, snapshot_changes(s)[i].job);
	sort_ids(&held);
	return held;
}

char *mask_reason_owners(const struct snapshot *s)
{
	struct ids held = held_after_defers(s);
	bool *listed = NULL;
	struct str list = {0};

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_JOBS); i++) {
		const struct job *job = &snapshot_jobs(s)[i];

		if (job->state == JOB_NONE || job->cred[CRED_USER] == INDEX_NONE ||
		    (!job_has_private_reason(job) && !has_id(&held, job->id)))
			continue;
		if (listed == NULL) {
			listed = mem_zero((size_t)snapshot_count(s, TABLE_CREDS) + 1, sizeof *listed);
			str_add_char(&list, ',');
		}
		if (!listed[job->cred[CRED_USER]])
			str_addf(&list, "%s,", user_of(s, job));
		listed[job->cred[CRED_USER]] = true;
	}
	free(listed);
	free(held.item);
	if (list.len > 0)
		return list.data;
	str_free(&list);
	return NULL;
}

bool mask_owns_reason(const char *owners, const char *user)
{
	size_t len = strlen(user);

	for (const char *at = owners; at != NULL && (at = strstr(at, user)) != NULL; at++)
		if (len > 0 && at > owners && at[-1] == ',' && at[len] == ',')
			return true;
	return false;
}

/* --- hiding ---------------------------------------------------------------------------------------- */

static void wipe(const struct hiding *h, uint32_t *text)
{
	char *strings = (char *)h->copy + h->copy->table[TABLE_STRINGS].offset;

	memset(strings + *text, 0, strlen(snapshot_string(h->s, *text)));
	*text = 0;
}

static void note_own(struct hiding *h)
{
	const struct job *job = snapshot_jobs(h->s);

	for (uint32_t i = 0; h->user != NULL && i < snapshot_count(h->s, TABLE_JOBS); i++)
		if (job[i].state != JOB_NONE && strcmp(user_of(h->s, &job[i]), h->user) == 0)
			add_id(&h->own, job[i].id);
	sort_ids(&h->own);
}

static void hide_of_job(const struct hiding *h, struct job *job)
{
	if (job->state == JOB_NONE || has_id(&h->own, job->id))
		return;
	if (is_held_for(h->s, job->hold_reason))
		job->hold_reason = 0;
	if (!job_has_private_reason(job))
		return;
	if (job->hold_reason == job->base_reason)
		job->hold_reason = 0;
	wipe(h, &job->base_reason);
}

static void hide_of_changes(const struct hiding *h)
{
	struct change *change = (struct change *)((char *)h->copy + h->copy->table[TABLE_CHANGES].offset);

	for (uint32_t i = 0; i < snapshot_count(h->copy, TABLE_CHANGES); i++)
		if (is_hold_after_defers(h->s, &change[i]) && !has_id(&h->own, change[i].job))
			wipe(h, &change[i].value);
}

static struct snapshot *copy_for(const struct snapshot *s, const uint32_t room[TABLE_COUNT],
				 struct snapshot_buffer *buffer)
{
	return buffer == NULL ? snapshot_copy_with_room(s, room) : snapshot_copy_into(s, room, buffer);
}

struct snapshot *mask_reasons(const struct snapshot *s, const char *user, struct snapshot_buffer *buffer)
{
	struct hiding h = {.s = s, .user = user};
	uint32_t room[TABLE_COUNT];
	struct job *job;

	for (int i = 0; i < TABLE_COUNT; i++)
		room[i] = snapshot_count(s, (enum snapshot_table_id)i);
	h.copy = copy_for(s, room, buffer);
	job = (struct job *)((char *)h.copy + h.copy->table[TABLE_JOBS].offset);
	note_own(&h);
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_JOBS); i++)
		hide_of_job(&h, &job[i]);
	hide_of_changes(&h);
	free(h.own.item);
	return h.copy;
}

/* --- hidden names and reasons (option hidenames) ------------------------------------------------------- */

struct mask {
	const struct snapshot *s;
	struct snapshot *copy;
	const struct viewer *viewer;
	uint32_t own;  /* the viewer's user credential; INDEX_NONE: none */
	uint32_t name; /* the string MASK_NAME */
	bool *used;    /* by credential: used by a job of the viewer */
	struct configured *configured;
	uint64_t *job; /* IDs of the viewer's jobs, ascending */
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

/* Replaces a string by MASK_NAME; an empty string remains empty. */
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

/* --- visible names ------------------------------------------------------------------------------------ */

/* Does the policy have values for the class? A class that was set while the scheduler runs has values but no
 * section in the text. */
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

/*
 * May the viewer see the name? CRED_DEFAULT and CRED_NONE are not names of people. used: a job of the viewer
 * has the credential.
 */
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

static void mask_note_own(struct mask *m, const struct job *job)
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
			mask_note_own(m, &jobs[i]);
	if (m->count > 0)
		qsort(m->job, m->count, sizeof *m->job, compare_ids);
}

/* --- tables ------------------------------------------------------------------------------------------- */

static void mask_creds(const struct mask *m)
{
	struct cred *cred = items(m, TABLE_CREDS);

	for (uint32_t i = 0; i < snapshot_count(m->s, TABLE_CREDS); i++) {
		show_or_hide(m, is_shown(m, i), &cred[i].name);
		cred[i].stored = cred[i].texts = cred[i].kept_depends = cred[i].kept_changes = 0;
	}
}

/* An unused slot still has the strings of its last job. */
static void mask_job(const struct mask *m, struct job *job)
{
	bool own = is_own(m, job);

	if (job->state == JOB_NONE)
		return;
	job->launch_size = job->stored = job->texts = 0;
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

/* Does the reservation have no guests, such as one for maintenance, or is the viewer among its guests? */
static bool is_for_viewer(const struct mask *m, const struct advance *a)
{
	for (uint32_t i = 0; i < a->guest_count; i++)
		if (is_own_guest(m, &snapshot_guests(m->s)[a->first_guest + i]))
			return true;
	return a->guest_count == 0;
}

/*
 * Among the guests of a reservation, replaces each one whose name is hidden with a guest that matches no job.
 * The maker of the reservation knows the guests, and could otherwise recognize jobs with the same
 * credentials, because these refer to the same hidden string. authorize_events() refuses new reservations of
 * users with such guests; older reservations may still have them.
 */
static void hide_guests(const struct mask *m, const struct advance *a)
{
	struct guest *guest = items(m, TABLE_GUESTS);

	for (uint32_t i = a->first_guest; i < a->first_guest + a->guest_count; i++)
		if (guest[i].type != GUEST_JOB && !is_own_guest(m, &guest[i]))
			guest[i] = (struct guest){.type = GUEST_JOB, .cred = INDEX_NONE};
}

/* Reservations for other users are hidden. Reservations of the site are visible, but the name of the user who
 * made them is hidden. */
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

/* Does an option contain no names of people? Options in the section of a user, group or account contain its
 * name; limits and lists of administrators contain names as well. */
static bool names_nobody(const struct option *row)
{
	enum cred_type type = cred_type_find(row->scope);

	return type != CRED_USER && type != CRED_GROUP && type != CRED_ACCOUNT && row->form != FORM_LIMIT &&
	       row->form != FORM_SITE_TEXT && row->form != FORM_PROGRAM && row->form != FORM_ALIST &&
	       row->form != FORM_ADEF;
}

/* The numbers of the policy remain; the configuration text, which contains names, is removed. */
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

/* --- guests of a new reservation ---------------------------------------------------------------------- */

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

/* --- the masked copy ---------------------------------------------------------------------------------- */

static struct snapshot *copy_with_a_name(const struct snapshot *s, uint32_t *name,
					 struct snapshot_buffer *buffer)
{
	uint32_t room[TABLE_COUNT];
	struct snapshot *copy;

	for (int i = 0; i < TABLE_COUNT; i++)
		room[i] = snapshot_count(s, (enum snapshot_table_id)i);
	*name = room[TABLE_STRINGS];
	room[TABLE_STRINGS] += (uint32_t)sizeof MASK_NAME;
	copy = copy_for(s, room, buffer);
	copy->table[TABLE_STRINGS].count = room[TABLE_STRINGS];
	return copy;
}

struct snapshot *mask_snapshot(const struct snapshot *s, const struct viewer *viewer,
			       struct snapshot_buffer *buffer)
{
	struct mask m = {.s = s, .viewer = viewer, .configured = configured_new()};
	char *strings;

	m.copy = copy_with_a_name(s, &m.name, buffer);
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
