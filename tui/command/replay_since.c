/* SPDX-License-Identifier: MIT */
/*
 * replay_since.c - what would have become of the jobs of last week?
 *
 * Without another policy passes are made where the journal has them, and the starts must be those on record;
 * where they are not, it is said which and why. Policies are compared with passes wherever something is due,
 * the one of then too: so both columns are had in the same way.
 */
#include "replay_since.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "replay_past.h"
#include "replay_since_out.h"
#include "replay_wish.h"
#include "sched/base/json.h"
#include "sched/base/vec.h"
#include "sched/rm/outfile.h"
#include "sched/rm/wallclock.h"
#include "tui/report/progress.h"

struct since {
	struct cmd_env *env;
	double begun_s;
	struct replay_past past;
	struct replay_wish wish; /* of it the policy alone */
	struct outfile starts;
	struct rerun *rerun, *base; /* as recorded; when due: the first column, which may be the same */
	struct since_other *other;  /* each --compare */
	size_t others;
	struct rerun_agreement agreement;
};

/* --- what was asked -------------------------------------------------------------------------------- */

static enum cmd_status refuse_options(struct cmd_env *env)
{
	static const char *const of_a_log[] = {"--cluster", "--jobs",      "--poll",   "--fairshare",
					       "--do",      "--placement", "--report", "--strict",
					       "--console", "--speed",     NULL};

	for (size_t i = 0; of_a_log[i] != NULL; i++)
		if (cmd_option(env, of_a_log[i]) != NULL) {
			err_set(&env->err,
				"%s is for a workload log; a replay --since runs what the journal "
				"of a store tells",
				of_a_log[i]);
			return CMD_USAGE;
		}
	return CMD_DONE;
}

static bool read_others(struct since *s)
{
	const char *name;

	while (cmd_option_at(s->env, "--compare", s->others) != NULL)
		s->others++;
	s->other = mem_zero(s->others + 1, sizeof *s->other);
	for (size_t i = 0; (name = cmd_option_at(s->env, "--compare", i)) != NULL; i++)
		if (!replay_read_policy(name, &s->other[i].config, &s->env->err))
			return false;
	return true;
}

static enum cmd_status read_wishes(struct since *s)
{
	const char *starts = cmd_option(s->env, "--starts");
	enum cmd_status status = refuse_options(s->env);

	if (status == CMD_DONE)
		status = replay_wish_policy(&s->wish);
	if (status == CMD_DONE && !read_others(s))
		status = CMD_REFUSED;
	if (status == CMD_DONE)
		status = replay_past_open(&s->past);
	if (status == CMD_DONE && starts != NULL && !outfile_open(&s->starts, starts, &s->env->err))
		status = CMD_REFUSED;
	return status;
}

/* --- runs -------------------------------------------------------------------------------------------- */

static bool is_other_policy(const struct since *s)
{
	return s->wish.config.file != NULL || s->wish.setup.set_count > 0;
}

static struct rerun_setup setup_of(const struct since *s, enum rerun_pace pace)
{
	const struct replay_wish *w = &s->wish;

	return (struct rerun_setup){
		.record = &s->past.record,
		.from = state_view(s->past.from),
		.pace = pace,
		.config_file = w->config.file,
		.config_text = w->config.file != NULL ? str_text(&w->config.text) : NULL,
		.set_name = w->set_name,
		.set_value = w->set_value,
		.set_count = w->setup.set_count,
		.clock = wallclock,
	};
}

/* The same settings over another configuration. */
static enum cmd_status run_other(struct since *s, struct since_other *other)
{
	struct rerun_setup setup = setup_of(s, RERUN_WHEN_DUE);
	enum cmd_status status;

	setup.config_file = other->config.file;
	setup.config_text = str_text(&other->config.text);
	other->rerun = replay_past_run(&s->past, &setup, &status);
	if (other->rerun == NULL)
		return status;
	rerun_compare(&other->parties, s->base, other->rerun);
	return CMD_DONE;
}

static enum cmd_status run_all(struct since *s)
{
	enum rerun_pace pace = is_other_policy(s) ? RERUN_WHEN_DUE : RERUN_AS_RECORDED;
	struct rerun_setup setup = setup_of(s, pace), when_due = setup_of(s, RERUN_WHEN_DUE);
	enum cmd_status status;

	s->rerun = replay_past_run(&s->past, &setup, &status);
	if (s->rerun != NULL)
		rerun_agree(s->rerun, &s->agreement);
	if (status == CMD_DONE && s->others > 0)
		s->base = is_other_policy(s) ? s->rerun : replay_past_run(&s->past, &when_due, &status);
	for (size_t i = 0; status == CMD_DONE && i < s->others; i++)
		status = run_other(s, &s->other[i]);
	return status;
}

/* --- handing over ----------------------------------------------------------------------------------------
 */

static bool write_starts(struct since *s)
{
	struct str text = {0};
	bool ok = true;

	if (s->starts.open) {
		since_print_starts(s->rerun, &text);
		ok = outfile_write(&s->starts, &text, &s->env->err);
	}
	str_free(&text);
	return ok;
}

static enum cmd_status hand_over(struct since *s)
{
	struct rusage use = {0};
	struct since_found found = {.env = s->env,
				    .name = s->wish.config.file,
				    .has_set = s->wish.setup.set_count > 0,
				    .rerun = s->rerun,
				    .base = s->base,
				    .other = s->other,
				    .others = s->others};

	getrusage(RUSAGE_SELF, &use);
	found.agreement = is_other_policy(s) ? NULL : &s->agreement;
	found.cost = (struct replay_cost){.elapsed_s = progress_clock() - s->begun_s,
					  .peak_rss_kb = use.ru_maxrss};
	if (s->env->json)
		since_print_json(&found, s->env->out);
	else
		since_print_text(&found, s->env->out);
	return write_starts(s) ? CMD_DONE : CMD_REFUSED;
}

static void clear(struct since *s)
{
	for (size_t i = 0; i < s->others; i++) {
		str_free(&s->other[i].config.text);
		rerun_free(s->other[i].rerun);
		free(s->other[i].parties.item);
	}
	free(s->other);
	free(s->agreement.differs);
	if (s->base != s->rerun)
		rerun_free(s->base);
	rerun_free(s->rerun);
	outfile_drop(&s->starts);
	replay_past_close(&s->past);
	replay_wish_clear(&s->wish);
}

enum cmd_status replay_since(struct cmd_env *env)
{
	struct since s = {
		.env = env, .begun_s = progress_clock(), .past = {.env = env}, .wish = {.env = env}};
	enum cmd_status status = read_wishes(&s);

	if (status == CMD_DONE)
		status = run_all(&s);
	if (status == CMD_DONE)
		status = hand_over(&s);
	clear(&s);
	return status;
}
