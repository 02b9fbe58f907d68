/* SPDX-License-Identifier: MIT */
/*
 * cmd_fairshare.c - kahu fairshare: usage against targets, forecast, and windows as files
 *
 * The table of Maui's diagnose -f shows for each credential its share of usage weighted by age, its target,
 * and its share of each window; a star marks a missed target. The forecast assumes that the credential runs
 * no jobs. Windows are exported to and imported from FS.<epoch> files.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "cmd.h"
#include "replay_setup.h"
#include "sched/base/duration.h"
#include "sched/base/json.h"
#include "sched/base/vec.h"
#include "sched/host/files.h"
#include "sched/rm/wallclock.h"
#include "sched/trace/fsfile.h"
#include "tui/draw/text.h"
#include "tui/report/report.h"
#include "tui/report/shares.h"

static void build(const struct cmd_env *env, struct fairshare *f)
{
	struct fs_world world;

	snapshot_fs_world(env->s, env->now_s, &world);
	fairshare_build(f, &world);
}

/* --- JSON --------------------------------------------------------------------------------------------- */

static const char *mode_name(enum fs_mode mode)
{
	static const char *const names[] = {
		[FS_NO_TARGET] = NULL,
		[FS_TARGET] = "target",
		[FS_FLOOR] = "floor",
		[FS_CEILING] = "ceiling",
		[FS_CAP_ABSOLUTE] = "cap-absolute",
		[FS_CAP_RELATIVE] = "cap-relative",
	};

	return names[mode];
}

static void json_windows(struct json *j, const char *key, const struct fairshare *f, const int64_t *window)
{
	json_open(j, key, '[');
	for (uint32_t i = 0; i < f->depth; i++)
		json_real(j, NULL, (double)window[i] / (double)FS_UNIT);
	json_close(j);
}

static void json_forecast(struct json *j, const char *key, const struct fairshare *f, uint32_t cred,
			  double window_total)
{
	double percent[SHARES_ROLLS];

	fairshare_forecast(f, cred, window_total, SHARES_ROLLS, percent);
	json_open(j, key, '[');
	for (int i = 0; i < SHARES_ROLLS; i++)
		if (percent[i] < 0)
			json_null(j, NULL);
		else
			json_real(j, NULL, percent[i]);
	json_close(j);
}

static void json_share(struct json *j, const struct snapshot *s, const struct fairshare *f,
		       const struct fs_share *share)
{
	const struct cred *cred = &snapshot_creds(s)[share->cred];

	json_open(j, NULL, '{');
	json_text(j, "type", cred_type_name((enum cred_type)cred->type));
	json_text(j, "name", snapshot_string(s, cred->name));
	if (share->mode == FS_NO_TARGET)
		json_null(j, "target");
	else
		json_real(j, "target", share->target);
	json_text(j, "mode", mode_name(share->mode));
	json_real(j, "usage_pct", share->percent);
	json_real(j, "delta", share->delta);
	json_windows(j, "windows", f, share->window);
	json_real(j, "usage", share->usage);
	json_bool(j, "missed", share->missed);
	json_forecast(j, "forecast_busy", f, share->cred, shares_busy_window(f));
	json_forecast(j, "forecast_idle", f, share->cred, 0);
	json_close(j);
}

static void print_json(const struct cmd_env *env, const struct fairshare *f)
{
	const struct policy *p = &env->s->policy;
	struct json j = {.out = env->out};

	json_open(&j, NULL, '{');
	json_text(&j, "policy", shares_metric_name((enum fs_policy)p->fs_policy));
	json_bool(&j, "percent", fs_is_percent((enum fs_policy)p->fs_policy));
	json_int(&j, "interval_s", p->fs_interval_s);
	json_int(&j, "depth", p->fs_depth);
	json_real(&j, "decay", p->fs_decay);
	json_int(&j, "window_begin", f->begin_s);
	json_int(&j, "next_roll", f->next_roll_s);
	json_windows(&j, "totals", f, f->total);
	json_open(&j, "credentials", '[');
	for (enum cred_type type = 0; type < CRED_TYPE_COUNT; type++)
		for (uint32_t i = 0; i < f->share_count; i++)
			if (snapshot_creds(env->s)[i].type == type && shares_is_shown(&f->share[i]))
				json_share(&j, env->s, f, &f->share[i]);
	json_close(&j);
	json_close(&j);
	str_add_char(env->out, '\n');
}

