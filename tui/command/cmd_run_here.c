/* SPDX-License-Identifier: MIT */
/*
 * cmd_run_here.c - kahu run: a job as if it ran here
 *
 * It is handed in like any other and waits its turn; what is done here meanwhile, and while it runs, is
 * attend.c. Its exit status is ours. Who is lost while it runs ends it, as a lost terminal does.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attend.h"
#include "forewarn.h"
#include "steps.h"
#include "tui/command/handin.h"
#include "tui/serve/caller.h"
#include "tui/serve/shell.h"

struct run {
	struct cmd_env *env;
	struct handin in;
	struct caller *caller; /* until it is attend's */
	uint64_t job;
	struct attend_wish wish;
};

/* --- what is asked for ------------------------------------------------------------------------------- */

/* Takes our own options out of what stands before "--"; the rest is submit's. */
static bool take_options(struct attend_wish *wish, int *argc, char **argv, struct err *err)
{
	int kept = 1, at = 1;

	for (; at < *argc && strcmp(argv[at], "--") != 0; at++) {
		if (strcmp(argv[at], "--pty") == 0)
			wish->pty = true;
		else if (strcmp(argv[at], "--quiet") == 0)
			wish->quiet = true;
		else
			argv[kept++] = argv[at];
	}
	if (at + 1 >= *argc)
		return err_set(err, "run: say the command behind --, as in 'kahu run -- hostname'");
	while (at < *argc)
		argv[kept++] = argv[at++];
	argv[ *argc = kept] = NULL;
	return true;
}

static bool suits(const struct submission *s, struct err *err)
{
	if (s->draft.output != NULL || s->draft.errors != NULL || s->draft.join_output ||
	    s->draft.join_errors)
		return err_set(err, "run: -o, -e and -j name files, but the job writes where run does; leave "
				    "them out");
	if (s->draft.dry_run)
		return err_set(err,
			       "run: --dry-run shows what submit understands; use 'kahu submit --dry-run'");
	return s->range_count == 0 || err_set(err, "run: -t: an array cannot be run here; submit it");
}

/* What runs on our terminal knows which one it is. */
static void say_terminal(struct submission *s)
{
	const char *term = getenv("TERM");
	struct launch_words *words = &s->launch.environment;
	const char **item = arena_take(&s->arena, (words->count + 2) * sizeof *item);
	struct str setting = {0};

	if (term == NULL)
		return;
	str_addf(&setting, "TERM=%s", term);
	item[0] = arena_string(&s->arena,
			       str_text(&setting)); /* what was said with -v comes behind it, and wins */
	for (uint32_t i = 0; i <= words->count; i++)
		item[i + 1] = i < words->count ? words->item[i] : NULL;
	*words = (struct launch_words){item, words->count + 1};
	str_free(&setting);
}

/* Runs once: who waited for it is not there a second time. */
static void wait_for_it(struct run *r, const struct attend *attend)
{
	struct launch *launch = &r->in.submission.launch;

	launch->waiter = attend->path;
	launch->waiter_key = attend->key;
	launch->output = launch->errors = NULL;
	launch->flags &= ~(uint32_t)(LAUNCH_JOIN | LAUNCH_APPEND | LAUNCH_REQUEUE);
	if (!r->wish.pty)
		return;
	launch->flags |= LAUNCH_PTY;
	say_terminal(&r->in.submission);
}

/* --- the verb ------------------------------------------------------------------------------------------ */

static enum cmd_status find_scheduler(struct run *r)
{
	struct cmd_env *env = r->env;
	bool runs;

	if (env->shell->readonly) {
		err_set(&env->err, "--readonly: nothing is changed; leave the option out to run something");
		return CMD_REFUSED;
	}
	r->caller = caller_await(env->shell->store, CALLER_HOPE_MS, &runs, &env->err);
	if (r->caller != NULL)
		return CMD_DONE;
	if (!runs)
		err_set(&env->err, "no scheduler runs that could start it; 'kahu serve' starts one");
	return runs ? CMD_FAILED : CMD_REFUSED;
}

/* The event is ours alone: nothing is left for who called the verb. */
static enum cmd_status hand_in(struct run *r)
{
	struct cmd_env *env = r->env;
	enum driver_outcome outcome;

