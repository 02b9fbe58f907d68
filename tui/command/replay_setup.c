/* SPDX-License-Identifier: MIT */
/*
 * replay_setup.c - the input of a replay: workload, cluster, usage, configuration and script
 */
#include "replay_setup.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sched/base/duration.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "sched/config/config.h"
#include "sched/host/arrivals.h"
#include "sched/host/files.h"
#include "sched/rm/site_program.h"
#include "sched/rm/wallclock.h"
#include "sched/state/state.h"
#include "sched/trace/maui_text.h"
#include "sched/trace/maui_workload.h"
#include "sched/trace/swf.h"
#include "tui/serve/shell.h"

/* --- input files -------------------------------------------------------------------------------------- */

#define TRACE_MAX_BYTES ((size_t)16 << 30)

#define RESOURCE_MAX_BYTES ((size_t)1 << 30)

#define WINDOW_MAX_BYTES ((size_t)64 << 20)

static bool read_file(const char *path, size_t max_bytes, struct str *out, struct err *err)
{
	return unpack_is_packed(path) ? unpack_read(path, max_bytes, out, err)
				      : file_read(path, max_bytes, out, err);
}

static bool name_bad_lines(const char *file, const struct bad_lines *bad, bool strict, struct err *err)
{
	for (uint32_t i = 0; i < bad->shown_count; i++)
		fprintf(stderr, "%s:%" PRIu32 ": %s\n", file, bad->shown[i].line, bad->shown[i].why);
	if (bad->count > bad->shown_count)
		fprintf(stderr, "%s: and %" PRIu64 " more unreadable lines\n", file,
			bad->count - bad->shown_count);
	return !strict || bad->count == 0 ||
	       err_set(err, "%s: %" PRIu64 " unreadable lines, which --strict refuses", file, bad->count);
}

/*
 * Reads the size of a cluster, such as "64x8": 64 nodes of 8 processors each. Returns false if the text has
 * another form.
 */
static bool read_size(const char *text, struct fake_cluster *out)
{
	const char *cross = strchr(text, 'x');
	char head[24] = "";
	int64_t nodes = 0, procs = 0;

	if (cross && (size_t)(cross - text) < sizeof head)
		memcpy(head, text, (size_t)(cross - text));
	if (!cross || !str_read_whole(head, &nodes) || !str_read_whole(cross + 1, &procs) || nodes < 1 ||
	    procs < 1 || nodes > 1000000 || procs > 1000000 || nodes * procs > INT32_MAX)
		return false;
	*out = (struct fake_cluster){.nodes = (uint32_t)nodes, .node_procs = (uint32_t)procs};
	return true;
}

static bool parse_resource(const char *file, const struct str *text, bool strict, struct replay_input *in,
			   struct err *err)
{
	struct maui_resource *resource = &in->resource;

	if (!maui_begins(str_text(text), text->len))
		return err_set(err,
			       "%s: not a Maui resource trace; its first line must be VERSION and a number, "
			       "or a COMPUTENODE",
			       file);
	if (!maui_resource_read(file, str_text(text), text->len, resource, err))
		return false;
	if (resource->apart > 0)
		fprintf(stderr, "%s: ignored %" PRIu64 " nodes that are down or drained\n", file,
			resource->apart);
	in->cluster = (struct fake_cluster){.nodes = (uint32_t)resource->count, .node = resource->node};
	return name_bad_lines(file, &resource->bad, strict, err);
}

/*
 * Sets the cluster of --cluster: "64x8", or the file of a Maui resource trace. Prints unreadable lines on
 * standard error.
 */
static enum cmd_status replay_read_cluster(const char *text, bool strict, struct replay_input *in,
					   struct err *err)
{
	struct str trace = {0};
	bool ok;

	if (read_size(text, &in->cluster))
		return CMD_DONE;
	if (access(text, F_OK) != 0) {
		err_set(err,
			"--cluster '%s': write NODESxPROCESSORS, as in 64x8, or name a Maui resource trace",
			text);
		return CMD_USAGE;
	}
	ok = read_file(text, RESOURCE_MAX_BYTES, &trace, err) &&
	     parse_resource(text, &trace, strict, in, err);
	str_free(&trace);
	return ok ? CMD_DONE : CMD_REFUSED;
}

static bool refuse_size(const char *file, struct err *err)
{
	return err_set(
		err, "%s: the size of the cluster is not known; give --cluster NxP or a Maui resource trace",
		file);
}

