/* SPDX-License-Identifier: MIT */
/* cmd_run.c - kahu run and srun: jobs attached to the terminal of this process */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "never_starts.h"
#include "run_client.h"
#include "sched/base/err.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "submit_input.h"
#include "tui/serve/client.h"
#include "tui/serve/shell.h"

/* --- tasks of srun inside a job ----------------------------------------------------------------------- */

#define TASKS_MOST 4096

/* Does this process belong to a job? */
static bool is_in_job(void)
{
	return getenv("KAHU_JOBID") != NULL;
}

static int64_t tasks_of_job(void)
{
	const char *text = getenv("SLURM_NTASKS");
	int64_t tasks;

	return text != NULL && str_read_whole(text, &tasks) && tasks > 0 ? tasks : 1;
}

static void set_number(const char *name, int64_t number)
{
	char text[24];

	snprintf(text, sizeof text, "%" PRId64, number);
	setenv(name, text, 1);
}

static pid_t begin(char *const *command, int64_t task, int64_t tasks)
{
	pid_t pid = fork();

	if (pid != 0)
		return pid;
	set_number("SLURM_PROCID", task);
	set_number("SLURM_LOCALID", task);
	set_number("SLURM_NTASKS", tasks);
	set_number("SLURM_NPROCS", tasks);
	set_number("SLURM_STEP_NUM_TASKS", tasks);
	execvp(command[0], command);
	fprintf(stderr, "kahu: srun: %s: %s\n", command[0], strerror(errno));
	_exit(errno == ENOENT ? 127 : 126);
}

