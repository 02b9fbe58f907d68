/* SPDX-License-Identifier: MIT */
/*
 * jobs.c - cells and filter fields of every list of jobs
 */
#include "jobs.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sched/base/duration.h"
#include "sched/rm/wallclock.h"
#include "tui/report/limit_report.h"

enum role jobs_role(const struct forecast *f, uint32_t slot)
{
	const struct job *job = &snapshot_jobs(f->s)[slot];

	if (job->state == JOB_RUNNING)
		return job->flags & JOB_BACKFILLED ? ROLE_JOB_BACKFILLED : ROLE_JOB_RUNNING;
	if (job->holds)
		return ROLE_JOB_HELD;
	if (f->place[slot] == 0)
		return ROLE_JOB_BLOCKED;
	return job->planned_s != TIME_NEVER ? ROLE_JOB_RESERVED : ROLE_JOB_IDLE;
}

enum role jobs_add_label(const struct forecast *f, uint32_t slot, struct str *out)
{
	char label[JOB_LABEL_TEXT];

	str_add(out, snapshot_job_label(f->s, &snapshot_jobs(f->s)[slot], label));
	return jobs_role(f, slot);
}

enum role jobs_add_mark(const struct forecast *f, uint32_t slot, struct str *out)
{
	enum role role = jobs_role(f, slot);

	str_add(out, role_info(role)->mark);
	return role;
}

enum role jobs_add_cred(const struct forecast *f, uint32_t slot, enum cred_type type, struct str *out)
{
	const char *name = snapshot_job_cred(f->s, &snapshot_jobs(f->s)[slot], type);

	str_add(out, name ? name : "-");
	return ROLE_TEXT;
}

static const char *state_word(const struct forecast *f, uint32_t slot)
{
	const struct job *job = &snapshot_jobs(f->s)[slot];

	if (job->state == JOB_RUNNING)
		return "running";
	if (job->holds)
		return "held";
	return f->place[slot] == 0 ? "blocked" : "idle";
}

/* Expensive; computed only for filters that use it. */
static int64_t priority_of(const struct forecast *f, const struct job *job, const struct filter *filter)
{
	struct prio_result result = {0};

	if (strcasestr(filter_text(filter), "priority") != NULL)
		forecast_priority(f, job, &result);
	return result.rank;
}

bool jobs_match(const struct forecast *f, uint32_t slot, const struct filter *filter)
{
	const struct job *job = &snapshot_jobs(f->s)[slot];
	char label[JOB_LABEL_TEXT];
	char procs[24], walltime[24], queued[24], priority[24];
	struct field field[CRED_TYPE_COUNT + 8];
	struct str limit = {0};
	size_t count = 0, first;
	bool matches;

	if (filter->count == 0)
		return true;
	if (job->state == JOB_IDLE)
		limit_add_label(f->s, job, &f->plan.reason[slot], &limit);
	field[count++] = (struct field){"job", snapshot_job_label(f->s, job, label)};
	for (enum cred_type t = 0; t < CRED_TYPE_COUNT; t++)
		field[count++] = (struct field){cred_type_name(t), snapshot_job_cred(f->s, job, t)};
	field[count++] = (struct field){"name", snapshot_string(f->s, job->name)};
	field[count++] = (struct field){"state", state_word(f, slot)};
	field[count++] = (struct field){"limit", str_text(&limit)};
	first = count;
	snprintf(procs, sizeof procs, "%" PRId64, job_procs_counted(job));
	snprintf(walltime, sizeof walltime, "%" PRId64, job->wall_limit_s);
	snprintf(queued, sizeof queued, "%" PRId64, job_queued_s(job, f->plan.now_s));
	snprintf(priority, sizeof priority, "%" PRId64, priority_of(f, job, filter));
	field[count++] = (struct field){"procs", procs};
	field[count++] = (struct field){"walltime", walltime};
	field[count++] = (struct field){"queued", queued};
	field[count++] = (struct field){"priority", priority};
	matches = filter_match_named(filter, field, first, count);
	str_free(&limit);
	return matches;
}

void jobs_add_moment(struct str *out, int64_t at_s, int64_t now_s)
{
	char when[MOMENT_TEXT], away[DURATION_TEXT];

	str_addf(out, "%s %s%s", wallclock_short(when, at_s, now_s), at_s < now_s ? "-" : "+",
		 duration_short(away, at_s < now_s ? now_s - at_s : at_s - now_s));
}

