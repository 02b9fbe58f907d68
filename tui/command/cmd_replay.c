/* SPDX-License-Identifier: MIT */
/*
 * cmd_replay.c - kahu replay: a workload log on a virtual clock
 *
 * Options, log, configuration and output files are checked before the clock starts. Results are written only
 * if the replay succeeds.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "cmd.h"
#include "post.h"
#include "replay_output.h"
#include "replay_setup.h"
#include "replay_since.h"
#include "sched/base/vec.h"
#include "sched/host/files.h"
#include "sched/host/replay.h"
#include "simulate.h"
#include "store/store.h"
#include "tui/report/cmd_env.h"
#include "tui/serve/session.h"
#include "tui/serve/shell.h"

/* A command of --do that has run, and its output. */
struct command_output {
	int64_t at_s;
	const char *line; /* borrowed */
	int64_t status;   /* enum cmd_status */
	char *text;
};

struct replay_output {
	struct command_output *item;
	size_t count, room;
	bool refused; /* at least one command failed */
};

/* --- one replay --------------------------------------------------------------------------------------- */

#define SLICES 400 /* updates of the progress bar between the first and the last submission */

struct run {
	struct cmd_env *env;
	struct replay_request request;
	double begun_s;
	struct outfile starts, placement;
	bool starts_to_stdout;
	struct session session; /* has the store of --store */
	struct replay *replay;
	struct replay_output output;
	struct replay_compared compared; /* set with --compare */
};

/* --- commands and reports during a replay ------------------------------------------------------------- */

/*
 * Each command of --do runs on the state after the pass at its time. Its changes are posted to the driver of
 * the replay, so the next pass sees them.
 */

static struct cmd_env make_env(const struct run *r, struct replay *replay, int64_t at_s,
			       struct cmd_changes *changes, struct str *out)
{
	const struct snapshot *s = driver_view(replay_driver(replay));

	return (struct cmd_env){.verbs = r->env->verbs,
				.s = s,
				.now_s = at_s > s->now_s ? at_s : s->now_s,
				.replay = replay,
				.who = session_user(),
				.out = out,
				.changes = changes};
}

static enum cmd_status run_line(struct replay *replay, struct cmd_env *env, const char *line)
{
	enum cmd_status status = cmd_run_line(env, line);

	if (status == CMD_DONE)
		status = post_changes(env, &(struct post_to){.driver = replay_driver(replay)});
	cmd_changes_clear(env->changes);
	return status;
}

static void replay_output_clear(struct replay_output *out)
{
	for (size_t i = 0; i < out->count; i++)
		free(out->item[i].text);
	free(out->item);
	*out = (struct replay_output){.item = NULL};
}

/* Overwrites each word --json in a line with spaces. Returns whether there was any. */
static bool take_json(char *line)
{
	static const char word[] = "--json";
	const size_t len = sizeof word - 1;
	bool found = false;

	for (char *at = strstr(line, word); at != NULL; at = strstr(at + len, word)) {
		if ((at > line && at[-1] != ' ') || (at[len] != ' ' && at[len] != '\0'))
			continue;
		memset(at, ' ', len);
		found = true;
	}
	return found;
}

/* Runs a command of --do at its time in the replay, posts its changes and keeps its output. */
static void run_command(const struct run *r, struct replay *replay, int64_t at_s, const char *line,
			struct replay_output *out)
{
	struct cmd_changes changes = {0};
	struct str printed = {0};
	struct cmd_env env = make_env(r, replay, at_s, &changes, &printed);
	enum cmd_status status;
	char *words;

	words = mem_string(line);
	env.ascii = r->env->ascii;
	env.json = take_json(words);
	status = run_line(replay, &env, words);
	free(words);
	if (status != CMD_DONE) {
		str_addf(&printed, "%s\n", env.err.text);
		out->refused = true;
	}
	out->item = vec_room(out->item, &out->room, out->count + 1, sizeof *out->item);
	out->item[out->count++] =
		(struct command_output){at_s, line, (int64_t)status, mem_string(str_text(&printed))};
	str_free(&printed);
}

