/* SPDX-License-Identifier: MIT */
/*
 * replay_wish.c - what was asked of a replay?
 */
#include "replay_wish.h"

#include <stdlib.h>
#include <string.h>

#include "sched/base/duration.h"
#include "sched/base/vec.h"
#include "sched/config/config.h"
#include "sched/host/files.h"
#include "tui/serve/shell.h"

#define SCRIPT_MAX_BYTES ((size_t)16 << 20)

static bool read_sets(struct replay_wish *w)
{
	const char *text;
	size_t room = 0;

	while (cmd_option_at(w->env, "--set", room))
		room++;
	w->set = mem_zero(room + 1, sizeof *w->set);
	w->set_name = mem_zero(room + 1, sizeof *w->set_name);
	w->set_value = mem_zero(room + 1, sizeof *w->set_value);
	while ((text = cmd_option_at(w->env, "--set", w->setup.set_count)) != NULL) {
		size_t name = strcspn(text, "=");

		if (text[name] == '\0' || name == 0)
			return err_set(&w->env->err,
				       "--set '%s': write NAME=VALUE, as in --set xfactorweight=100", text);
		w->set[w->setup.set_count] = mem_string(text);
		w->set[w->setup.set_count][name] = '\0';
		w->set_name[w->setup.set_count] = w->set[w->setup.set_count];
		w->set_value[w->setup.set_count] = w->set[w->setup.set_count] + name + 1;
		w->setup.set_count++;
	}
	return true;
}

static bool read_config_file(const char *file, struct replay_config *out, struct err *err)
{
	out->file = file_name(file);
	if (!file_read_config(file, &out->text, &out->barred, err))
		return false;
	return strlen(str_text(&out->text)) == out->text.len ||
	       err_set(err, "%s: has a NUL byte in it; it is no configuration", out->file);
}

bool replay_read_policy(const char *name, struct replay_config *out, struct err *err)
{
	if (!replay_preset(name))
		return read_config_file(name, out, err);
	out->file = name;
	str_add(&out->text, replay_preset(name));
	return true;
}

/* The preset or the file named; only what is named counts, so that a replay is the same everywhere. */
static enum cmd_status read_config(struct replay_wish *w)
{
	const char *policy = cmd_option(w->env, "--policy"), *file = w->env->shell->config;
	const char *other = cmd_option(w->env, "--compare");

	if (policy && file) {
		err_set(&w->env->err,
			"--policy is a configuration of its own; leave --config %s out, or --policy", file);
		return CMD_USAGE;
	}
	if (policy && !replay_preset(policy)) {
		err_set(&w->env->err, "--policy '%s' is not known; there are fcfs, easy and conservative",
			policy);
		return CMD_USAGE;
	}
	if ((policy && !replay_read_policy(policy, &w->config, &w->env->err)) ||
	    (file && !read_config_file(file, &w->config, &w->env->err)) ||
	    (other && !replay_read_policy(other, &w->other, &w->env->err)))
		return CMD_REFUSED;
	return CMD_DONE;
}

/* Reports are verbs that only look; they are tried when all is over, so a misspelt one is found now. */
static bool check_reports(struct replay_wish *w)
{
	const char *line;

	for (size_t i = 0; (line = cmd_option_at(w->env, "--report", i)) != NULL; i++) {
		int count;
		char **words = cmd_split(line, &count, &w->env->err);
		const struct cmd *cmd = words && count > 0 ? cmd_find(words[0], &w->env->err) : NULL;
		bool ok = cmd && (cmd->flags & CMD_STORE) && !(cmd->flags & (CMD_CHANGES | CMD_SHELL));

		if (cmd && !ok)
			err_set(&w->env->err, "--report %s: %s is not a report", line, cmd->name);
		if (words && count == 0)
			err_set(&w->env->err, "--report: name a report, such as queue");
		free(words);
		if (!ok)
			return false;
	}
	return true;
}

static enum cmd_status read_files(struct replay_wish *w)
{
	const char *cluster = cmd_option(w->env, "--cluster"), *usage = cmd_option(w->env, "--fairshare");
	bool strict = cmd_option(w->env, "--strict") != NULL;
	enum cmd_status status = CMD_DONE;

	if (cluster)
		status = replay_read_cluster(cluster, strict, &w->input, &w->env->err);
	if (status == CMD_DONE)
		status = read_config(w);
	if (status != CMD_DONE)
		return status;
	if (!replay_read_trace(w->file, strict, &w->input, &w->env->err) ||
	    (usage && !replay_read_usage(usage, &w->input, &w->env->err)))
		return CMD_REFUSED;
	return CMD_DONE;
}

static bool read_script(struct replay_wish *w, const char *file)
{
	struct str text = {0};

	str_add(&text, "");
	if (file_read(file, SCRIPT_MAX_BYTES, &text, &w->env->err))
		return replay_script_read(file_name(file), text.data, &w->input.trace, &w->script,
					  &w->env->err);
	str_free(&text);
	return false;
}

/* What only makes sense once the log is known. */
static enum cmd_status read_moments(struct replay_wish *w)
{
	const char *until = cmd_option(w->env, "--until"), *script = cmd_option(w->env, "--do");
	struct trace *trace = &w->input.trace;
	int64_t jobs;

	if (!cmd_option_whole(w->env, "--jobs", 1, INT64_MAX, INT64_MAX, &jobs) ||
	    !cmd_option_whole(w->env, "--poll", 1, DURATION_MAX_S, 0, &w->setup.poll_s))
		return CMD_USAGE;
	w->setup.until_s = TIME_NEVER;
	if (until && !trace_moment(trace, until, &w->setup.until_s, &w->env->err))
		return CMD_USAGE;
	if ((uint64_t)jobs < trace->count)
		trace->count = (size_t)jobs;
	return !script || read_script(w, script) ? CMD_DONE : CMD_REFUSED;
}

static void make_setup(struct replay_wish *w)
{
	struct replay_setup *setup = &w->setup;

	setup->trace = &w->input.trace;
	setup->cluster = w->input.cluster;
	setup->config_file = w->config.file;
	setup->config_text = w->config.file ? str_text(&w->config.text) : NULL;
	setup->barred = w->config.barred.text;
	setup->set_name = w->set_name;
	setup->set_value = w->set_value;
	setup->window = w->input.window;
	setup->window_count = w->input.window_count;
	setup->keep_runs = cmd_option(w->env, "--placement") != NULL;
}

enum cmd_status replay_wish_policy(struct replay_wish *w)
{
	return read_sets(w) ? read_config(w) : CMD_USAGE;
}

enum cmd_status replay_wish_read(struct replay_wish *w)
{
	enum cmd_status status = read_sets(w) && check_reports(w) ? read_files(w) : CMD_USAGE;

	if (status == CMD_DONE)
		status = read_moments(w);
	if (status == CMD_DONE)
		make_setup(w);
	return status;
}

void replay_wish_clear(struct replay_wish *w)
{
	replay_script_free(&w->script);
	replay_input_clear(&w->input);
	str_free(&w->config.text);
	str_free(&w->other.text);
	for (size_t i = 0; i < w->setup.set_count; i++)
		free(w->set[i]);
	free(w->set);
	free(w->set_name);
	free(w->set_value);
}