static bool parse_trace(const char *file, const struct str *text, struct replay_input *in, struct err *err)
{
	int64_t procs = fake_cluster_procs(&in->cluster);

	if (!maui_begins(str_text(text), text->len))
		return swf_read(file, str_text(text), text->len, procs, &in->trace, err);
	if (procs == 0)
		return refuse_size(file, err);
	return maui_workload_read(file, str_text(text), text->len, &in->trace, err);
}

/*
 * Reads the workload; "-" is standard input. The cluster must have been read before. Returns false with err
 * set on failure.
 */
static bool replay_read_trace(const char *file, bool strict, struct replay_input *in, struct err *err)
{
	const char *name = file_name(file);
	struct str text = {0};
	bool ok = read_file(file, TRACE_MAX_BYTES, &text, err) && parse_trace(name, &text, in, err);

	str_free(&text);
	if (!ok || !name_bad_lines(name, &in->trace.bad, strict, err))
		return false;
	return in->cluster.nodes > 0 || cluster_of_trace(&in->trace, &in->cluster) || refuse_size(name, err);
}

static bool read_window(const char *path, struct replay_input *in, struct err *err)
{
	struct str text = {0};
	struct fsfile window = {0};
	bool ok = file_read(path, WINDOW_MAX_BYTES, &text, err) &&
		  fsfile_read(path, str_text(&text), text.len, &window, err);

	str_free(&text);
	if (!ok)
		return false;
	in->window = vec_room(in->window, &in->window_room, in->window_count + 1, sizeof *in->window);
	in->window[in->window_count++] = window;
	return true;
}

static bool read_entry(const char *folder, const char *name, struct replay_input *in, struct err *err)
{
	struct str path = {0};
	int64_t begin_s;
	bool ok;

	if (!fsfile_epoch(name, &begin_s))
		return true;
	str_addf(&path, "%s/%s", folder, name);
	ok = read_window(str_text(&path), in, err);
	str_free(&path);
	return ok;
}

static int by_begin(const void *left, const void *right)
{
	const struct fsfile *a = left, *b = right;

	return a->begin_s < b->begin_s ? -1 : a->begin_s > b->begin_s;
}

bool replay_read_usage(const char *folder, struct replay_input *in, struct err *err)
{
	DIR *dir = opendir(folder);
	bool ok = true;

	if (!dir)
		return err_set(err, "cannot read the folder %s: %s", folder, strerror(errno));
	for (struct dirent *entry; ok && (entry = readdir(dir)) != NULL;)
		ok = read_entry(folder, entry->d_name, in, err);
	closedir(dir);
	if (ok && in->window_count == 0)
		return err_set(err, "no files FS.<epoch> in %s; each contains a fairshare window", folder);
	if (ok)
		qsort(in->window, in->window_count, sizeof *in->window, by_begin);
	return ok;
}

void replay_input_clear(struct replay_input *in)
{
	for (size_t i = 0; i < in->window_count; i++)
		fsfile_clear(&in->window[i]);
	free(in->window);
	trace_clear(&in->trace);
	maui_resource_clear(&in->resource);
	*in = (struct replay_input){0};
}

/* --- times and the script ----------------------------------------------------------------------------- */

static bool not_before_log(const char *text, int64_t at_s, struct err *err)
{
	return at_s >= 0 || err_set(err, "the time '%s' is before the log; its times start at 0", text);
}

bool trace_parse_time(const struct trace *trace, const char *text, int64_t *out_s, struct err *err)
{
	int64_t first_s = trace->count > 0 ? trace->job[0].submit_s : 0;

	if (str_read_whole(text, out_s))
		return not_before_log(text, *out_s, err);
	if (text[0] == '+') {
		if (!duration_parse(text + 1, out_s, err))
			return false;
		*out_s += first_s;
		return true;
	}
	if (trace->from_epoch)
		return wallclock_parse(text, first_s, out_s, err);
	if (!strchr(text, 'T'))
		return err_set(err,
			       "'%s' is not a time of the log; give seconds since the start of the log, +D "
			       "from the first submission, or a date such as 2026-03-24T16:30",
			       text);
	if (trace->unix_start_s <= 0)
		return err_set(err,
			       "'%s': the log has no start date (UnixStartTime); give the time in seconds "
			       "since the start of the log",
			       text);
	if (!wallclock_parse(text, trace->unix_start_s, out_s, err))
		return false;
	*out_s -= trace->unix_start_s;
	return not_before_log(text, *out_s, err);
}