/* Appends a report as text or JSON. Returns false with err set on failure. */
static bool run_report(const struct run *r, int64_t at_s, const char *line, bool json, struct str *out,
		       struct err *err)
{
	struct cmd_changes changes = {0};
	struct cmd_env env = make_env(r, r->replay, at_s, &changes, out);
	enum cmd_status status;

	env.json = json;
	env.ascii = r->env->ascii;
	status = cmd_run_line(&env, line);
	cmd_changes_clear(&changes);
	return status == CMD_DONE || err_set(err, "%s", env.err.text);
}

/* --- running ------------------------------------------------------------------------------------------ */

static enum cmd_status open_outputs(struct run *r)
{
	const char *starts = cmd_option(r->env, "--starts"), *placement = cmd_option(r->env, "--placement");

	r->starts_to_stdout = starts && strcmp(starts, "-") == 0;
	if (starts && !r->starts_to_stdout && !outfile_open(&r->starts, starts, &r->env->err))
		return CMD_REFUSED;
	if (placement && !outfile_open(&r->placement, placement, &r->env->err))
		return CMD_REFUSED;
	return CMD_DONE;
}

/* Opens the store of --store, which must be empty. */
static enum cmd_status open_store(struct run *r, bool wanted)
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
	err_set(&r->env->err, "the store %s is not empty; a replay needs an empty one: name another folder",
		store_dir(r->session.store));
	return CMD_REFUSED;
}

static struct ledger ledger_of(const struct run *r)
{
	return r->session.store ? store_ledger(r->session.store) : (struct ledger){0};
}

static bool run_until(struct run *r, struct replay *replay, int64_t until_s, struct progress *bar)
{
	const struct trace *t = &r->request.input.trace;
	int64_t span_s = t->count > 0 ? t->job[t->count - 1].submit_s - t->job[0].submit_s : 0;
	int64_t slice_s = span_s / SLICES + 1;

	for (;;) {
		int64_t next_s = driver_next_s(replay_driver(replay));

		if (next_s > until_s || replay_done(replay))
			return true;
		if (next_s < until_s - slice_s)
			next_s += slice_s;
		else
			next_s = until_s;
		if (!replay_run(replay, next_s, &r->env->err))
			return false;
		progress_show(bar, replay_jobs_ended(replay));
	}
}

static bool run_all(struct run *r, struct replay *replay, struct replay_output *output)
{
	const struct replay_request *w = &r->request;
	struct progress bar;
	bool ok = true;

	progress_begin(&bar, "jobs", w->input.trace.count);
	for (size_t i = 0; i < w->script.count && ok; i++) {
		const struct replay_command *c = &w->script.command[i];

		if (c->at_s > w->setup.until_s)
			break;
		ok = run_until(r, replay, c->at_s, &bar);
		if (ok)
			run_command(r, replay, c->at_s, c->line, output);
	}
	ok = ok && run_until(r, replay, w->setup.until_s, &bar);
	progress_end(&bar);
	return ok;
}

/*
 * Prints a failure outside of the scheduler that the driver has handled, such as a program that cannot be
 * run.
 */
static void warn(void *self, const char *text)
{
	(void)self;
	fprintf(stderr, "kahu: %s\n", text);
}

static struct replay *begin(struct run *r, const struct replay_setup *setup, struct ledger ledger)
{
	struct replay *replay = replay_new(setup, ledger, &r->env->err);

	if (replay)
		driver_set_warn(replay_driver(replay), warn, NULL);
	return replay;
}

static enum cmd_status run(struct run *r)
{
	r->replay = begin(r, &r->request.setup, ledger_of(r));
	if (!r->replay)
		return CMD_REFUSED;
	return run_all(r, r->replay, &r->output) ? CMD_DONE : CMD_FAILED;
}

/*
 * Repeats the replay under the configuration of --compare and fills r->compared. The output of the commands
 * that run in this second replay is discarded.
 */
