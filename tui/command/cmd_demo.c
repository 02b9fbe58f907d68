/* SPDX-License-Identifier: MIT */
/*
 * cmd_demo.c - kahu demo: the console on a simulated, busy cluster
 *
 * The demo has a generated workload, a policy with several priority factors, and four days of history before
 * the console opens. All of this is determined by the seed. With --store the simulation is stored, and the
 * next call continues it.
 */
#include <inttypes.h>

#include "cmd.h"
#include "sched/host/arrivals.h"
#include "sched/host/driver.h"
#include "sched/host/files.h"
#include "sched/host/group_commit.h"
#include "simulate.h"
#include "store/store.h"
#include "tui/serve/session.h"
#include "tui/serve/shell.h"

#define BEGIN_S    INT64_C(1767600000) /* Mon Jan 5 2026, 08:00 UTC        */
#define WARM_UP_S  INT64_C(345600)     /* four days */
#define NODE_PROCS 8
#define LOAD_PCT   110
#define SEED       29 /* this seed gives many running and many idle jobs when the console opens */

static const char demo_conf[] =
	"# The policy of the demo: priority for queue time, expansion factor, job size, credentials and "
	"fairshare.\n"
	"queuetimeweight = 2\n"
	"xfactorweight = 100\n"
	"xfactorcap = 50\n"
	"procweight = 1\n"
	"userweight = 1\n"
	"classweight = 1\n"
	"qosweight = 1\n"
	"targetqueuetimeweight = 0.00001\n"
	"reservationdepth = 2\n"
	"fspolicy = dedicatedps\n"
	"fsinterval = \"12:00:00\"\n"
	"fsdepth = 6\n"
	"fsdecay = 0.7\n"
	"fsuserweight = 20\n"
	"fsgroupweight = 5\n"
	"qos high { priority = 500  xfweight = 50  qttarget = \"8:00:00\"  omaxproc = {\"384\"} }\n"
	"qos low { priority = -200 }\n"
	"class debug { priority = 1000  max.wclimit = \"1:00:00\" }\n"
	"class long { maxproc = {\"USER=16,32\"} }\n"
	"group engineering { fstarget = \"25.0\" }\n"
	"group physics { fstarget = \"30.0-\" }\n"
	"user mei { priority = 150  fstarget = \"15.0\" }\n"
	"user eva { priority = -100  fstarget = \"15.0-\"  maxjob = {\"6,12\"} }\n"
	"user bob { maxjob = {\"3,8\"} }\n"
	"user john { fstarget = \"10.0+\" }\n"
	"user lars { fstarget = \"1.5%\" }\n"
	"user DEFAULT { maxijob = {\"16\"} }\n";

/* A demo while it is set up. `seed`, `nodes` and `jobs` are 0 if the option is not given. */
struct demo {
	struct cmd_env *env;
	int64_t speed, seed, nodes, jobs;
	struct session session;
	struct driver *driver;     /* owned until the session takes it */
	struct group_commit burst; /* collects the history of a new demo for one commit */
	int64_t start_s;
};

static bool read_options(struct demo *d)
{
	struct cmd_env *env = d->env;

	return cmd_option_whole(env, "--speed", 0, 1000000, 60, &d->speed) &&
	       cmd_option_whole(env, "--seed", 1, INT64_MAX, 0, &d->seed) &&
	       cmd_option_whole(env, "--nodes", 1, 10000, 0, &d->nodes) &&
	       cmd_option_whole(env, "--jobs", 1, INT64_MAX, 0, &d->jobs);
}

/* --- a new cluster ------------------------------------------------------------------------------------ */

/* Simulates the history that exists when the console opens. */
static bool warm_up(struct driver *driver, struct err *err)
{
	for (;;) {
		int64_t next_s = driver_next_s(driver);

		if (next_s > BEGIN_S + WARM_UP_S)
			return true;
		if (!driver_step(driver, next_s, err))
			return false;
	}
}

static enum cmd_status configure(struct demo *d)
{
	const char *file = d->env->shell->config;
	struct str text = {0};
	struct err barred;
	enum cmd_status status = CMD_REFUSED;

	if (!file)
		return simulate_configure(d->driver, "demo.conf", demo_conf, NULL, NULL, 0, &d->env->err);
	if (file_read_config(file, &text, &barred, &d->env->err)) {
		driver_bar_programs(d->driver, barred.text);
		status = simulate_configure(d->driver, file_name(file), str_text(&text), NULL, NULL, 0,
					    &d->env->err);
	}
	str_free(&text);
	return status;
}

/* Holds two idle jobs, so that there are jobs to release. */
static enum cmd_status hold_some(struct demo *d)
{
	static const enum job_hold kind[] = {JOB_HOLD_USER, JOB_HOLD_SYSTEM};
	const struct snapshot *s = driver_view(d->driver);
	uint32_t waiting = snapshot_count(s, TABLE_WAITING);
	struct event ev[2] = {{0}};
	size_t count = 0;

