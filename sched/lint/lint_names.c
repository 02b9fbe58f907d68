/* SPDX-License-Identifier: MIT */
/*
 * lint_names.c - for whom is something set, or kept, who is not there?
 *
 * Rules L1 and L12: a name may be a typing error, or somebody who has not come yet. Where there is no
 * job at all nobody is missed.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lint_inside.h"
#include "sched/base/vec.h"

#define NAMED_MOST 3 /* names that a sentence lists */

/* By credential: has it a job, or used something? */
static bool *who_is_there(const struct snapshot *s)
{
	uint32_t creds = snapshot_count(s, TABLE_CREDS);
	bool *there = mem_alloc((creds + 1) * sizeof *there);

	for (uint32_t i = 0; i < creds; i++)
		there[i] = snapshot_creds(s)[i].usage != INDEX_NONE;
	for (uint32_t slot = 0; slot < snapshot_count(s, TABLE_JOBS); slot++) {
		const struct job *job = &snapshot_jobs(s)[slot];

		for (int type = 0; job->state != JOB_NONE && type < CRED_TYPE_COUNT; type++)
			if (job->cred[type] != INDEX_NONE)
				there[job->cred[type]] = true;
	}
	return there;
}

/* Classes and QOS are made by the site, and may stand empty. */
static bool is_somebody(const struct config_value *value)
{
	enum cred_type type = cred_type_find(value->row->scope);

	return (type == CRED_USER || type == CRED_GROUP || type == CRED_ACCOUNT) &&
	       strcmp(value->title, CRED_DEFAULT) != 0 && !str_same_word(value->title, CRED_NONE);
}

static bool is_missing(const struct snapshot *s, const bool *there, enum cred_type type, const char *name)
{
	uint32_t cred = snapshot_find_cred(s, type, name);

	return cred == INDEX_NONE || !there[cred];
}

static void strangers(const struct lint_view *v, const bool *there)
{
	const struct config_value *first = NULL;
	struct config_finding *found;
	struct str names = {0};
	int64_t count = 0;

	for (size_t i = 0; i < v->values->count; i++) {
		const struct config_value *value = &v->values->item[i].value;

		if (!lint_begins_section(v, i) || !is_somebody(value) ||
		    !is_missing(v->s, there, cred_type_find(value->row->scope), value->title))
			continue;
		first = first == NULL ? value : first;
		if (count++ < NAMED_MOST)
			str_addf(&names, "%s%s %s", names.len > 0 ? ", " : "", value->row->scope,
				 value->title);
	}
	if (count > NAMED_MOST)
		str_addf(&names, " and %" PRId64 " more", count - NAMED_MOST);
	if (first != NULL) {
		found = lint_found(v, "L1", first,
				   "nobody of this name has or had a job: %s; is it spelt right?",
				   str_text(&names));
		found->count = count;
	}
	str_free(&names);
}

static bool has_guest(const struct lint_view *v, const bool *there, const struct advance *advance)
{
	for (uint32_t i = 0; i < advance->guest_count; i++) {
		const struct guest *guest = &snapshot_guests(v->s)[advance->first_guest + i];

		if (guest->type == GUEST_JOB ? snapshot_find_job(v->s, guest->job) != INDEX_NONE
					     : guest->cred != INDEX_NONE && there[guest->cred])
			return true;
	}
	return advance->guest_count == 0;
}

static void nobody_comes(const struct lint_view *v, const bool *there)
{
	for (uint32_t i = 0; i < snapshot_count(v->s, TABLE_ADVANCES); i++) {
		const struct advance *advance = &snapshot_advances(v->s)[i];

		if (advance_is_over(advance, v->plan->now_s) || has_guest(v, there, advance))
			continue;
		lint_found(v, "L12", NULL,
			   "reservation %s is for somebody who has no job; 'kahu unreserve %s' takes it "
			   "back",
			   snapshot_string(v->s, advance->name), snapshot_string(v->s, advance->name));
	}
}

void lint_names(const struct lint_view *v)
{
	bool *there;

	if (v->plan->queue.active_count + snapshot_count(v->s, TABLE_WAITING) == 0)
		return;
	there = who_is_there(v->s);
	strangers(v, there);
	nobody_comes(v, there);
	free(there);
}