static enum cmd_status run_other(struct run *r)
{
	const struct replay_request *w = &r->request;
	struct replay_setup setup = w->setup;
	struct replay_output output = {.item = NULL};
	enum cmd_status status = CMD_REFUSED;
	struct replay *other;

	setup.config_file = w->other.file;
	setup.config_text = str_text(&w->other.text);
	setup.barred = w->other.barred.text;
	setup.keep_runs = false;
	other = begin(r, &setup, (struct ledger){0});
	if (other) {
		status = run_all(r, other, &output) ? CMD_DONE : CMD_FAILED;
		replay_summarise(r->replay, &r->compared.sum);
		replay_summarise(other, &r->compared.other);
		r->compared.difference = replay_difference(&r->compared.sum, &r->compared.other);
		r->compared.name = w->config.file ? w->config.file : "defaults";
		r->compared.other_name = w->other.file;
		r->compared.passes = "passes";
	}
	replay_free(other);
	replay_output_clear(&output);
	return status;
}

/* --- results ------------------------------------------------------------------------------------------ */

static bool write_files(struct run *r)
{
	struct str text = {0};
	bool ok = true;

	if (r->starts_to_stdout)
		replay_print_starts(&r->request.input.trace, r->replay, r->env->out);
	if (r->starts.open) {
		replay_print_starts(&r->request.input.trace, r->replay, &text);
		ok = outfile_write(&r->starts, &text, &r->env->err);
	}
	if (r->placement.open && ok) {
		str_clear(&text);
		replay_print_placement(&r->request.input.trace, r->replay, &text);
		ok = outfile_write(&r->placement, &text, &r->env->err);
	}
	str_free(&text);
	return ok;
}

static struct replay_cost cost_of(const struct run *r)
{
	struct rusage use = {0};

	getrusage(RUSAGE_SELF, &use);
	return (struct replay_cost){.elapsed_s = progress_clock() - r->begun_s, .peak_rss_kb = use.ru_maxrss};
}

/* Returns the time at which the reports run: --until, or the time of the last event. */
static int64_t end_s(const struct run *r)
{
	return r->request.setup.until_s != TIME_NEVER ? r->request.setup.until_s
						      : driver_view(replay_driver(r->replay))->now_s;
}

struct report_item {
	const char *line;
	const char *text; /* NULL: the report failed, as `error` says */
	const char *error;
};

static void visit_report(struct run *r, const char *line, field_visit *visit, void *self)
{
	struct report_item item = {.line = line};
	struct str text = {0};
	struct err err = {{0}};

	if (run_report(r, end_s(r), line, r->env->json, &text, &err))
		item.text = str_text(&text);
	item.error = err.text;
	visit(self, &item);
	if (item.text == NULL) {
		r->output.refused = true;
		fprintf(stderr, "kahu: %s: %s\n", line, err.text);
	}
	str_free(&text);
}

/* The replay whose results are printed; its summary is set only for JSON. */
struct results {
	struct run *run;
	struct replay_printed printed;
};

static void each_report(const void *item, field_visit *visit, void *self)
{
	struct run *r = ((const struct results *)item)->run;
	const char *line;

	for (size_t i = 0; (line = cmd_option_at(r->env, "--report", i)) != NULL; i++)
		visit_report(r, line, visit, self);
}

static void each_command(const void *item, field_visit *visit, void *self)
{
	const struct replay_output *output = &((const struct results *)item)->run->output;

	for (size_t i = 0; i < output->count; i++)
		visit(self, &output->item[i]);
}

static const struct field report_fields[] = {{NULL, "", FIELD_TEXT, FIELD_AT(struct report_item, line)},
					     {NULL, "", FIELD_JSON, FIELD_AT(struct report_item, text)},
					     {0}};

static const struct field command_fields[] = {
	{"time", NULL, FIELD_INSTANT, FIELD_AT(struct command_output, at_s)},
	{"command", NULL, FIELD_TEXT, FIELD_AT(struct command_output, line)},
	{"status", NULL, FIELD_COUNT, FIELD_AT(struct command_output, status)},
	{"output", NULL, FIELD_TEXT, FIELD_AT(struct command_output, text)},
	{0}};