/* One of: a placeholder, a start later than the reserved one, or neither. */
static enum role add_start_mark(const struct job *job, struct future_start start, struct str *out)
{
	if (start.placeholder) {
		str_add(out, FUTURE_MARK);
		return ROLE_START_PLACEHOLDER;
	}
	if (job->planned_s == TIME_NEVER || start.start_s <= job->planned_s) {
		str_add(out, " ");
		return job->planned_s == start.start_s ? ROLE_START_RESERVED : ROLE_START_ESTIMATE;
	}
	str_add(out, role_info(ROLE_START_SLIPS)->mark);
	return ROLE_START_SLIPS;
}

enum role jobs_add_start(const struct forecast *f, uint32_t slot, struct str *out)
{
	struct future_start start = forecast_start(f, slot);
	enum role role;

	if (start.start_s == TIME_NEVER && forecast_lead(f, slot).verdict == VERDICT_NEVER) {
		str_add(out, role_info(ROLE_START_NEVER)->mark);
		return ROLE_START_NEVER;
	}
	if (start.start_s == TIME_NEVER) {
		str_add(out, "-");
		return ROLE_DIM;
	}
	if (start.start_s <= f->plan.now_s) {
		str_addf(out, "%s%s", start.placeholder ? FUTURE_MARK : "", role_info(ROLE_START_NOW)->mark);
		return ROLE_START_NOW;
	}
	role = add_start_mark(&snapshot_jobs(f->s)[slot], start, out);
	jobs_add_moment(out, start.start_s, f->plan.now_s);
	return role;
}

bool jobs_add_slip(const struct forecast *f, uint32_t slot, struct str *out)
{
	const struct job *job = &snapshot_jobs(f->s)[slot];
	struct future_start start = forecast_start(f, slot);
	char reserved[MOMENT_TEXT], expected[MOMENT_TEXT];

	if (job->state != JOB_IDLE || job->planned_s == TIME_NEVER || start.placeholder ||
	    start.start_s == TIME_NEVER || start.start_s <= job->planned_s)
		return false;
	str_addf(out, "reserved %s, expected %s", wallclock_short(reserved, job->planned_s, f->plan.now_s),
		 wallclock_short(expected, start.start_s, f->plan.now_s));
	return true;
}

enum role jobs_add_when(int64_t start_s, int64_t now_s, bool placeholder, struct str *out)
{
	char when[MOMENT_TEXT];

	if (start_s == TIME_NEVER) {
		str_add(out, "-");
		return ROLE_DIM;
	}
	str_addf(out, "%s%s", placeholder ? FUTURE_MARK : "",
		 start_s <= now_s ? role_info(ROLE_START_NOW)->mark : wallclock_short(when, start_s, now_s));
	return placeholder ? ROLE_START_PLACEHOLDER : ROLE_TEXT;
}

enum role jobs_add_change(int64_t before_s, int64_t after_s, int cells, struct str *out)
{
	int64_t by_s = after_s < before_s ? before_s - after_s : after_s - before_s;
	char by[DURATION_TEXT];

	if (before_s == after_s)
		return ROLE_DIM;
	if (before_s == TIME_NEVER || after_s == TIME_NEVER) {
		str_add(out, after_s == TIME_NEVER ? "no start" : "starts");
		return after_s == TIME_NEVER ? ROLE_LATER : ROLE_EARLIER;
	}
	if (strlen(duration_text(by, by_s)) + 1 > (size_t)cells)
		duration_short(by, by_s);
	str_addf(out, "%s%s", after_s < before_s ? "-" : "+", by);
	return after_s < before_s ? ROLE_EARLIER : ROLE_LATER;
}

static void add_place(struct str *out, uint32_t place)
{
	if (place)
		str_addf(out, "%" PRIu32, place);
	else
		str_add(out, "-");
}

enum role jobs_add_rank(uint32_t before, uint32_t after, struct str *out)
{
	add_place(out, before);
	if (before == after)
		return ROLE_DIM;
	str_add(out, " -> ");
	add_place(out, after);
	return after != 0 && (before == 0 || after < before) ? ROLE_EARLIER : ROLE_LATER;
}
