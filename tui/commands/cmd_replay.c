/* SPDX-License-Identifier: MIT */
/*
 * cmd_replay.c - what would the scheduler have done with this workload?
 *
 * First everything that can be wrong is found out: the words, the log, the
 * configuration, the files to be written. Then the clock runs; then all is handed over,
 * or nothing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "cmd.h"
#include "outfile.h"
#include "progress.h"
#include "replay_do.h"
#include "replay_out.h"
#include "sched/base/json.h"
#include "sched/base/vec.h"
#include "sched/core/config.h"
#include "sched/host/files.h"
#include "sched/host/replay.h"
#include "simulate.h"
#include "store/store.h"
#include "tui/line.h"
#include "tui/session.h"

#define TRACE_MAX_BYTES ((size_t)16 << 30)
#define SLICES          400 /* how often a progress bar could move over the time of submissions */

/* One replay: what was asked, what was read, what came of it. */
struct job_of_replay {
	struct cmd_env *env;
	double begun_s;
	const char *file;
	struct trace trace;
	struct fake_cluster cluster;
	struct str config; /* its text; empty = the defaults */
	const char *config_file;
	char **set; /* "NAME", '\0', "VALUE" each; owned */
	const char **set_name, **set_value;
	size_t set_count;
	int64_t until_s;
	struct replay_script script;
	struct outfile starts, placement;
	bool starts_to_stdout;
	struct session session; /* its store, when --store was given */
	struct replay *replay;
	struct str done; /* what --do printed        */
	struct json done_json;
	struct replay_output output;
};

/* --- reading what was asked ------------------------------------------------------------------ */

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

static bool read_sets(struct job_of_replay *r)
{
	const char *text;
	size_t room = 0;

	while (cmd_option_at(r->env, "--set", room))
		room++;
	r->set = mem_zero(room + 1, sizeof *r->set);
	r->set_name = mem_zero(room + 1, sizeof *r->set_name);
	r->set_value = mem_zero(room + 1, sizeof *r->set_value);
	while ((text = cmd_option_at(r->env, "--set", r->set_count)) != NULL) {
		size_t name = strcspn(text, "=");

		if (text[name] == '\0' || name == 0)
			return err_set(&r->env->err,
				       "--set '%s': write NAME=VALUE, as in --set xfactorweight=100", text);
		r->set[r->set_count] = mem_string(text);
		r->set[r->set_count][name] = '\0';
		r->set_name[r->set_count] = r->set[r->set_count];
		r->set_value[r->set_count] = r->set[r->set_count] + name + 1;
		r->set_count++;
	}
	return true;
}

/* The preset or the file named; only what is named counts, so that a replay is the same everywhere. */
static enum cmd_status read_config(struct job_of_replay *r)
{
	const char *policy = cmd_option(r->env, "--policy"), *file = r->env->shell->config;

	if (policy && file) {
		err_set(&r->env->err,
			"--policy is a configuration of its own; leave --config %s out, or --policy", file);
		return CMD_USAGE;
	}
	if (policy && !replay_preset(policy)) {
		err_set(&r->env->err, "--policy '%s' is not known; there are fcfs, easy and conservative",
			policy);
		return CMD_USAGE;
	}
	if (policy)
		str_add(&r->config, replay_preset(policy));
	r->config_file = policy ? policy : file ? file_name(file) : NULL;
	if (file && !file_read(file, OPTION_TEXT_MAX, &r->config, &r->env->err))
		return CMD_REFUSED;
	if (strlen(str_text(&r->config)) == r->config.len)
		return CMD_DONE;
	err_set(&r->env->err, "%s: has a NUL byte in it; it is no configuration", r->config_file);
	return CMD_REFUSED;
}

static void name_bad_lines(const struct job_of_replay *r)
{
	const struct trace *t = &r->trace;

	for (uint32_t i = 0; i < t->bad_count; i++)
		fprintf(stderr, "%s:%u: %s\n", file_name(r->file), t->bad[i].line, t->bad[i].why);
	if (t->bad_lines > t->bad_count)
		fprintf(stderr, "%s: and %llu more lines that cannot be read\n", file_name(r->file),
			(unsigned long long)(t->bad_lines - t->bad_count));
}