/* --- text --------------------------------------------------------------------------------------------- */

static const char nothing[] = "-------";

/* "25.00+", "50000.0^": the value with the suffix of FSTARGET. */
static void target_cell(struct report *r, const struct fs_share *share)
{
	if (share->mode == FS_NO_TARGET)
		report_cellf(r, "%s ", nothing);
	else
		report_cellf(r, "%.*f%c", share->mode == FS_CAP_ABSOLUTE ? 1 : 2, share->target,
			     shares_suffix(share->mode));
}

static void window_cells(struct report *r, const struct fairshare *f, const struct fs_share *share)
{
	for (uint32_t i = 0; i < f->depth; i++)
		if (share->window[i] == 0 || f->total[i] == 0)
			report_cell(r, nothing);
		else
			report_cellf(r, "%.2f", 100 * (double)share->window[i] / (double)f->total[i]);
}

static void share_row(struct report *r, const struct snapshot *s, const struct fairshare *f,
		      const struct fs_share *share)
{
	report_cellf(r, "%s%s", snapshot_string(s, snapshot_creds(s)[share->cred].name),
		     share->missed ? "*" : "");
	report_cellf(r, "%.2f", share->percent);
	target_cell(r, share);
	window_cells(r, f, share);
}

static void head_rows(struct report *r, const struct fairshare *f)
{
	report_cell(r, "FSInterval");
	report_cell(r, "%");
	report_cell(r, "Target ");
	for (uint32_t i = 0; i < f->depth; i++)
		report_cellf(r, "%u", i);
	report_cell(r, "FSWeight");
	report_cell(r, nothing);
	report_cellf(r, "%s ", nothing);
	for (uint32_t i = 0; i < f->depth; i++)
		report_cellf(r, "%.4f", f->weight[i]);
	report_cell(r, "TotalUsage");
	report_cellf(r, "%.2f", f->total_usage > 0 ? 100.0 : 0.0);
	report_cellf(r, "%s ", nothing);
	for (uint32_t i = 0; i < f->depth; i++)
		report_cellf(r, "%.1f", (double)f->total[i] / (double)FS_UNIT / 3600);
}

static void heading_cell(struct report *r, enum cred_type type)
{
	struct str text = {0};

	report_capitals(&text, cred_type_name(type));
	report_cell(r, str_text(&text));
	str_free(&text);
}

/* Rows of shares. Each type of credential has a heading row. */
static void share_rows(struct report *r, const struct cmd_env *env, const struct fairshare *f)
{
	for (enum cred_type type = 0; type < CRED_TYPE_COUNT; type++) {
		bool begun = false;

		for (uint32_t i = 0; i < f->share_count; i++) {
			if (snapshot_creds(env->s)[i].type != type || !shares_is_shown(&f->share[i]))
				continue;
			if (!begun)
				heading_cell(r, type);
			for (size_t c = 1; !begun && c < r->columns; c++)
				report_cell(r, "");
			begun = true;
			share_row(r, env->s, f, &f->share[i]);
		}
	}
}

static void print_settings(const struct cmd_env *env, const struct fairshare *f)
{
	const struct policy *p = &env->s->policy;
	char interval[DURATION_TEXT], when[MOMENT_TEXT], in[DURATION_TEXT];

	str_addf(env->out, "Fairshare: %s%s, depth %lld intervals of %s, decay %.2f\n",
		 shares_metric_name((enum fs_policy)p->fs_policy),
		 fs_is_percent((enum fs_policy)p->fs_policy) ? " (ratios to targets)" : "",
		 (long long)p->fs_depth, duration_text(interval, p->fs_interval_s), p->fs_decay);
	str_addf(env->out, "Window 0 closes %s, in %s\n\n", wallclock_long(when, f->next_roll_s),
		 duration_text(in, f->next_roll_s - env->now_s));
}

