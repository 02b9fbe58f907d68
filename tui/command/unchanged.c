/* SPDX-License-Identifier: MIT */
/*
 * unchanged.c - removal of changes that set what a job or the policy has already
 */
#include "unchanged.h"

#include <string.h>

#include "sched/state/state.h"
#include "sched/state/takeback.h"

/* What a job has of what the event sets: the attribute as it is printed, or the operator's priority. */
static void print_present(const struct snapshot *s, const struct event *ev, struct str *out)
{
	uint32_t slot = snapshot_find_job(s, ev->job);
	const struct job *job = &snapshot_jobs(s)[slot];
	const char *qos = snapshot_job_cred(s, job, CRED_QOS);

	if (ev->kind == EVENT_PRIORITY)
		str_addf(out, "%d %lld", job->adjust, (long long)job->points);
	else if (str_same_word(ev->modify.name, "qos") && qos != NULL && ev->modify.value[0] != '\0')
		str_add(out, qos); /* whether the job asked for it, or was given it */
	else
		state_print_attribute(s, job, state_find_attribute(ev->modify.name), out);
}

/* Does the event leave the job as it is? Applied to st, where it is not refused. */
static bool sets_nothing(struct state *st, const struct event *ev)
{
	struct str before = {0}, after = {0};
	struct event timely = *ev;
	bool same;

	timely.time_s = state_view(st)->now_s;
	if (!event_check(st, &timely, NULL))
		return false;
	print_present(state_view(st), ev, &before);
	event_apply(st, &timely, NULL);
	print_present(state_view(st), ev, &after);
	same = strcmp(str_text(&before), str_text(&after)) == 0;
	str_free(&before);
	str_free(&after);
	return same;
}

static bool is_of_job(const struct event *ev)
{
	return ev->kind == EVENT_PRIORITY || ev->kind == EVENT_MODIFY;
}

/* Those before it have been applied to st. */
static bool changes_nothing(struct state *st, const struct event *ev)
{
	struct event timely = *ev;

	if (is_of_job(ev))
		return sets_nothing(st, ev);
	if (ev->until_s == 0 && takeback_is_same_setting(state_view(st), ev->setting.name, ev->setting.value))
		return true;
	timely.time_s = state_view(st)->now_s;
	event_apply(st, &timely, NULL);
	return false;
}

void unchanged_drop(const struct snapshot *s, struct cmd_changes *changes)
{
	struct state *st = NULL;
	struct str what = {0};
	size_t kept = 0;

	for (size_t i = 0; i < changes->count; i++) {
		const struct event *ev = &changes->event[i];

		bool sets = is_of_job(ev) || ev->kind == EVENT_SETTING;

		if (st == NULL && sets)
			st = state_from_snapshot(s);
		if (!sets || !changes_nothing(st, ev)) {
			changes->event[kept++] = *ev;
			continue;
		}
		str_clear(&what);
		cmd_describe(s, ev, &what);
		cmd_add_note(changes, CMD_NOTE_NOTHING, 0, str_text(&what));
	}
	changes->count = kept;
	state_free(st);
	str_free(&what);
}