	handin_add(env, &r->in);
	if (!r->in.submission.draft.force && !forewarn_accepts(env, r->caller, NULL)) {
		env->changes->count = 0;
		return CMD_REFUSED;
	}
	outcome = caller_post(r->caller, env->changes->event, env->changes->count, &env->err);
	r->job = env->changes->event[0].job;
	env->changes->count = 0;
	return outcome == DRIVER_DONE ? CMD_DONE : outcome == DRIVER_REFUSED ? CMD_REFUSED : CMD_FAILED;
}

static enum cmd_status make_ready(struct run *r, int argc, char **argv)
{
	struct err *err = &r->env->err;
	enum cmd_status status;

	if (!r->in.slurm && !take_options(&r->wish, &argc, argv, err))
		return CMD_USAGE;
	status = handin_read(&r->in, argc, argv, err);
	if (status != CMD_DONE)
		return status;
	r->wish.pty = r->wish.pty || r->in.submission.draft.pty;
	return suits(&r->in.submission, err) ? find_scheduler(r) : CMD_USAGE;
}

/* The job has to know where it finds us before it is handed in. */
static enum cmd_status run_it(struct run *r)
{
	struct attend attend;
	enum cmd_status status = CMD_REFUSED;

	if (attend_open(&attend, &r->wish, &r->env->err)) {
		wait_for_it(r, &attend);
		status = hand_in(r);
	}
	if (status == CMD_DONE) {
		r->env->exit_status = (uint8_t)attend_job(&attend, r->caller, r->job);
		r->caller = NULL;
	}
	attend_close(&attend);
	return status;
}

static enum cmd_status run_here(struct cmd_env *env, int argc, char **argv)
{
	struct run r = {.env = env, .wish = {.store = env->shell->store, .ascii = env->ascii}};
	enum cmd_status status = make_ready(&r, argc, argv);

	if (status == CMD_DONE)
		status = run_it(&r);
	caller_close(r.caller);
	handin_free(&r.in);
	return status;
}

static void list_options(struct str *out)
{
	str_add(out, "\n");
	cmd_print_entry("--pty", 20, "the job has a terminal, as for a shell or an editor", out);
	cmd_print_entry("--quiet", 20, "why it waits is not said", out);
	handin_list_options(out);
}

const struct cmd cmd_run_here = {
	.name = "run",
	.args = "[OPTION]... [--pty] -- COMMAND...",
	.help = "Runs a command as a job, here: waits its turn, has this input and output, passes signals on "
		"and "
		"ends with its exit status. ^C cancels it while it waits; when run is lost the job ends.",
	.max = -1,
	.authority = CMD_ANYONE,
	.flags = CMD_SUBMITS | CMD_SHELL,
	.list = list_options,
	.needs_word = qsub_needs_word,
	.run = run_here,
};

/* --- srun --------------------------------------------------------------------------------------------- */

/* Inside a job its tasks are started at once; what they may use, the job has already. */
static enum cmd_status run_step(struct cmd_env *env, int argc, char **argv)
{
	struct handin in = {.slurm = true, .command = true};
	enum cmd_status status = handin_read(&in, argc, argv, &env->err);
	const struct qsub_shape *shape = &in.submission.draft.shape;
	struct err err = {{0}};

	if (status == CMD_DONE) {
		int64_t tasks = shape->tasks > 0 ? shape->tasks : shape->per_node;

		env->exit_status = steps_run(argv + argc - in.submission.launch.command.count, tasks, &err);
		if (err.text[0] != '\0')
			fprintf(stderr, "kahu: %s\n", err.text);
	}
	handin_free(&in);
	return status;
}

static enum cmd_status run_srun(struct cmd_env *env, int argc, char **argv)
{
	struct run r = {.env = env,
			.in = {.slurm = true, .command = true},
			.wish = {.store = env->shell->store, .ascii = env->ascii}};
	enum cmd_status status;

	if (steps_in_job())
		return run_step(env, argc, argv);
	status = make_ready(&r, argc, argv);
	if (status == CMD_DONE)
		status = run_it(&r);
	caller_close(r.caller);
	handin_free(&r.in);
	return status;
}

static void list_slurm_options(struct str *out)
{
	str_add(out, "\n");
	qsub_list_sbatch(out);
}

const struct cmd cmd_srun = {
	.name = "srun",
	.args = "[OPTION]... COMMAND...",
	.help = "Runs a command as srun of Slurm does: as a job that is waited for, or inside a job as its "
		"tasks.",
	.max = -1,
	.authority = CMD_ANYONE,
	.flags = CMD_SUBMITS | CMD_SHELL,
	.list = list_slurm_options,
	.needs_word = qsub_slurm_needs_word,
	.run = run_srun,
};
