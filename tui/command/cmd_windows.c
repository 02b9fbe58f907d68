/* SPDX-License-Identifier: MIT */
/*
 * cmd_windows.c - kahu windows: backfill windows
 *
 * A window is a number of processors that are free for a duration, given the running jobs, the jobs that a
 * pass would start now, and the reservations. To find the windows, a hypothetical job with one processor per
 * task is placed for each duration; it is held, so that the pass does not start it. Windows that begin now
 * are listed from the widest and shortest to the narrowest and longest. Maui's command is showbf.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "cmd.h"
#include "sched/base/duration.h"
#include "sched/base/vec.h"
#include "sched/pass/cycle.h"
#include "sched/placement/placement.h"
#include "sched/rm/wallclock.h"
#include "tui/report/field.h"
#include "tui/report/hypothetical_job.h"

struct window {
	int64_t begin_s;
	int64_t duration_s; /* TIME_NEVER = no limit */
	int64_t procs;
	uint32_t nodes; /* nodes with these processors; 0 = not computed yet */
};

struct windows {
	struct cmd_env *env;
	struct hypothetical_job wish;
	struct cycle *cycle;
	struct placement *placement;
	int64_t least_s;     /* -d: minimum duration */
	int64_t least_nodes; /* -n: minimum number of nodes */
	struct window *item;
	size_t count, room_for;
};

/* --- search ------------------------------------------------------------------------------------------- */

/*
 * Returns how many processors are free throughout [begin_s, end_s): from the profile if all processors are
 * equal, else by searching the nodes.
 */
static int64_t fitting(struct windows *w, int64_t begin_s, int64_t end_s)
{
	enum lack ignored;

	if (placement_is_plain(w->placement))
		return profile_least(placement_profile(w->placement), begin_s, end_s);
	return placement_fit(w->placement, w->wish.slot, begin_s, end_s, &ignored);
}

/* Returns the number of nodes on which a job with this many processors would be placed. */
static uint32_t nodes_of(struct windows *w, int64_t begin_s, int64_t end_s, int64_t procs)
{
	struct job *job = state_job(w->wish.copy, w->wish.slot);
	uint32_t tasks = job->tasks, nodes = 0;
	struct alloc_list runs = {0};

	job->tasks = (uint32_t)procs;
	if (placement_find(w->placement, w->wish.slot, begin_s, end_s, &runs))
		for (size_t i = 0; i < runs.count; i++)
			nodes += runs.item[i].nodes;
	job->tasks = tasks;
	free(runs.item);
	return nodes;
}

static void add_window(struct windows *w, int64_t begin_s, int64_t end_s, int64_t procs)
{
	int64_t duration_s = end_s == TIME_NEVER ? TIME_NEVER : end_s - begin_s;
	struct window window = {.begin_s = begin_s, .duration_s = duration_s, .procs = procs};

	if (procs == 0 || duration_s < w->least_s)
		return;
	window.nodes = nodes_of(w, begin_s, end_s == TIME_NEVER ? INT64_MAX / 2 : end_s, procs);
	if (window.nodes < w->least_nodes)
		return;
	w->item = vec_room(w->item, &w->room_for, w->count + 1, sizeof *w->item);
	w->item[w->count++] = window;
}

/* Adds all windows that begin at a time; with `widest` only the first one, which is the widest. */
static void add_windows(struct windows *w, int64_t begin_s, bool widest)
{
	int64_t end_s = placement_next_change(w->placement, begin_s);
	int64_t procs = fitting(w, begin_s, begin_s + 1);

	while (end_s != TIME_NEVER && procs > 0) {
		int64_t longer = fitting(w, begin_s, end_s + 1);

		if (longer < procs) {
			add_window(w, begin_s, end_s, procs);
			if (widest)
				return;
		}
		procs = longer;
		end_s = placement_next_change(w->placement, end_s);
	}
	add_window(w, begin_s, TIME_NEVER, procs);
}

#define LATER_MAX 20

/*
 * Adds the widest window at each future time at which more processors become free, at most LATER_MAX windows.
 */
static void add_later(struct windows *w)
{
	int64_t at_s = placement_next_change(w->placement, w->env->now_s),
		before = fitting(w, w->env->now_s, w->env->now_s + 1);

	for (int found = 0; at_s != TIME_NEVER && found < LATER_MAX;
	     at_s = placement_next_change(w->placement, at_s)) {
		int64_t procs = fitting(w, at_s, at_s + 1);

		if (procs > before) {
			add_windows(w, at_s, true);
			found++;
		}
		before = procs;
	}
}

/* --- output ------------------------------------------------------------------------------------------- */

struct window_item {
	struct window window;
	int64_t now_s;
};

static enum role for_cell(const void *item, struct str *out)
{
	int64_t duration_s = ((const struct window_item *)item)->window.duration_s;
	char lasts[DURATION_TEXT];

	str_add(out, duration_s == TIME_NEVER ? "no limit" : duration_text(lasts, duration_s));
	return ROLE_TEXT;
}

static enum role from_cell(const void *item, struct str *out)
{
	const struct window_item *i = item;
	char when[MOMENT_TEXT];

	str_add(out, i->window.begin_s == i->now_s ? "now" : wallclock_long(when, i->window.begin_s));
	return ROLE_TEXT;
}

