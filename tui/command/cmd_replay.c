/* SPDX-License-Identifier: MIT */
/*
 * cmd_replay.c - what would the scheduler have done with this workload?
 *
 * First everything that can be wrong is found out: the words, the log, the
 * configuration, the files to be written. Then the clock runs; then all is handed over,
 * or nothing.
 */
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "cmd.h"
#include "sched/base/json.h"
#include "sched/host/replay.h"
#include "sched/rm/outfile.h"
#include "simulate.h"
#include "store/store.h"
#include "tui/command/replay_do.h"
#include "tui/command/replay_out.h"
#include "tui/command/replay_since.h"
#include "tui/command/replay_wish.h"
#include "tui/report/progress.h"
#include "tui/serve/session.h"
#include "tui/serve/shell.h"

#define SLICES 400 /* how often a progress bar could move over the time of submissions */

/* One replay: what was asked, and what came of it. */
struct run {
	struct cmd_env *env;
	struct replay_wish wish;
	double begun_s;
	struct outfile starts, placement;
	bool starts_to_stdout;
	struct session session; /* its store, when --store was given */
	struct replay *replay;
	struct str done; /* what --do printed        */
	struct json done_json;
	struct replay_output output;
	struct replay_compared compared; /* with --compare */
};

/* --- where it goes ------------------------------------------------------------------------- */

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

/* --- a store, when one was named --------------------------------------------------------------- */

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
	err_set(&r->env->err, "the store %s is in use: a replay begins in an empty one; name another folder",
		store_dir(r->session.store));
	return CMD_REFUSED;
}

static struct ledger ledger_of(const struct run *r)
{
	return r->session.store ? store_ledger(r->session.store) : (struct ledger){0};
}

/* --- running ------------------------------------------------------------------------------------ */

static bool run_until(struct run *r, struct replay *replay, int64_t until_s, struct progress *bar)
{
	const struct trace *t = &r->wish.input.trace;
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
	const struct replay_wish *w = &r->wish;
	struct progress bar;
	bool ok = true;

	progress_begin(&bar, "jobs", w->input.trace.count);
	for (size_t i = 0; i < w->script.count && ok; i++) {
		const struct replay_command *c = &w->script.command[i];

		if (c->at_s > w->setup.until_s)
			break;
		ok = run_until(r, replay, c->at_s, &bar);
		if (ok)
			replay_do(replay, c->at_s, c->line, r->env->ascii, output);
	}
	ok = ok && run_until(r, replay, w->setup.until_s, &bar);
	progress_end(&bar);
	return ok;
}

/* What went wrong outside and was dealt with. */
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
	r->replay = begin(r, &r->wish.setup, ledger_of(r));
	if (!r->replay)
		return CMD_REFUSED;
	r->output = (struct replay_output){.text = &r->done};
	if (r->env->json) {
		r->done_json = (struct json){.out = &r->done};
		json_open(&r->done_json, NULL, '[');
		r->output.json = &r->done_json;
	}
	return run_all(r, r->replay, &r->output) ? CMD_DONE : CMD_FAILED;
}

/* The same once more under the other configuration. What its commands print is of no interest. */
static enum cmd_status run_other(struct run *r)
{
	const struct replay_wish *w = &r->wish;
	struct replay_setup setup = w->setup;
	struct str aside = {0};
	struct replay_output output = {.text = &aside};
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
		r->compared.name = w->config.file ? w->config.file : "defaults";
		r->compared.other_name = w->other.file;
		r->compared.passes = "passes";
	}
	replay_free(other);
	str_free(&aside);
	return status;
}

/* --- handing over --------------------------------------------------------------------------------- */