static bool take_line(struct replay_script *script, const struct trace *trace, char *line, struct err *err)
{
	char *word = line + strspn(line, " \t\r");
	size_t len = strcspn(word, " \t\r");
	char *command = word + len + strspn(word + len, " \t\r");
	struct replay_command *c;

	if (word[0] == '\0' || word[0] == '#')
		return true;
	if (command[0] == '\0')
		return err_set(err, "a line must be 'TIME COMMAND...', got only '%s'", word);
	word[len] = '\0';
	script->command =
		vec_room(script->command, &script->room, script->count + 1, sizeof *script->command);
	c = &script->command[script->count];
	c->line = command;
	if (!trace_parse_time(trace, word, &c->at_s, err))
		return false;
	script->count++;
	return true;
}

/* Compares for qsort. Commands of the same time stay in the order of their lines. */
static int by_moment(const void *left, const void *right)
{
	const struct replay_command *a = left, *b = right;

	if (a->at_s != b->at_s)
		return a->at_s < b->at_s ? -1 : 1;
	return a->line < b->line ? -1 : a->line > b->line;
}

bool replay_script_read(const char *file, char *text, const struct trace *trace, struct replay_script *out,
			struct err *err)
{
	unsigned number = 0;

	*out = (struct replay_script){.text = text};
	for (char *line = text, *next; line; line = next) {
		number++;
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		if (!take_line(out, trace, line, err)) {
			replay_script_free(out);
			return err_prefix(err, "%s:%u", file, number);
		}
	}
	if (out->count > 1)
		qsort(out->command, out->count, sizeof *out->command, by_moment);
	return true;
}

void replay_script_free(struct replay_script *script)
{
	free(script->command);
	free(script->text);
	*script = (struct replay_script){0};
}

/* --- the request -------------------------------------------------------------------------------------- */

#define SCRIPT_MAX_BYTES ((size_t)16 << 20)

static bool read_sets(struct replay_request *r)
{
	const char *text;
	size_t room = 0;

	while (cmd_option_at(r->env, "--set", room))
		room++;
	r->set = mem_zero(room + 1, sizeof *r->set);
	r->set_name = mem_zero(room + 1, sizeof *r->set_name);
	r->set_value = mem_zero(room + 1, sizeof *r->set_value);
	while ((text = cmd_option_at(r->env, "--set", r->setup.set_count)) != NULL) {
		size_t name = strcspn(text, "=");

		if (text[name] == '\0' || name == 0)
			return err_set(&r->env->err,
				       "--set '%s': write NAME=VALUE, as in --set xfactorweight=100", text);
		r->set[r->setup.set_count] = mem_string(text);
		r->set[r->setup.set_count][name] = '\0';
		r->set_name[r->setup.set_count] = r->set[r->setup.set_count];
		r->set_value[r->setup.set_count] = r->set[r->setup.set_count] + name + 1;
		r->setup.set_count++;
	}
	return true;
}

static bool read_config_file(const char *file, struct replay_config *out, struct err *err)
{
	out->file = file_name(file);
	if (!file_read_config(file, &out->text, &out->barred, err))
		return false;
	return strlen(str_text(&out->text)) == out->text.len ||
	       err_set(err, "%s: contains a NUL byte; not a configuration file", out->file);
}

bool replay_read_policy(const char *name, struct replay_config *out, struct err *err)
{
	if (!replay_preset(name))
		return read_config_file(name, out, err);
	out->file = name;
	str_add(&out->text, replay_preset(name));
	return true;
}

/*
 * Reads --policy or --config, and --compare. The installed configuration is never read, so that a replay is
 * reproducible.
 */
static enum cmd_status read_config(struct replay_request *r)
{
	const char *policy = cmd_option(r->env, "--policy"), *file = r->env->shell->config;
	const char *other = cmd_option(r->env, "--compare");

	if (policy && file) {
		err_set(&r->env->err, "--policy and --config %s are mutually exclusive; give only one", file);
		return CMD_USAGE;
	}
	if (policy && !replay_preset(policy)) {
		err_set(&r->env->err, "unknown --policy '%s'; write fcfs, easy or conservative", policy);
		return CMD_USAGE;
	}
	if ((policy && !replay_read_policy(policy, &r->config, &r->env->err)) ||
	    (file && !read_config_file(file, &r->config, &r->env->err)) ||
	    (other && !replay_read_policy(other, &r->other, &r->env->err)))
		return CMD_REFUSED;
	return CMD_DONE;
}

