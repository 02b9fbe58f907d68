/* SPDX-License-Identifier: MIT */
/*
 * way_out.c - which changes would start a job, as `why` says it?
 */
#include "way_out.h"

#include <inttypes.h>

#include "jobtext.h"
#include "report.h"
#include "sched/base/duration.h"
#include "sched/base/json.h"
#include "tui/wallclock.h"

#define MOST_SHOWN 8

static const char *label_of(const struct snapshot *s, uint64_t id, char buf[static JOB_LABEL_TEXT])
{
	uint32_t slot = snapshot_find_job(s, id);

	return slot == INDEX_NONE ? "?" : snapshot_job_label(s, &snapshot_jobs(s)[slot], buf);
}

void way_out_line(const struct snapshot *s, const struct event *ev, struct str *out)
{
	char label[JOB_LABEL_TEXT];

	switch (ev->kind) {
	case EVENT_SETTING:
		str_addf(out, "tune %s %s", ev->setting.name, ev->setting.value);
		break;
	case EVENT_MODIFY:
		str_addf(out, "set %s %s=%s", label_of(s, ev->job, label), ev->modify.name, ev->modify.value);
		break;
	case EVENT_PRIORITY:
		str_addf(out, "setspri -r %+" PRId64 " %s", ev->priority.points, label_of(s, ev->job, label));
		break;
	case EVENT_HOLD:
		str_addf(out, "%s %s", ev->hold.on ? "hold -s" : "release", label_of(s, ev->job, label));
		break;
	case EVENT_CANCEL:
		str_addf(out, "cancel %s", label_of(s, ev->job, label));
		break;
	case EVENT_HALT:
		str_add(out, "sched resume");
		break;
	default:
		cmd_describe(s, ev, out);
		break;
	}
}

/* --- text ----------------------------------------------------------------------------------------- */

static void cell_cost(struct report *r, const struct snapshot *s, const struct unblock_change *c)
{
	char label[JOB_LABEL_TEXT], text[DURATION_TEXT];
	struct str cost = {0};

	if (c->delayed == 0)
		str_add(&cost, "no job delayed");
	else
		report_count(&cost, c->delayed, "job delayed", "jobs delayed");
	if (c->delays > 0 && c->delay[0].by_s == TIME_NEVER)
		str_addf(&cost, ", %s for ever", label_of(s, c->delay[0].job, label));
	else if (c->delays > 0)
		str_addf(&cost, ", %s by %s", label_of(s, c->delay[0].job, label),
			 duration_text(text, c->delay[0].by_s));
	if (c->work_lost_ps > 0)
		str_addf(&cost, "; %.1f processor-hours of work lost", (double)c->work_lost_ps / 3600);
	report_cell(r, str_text(&cost));
	str_free(&cost);
}

static void add_row(struct report *r, const struct cmd_env *env, const struct unblock_change *c)
{
	char when[MOMENT_TEXT];
	struct str line = {0};

	way_out_line(env->s, &c->ev, &line);
	report_cell(r, str_text(&line));
	report_cell(r, c->starts_s <= env->now_s
			       ? "now"
			       : moment_short(when, wallclock(c->starts_s), wallclock(env->now_s)));
	cell_cost(r, env->s, c);
	str_free(&line);
}

/* What was asked for, and, where nothing does that, what comes nearest. */
static void print_heading(const struct cmd_env *env, const struct unblock *u, int64_t by_s)
{
	char when[MOMENT_TEXT], soonest[MOMENT_TEXT];

	str_add(env->out,
		u->by_s == by_s ? "\nSingle changes that start it " : "\nNo single change starts it ");
	if (by_s <= env->now_s)
		str_add(env->out, "now");
	else
		str_addf(env->out, "by %s", moment_short(when, wallclock(by_s), wallclock(env->now_s)));
	if (u->by_s != by_s && u->by_s != TIME_NEVER)
		str_addf(env->out, "; those that start it soonest, at %s",
			 moment_short(soonest, wallclock(u->by_s), wallclock(env->now_s)));
	str_add(env->out, u->count > 0 ? ", each tried on a copy, none made:\n" : ".\n");
}

void way_out_print(const struct cmd_env *env, const struct unblock *u, int64_t by_s)
{
	static const struct report_column columns[] = {{"", TEXT_LEFT}, {"", TEXT_LEFT}, {"", TEXT_LEFT}};
	struct report r = {.column = columns, .columns = 3, .no_titles = true, .width = env->width};

	print_heading(env, u, by_s);
	for (size_t i = 0; i < u->count && i < MOST_SHOWN; i++)
		add_row(&r, env, &u->change[i]);
	report_print(&r, 2, env->ascii, env->out);
	report_free(&r);
}

/* --- JSON ------------------------------------------------------------------------------------------ */

static void json_change(struct json *j, const struct snapshot *s, const struct unblock_change *c)
{
	char label[JOB_LABEL_TEXT];
	struct str line = {0};

	way_out_line(s, &c->ev, &line);
	json_open(j, NULL, '{');
	json_text(j, "change", str_text(&line));
	json_int(j, "starts_at", c->starts_s);
	json_int(j, "delayed", c->delayed);
	json_int(j, "work_lost_ps", c->work_lost_ps);
	json_open(j, "delays", '[');
	for (uint32_t i = 0; i < c->delays; i++) {
		json_open(j, NULL, '{');
		json_text(j, "job", label_of(s, c->delay[i].job, label));
		json_int_or_null(j, "by_s", c->delay[i].by_s, TIME_NEVER);
		json_close(j);
	}
	json_close(j);
	json_close(j);
	str_free(&line);
}

void way_out_json(struct json *j, const struct snapshot *s, const struct unblock *u)
{
	json_open(j, "changes", '[');
	for (size_t i = 0; i < u->count; i++)
		json_change(j, s, &u->change[i]);
	json_close(j);
}