static bool write_files(struct run *r)
{
	struct str text = {0};
	bool ok = true;

	if (r->starts_to_stdout)
		replay_print_starts(&r->wish.input.trace, r->replay, r->env->out);
	if (r->starts.open) {
		replay_print_starts(&r->wish.input.trace, r->replay, &text);
		ok = outfile_write(&r->starts, &text, &r->env->err);
	}
	if (r->placement.open && ok) {
		str_clear(&text);
		replay_print_placement(&r->wish.input.trace, r->replay, &text);
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

/* The moment reports are about: where the replay was cut, or its last event. */
static int64_t end_s(const struct run *r)
{
	return r->wish.setup.until_s != TIME_NEVER ? r->wish.setup.until_s
						   : driver_view(replay_driver(r->replay))->now_s;
}

/* One report into text; one that does not work leaves its sentence instead, or null. */
static void add_report(struct run *r, const char *line, struct json *j, struct str *out)
{
	struct str text = {0};
	struct err err;
	bool ok = replay_report(r->replay, end_s(r), line, j != NULL, r->env->ascii, &text, &err);

	if (!ok)
		r->output.refused = true;
	if (j)
		json_raw(j, line, ok ? str_text(&text) : "null");
	else
		str_addf(out, "$ %s\n%s\n", line, ok ? str_text(&text) : err.text);
	if (!ok)
		fprintf(stderr, "kahu: %s: %s\n", line, err.text);
	str_free(&text);
}

static void add_reports(struct run *r, struct json *j, struct str *out)
{
	const char *line;

	for (size_t i = 0; (line = cmd_option_at(r->env, "--report", i)) != NULL; i++)
		add_report(r, line, j, out);
}

static void print_json(struct run *r, struct str *out)
{
	struct json j = {.out = out};
	struct replay_summary sum;
	struct replay_cost cost;

	json_close(&r->done_json);
	replay_summarise(r->replay, &sum);
	cost = cost_of(r);
	json_open(&j, NULL, '{');
	replay_json_summary(&sum, &cost, &j);
	if (r->wish.other.file) {
		json_open(&j, "compare", '{');
		replay_json_compared(&r->compared, &j);
		json_close(&j);
	}
	if (r->wish.script.count > 0)
		json_raw(&j, "do", str_text(&r->done));
	json_open(&j, "reports", '{');
	add_reports(r, &j, NULL);
	json_close(&j);
	json_close(&j);
	str_add_char(out, '\n');
}

#define NAMED_MOST 10

/* Jobs that nothing will start. Of a replay that was cut nobody knows. */
static void name_what_never_starts(struct run *r, struct str *out)
{
	const struct trace *trace = replay_trace(r->replay);
	const struct replay_record *record = replay_records(r->replay);
	char number[TRACE_NAME_TEXT];
	uint64_t named = 0;

	if (driver_next_s(replay_driver(r->replay)) != TIME_NEVER)
		return;
	for (size_t i = 0; i < trace->count && named <= NAMED_MOST; i++) {
		if (record[i].start_s != TIME_NONE)
			continue;
		if (named++ < NAMED_MOST)
			str_addf(out, "%s %s", named == 1 ? "\njobs that never start:" : ",",
				 trace_job_name(&trace->job[i], number));
	}
	if (named > 0)
		str_addf(out, "%s (--report 'why JOB' prints the reason)\n",
			 named > NAMED_MOST ? ", ..." : "");
}

static void print_text(struct run *r, struct str *out)
{
	struct replay_summary sum;
	struct replay_cost cost;

	str_add(out, str_text(&r->done));
	add_reports(r, NULL, out);
	replay_summarise(r->replay, &sum);
	cost = cost_of(r);
	replay_print_summary(&sum, &cost, "passes", out);
	name_what_never_starts(r, out);
	if (r->wish.other.file) {
		str_add_char(out, '\n');
		replay_print_compared(&r->compared, out);
	}
}

/* With --starts - the lines of the file are all that goes to standard output. */
static enum cmd_status hand_over(struct run *r)
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
		err_set(&r->env->err,
			"a command of --do or --report did not work; its sentence stands with it");
	return ok && !r->output.refused ? CMD_DONE : CMD_REFUSED;
}

/* --- in the console ---------------------------------------------------------------------------------- */

static enum cmd_status open_console(struct run *r)
{
	struct driver *driver;
	enum cmd_status status;
	int64_t speed;

	if (!cmd_option_whole(r->env, "--speed", 0, 1000000, 60, &speed))
		return CMD_USAGE;
	r->wish.setup.who = session_user();
	driver = replay_driver_new(&r->wish.setup, ledger_of(r), &r->env->err);
	if (!driver)
		return CMD_REFUSED;
	status = simulate_start(&r->session, r->env->shell, driver, 0, speed, &r->env->err);
	if (status != CMD_DONE)
		return status;
	return simulate_show(r->env->shell, &r->session, &r->env->err);
}

/* --- the verb ------------------------------------------------------------------------------------------- */

static enum cmd_status replay_all(struct run *r)
{
	bool console = cmd_option(r->env, "--console") != NULL;
	enum cmd_status status = replay_wish_read(&r->wish);

	if (status == CMD_DONE && !console)
		status = open_outputs(r);
	if (status == CMD_DONE)
		status = open_store(r, console || r->env->shell->store);
	if (status != CMD_DONE)
		return status;
	if (console)
		return open_console(r);
	status = run(r);
	if (status == CMD_DONE && r->wish.other.file)
		status = run_other(r);
	return status == CMD_DONE ? hand_over(r) : status;
}

static enum cmd_status run_replay(struct cmd_env *env, int argc, char **argv)
{
	struct run r = {.env = env, .wish = {.env = env, .file = argv[1]}, .begun_s = progress_clock()};
	bool since = cmd_option(env, "--since") != NULL;
	enum cmd_status status;

	if (since == (argc > 1)) {
		err_set(&env->err,
			since ? "too many words: a replay --since runs the journal of a store again, "
				"and no workload log"
			      : "too few words: name a workload log, or say --since for what the "
				"journal of a store tells");
		return CMD_USAGE;
	}
	if (since)
		return replay_since(env);
	status = replay_all(&r);
	outfile_drop(&r.starts);
	outfile_drop(&r.placement);
	replay_free(r.replay);
	session_close(&r.session);
	replay_wish_clear(&r.wish);
	str_free(&r.done);
	return status;
}

const struct cmd cmd_replay = {
	.name = "replay",
	.args = "TRACE|--since TIME",
	.help = "Runs the scheduler over a workload log (Standard Workload Format or a Maui workload trace; "
		"- is standard input) on a virtual clock, or once more over what the journal of a store "
		"tells. Where the configuration has nodeallocationpolicy = local, its program "
		"localnodeallocation is run as the user who replays, unless another user can change "
		"the program or the configuration.",
	.options =
		(const struct cmd_option[]){
			{"--since", "TIME",
			 "what the journal of --store tells since then, or so long before its last entry "
			 "(7d)"},
			{"--cluster", "NxP",
			 "N nodes of P processors, whatever the log says; or a Maui resource trace"},
			{"--policy", "NAME",
			 "fcfs, easy or conservative; without it --config or the defaults"},
			{"--set", "NAME=VALUE", "an option over the configuration; may be repeated"},
			{"--compare", "CONFIG",
			 "the same once more under another configuration or policy: both summaries side by "
			 "side; with --since also who gains and who loses, and it may be repeated"},
			{"--jobs", "N", "only the first N jobs"},
			{"--poll", "S", "passes fall only on multiples of S seconds, as Maui's do"},
			{"--fairshare", "DIR",
			 "usage before the first moment: the FS.<epoch> files of a folder"},
			{"--until", "TIME",
			 "stop then: the log's own seconds, +D from its first job or from --since, or a "
			 "date"},
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
	.max = 1,
	.flags = CMD_SHELL,
	.run = run_replay,
};