static bool has_commands(const void *item)
{
	return ((const struct results *)item)->run->request.script.count > 0;
}

static bool get_compared(const void *item, struct value *out)
{
	const struct run *r = ((const struct results *)item)->run;

	out->item = &r->compared;
	return r->request.other.file != NULL;
}

static const struct field results_fields[] = {
	{.type = FIELD_MEMBERS, FIELD_AT(struct results, printed), .of = replay_printed_fields},
	{"compare", NULL, FIELD_OBJECT, .get = get_compared, .of = replay_compared_fields, .optional = true},
	{"do", NULL, FIELD_LIST, .of = command_fields, .each = each_command, .when = has_commands},
	{"reports", NULL, FIELD_MAP, .of = report_fields, .each = each_report},
	{0}};

static void print_json(struct run *r, struct str *out)
{
	struct replay_summary sum;
	struct replay_cost cost;

	replay_summarise(r->replay, &sum);
	cost = cost_of(r);
	fields_document(out, results_fields, 0, &(struct results){r, replay_printed(&sum, &cost)});
}

static void print_command(void *self, const void *item)
{
	const struct command_output *command = item;

	str_addf(self, "$ %s\n%s\n", command->line, command->text);
}

/* Prints a report, or its error message if it failed. */
static void print_report(void *self, const void *item)
{
	const struct report_item *report = item;

	str_addf(self, "$ %s\n%s\n", report->line, report->text != NULL ? report->text : report->error);
}

#define LISTED_MAX 10

/*
 * Lists jobs that never start. If --until has ended the replay early, they are not known, and none is listed.
 */
static void list_jobs_that_never_start(struct run *r, struct str *out)
{
	const struct trace *trace = replay_trace(r->replay);
	const struct replay_record *record = replay_records(r->replay);
	char number[TRACE_NAME_TEXT];
	uint64_t listed = 0;

	if (driver_next_s(replay_driver(r->replay)) != TIME_NEVER)
		return;
	for (size_t i = 0; i < trace->count && listed <= LISTED_MAX; i++) {
		if (record[i].start_s != TIME_NONE)
			continue;
		if (listed++ < LISTED_MAX)
			str_addf(out, "%s %s", listed == 1 ? "\njobs that never start:" : ",",
				 trace_job_name(&trace->job[i], number));
	}
	if (listed > 0)
		str_addf(out, "%s (--report 'why JOB' prints the reason)\n",
			 listed > LISTED_MAX ? ", ..." : "");
}

static void print_text(struct run *r, struct str *out)
{
	struct results results = {.run = r};
	struct replay_summary sum;
	struct replay_cost cost;

	each_command(&results, print_command, out);
	each_report(&results, print_report, out);
	replay_summarise(r->replay, &sum);
	cost = cost_of(r);
	replay_print_summary(&sum, &cost, "passes", out);
	list_jobs_that_never_start(r, out);
	if (r->request.other.file) {
		str_add_char(out, '\n');
		replay_print_compared(&r->compared, out);
	}
}

/*
 * Prints the results and writes the output files. With `--starts -` standard output has only the starts; all
 * other results go to standard error.
 */
static enum cmd_status write_results(struct run *r)
{
	struct str aside = {0};
	struct str *out = r->starts_to_stdout ? &aside : r->env->out;
	bool ok;

	if (r->env->json)
		print_json(r, out);
	else
		print_text(r, out);
	ok = write_files(r);
	fputs(str_text(&aside), stderr);
	str_free(&aside);
	if (ok && r->output.refused)
		err_set(&r->env->err, "a command of --do or --report failed; see its message above");
	return ok && !r->output.refused ? CMD_DONE : CMD_REFUSED;
}

/* --- the verb ----------------------------------------------------------------------------------------- */

static enum cmd_status open_console(struct run *r)
{
	struct driver *driver;
	enum cmd_status status;
	int64_t speed;