static const struct field window_fields[] = {
	{"procs", "PROCS", FIELD_COUNT, FIELD_AT(struct window_item, window.procs)},
	{"nodes", "NODES", FIELD_COUNT, FIELD_OR_NULL(struct window_item, window.nodes, 0)},
	{"begin", "FROM", FIELD_INSTANT, FIELD_AT(struct window_item, window.begin_s), .cell = from_cell},
	{"duration_s", "FOR", FIELD_DURATION,
	 FIELD_OR_NULL(struct window_item, window.duration_s, TIME_NEVER), .cell = for_cell},
	{0}};

static void each_window(const void *item, field_visit *visit, void *self)
{
	const struct windows *w = item;

	for (size_t i = 0; i < w->count; i++)
		visit(self, &(struct window_item){w->item[i], w->env->now_s});
}

/* A credential of the hypothetical job; name NULL: it has none of this type. */
struct cred_item {
	const char *type, *name;
};

static const struct field cred_fields[] = {{NULL, "", FIELD_TEXT, FIELD_AT(struct cred_item, type)},
					   {NULL, "", FIELD_TEXT, FIELD_AT(struct cred_item, name)},
					   {0}};

static void each_cred(const void *item, field_visit *visit, void *self)
{
	for (enum cred_type type = 0; type < CRED_TYPE_COUNT; type++)
		visit(self, &(struct cred_item){cred_type_name(type),
						((const struct windows *)item)->wish.cred[type]});
}

static const struct field env_fields[] = {{"now", NULL, FIELD_INSTANT, FIELD_AT(struct cmd_env, now_s)}, {0}};

static const struct field windows_fields[] = {
	{.type = FIELD_MEMBERS, FIELD_TO(struct windows, env), .of = env_fields},
	{.type = FIELD_MAP, .of = cred_fields, .each = each_cred},
	{"windows", NULL, FIELD_LIST, .of = window_fields, .each = each_window},
	{0}};

static void print_asker(const struct windows *w, struct str *out)
{
	char when[MOMENT_TEXT];

	str_add(out, "Backfill windows for");
	for (enum cred_type type = 0; type < CRED_TYPE_COUNT; type++) {
		if (!w->wish.cred[type])
			continue;
		str_addf(out, " %s ", cred_type_name(type));
		text_safe(out, w->wish.cred[type], w->env->ascii);
	}
	str_addf(out, ", %s\n", wallclock_long(when, w->env->now_s));
}

static void print_text(const struct windows *w, struct str *out)
{
	static const struct field_column columns[] = {
		{.key = "procs"}, {.key = "nodes"}, {.key = "duration_s"}, {.key = "begin"}};
	struct field_table t;

	field_table_begin(&t, window_fields, columns, sizeof columns / sizeof columns[0]);
	print_asker(w, out);
	each_window(w, field_table_visit, &t);
	if (w->count > 0)
		field_table_print(&t, 0, w->env->ascii, out);
	else
		str_add(out, "no processors are available\n");
	field_table_free(&t);
}

/* --- the verb ----------------------------------------------------------------------------------------- */

static bool read_bounds(struct windows *w)
{
	const char *duration = cmd_option(w->env, "-d");

	return (!duration || duration_parse(duration, &w->least_s, &w->env->err)) &&
	       cmd_option_whole(w->env, "-n", 0, UINT32_MAX, 0, &w->least_nodes);
}

static void find(struct windows *w)
{
	struct cycle_result result;

	w->cycle = cycle_new();
	cycle_run(w->cycle, state_view(w->wish.copy), w->env->now_s, false, &result);
	w->placement = cycle_placement(w->cycle);
	add_windows(w, w->env->now_s, false);
	if (cmd_option(w->env, "-D"))
		add_later(w);
}

static enum cmd_status run_windows(struct cmd_env *env, int argc, char **argv)
{
	struct windows w = {.env = env,
			    .wish = {.procs = env->s->procs_total, .wall_s = 1, .holds = JOB_HOLD_SYSTEM}};
	bool ok;

	(void)argc;
	(void)argv;
	if (!read_bounds(&w))
		return CMD_USAGE;
	if (w.wish.procs == 0) {
		err_set(&env->err, "the cluster has no nodes");
		return CMD_REFUSED;
	}
	ok = hypothetical_job_submit(&w.wish, env);
	if (ok) {
		find(&w);
		if (env->json)
			fields_document(env->out, windows_fields, 0, &w);
		else
			print_text(&w, env->out);
		cycle_free(w.cycle);
		free(w.item);
	}
	hypothetical_job_free(&w.wish);
	return ok ? CMD_DONE : CMD_REFUSED;
}

const struct cmd cmd_windows = {
	.name = "windows",
	.alias = "showbf",
	.args = "",
	.help = "Show backfill windows: how many processors are free now, and for how long.",
	.options =
		(const struct cmd_option[]){
			{"-d", "DURATION", "only windows of at least this duration"},
			{"-n", "NODES", "only windows with at least this number of nodes"},
			{"-D", NULL, "also show future windows"},
			HYPOTHETICAL_JOB_OPTIONS,
			{0},
		},
	.flags = CMD_STORE | CMD_PAST,
	.run = run_windows,
};