static bool read_trace(struct job_of_replay *r)
{
	int64_t procs = (int64_t)r->cluster.nodes * r->cluster.node_procs;
	struct str text = {0};
	bool ok = file_read(r->file, TRACE_MAX_BYTES, &text, &r->env->err) &&
		  swf_read(file_name(r->file), str_text(&text), text.len, procs, &r->trace, &r->env->err);

	str_free(&text);
	name_bad_lines(r);
	if (!ok)
		return false;
	if (cmd_option(r->env, "--strict") && r->trace.bad_lines > 0)
		return err_set(&r->env->err, "%s: %llu lines cannot be read, and --strict allows none",
			       file_name(r->file), (unsigned long long)r->trace.bad_lines);
	if (procs == 0 && !fake_cluster_of(&r->trace, &r->cluster))
		return err_set(&r->env->err, "%s: does not say how big the machine is; give --cluster NxP",
			       file_name(r->file));
	return true;
}

/* Reports are verbs that only look; they are tried when all is over, so a misspelt one is found now. */
static bool check_reports(struct job_of_replay *r)
{
	const char *line;

	for (size_t i = 0; (line = cmd_option_at(r->env, "--report", i)) != NULL; i++) {
		int count;
		char **words = cmd_split(line, &count, &r->env->err);
		const struct cmd *cmd = words && count > 0 ? cmd_find(words[0], &r->env->err) : NULL;
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

static enum cmd_status read_words(struct job_of_replay *r)
{
	const char *cluster = cmd_option(r->env, "--cluster");
	enum cmd_status status;

	if (cluster && !read_cluster(cluster, &r->cluster, &r->env->err))
		return CMD_USAGE;
	if (!read_sets(r) || !check_reports(r))
		return CMD_USAGE;
	status = read_config(r);
	if (status != CMD_DONE)
		return status;
	return read_trace(r) ? CMD_DONE : CMD_REFUSED;
}

/* What only makes sense once the log is known. */
static enum cmd_status read_moments(struct job_of_replay *r)
{
	const char *until = cmd_option(r->env, "--until"), *script = cmd_option(r->env, "--do");
	int64_t jobs;

	if (!cmd_option_whole(r->env, "--jobs", 1, INT64_MAX, INT64_MAX, &jobs))
		return CMD_USAGE;
	r->until_s = TIME_NEVER;
	if (until && !trace_moment(&r->trace, until, &r->until_s, &r->env->err))
		return CMD_USAGE;
	if ((uint64_t)jobs < r->trace.count)
		r->trace.count = (size_t)jobs;
	if (script && !replay_script_read(script, &r->trace, &r->script, &r->env->err))
		return CMD_REFUSED;
	return CMD_DONE;
}

static enum cmd_status open_outputs(struct job_of_replay *r)
{
	const char *starts = cmd_option(r->env, "--starts"), *placement = cmd_option(r->env, "--placement");

	r->starts_to_stdout = starts && strcmp(starts, "-") == 0;
	if (starts && !r->starts_to_stdout && !outfile_open(&r->starts, starts, &r->env->err))
		return CMD_REFUSED;
	if (placement && !outfile_open(&r->placement, placement, &r->env->err))
		return CMD_REFUSED;
	return CMD_DONE;
}

/* --- a store, when one was named --------------------------------------------------------------- */

static enum cmd_status open_store(struct job_of_replay *r, bool wanted)
{
	enum cmd_status status;
	uint64_t first, last;

	if (!wanted)
		return CMD_DONE;
	status = simulate_open_store(&r->session, r->env->shell->store, &r->env->err);
	if (status != CMD_DONE)
		return status;
	if (!store_journal_range(r->session.store, &first, &last, &r->env->err))
		return CMD_FAILED;
	if (last == 0)
		return CMD_DONE;
	err_set(&r->env->err, "the store %s is in use: a replay begins in an empty one; name another folder",
		store_dir(r->session.store));
	return CMD_REFUSED;
}

static struct ledger ledger_of(const struct job_of_replay *r)
{
	return r->session.store ? store_ledger(r->session.store) : (struct ledger){0};
}

/* --- running ------------------------------------------------------------------------------------ */

static bool run_until(struct job_of_replay *r, int64_t until_s, struct progress *bar)
{
	const struct trace *t = &r->trace;
	int64_t span_s = t->count > 0 ? t->job[t->count - 1].submit_s - t->job[0].submit_s : 0;
	int64_t slice_s = span_s / SLICES + 1;

	for (;;) {
		int64_t next_s = driver_next_s(replay_driver(r->replay));

		if (next_s > until_s || replay_done(r->replay))
			return true;
		if (next_s < until_s - slice_s)
			next_s += slice_s;
		else
			next_s = until_s;
		if (!replay_run(r->replay, next_s, &r->env->err))
			return false;
		progress_show(bar, replay_jobs_ended(r->replay));
	}
}

static bool run_all(struct job_of_replay *r)
{
	struct progress bar;
	bool ok = true;

	progress_begin(&bar, "jobs", r->trace.count);
	for (size_t i = 0; i < r->script.count && ok; i++) {
		const struct replay_command *c = &r->script.command[i];

		if (c->at_s > r->until_s)
			break;
		ok = run_until(r, c->at_s, &bar);
		if (ok)
			replay_do(replay_driver(r->replay), c->at_s, c->line, r->env->ascii, &r->output);
	}
	ok = ok && run_until(r, r->until_s, &bar);
	progress_end(&bar);
	return ok;
}

static enum cmd_status run(struct job_of_replay *r)
{
	struct replay_setup setup = {
		.trace = &r->trace,
		.cluster = r->cluster,
		.config_file = r->config_file,
		.config_text = r->config_file ? str_text(&r->config) : NULL,
		.set_name = r->set_name,
		.set_value = r->set_value,
		.set_count = r->set_count,
		.keep_runs = r->placement.open,
		.until_s = r->until_s,
	};

	r->replay = replay_new(&setup, ledger_of(r), &r->env->err);
	if (!r->replay)
		return CMD_REFUSED;
	r->output = (struct replay_output){.text = &r->done};
	if (r->env->json) {
		r->done_json = (struct json){.out = &r->done};
		json_open(&r->done_json, NULL, '[');
		r->output.json = &r->done_json;
	}
	return run_all(r) ? CMD_DONE : CMD_FAILED;
}

/* --- handing over --------------------------------------------------------------------------------- */

static bool write_files(struct job_of_replay *r)
{
	struct str text = {0};
	bool ok = true;

	if (r->starts_to_stdout)
		replay_print_starts(&r->trace, r->replay, r->env->out);
	if (r->starts.open) {
		replay_print_starts(&r->trace, r->replay, &text);
		ok = outfile_write(&r->starts, &text, &r->env->err);
	}
	if (r->placement.open && ok) {
		str_clear(&text);
		replay_print_placement(&r->trace, r->replay, &text);
		ok = outfile_write(&r->placement, &text, &r->env->err);
	}
	str_free(&text);
	return ok;
}

static struct replay_cost cost_of(const struct job_of_replay *r)
{
	struct rusage use = {0};

	getrusage(RUSAGE_SELF, &use);
	return (struct replay_cost){.elapsed_s = progress_clock() - r->begun_s, .peak_rss_kb = use.ru_maxrss};
}

/* The moment reports are about: where the replay was cut, or its last event. */
static int64_t end_s(const struct job_of_replay *r)
{
	return r->until_s != TIME_NEVER ? r->until_s : driver_view(replay_driver(r->replay))->now_s;
}

static bool print_json(struct job_of_replay *r, struct str *out)
{
	struct json j = {.out = out};
	struct replay_summary sum;
	struct replay_cost cost;
	struct str text = {0};
	const char *line;
	bool ok = true;

	json_close(&r->done_json);
	replay_summarise(r->replay, &sum);
	cost = cost_of(r);
	json_open(&j, NULL, '{');
	replay_json_summary(&sum, &cost, &j);
	if (r->script.count > 0)
		json_raw(&j, "do", str_text(&r->done));
	json_open(&j, "reports", '{');
	for (size_t i = 0; (line = cmd_option_at(r->env, "--report", i)) != NULL && ok; i++) {
		str_clear(&text);
		ok = replay_report(replay_driver(r->replay), end_s(r), line, true, r->env->ascii, &text,
				   &r->env->err);
		if (ok)
			json_raw(&j, line, str_text(&text));
	}
	json_close(&j);
	json_close(&j);
	str_add_char(out, '\n');
	str_free(&text);
	return ok;
}

static bool print_text(struct job_of_replay *r, struct str *out)
{
	struct replay_summary sum;
	struct replay_cost cost;
	const char *line;

	str_add(out, str_text(&r->done));
	for (size_t i = 0; (line = cmd_option_at(r->env, "--report", i)) != NULL; i++) {
		str_addf(out, "$ %s\n", line);
		if (!replay_report(replay_driver(r->replay), end_s(r), line, false, r->env->ascii, out,
				   &r->env->err))
			return false;
		str_add_char(out, '\n');
	}
	replay_summarise(r->replay, &sum);
	cost = cost_of(r);
	replay_print_summary(&sum, &cost, out);
	return true;
}

/* With --starts - the lines of the file are all that goes to standard output. */
static enum cmd_status hand_over(struct job_of_replay *r)
{
	struct str aside = {0};
	struct str *out = r->starts_to_stdout ? &aside : r->env->out;
	bool ok = r->env->json ? print_json(r, out) : print_text(r, out);

	ok = ok && write_files(r);
	fputs(str_text(&aside), stderr);
	str_free(&aside);
	if (ok && r->output.refused)
		err_set(&r->env->err, "a command of --do did not work; its sentence stands behind its line");
	return ok && !r->output.refused ? CMD_DONE : CMD_REFUSED;
}

/* --- in the console ---------------------------------------------------------------------------------- */

static enum cmd_status open_console(struct job_of_replay *r)
{
	struct rm rm = fake_from_trace(&r->cluster, &r->trace);
	struct driver *driver = driver_new(rm, ledger_of(r), &r->env->err);
	enum cmd_status status;
	int64_t speed;

	if (!driver)
		return CMD_FAILED;
	status = simulate_configure(driver, r->config_file, r->config_file ? str_text(&r->config) : NULL,
				    r->set_name, r->set_value, r->set_count, &r->env->err);
	if (status == CMD_DONE && !cmd_option_whole(r->env, "--speed", 0, 1000000, 60, &speed))
		status = CMD_USAGE;
	if (status != CMD_DONE) {
		driver_free(driver);
		return status;
	}
	simulate_dress(&r->session, r->env->shell);
	if (!session_start(&r->session, driver, 0, (int)speed, &r->env->err))
		return CMD_FAILED;
	return simulate_show(r->env->shell, &r->session, &r->env->err);
}

/* --- the verb ------------------------------------------------------------------------------------------- */

static enum cmd_status replay(struct job_of_replay *r)
{
	bool console = cmd_option(r->env, "--console") != NULL;
	enum cmd_status status = read_words(r);

	if (status == CMD_DONE)
		status = read_moments(r);
	if (status == CMD_DONE && !console)
		status = open_outputs(r);
	if (status == CMD_DONE)
		status = open_store(r, console || r->env->shell->store);
	if (status != CMD_DONE)
		return status;
	if (console)
		return open_console(r);
	status = run(r);
	return status == CMD_DONE ? hand_over(r) : status;
}

static enum cmd_status run_replay(struct cmd_env *env, int argc, char **argv)
{
	struct job_of_replay r = {.env = env, .begun_s = progress_clock(), .file = argv[1]};
	enum cmd_status status;

	(void)argc;
	status = replay(&r);
	outfile_drop(&r.starts);
	outfile_drop(&r.placement);
	replay_free(r.replay);
	session_close(&r.session);
	replay_script_free(&r.script);
	trace_clear(&r.trace);
	str_free(&r.config);
	str_free(&r.done);
	for (size_t i = 0; i < r.set_count; i++)
		free(r.set[i]);
	free(r.set);
	free(r.set_name);
	free(r.set_value);
	return status;
}

const struct cmd cmd_replay = {
	.name = "replay",
	.args = "TRACE",
	.help = "Runs the scheduler over a workload log (Standard Workload Format; - is standard input) on a "
		"virtual clock.",
	.options =
		(const struct cmd_option[]){
			{"--cluster", "NxP", "N nodes of P processors, whatever the log says"},
			{"--policy", "NAME",
			 "fcfs, easy or conservative; without it --config or the defaults"},
			{"--set", "NAME=VALUE", "an option over the configuration; may be repeated"},
			{"--jobs", "N", "only the first N jobs"},
			{"--until", "TIME",
			 "stop then: the log's own seconds, +D from its first job, or a date"},
			{"--do", "FILE", "lines 'TIME COMMAND...', run after the pass at that time"},
			{"--starts", "FILE",
			 "job,submit,start,end,procs of every job; - is standard output, the "
			 "summary then goes to standard error"},
			{"--placement", "FILE", "job,nodes of every job"},
			{"--report", "VERB", "what that verb prints at the end; may be repeated"},
			{"--strict", NULL, "refuse a log with a line that cannot be read"},
			{"--console", NULL, "watch it in the console"},
			{"--speed", "N", "in the console: virtual seconds a second (60)"},
			{0},
		},
	.min = 1,
	.max = 1,
	.flags = CMD_SHELL,
	.run = run_replay,
};