static uint8_t status_of(int status)
{
	return (uint8_t)(WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
}

/*
 * Runs the command in `tasks` processes, each with its SLURM_PROCID, and waits for all of them; if `tasks` is
 * 0, there is one process for each task of the job. Returns the highest exit status, which is at least 127,
 * with err set, if a process could not be started.
 */
static uint8_t run_tasks(char *const *command, int64_t tasks, struct err *err)
{
	uint8_t worst = 0;
	int64_t begun = 0;
	int status;

	if (tasks <= 0)
		tasks = tasks_of_job();
	if (tasks > TASKS_MOST) {
		err_set(err, "srun: too many tasks: at most %d, got %" PRId64, TASKS_MOST, tasks);
		return 127;
	}
	fflush(NULL);
	while (begun < tasks && begin(command, begun, tasks) > 0)
		begun++;
	if (begun < tasks) {
		err_set(err, "srun: task %" PRId64 " of %" PRId64 " could not be started: %s", begun, tasks,
			strerror(errno));
		worst = 127;
	}
	while (begun > 0 && (wait(&status) > 0 || errno == EINTR)) {
		begun--;
		if (status_of(status) > worst)
			worst = status_of(status);
	}
	return worst;
}

/* --- run ---------------------------------------------------------------------------------------------- */

/*
 * The job is submitted like any other and waits in the queue. run_client.c then waits for it, and passes it
 * the terminal or the files of this process. If this process is killed, the job ends as if it had lost its
 * terminal.
 */

struct run {
	struct cmd_env *env;
	struct submit_input in;
	struct client *scheduler; /* NULL after run_client_wait has taken it */
	uint64_t job;
	struct run_options options;
};

/*
 * Reads the options of run among the words before "--" and removes them; the other words stay in argv, for
 * submit. Returns false with err set on failure.
 */
static bool take_options(struct run_options *options, int *argc, char **argv, struct err *err)
{
	int kept = 1, at = 1;

	for (; at < *argc && strcmp(argv[at], "--") != 0; at++) {
		if (strcmp(argv[at], "--pty") == 0)
			options->pty = true;
		else if (strcmp(argv[at], "--quiet") == 0)
			options->quiet = true;
		else
			argv[kept++] = argv[at];
	}
	if (at + 1 >= *argc)
		return err_set(err, "run: no command given; write it after --, as in 'kahu run -- hostname'");
	while (at < *argc)
		argv[kept++] = argv[at++];
	argv[ *argc = kept] = NULL;
	return true;
}

static bool suits(const struct submission *s, struct err *err)
{
	if (s->draft.output != NULL || s->draft.errors != NULL || s->draft.join_output ||
	    s->draft.join_errors)
		return err_set(err, "run: -o, -e and -j are not allowed; the job uses the output of run");
	if (s->draft.dry_run)
		return err_set(err, "run: --dry-run is not supported; use 'kahu submit --dry-run'");
	return s->range_count == 0 ||
	       err_set(err, "run: -t: job arrays are not supported; use 'kahu submit'");
}

/* Sets TERM in the environment of the job to that of the user's terminal, in which the job is shown. */
static void set_term(struct submission *s)
{
	const char *term = getenv("TERM");
	struct launch_words *words = &s->launch.environment;
	const char **item = arena_take(&s->arena, (words->count + 2) * sizeof *item);
	struct str setting = {0};

	if (term == NULL)
		return;
	str_addf(&setting, "TERM=%s", term);
	/* first, so that a TERM given with -v, which comes later, overrides it */
	item[0] = arena_string(&s->arena, str_text(&setting));
	for (uint32_t i = 0; i <= words->count; i++)
		item[i + 1] = i < words->count ? words->item[i] : NULL;
	*words = (struct launch_words){item, words->count + 1};
	str_free(&setting);
}

/*
 * Adds the socket to the job, in place of output files. The job cannot be requeued, because the client does
 * not wait for a second run.
 */
static void attach_client(struct run *r, const struct run_client *client)
{
	struct launch *launch = &r->in.submission.launch;

	launch->waiter = client->path;
	launch->waiter_key = client->key;
	launch->output = launch->errors = NULL;
	launch->flags &= ~(uint32_t)(LAUNCH_JOIN | LAUNCH_APPEND | LAUNCH_REQUEUE);
	if (!r->options.pty)
		return;
	launch->flags |= LAUNCH_PTY;
	set_term(&r->in.submission);
}

/* --- the verb ----------------------------------------------------------------------------------------- */

static enum cmd_status find_scheduler(struct run *r)
{
	struct cmd_env *env = r->env;
	bool runs;

	if (env->shell->readonly) {
		err_set(&env->err, "--readonly forbids changes; remove the option to run a job");
		return CMD_REFUSED;
	}
	r->scheduler = client_await(env->shell->store, CLIENT_HOPE_MS, &runs, &env->err);
	if (r->scheduler != NULL)
		return CMD_DONE;
	if (!runs)
		err_set(&env->err, "no scheduler is running; start one with 'kahu serve'");
	return runs ? CMD_FAILED : CMD_REFUSED;
}

/* Posts the submission, and removes its event so that the caller of the verb does not post it again. */
static enum cmd_status submit(struct run *r)
{
	struct cmd_env *env = r->env;
	enum driver_outcome outcome;

	submit_input_add(env, &r->in);
	if (!r->in.submission.draft.force && !submissions_can_start(env, r->scheduler, NULL)) {
		env->changes->count = 0;
		return CMD_REFUSED;
	}
	outcome = client_post(r->scheduler, env->changes->event, env->changes->count, &env->err);
	r->job = env->changes->event[0].job;
	env->changes->count = 0;
	return outcome == DRIVER_DONE ? CMD_DONE : outcome == DRIVER_REFUSED ? CMD_REFUSED : CMD_FAILED;
}

static enum cmd_status make_ready(struct run *r, int argc, char **argv)
{
	struct err *err = &r->env->err;
	enum cmd_status status;

	if (!r->in.slurm && !take_options(&r->options, &argc, argv, err))
		return CMD_USAGE;
	status = submit_input_read(&r->in, argc, argv, err);
	if (status != CMD_DONE)
		return status;
	r->options.pty = r->options.pty || r->in.submission.draft.pty;
	return suits(&r->in.submission, err) ? find_scheduler(r) : CMD_USAGE;
}

/* Submits the job and waits for it. The socket is opened first, because the job may start at once. */
static enum cmd_status run_it(struct run *r)
{
	struct run_client client;
	enum cmd_status status = CMD_REFUSED;

	if (run_client_open(&client, &r->options, &r->env->err)) {
		attach_client(r, &client);
		status = submit(r);
	}
	if (status == CMD_DONE) {
		r->env->exit_status = (uint8_t)run_client_wait(&client, r->scheduler, r->job);
		r->scheduler = NULL;
	}
	run_client_close(&client);
	return status;
}

static enum cmd_status run_here(struct cmd_env *env, int argc, char **argv)
{
	struct run r = {.env = env, .options = {.store = env->shell->store, .ascii = env->ascii}};
	enum cmd_status status = make_ready(&r, argc, argv);

	if (status == CMD_DONE)
		status = run_it(&r);
	client_close(r.scheduler);
	submit_input_free(&r.in);
	return status;
}

static void list_options(struct str *out)
{
	str_add(out, "\n");
	cmd_print_entry("--pty", 20, "run the job in a terminal, as for a shell or an editor", out);
	cmd_print_entry("--quiet", 20, "do not print why the job is waiting", out);
	submit_input_list_options(out);
}

const struct cmd cmd_run_here = {
	.name = "run",
	.args = "[OPTION]... [--pty] -- COMMAND...",
	.help = "Run a command as a job and wait for it. The job uses the input and output of this command, "
		"receives its signals, and determines its exit status. ^C cancels the job while it is idle. "
		"The job ends if this command is killed.",
	.max = -1,
	.authority = CMD_ANYONE,
	.flags = CMD_SUBMITS | CMD_SHELL,
	.list = list_options,
	.needs_word = qsub_needs_word,
	.run = run_here,
};

/* --- srun --------------------------------------------------------------------------------------------- */

/* srun inside a job: starts the tasks at once, on the resources of the job, and waits for them. */
static enum cmd_status run_step(struct cmd_env *env, int argc, char **argv)
{
	struct submit_input in = {.slurm = true, .command = true};
	enum cmd_status status = submit_input_read(&in, argc, argv, &env->err);
	const struct qsub_shape *shape = &in.submission.draft.shape;
	struct err err = {{0}};

	if (status == CMD_DONE) {
		int64_t tasks = shape->tasks > 0 ? shape->tasks : shape->per_node;

		env->exit_status = run_tasks(argv + argc - in.submission.launch.command.count, tasks, &err);
		if (err.text[0] != '\0')
			fprintf(stderr, "kahu: %s\n", err.text);
	}
	submit_input_free(&in);
	return status;
}

static enum cmd_status run_srun(struct cmd_env *env, int argc, char **argv)
{
	struct run r = {.env = env,
			.in = {.slurm = true, .command = true},
			.options = {.store = env->shell->store, .ascii = env->ascii}};
	enum cmd_status status;

	if (is_in_job())
		return run_step(env, argc, argv);
	status = make_ready(&r, argc, argv);
	if (status == CMD_DONE)
		status = run_it(&r);
	client_close(r.scheduler);
	submit_input_free(&r.in);
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
	.help = "Run a command, like srun of Slurm: as a new job, or inside a job as its tasks, and wait for "
		"it.",
	.max = -1,
	.authority = CMD_ANYONE,
	.flags = CMD_SUBMITS | CMD_SHELL,
	.list = list_slurm_options,
	.needs_word = qsub_slurm_needs_word,
	.run = run_srun,
};
