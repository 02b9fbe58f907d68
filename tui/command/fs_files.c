/* SPDX-License-Identifier: MIT */
/*
 * fs_files.c - how do windows of fairshare usage come and go as files?
 */
#include "fs_files.h"

#include <inttypes.h>
#include <stdlib.h>

#include "sched/base/vec.h"
#include "sched/rm/outfile.h"
#include "sched/trace/fsfile.h"
#include "tui/command/replay_setup.h"
#include "tui/draw/text.h"

/* --- out -------------------------------------------------------------------------------------- */

/* What everybody used in a window, borrowed from the snapshot; free use. */
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

bool fs_files_export(struct cmd_env *env, const struct fairshare *f, const char *dir)
{
	bool ok = true;

	if (f->off)
		return err_set(&env->err,
			       "fairshare is off (FSPOLICY NONE), so there are no windows to write");
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

/* --- in ----------------------------------------------------------------------------------------- */

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

bool fs_files_import(struct cmd_env *env, const char *dir)
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
		str_addf(env->out, "%zu of the windows are not among the last %lld and are left out\n",
			 left_out, (long long)p->fs_depth);
	replay_input_clear(&in);
	return ok;
}
