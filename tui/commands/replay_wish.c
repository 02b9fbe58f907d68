/* SPDX-License-Identifier: MIT */
/*
 * replay_wish.c - what was asked of a replay?
 */
#include "replay_wish.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"
#include "sched/core/config.h"
#include "sched/host/arrivals.h"
#include "sched/host/files.h"
#include "sched/host/replay.h"
#include "tui/line.h"

#define TRACE_MAX_BYTES  ((size_t)16 << 30)
#define SCRIPT_MAX_BYTES ((size_t)16 << 20)

/* "64x8": nodes, and processors of each. */
static bool read_cluster(const char *text, struct fake_cluster *out, struct err *err)
{
	const char *cross = strchr(text, 'x');
	char head[24] = "";
	int64_t nodes = 0, procs = 0;

	if (cross && (size_t)(cross - text) < sizeof head)
		memcpy(head, text, (size_t)(cross - text));
	if (!cross || !str_read_whole(head, &nodes) || !str_read_whole(cross + 1, &procs) || nodes < 1 ||
	    procs < 1 || nodes > 1000000 || procs > 1000000 || nodes * procs > INT32_MAX)
		return err_set(err, "--cluster '%s': write NODESxPROCESSORS, as in 64x8", text);
	*out = (struct fake_cluster){.nodes = (uint32_t)nodes, .node_procs = (uint32_t)procs};
	return true;
}

static bool read_sets(struct replay_wish *w)
{
	const char *text;
	size_t room = 0;

	while (cmd_option_at(w->env, "--set", room))
		room++;
	w->set = mem_zero(room + 1, sizeof *w->set);
	w->set_name = mem_zero(room + 1, sizeof *w->set_name);
	w->set_value = mem_zero(room + 1, sizeof *w->set_value);
	while ((text = cmd_option_at(w->env, "--set", w->set_count)) != NULL) {
		size_t name = strcspn(text, "=");

		if (text[name] == '\0' || name == 0)
			return err_set(&w->env->err,
				       "--set '%s': write NAME=VALUE, as in --set xfactorweight=100", text);
		w->set[w->set_count] = mem_string(text);
		w->set[w->set_count][name] = '\0';
		w->set_name[w->set_count] = w->set[w->set_count];
		w->set_value[w->set_count] = w->set[w->set_count] + name + 1;
		w->set_count++;
	}
	return true;
}

/* The preset or the file named; only what is named counts, so that a replay is the same everywhere. */
static enum cmd_status read_config(struct replay_wish *w)
{
	const char *policy = cmd_option(w->env, "--policy"), *file = w->env->shell->config;

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
	if (policy)
		str_add(&w->config, replay_preset(policy));
	w->config_file = policy ? policy : file ? file_name(file) : NULL;
	if (file && !file_read(file, OPTION_TEXT_MAX, &w->config, &w->env->err))
		return CMD_REFUSED;
	if (strlen(str_text(&w->config)) == w->config.len)
		return CMD_DONE;
	err_set(&w->env->err, "%s: has a NUL byte in it; it is no configuration", w->config_file);
	return CMD_REFUSED;
}

static void name_bad_lines(const char *file, const struct bad_lines *bad)
{
	for (uint32_t i = 0; i < bad->shown_count; i++)
		fprintf(stderr, "%s:%u: %s\n", file_name(file), bad->shown[i].line, bad->shown[i].why);
	if (bad->count > bad->shown_count)
		fprintf(stderr, "%s: and %llu more lines that cannot be read\n", file_name(file),
			(unsigned long long)(bad->count - bad->shown_count));
}

static bool read_trace(struct replay_wish *w)
{
	int64_t procs = (int64_t)w->cluster.nodes * w->cluster.node_procs;
	struct str text = {0};
	bool ok = file_read(w->file, TRACE_MAX_BYTES, &text, &w->env->err) &&
		  swf_read(file_name(w->file), str_text(&text), text.len, procs, &w->trace, &w->env->err);

	str_free(&text);
	name_bad_lines(w->file, &w->trace.bad);
	if (!ok)
		return false;
	if (cmd_option(w->env, "--strict") && w->trace.bad.count > 0)
		return err_set(&w->env->err, "%s: %llu lines cannot be read, and --strict allows none",
			       file_name(w->file), (unsigned long long)w->trace.bad.count);
	if (procs == 0 && !cluster_of_trace(&w->trace, &w->cluster))
		return err_set(&w->env->err, "%s: does not say how big the machine is; give --cluster NxP",
			       file_name(w->file));
	return true;
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

static enum cmd_status read_words(struct replay_wish *w)
{
	const char *cluster = cmd_option(w->env, "--cluster");
	enum cmd_status status;

	if (cluster && !read_cluster(cluster, &w->cluster, &w->env->err))
		return CMD_USAGE;
	if (!read_sets(w) || !check_reports(w))
		return CMD_USAGE;
	status = read_config(w);
	if (status != CMD_DONE)
		return status;
	return read_trace(w) ? CMD_DONE : CMD_REFUSED;
}

static bool read_script(struct replay_wish *w, const char *file)
{
	struct str text = {0};

	str_add(&text, "");
	if (file_read(file, SCRIPT_MAX_BYTES, &text, &w->env->err))
		return replay_script_read(file_name(file), text.data, &w->trace, &w->script, &w->env->err);
	str_free(&text);
	return false;
}

/* What only makes sense once the log is known. */
static enum cmd_status read_moments(struct replay_wish *w)
{
	const char *until = cmd_option(w->env, "--until"), *script = cmd_option(w->env, "--do");
	int64_t jobs;

	if (!cmd_option_whole(w->env, "--jobs", 1, INT64_MAX, INT64_MAX, &jobs))
		return CMD_USAGE;
	w->until_s = TIME_NEVER;
	if (until && !trace_moment(&w->trace, until, &w->until_s, &w->env->err))
		return CMD_USAGE;
	if ((uint64_t)jobs < w->trace.count)
		w->trace.count = (size_t)jobs;
	return !script || read_script(w, script) ? CMD_DONE : CMD_REFUSED;
}

enum cmd_status replay_wish_read(struct replay_wish *w)
{
	enum cmd_status status = read_words(w);

	return status == CMD_DONE ? read_moments(w) : status;
}

void replay_wish_clear(struct replay_wish *w)
{
	replay_script_free(&w->script);
	trace_clear(&w->trace);
	str_free(&w->config);
	for (size_t i = 0; i < w->set_count; i++)
		free(w->set[i]);
	free(w->set);
	free(w->set_name);
	free(w->set_value);
}
