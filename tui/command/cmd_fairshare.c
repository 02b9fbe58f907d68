/* SPDX-License-Identifier: MIT */
/*
 * cmd_fairshare.c - kahu fairshare: usage against targets, forecast, and windows as files
 *
 * The table follows Maui's diagnose -f. For each credential it shows the share of usage, weighted by age, the
 * target, and the share of each window; a star marks a missed target. The forecast assumes that the
 * credential runs no jobs. Windows can be exported to FS.<epoch> files and imported from them.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "cmd.h"
#include "replay_setup.h"
#include "sched/base/vec.h"
#include "sched/host/files.h"
#include "sched/trace/fsfile.h"
#include "tui/draw/text.h"
#include "tui/report/shares.h"

static void build(const struct cmd_env *env, struct fairshare *f)
{
	struct fs_world world;

	snapshot_fs_world(env->s, env->now_s, &world);
	fairshare_build(f, &world);
}

/* --- windows as files --------------------------------------------------------------------------------- */

/* Returns the usage in window i. Names point into the snapshot; the caller frees `use`. */
static struct fsfile window_of(const struct cmd_env *env, const struct fairshare *f, uint32_t i)
{
	int64_t interval_s = env->s->policy.fs_interval_s;
	struct fsfile file = {.begin_s = f->begin_s - (int64_t)i * interval_s, .total = f->total[i]};

	file.length_s = f->other_length_s[i] != 0 ? f->other_length_s[i] : interval_s;
	for (uint32_t c = 0; c < f->share_count; c++) {
		const struct cred *cred = &snapshot_creds(env->s)[c];

		if (f->share[c].window[i] == 0)
			continue;
		file.use = vec_room(file.use, &file.room, file.count + 1, sizeof *file.use);
		file.use[file.count++] = (struct fs_use){.name = snapshot_string(env->s, cred->name),
							 .amount = f->share[c].window[i],
							 .type = (enum cred_type)cred->type};
	}
	return file;
}

static bool write_window(struct cmd_env *env, const struct fsfile *window, const char *dir)
{
	struct outfile file = {.fd = -1};
	struct str path = {0}, text = {0};
	bool ok;

	str_addf(&path, "%s/FS.%" PRId64, dir, window->begin_s);
	fsfile_write(window, &text);
	ok = outfile_open(&file, str_text(&path), &env->err) && outfile_write(&file, &text, &env->err);
	if (ok) {
		text_safe(env->out, str_text(&path), env->ascii);
		str_add_char(env->out, '\n');
	}
	str_free(&path);
	str_free(&text);
	return ok;
}

/* Writes each window with usage as DIR/FS.<epoch> and prints the names of the files. */
static bool export_windows(struct cmd_env *env, const struct fairshare *f, const char *dir)
{
	bool ok = true;

	if (f->off)
		return err_set(&env->err,
			       "fairshare is disabled (FSPOLICY NONE); there are no windows to write");
	for (uint32_t i = 0; i < f->depth && ok; i++) {
		struct fsfile window;

		if (f->total[i] == 0)
			continue;
		window = window_of(env, f, i);
		ok = write_window(env, &window, dir);
		free(window.use);
	}
	return ok;
}

static void add_window(struct cmd_env *env, const struct fsfile *window)
{
	struct event *ev = cmd_add_event(env, EVENT_USAGE, 0);
	struct used_by *item = cmd_own_bytes(env, (window->count + 1) * sizeof *item);

	for (size_t i = 0; i < window->count; i++)
		item[i] = (struct used_by){.type = (uint32_t)window->use[i].type,
					   .name = cmd_own(env, window->use[i].name),
					   .amount = window->use[i].amount};
	ev->usage = (struct usage_window){
		.begin_s = window->begin_s,
		.length_s = window->length_s > 0 ? window->length_s : env->s->policy.fs_interval_s,
		.item = item,
		.count = (uint32_t)window->count,
		.total = window->total,
	};
}

/*
 * Adds an event for each window of the files that is one of the last FSDEPTH windows. A message has the
 * number of the other windows. Returns false with err set if the files cannot be read, or none of their
 * windows is one of the last.
 */
static bool import_windows(struct cmd_env *env, const char *dir)
{
	const struct policy *p = &env->s->policy;
	int64_t oldest_s =
		fs_window_begin(env->now_s, p->fs_interval_s) - (p->fs_depth - 1) * p->fs_interval_s;
	struct replay_input in = {0};
	bool ok = replay_read_usage(dir, &in, &env->err);
	size_t left_out = 0;

	for (size_t i = 0; i < in.window_count; i++)
		if (in.window[i].begin_s < oldest_s || in.window[i].begin_s > env->now_s)
			left_out++;
		else
			add_window(env, &in.window[i]);
	if (ok && env->changes->count == 0)
		ok = err_set(&env->err,
			     "none of the %zu windows in %s is one of the last %lld windows (option fsdepth)",
			     in.window_count, dir, (long long)p->fs_depth);
	else if (left_out > 0 && !env->json)
		str_addf(env->out,
			 "ignored %zu windows that are not among the last %lld windows (option fsdepth)\n",
			 left_out, (long long)p->fs_depth);
	replay_input_clear(&in);
	return ok;
}

/* --- the verb ----------------------------------------------------------------------------------------- */

static enum cmd_status run_fairshare(struct cmd_env *env, int argc, char **argv)
{
	const char *from = cmd_option(env, "--import"), *to = cmd_option(env, "--export");
	struct fairshare f = {0};
	bool ok = true;

	(void)argc;
	(void)argv;
	if (from)
		return import_windows(env, from) ? CMD_DONE : CMD_REFUSED;
	build(env, &f);
	if (to)
		ok = export_windows(env, &f, to);
	else
		(env->json ? shares_report_json : shares_report_text)(
			&(struct shares_report){env->s, &f, env->now_s, env->ascii}, env->out);
	fairshare_clear(&f);
	return ok ? CMD_DONE : CMD_REFUSED;
}

const struct cmd cmd_fairshare = {
	.name = "fairshare",
	.args = "",
	.help = "Show usage against fairshare targets, window by window, with a forecast for the next "
		"windows.",
	.options =
		(const struct cmd_option[]){
			{"--export", "DIR", "write the windows to files FS.<epoch> in DIR"},
			{"--import", "DIR", "replace the windows with those from files FS.<epoch> in DIR"},
			{0},
		},
	.flags = CMD_STORE | CMD_PAST,
	.changes_by = (const char *const[]){"--import", NULL},
	.run = run_fairshare,
};