static void print_shares(const struct cmd_env *env, const struct fairshare *f)
{
	struct report_column column[3 + FS_DEPTH_MAX] = {{"", TEXT_LEFT}};
	struct report r = {.column = column, .columns = 3 + f->depth, .no_titles = true};

	for (size_t c = 1; c < r.columns; c++)
		column[c] = (struct report_column){"", TEXT_RIGHT};
	head_rows(&r, f);
	share_rows(&r, env, f);
	report_print(&r, 0, env->ascii, env->out);
	report_free(&r);
	str_add(env->out, "Totals are in processor-hours, windows in percent of them.  * off target\n");
	for (uint32_t i = 0; i < f->depth; i++)
		if (f->other_length_s[i] != 0)
			str_addf(env->out, "Window %u was recorded with another FSINTERVAL.\n", i);
}

static void forecast_cells(struct report *r, const struct fairshare *f, uint32_t cred, double window_total)
{
	double percent[SHARES_ROLLS];

	fairshare_forecast(f, cred, window_total, SHARES_ROLLS, percent);
	for (int i = 0; i < SHARES_ROLLS; i++)
		if (percent[i] < 0)
			report_cell(r, "-");
		else
			report_cellf(r, "%.2f", percent[i]);
}

static void forecast_row(struct report *r, const struct snapshot *s, const struct fairshare *f,
			 const struct fs_share *share)
{
	const struct cred *cred = &snapshot_creds(s)[share->cred];

	report_cellf(r, "%s %s", cred_type_name((enum cred_type)cred->type), snapshot_string(s, cred->name));
	report_cellf(r, "%.2f", share->percent);
	forecast_cells(r, f, share->cred, shares_busy_window(f));
	forecast_cells(r, f, share->cred, 0);
}

/* Credentials with a target and usage, after the next rolls. */
static void print_forecast(const struct cmd_env *env, const struct fairshare *f)
{
	static const struct report_column columns[] = {
		{"FORECAST", TEXT_LEFT}, {"NOW", TEXT_RIGHT}, {"BUSY +1", TEXT_RIGHT}, {"+2", TEXT_RIGHT},
		{"+3", TEXT_RIGHT},      {"+4", TEXT_RIGHT},  {"IDLE +1", TEXT_RIGHT}, {"+2", TEXT_RIGHT},
		{"+3", TEXT_RIGHT},      {"+4", TEXT_RIGHT},
	};
	struct report r = {.column = columns, .columns = 2 + 2 * SHARES_ROLLS};

	for (enum cred_type type = 0; type < CRED_TYPE_COUNT; type++)
		for (uint32_t i = 0; i < f->share_count; i++)
			if (snapshot_creds(env->s)[i].type == type && f->share[i].mode != FS_NO_TARGET &&
			    f->share[i].usage > 0)
				forecast_row(&r, env->s, f, &f->share[i]);
	if (r.cells > 0) {
		str_add_char(env->out, '\n');
		report_print(&r, 0, env->ascii, env->out);
		str_addf(env->out,
			 "Percent after the next rolls if the credential runs no jobs, with the machine as "
			 "busy as now (%.1f processor-hours per window) or idle.\n",
			 shares_busy_window(f) / 3600);
	}
	report_free(&r);
}

/* --- windows as files --------------------------------------------------------------------------------- */

/* The usage in a window. Names are borrowed from the snapshot; free use with free(). */
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

/* Adds an event for each window that still counts. Older windows are skipped with a message. */
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
		ok = err_set(&env->err, "none of the %zu windows in %s is among the last %lld",
			     in.window_count, dir, (long long)p->fs_depth);
	else if (left_out > 0 && !env->json)
		str_addf(env->out, "ignored %zu windows, which are not among the last %lld\n", left_out,
			 (long long)p->fs_depth);
	replay_input_clear(&in);
	return ok;
}

/* --- the verb ----------------------------------------------------------------------------------------- */

static void print(const struct cmd_env *env, const struct fairshare *f)
{
	if (env->json) {
		print_json(env, f);
	} else if (f->off) {
		str_add(env->out, "Fairshare is disabled: FSPOLICY is NONE.\n");
	} else {
		print_settings(env, f);
		print_shares(env, f);
		print_forecast(env, f);
	}
}

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
		print(env, &f);
	fairshare_clear(&f);
	return ok ? CMD_DONE : CMD_REFUSED;
}

const struct cmd cmd_fairshare = {
	.name = "fairshare",
	.args = "",
	.help = "Show usage against fairshare targets, window by window, and how the next windows change it.",
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