	for (uint32_t i = waiting / 3; i < waiting && count < 2; i += waiting / 3 + 1) {
		const struct job *job = &snapshot_jobs(s)[snapshot_waiting(s)[i].slot];

		ev[count] = (struct event){.time_s = BEGIN_S + WARM_UP_S,
					   .kind = EVENT_HOLD,
					   .job = job->id,
					   .who = "ops",
					   .hold = {.bits = (uint8_t)kind[count], .on = true}};
		count++;
	}
	if (count == 0 || driver_post(d->driver, ev, count, &d->env->err) == DRIVER_DONE)
		return CMD_DONE;
	return CMD_FAILED;
}

static enum cmd_status make(struct demo *d)
{
	struct fake_cluster cluster = {.nodes = (uint32_t)(d->nodes > 0 ? d->nodes : 64),
				       .node_procs = NODE_PROCS};
	struct sim_origin origin = {.seed = d->seed > 0 ? (uint64_t)d->seed : SEED,
				    .next_index = 1,
				    .job_limit = (uint64_t)d->jobs,
				    .load_pct = LOAD_PCT,
				    .last_s = BEGIN_S,
				    .active = 1};
	struct event ev = {.time_s = BEGIN_S, .kind = EVENT_SIM, .who = "sched", .sim = origin};
	enum cmd_status status;

	d->start_s = BEGIN_S + WARM_UP_S;
	d->driver = driver_new(fake_from_workload(&cluster, &origin),
			       group_commit_begin(&d->burst, store_ledger(d->session.store)), &d->env->err);
	if (!d->driver)
		return CMD_FAILED;
	status = configure(d);
	if (status != CMD_DONE)
		return status;
	if (driver_post(d->driver, &ev, 1, &d->env->err) != DRIVER_DONE || !warm_up(d->driver, &d->env->err))
		return CMD_FAILED;
	return hold_some(d);
}

/*
 * Creates a demo. Its history is written in one commit, because otherwise each step would wait for the disk.
 */
static enum cmd_status begin(struct demo *d)
{
	enum cmd_status status = make(d);

	if (status == CMD_DONE && !group_commit_end(&d->burst, driver_view(d->driver), &d->env->err))
		status = CMD_FAILED;
	return status;
}

/* --- an existing cluster ------------------------------------------------------------------------------ */

static bool agrees(struct demo *d, const char *option, int64_t asked, int64_t kept)
{
	if (asked == 0 || asked == kept)
		return true;
	return err_set(&d->env->err,
		       "the store %s contains a demo created with %s %" PRId64
		       "; remove %s to continue that demo, or name another folder",
		       store_dir(d->session.store), option, kept, option);
}

static enum cmd_status go_on(struct demo *d)
{
	enum cmd_status status = simulate_load(&d->session, &d->driver, &d->env->err);
	const struct snapshot *s;

	if (status != CMD_DONE)
		return status;
	s = driver_view(d->driver);
	if (!s->sim.active) {
		err_set(&d->env->err, "the store %s does not contain a demo; name another folder",
			store_dir(d->session.store));
		return CMD_REFUSED;
	}
	if (agrees(d, "--seed", d->seed, (int64_t)s->sim.seed) &&
	    agrees(d, "--nodes", d->nodes, snapshot_count(s, TABLE_NODES)) &&
	    agrees(d, "--jobs", d->jobs, (int64_t)s->sim.job_limit))
		return CMD_DONE;
	return CMD_REFUSED;
}

/* --- the verb ----------------------------------------------------------------------------------------- */

static enum cmd_status open_demo(struct demo *d)
{
	enum cmd_status status = simulate_open_store(&d->session, d->env->shell->store, &d->env->err);
	uint64_t first, last;

	if (status != CMD_DONE)
		return status;
	if (!store_journal_range(d->session.store, &first, &last, &d->env->err))
		return CMD_FAILED;
	return last == 0 ? begin(d) : go_on(d);
}

static enum cmd_status run_demo(struct cmd_env *env, int argc, char **argv)
{
	struct demo d = {.env = env};
	enum cmd_status status = CMD_USAGE;

	(void)argc;
	(void)argv;
	if (!read_options(&d))
		return status;
	status = open_demo(&d);
	if (status != CMD_DONE) {
		driver_free(d.driver);
		group_commit_drop(&d.burst);
		session_close(&d.session);
		return status;
	}
	status = simulate_start(&d.session, env->shell, d.driver, d.start_s, d.speed, &env->err);
	if (status == CMD_DONE)
		status = simulate_show(env->shell, &d.session, &env->err);
	session_close(&d.session);
	return status;
}

const struct cmd cmd_demo = {
	.name = "demo",
	.args = "",
	.help = "Open the console on a simulated cluster with a generated workload. With --store the cluster "
		"is kept and continued.",
	.options =
		(const struct cmd_option[]){
			{"--speed", "N", "simulation speed: simulated seconds per second (60)"},
			{"--seed", "N", "seed of the generated workload (29)"},
			{"--nodes", "N", "number of nodes, of 8 processors each (64)"},
			{"--jobs", "N", "stop submitting after N jobs"},
			{0},
		},
	.flags = CMD_SHELL,
	.run = run_demo,
};