/*
 * Checks that each --report names a report, because the reports run only after the replay. Returns false with
 * env->err set if one does not.
 */
static bool check_reports(struct replay_request *r)
{
	const char *line;

	for (size_t i = 0; (line = cmd_option_at(r->env, "--report", i)) != NULL; i++) {
		int count;
		char **words = cmd_split(line, &count, &r->env->err);
		const struct cmd *cmd =
			words && count > 0 ? cmd_find(r->env->verbs, words[0], &r->env->err) : NULL;
		bool ok = cmd && (cmd->flags & CMD_STORE) && !(cmd->flags & (CMD_CHANGES | CMD_SHELL));

		if (cmd && !ok)
			err_set(&r->env->err, "--report %s: %s is not a report", line, cmd->name);
		if (words && count == 0)
			err_set(&r->env->err, "--report: name a report, such as queue");
		free(words);
		if (!ok)
			return false;
	}
	return true;
}

static enum cmd_status read_files(struct replay_request *r)
{
	const char *cluster = cmd_option(r->env, "--cluster"), *usage = cmd_option(r->env, "--fairshare");
	bool strict = cmd_option(r->env, "--strict") != NULL;
	enum cmd_status status = CMD_DONE;

	if (cluster)
		status = replay_read_cluster(cluster, strict, &r->input, &r->env->err);
	if (status == CMD_DONE)
		status = read_config(r);
	if (status != CMD_DONE)
		return status;
	if (!replay_read_trace(r->file, strict, &r->input, &r->env->err) ||
	    (usage && !replay_read_usage(usage, &r->input, &r->env->err)))
		return CMD_REFUSED;
	return CMD_DONE;
}

static bool read_script(struct replay_request *r, const char *file)
{
	struct str text = {0};

	str_add(&text, "");
	if (file_read(file, SCRIPT_MAX_BYTES, &text, &r->env->err))
		return replay_script_read(file_name(file), text.data, &r->input.trace, &r->script,
					  &r->env->err);
	str_free(&text);
	return false;
}

/* Reads the options whose values depend on the log, and --poll. */
static enum cmd_status read_moments(struct replay_request *r)
{
	const char *until = cmd_option(r->env, "--until"), *script = cmd_option(r->env, "--do");
	struct trace *trace = &r->input.trace;
	int64_t jobs;

	if (!cmd_option_whole(r->env, "--jobs", 1, INT64_MAX, INT64_MAX, &jobs) ||
	    !cmd_option_whole(r->env, "--poll", 1, DURATION_MAX_S, 0, &r->setup.poll_s))
		return CMD_USAGE;
	r->setup.until_s = TIME_NEVER;
	if (until && !trace_parse_time(trace, until, &r->setup.until_s, &r->env->err))
		return CMD_USAGE;
	if ((uint64_t)jobs < trace->count)
		trace->count = (size_t)jobs;
	return !script || read_script(r, script) ? CMD_DONE : CMD_REFUSED;
}

static void make_setup(struct replay_request *r)
{
	struct replay_setup *setup = &r->setup;

	setup->trace = &r->input.trace;
	setup->cluster = r->input.cluster;
	setup->config_file = r->config.file;
	setup->config_text = r->config.file ? str_text(&r->config.text) : NULL;
	setup->barred = r->config.barred.text;
	setup->set_name = r->set_name;
	setup->set_value = r->set_value;
	setup->window = r->input.window;
	setup->window_count = r->input.window_count;
	setup->keep_runs = cmd_option(r->env, "--placement") != NULL;
}

enum cmd_status replay_request_read_policy(struct replay_request *r)
{
	return read_sets(r) ? read_config(r) : CMD_USAGE;
}

enum cmd_status replay_request_read(struct replay_request *r)
{
	enum cmd_status status = read_sets(r) && check_reports(r) ? read_files(r) : CMD_USAGE;

	if (status == CMD_DONE)
		status = read_moments(r);
	if (status == CMD_DONE)
		make_setup(r);
	return status;
}

void replay_request_clear(struct replay_request *r)
{
	replay_script_free(&r->script);
	replay_input_clear(&r->input);
	str_free(&r->config.text);
	str_free(&r->other.text);
	for (size_t i = 0; i < r->setup.set_count; i++)
		free(r->set[i]);
	free(r->set);
	free(r->set_name);
	free(r->set_value);
}