	if (!cmd_option_whole(r->env, "--speed", 0, 1000000, 60, &speed))
		return CMD_USAGE;
	r->request.setup.who = session_user();
	driver = replay_driver_new(&r->request.setup, ledger_of(r), &r->env->err);
	if (!driver)
		return CMD_REFUSED;
	status = simulate_start(&r->session, r->env->shell, driver, 0, speed, &r->env->err);
	if (status != CMD_DONE)
		return status;
	return simulate_show(r->env->shell, &r->session, &r->env->err);
}

static enum cmd_status replay_all(struct run *r)
{
	bool console = cmd_option(r->env, "--console") != NULL;
	enum cmd_status status = replay_request_read(&r->request);

	if (status == CMD_DONE && !console)
		status = open_outputs(r);
	if (status == CMD_DONE)
		status = open_store(r, console || r->env->shell->store);
	if (status != CMD_DONE)
		return status;
	if (console)
		return open_console(r);
	status = run(r);
	if (status == CMD_DONE && r->request.other.file)
		status = run_other(r);
	return status == CMD_DONE ? write_results(r) : status;
}

static enum cmd_status run_replay(struct cmd_env *env, int argc, char **argv)
{
	struct run r = {.env = env, .request = {.env = env, .file = argv[1]}, .begun_s = progress_clock()};
	bool since = cmd_option(env, "--since") != NULL;
	enum cmd_status status;

	if (since == (argc > 1)) {
		err_set(&env->err, since ? "too many arguments; replay --since takes no workload log"
					 : "too few arguments; name a workload log, or replay the journal of "
					   "a store with --since");
		return CMD_USAGE;
	}
	if (since)
		return replay_since(env);
	status = replay_all(&r);
	outfile_drop(&r.starts);
	outfile_drop(&r.placement);
	replay_free(r.replay);
	session_close(&r.session);
	replay_request_clear(&r.request);
	replay_output_clear(&r.output);
	return status;
}

const struct cmd cmd_replay = {
	.name = "replay",
	.args = "TRACE|--since TIME",
	.help = "Run the scheduler on a virtual clock over a workload log (Standard Workload Format or a "
		"Maui workload trace; - is standard input), or with --since over the journal of a store. If "
		"the configuration sets nodeallocationpolicy = local, the program localnodeallocation runs "
		"as the user who started the replay, unless another user can change the program or the "
		"configuration.",
	.options =
		(const struct cmd_option[]){
			{"--since", "TIME",
			 "replay the journal of --store from this time, or from an age such as 7d before "
			 "its last entry"},
			{"--cluster", "NxP",
			 "use N nodes of P processors, or the nodes of a Maui resource trace, instead of "
			 "the cluster of the log"},
			{"--policy", "NAME",
			 "fcfs, easy or conservative (default: --config, or the built-in options)"},
			{"--set", "NAME=VALUE", "override an option of the configuration; may be repeated"},
			{"--compare", "CONFIG",
			 "replay also with another configuration or policy, and print both summaries side by "
			 "side; with --since also the changes by user and group; may be repeated with "
			 "--since"},
			{"--jobs", "N", "replay only the first N jobs"},
			{"--poll", "S", "run scheduling passes only at multiples of S seconds, as Maui does"},
			{"--fairshare", "DIR", "read earlier usage from the FS.<epoch> files of a folder"},
			{"--until", "TIME",
			 "stop at this time: seconds of the log, +D after the first job or --since, or a "
			 "date"},
			{"--do", "FILE",
			 "file of lines 'TIME COMMAND...', each run after the scheduling pass at that time"},
			{"--starts", "FILE",
			 "write job,submit,start,end,procs of every job; - is standard output, and the "
			 "summary then goes to standard error"},
			{"--placement", "FILE", "write job,nodes of every job"},
			{"--report", "VERB", "print this report at the end; may be repeated"},
			{"--strict", NULL, "refuse a log with unreadable lines"},
			{"--console", NULL, "watch the replay in the console"},
			{"--speed", "N", "in the console: simulated seconds per second (60)"},
			{0},
		},
	.max = 1,
	.flags = CMD_SHELL,
	.run = run_replay,
};
