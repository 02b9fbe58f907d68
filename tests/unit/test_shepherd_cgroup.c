/* SPDX-License-Identifier: MIT */
/*
 * test_shepherd_cgroup.c - does a cgroup hold a job together, where one can be had?
 *
 * Real cgroups are made where the kernel allows it. Which files are written and read, with controllers that
 * this host may lack, is tested in a folder (cgroup_folder.h).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <glob.h>

#include "sched/rm/orphans.h"
#include "sched/rm/shepherd_inside.h"
#include "tests/cgroup_folder.h"
#include "tests/shepherd_run.h"

/* --- cgroups ---------------------------------------------------------------------------------------- */

static struct launch launch_in_cgroup(const char *script)
{
	struct launch launch = launch_script(script);

	launch.cgroup = cgroup;
	return launch;
}

static void a_cgroup_holds_a_job_together(void **state)
{
	struct launch launch = launch_in_cgroup(stubborn);
	char own[400], name[ORPHANS_FOLDER];
	pid_t pid;

	(void)state;
	if (cgroup[0] == '\0')
		skip();
	launch.grace_s = 0;
	pid = start(&launch);
	orphans_folder(12, 1, pid, spool_pid_start(pid), name);
	snprintf(own, sizeof own, "%s/%s/cgroup.procs", cgroup, name);
	WAIT_UNTIL(count_pids(false) == 7);
	WAIT_UNTIL(judge(12) == SPOOL_ALIVE && spool.has_begun);
	assert_true(spool.begun.level >= HOLD_KILL_ONLY);
	assert_true(strlen(text_of(own)) > 0);
	order(pid, SHEPHERD_CANCEL, 0);
	finish(pid);
	assert_end(END_CANCELLED, 256 + 9);
	assert_int_equal(count_pids(true), 0);
	assert_int_equal(access(own, F_OK), -1);
}

static void a_cgroup_is_frozen_while_suspended(void **state)
{
	struct launch launch =
		launch_in_cgroup("trap 'exit 9' TERM\necho $$ >me\nwhile :; do sleep 0.01; done\n");
	char events[400], name[ORPHANS_FOLDER];
	pid_t pid;

	(void)state;
	if (cgroup[0] == '\0')
		skip();
	pid = start(&launch);
	orphans_folder(12, 1, pid, spool_pid_start(pid), name);
	snprintf(events, sizeof events, "%s/%s/cgroup.events", cgroup, name);
	WAIT_UNTIL(text_of(in_home("me"))[0] != '\0');
	order(pid, SHEPHERD_SUSPEND, 0);
	WAIT_UNTIL(has_line(text_of(events), "frozen 1"));
	assert_true(state_of(pid_in("me")) != 'T');
	order(pid, SHEPHERD_CANCEL, 0);
	finish(pid);
	assert_end(END_CANCELLED, 9);
}

static void a_cgroup_that_cannot_be_had_is_done_without(void **state)
{
	struct launch launch = launch_in_cgroup("exit 3\n");
	char left[800];
	glob_t found = {0};

	(void)state;
	launch.cgroup = "/nonexistent/cgroup";
	run(&launch);
	assert_end(END_EXITED, 3);
	assert_int_equal(spool.begun.level, HOLD_NONE);
	spool_remove(folder, 12, 1, NULL);
	launch.cgroup = home; /* a folder, but no cgroup */
	run(&launch);
	assert_end(END_EXITED, 3);
	assert_int_equal(spool.begun.level, HOLD_NONE);
	snprintf(left, sizeof left, "%s/job.12.1.*", home);
	assert_int_equal(glob(left, 0, NULL, &found), GLOB_NOMATCH);
	globfree(&found);
}

/* --- a kernel made of files -------------------------------------------------------------------------- */

#define ALL_CONTROLLERS                                                                                      \
	"cgroup.procs cgroup.kill cgroup.freeze memory.max memory.swap.max memory.oom.group memory.events "  \
	"memory.current memory.peak cpu.stat cpuset.cpus pids.max"

static struct cgroup make_with(const char *names, struct launch *launch)
{
	struct cgroup c;

	controllers = names;
	busy = 0;
	launch->cgroup = home;
	cgroup_make(&c, launch);
	return c;
}

static void remove_made(struct cgroup *c)
{
	cgroup_remove(c);
	controllers = NULL;
	assert_int_equal(c->level, HOLD_NONE);
	assert_int_equal(c->folder, -1);
	assert_int_equal(c->parent, -1);
}

static const char *file_of(const struct cgroup *c, const char *file)
{
	static char name[sizeof home + ORPHANS_FOLDER + 40];

	snprintf(name, sizeof name, "%s/%s/%s", home, c->name, file);
	return name;
}

static const char *written(const struct cgroup *c, const char *file)
{
	return text_of(file_of(c, file));
}

static void its_bounds_are_written(void **state)
{
	struct launch launch = launch_of(no_words, 0);
	struct cgroup c;

	(void)state;
	launch.mem_mb = 3;
	launch.processes = 40;
	launch.cpus = "1-2";
	c = make_with(ALL_CONTROLLERS, &launch);
	assert_int_equal(c.level, HOLD_FULL);
	assert_true(c.bounds_processes);
	assert_string_equal(written(&c, "memory.max"), "3145728");
	assert_string_equal(written(&c, "memory.swap.max"), "0");
	assert_string_equal(written(&c, "memory.oom.group"), "1");
	assert_string_equal(written(&c, "pids.max"), "40");
	assert_string_equal(written(&c, "cpuset.cpus"), "1-2");
	cgroup_bind(&c, "5-6");
	assert_string_equal(written(&c, "cpuset.cpus"), "5-6");
	remove_made(&c);
}

static void what_is_not_bounded_is_left_open(void **state)
{
	struct launch launch = launch_of(no_words, 0);
	struct cgroup c = make_with(ALL_CONTROLLERS, &launch);

	(void)state;
	assert_int_equal(c.level, HOLD_FULL);
	assert_false(c.bounds_processes);
	assert_string_equal(written(&c, "memory.max"), "max");
	assert_string_equal(written(&c, "memory.swap.max"), "");
	assert_string_equal(written(&c, "memory.oom.group"), "1");
	assert_string_equal(written(&c, "pids.max"), "");
	assert_string_equal(written(&c, "cpuset.cpus"), "");
	remove_made(&c);
	launch.mem_mb = INT64_MAX;
	c = make_with(ALL_CONTROLLERS, &launch);
	assert_string_equal(written(&c, "memory.max"), "9223372036854775807");
	remove_made(&c);
	launch.mem_mb = INT64_MAX >> 20;
	c = make_with(ALL_CONTROLLERS, &launch);
	assert_string_equal(written(&c, "memory.max"), "9223372036853727232");
	remove_made(&c);
}

static void a_cgroup_without_controllers_still_kills_and_freezes(void **state)
{
	struct launch launch = launch_of(no_words, 0);
	struct spool_usage usage = {.cpu_ms = 1, .mem_kb = 2, .mem_peak_kb = 3};
	struct spool_ended ended = {.user_ms = 4, .system_ms = 5};
	struct cgroup c;

	(void)state;
	launch.mem_mb = 3;
	launch.processes = 40;
	c = make_with("cgroup.procs cgroup.kill cgroup.freeze", &launch);
	assert_int_equal(c.level, HOLD_KILL_ONLY);
	assert_false(c.bounds_processes);
	assert_true(cgroup_freeze(&c, true));
	assert_string_equal(written(&c, "cgroup.freeze"), "1");
	assert_true(cgroup_freeze(&c, false));
	assert_string_equal(written(&c, "cgroup.freeze"), "0");
	assert_true(cgroup_kill(&c));
	assert_string_equal(written(&c, "cgroup.kill"), "1");
	assert_false(cgroup_ran_out_of_memory(&c));
	cgroup_measure(&c, &usage);
	assert_int_equal(usage.cpu_ms, 1);
	assert_int_equal(usage.mem_kb, 2);
	assert_int_equal(usage.mem_peak_kb, 3);
	cgroup_measure_end(&c, &ended);
	assert_int_equal(ended.user_ms, 4);
	assert_int_equal(ended.system_ms, 5);
	remove_made(&c);
}

static void a_process_joins_unless_it_was_born_there(void **state)
{
	struct launch launch = launch_of(no_words, 0);
	struct cgroup c = make_with(ALL_CONTROLLERS, &launch);

	(void)state;
	c.born_in = true;
	assert_true(cgroup_join(&c));
	assert_string_equal(written(&c, "cgroup.procs"), "");
	c.born_in = false;
	assert_true(cgroup_join(&c));
	assert_string_equal(written(&c, "cgroup.procs"), "0");
	remove_file(c.folder, "cgroup.procs");
	assert_false(cgroup_join(&c));
	assert_int_equal(errno, ENOENT);
	remove_made(&c);
}

static void without_a_cgroup_nothing_is_done(void **state)
{
	struct spool_usage usage = {.cpu_ms = 1, .mem_kb = 2, .mem_peak_kb = 3};
	struct spool_ended ended = {.user_ms = 4, .system_ms = 5};
	struct launch launch = launch_of(no_words, 0);
	struct cgroup c;

	(void)state;
	cgroup_make(&c, &launch);
	assert_int_equal(c.level, HOLD_NONE);
	assert_true(cgroup_join(&c));
	assert_false(cgroup_kill(&c));
	assert_false(cgroup_freeze(&c, true));
	assert_false(cgroup_ran_out_of_memory(&c));
	cgroup_measure(&c, &usage);
	assert_int_equal(usage.cpu_ms, 1);
	assert_int_equal(usage.mem_kb, 2);
	assert_int_equal(usage.mem_peak_kb, 3);
	cgroup_measure_end(&c, &ended);
	assert_int_equal(ended.user_ms, 4);
	assert_int_equal(ended.system_ms, 5);
	cgroup_remove(&c);
	assert_int_equal(c.folder, -1);
}

static void what_the_kernel_counted_is_used(void **state)
{
	struct launch launch = launch_of(no_words, 0);
	struct spool_usage usage = {.processes = 7};
	struct spool_ended ended = {.run_ms = 8};
	struct cgroup c = make_with(ALL_CONTROLLERS, &launch);

	(void)state;
	put_file(file_of(&c, "cpu.stat"), "usage_usec 7500000\nuser_usec 5250000\nsystem_usec 2249000\n",
		 0600);
	put_file(file_of(&c, "memory.current"), "8192000\n", 0600);
	put_file(file_of(&c, "memory.peak"), "10240000\n", 0600);
	put_file(file_of(&c, "memory.events"), "low 0\noom 9\noom_kill_not 5\noom_kill 0\n", 0600);
	cgroup_measure(&c, &usage);
	assert_int_equal(usage.cpu_ms, 7500);
	assert_int_equal(usage.mem_kb, 8000);
	assert_int_equal(usage.mem_peak_kb, 10000);
	assert_int_equal(usage.processes, 7);
	cgroup_measure_end(&c, &ended);
	assert_int_equal(ended.user_ms, 5250);
	assert_int_equal(ended.system_ms, 2249);
	assert_int_equal(ended.run_ms, 8);
	assert_false(cgroup_ran_out_of_memory(&c));
	put_file(file_of(&c, "memory.events"), "low 0\noom_kill 1\n", 0600);
	assert_true(cgroup_ran_out_of_memory(&c));
	put_file(file_of(&c, "memory.current"), "0\n", 0600);
	cgroup_measure(&c, &usage);
	assert_int_equal(usage.mem_kb, 0);
	remove_made(&c);
}

/* A shepherd of this number and start that died before it could remove it. */
static void an_empty_folder_of_its_name_is_made_anew(void **state)
{
	struct launch launch = launch_of(no_words, 0);
	char name[ORPHANS_FOLDER];
	struct cgroup c;

	(void)state;
	orphans_folder(12, 1, getpid(), spool_pid_start(getpid()), name);
	assert_int_equal(mkdir(in_home(name), 0755), 0);
	c = make_with(ALL_CONTROLLERS, &launch);
	assert_int_equal(c.level, HOLD_FULL);
	assert_string_equal(c.name, name);
	remove_made(&c);
}

static void a_folder_of_its_name_that_is_in_use_is_left_alone(void **state)
{
	struct launch launch = launch_of(no_words, 0);
	struct cgroup c = {.name = ""};

	(void)state;
	orphans_folder(12, 1, getpid(), spool_pid_start(getpid()), c.name);
	assert_int_equal(mkdir(in_home(c.name), 0755), 0);
	put_file(file_of(&c, "in use"), "by somebody", 0600);
	c = make_with(ALL_CONTROLLERS, &launch);
	assert_int_equal(c.level, HOLD_NONE);
	controllers = NULL;
	orphans_folder(12, 1, getpid(), spool_pid_start(getpid()), c.name);
	assert_string_equal(written(&c, "in use"), "by somebody");
}

static void one_that_is_still_in_use_is_removed_when_it_is_empty(void **state)
{
	struct launch launch = launch_of(no_words, 0);
	struct cgroup c = make_with(ALL_CONTROLLERS, &launch);
	char name[ORPHANS_FOLDER];

	(void)state;
	snprintf(name, sizeof name, "%s", c.name);
	busy = 3;
	remove_made(&c);
	assert_int_equal(busy, 0);
	assert_int_equal(access(in_home(name), F_OK), -1);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		OURS(a_cgroup_holds_a_job_together),
		OURS(a_cgroup_is_frozen_while_suspended),
		OURS(a_cgroup_that_cannot_be_had_is_done_without),
		OURS(its_bounds_are_written),
		OURS(what_is_not_bounded_is_left_open),
		OURS(a_cgroup_without_controllers_still_kills_and_freezes),
		OURS(a_process_joins_unless_it_was_born_there),
		OURS(without_a_cgroup_nothing_is_done),
		OURS(what_the_kernel_counted_is_used),
		OURS(an_empty_folder_of_its_name_is_made_anew),
		OURS(a_folder_of_its_name_that_is_in_use_is_left_alone),
		OURS(one_that_is_still_in_use_is_removed_when_it_is_empty),
	};

	int failed;

	if (!make_cgroup())
		printf("# no cgroup v2 can be made here\n");
	failed = run_shepherd_tests("shepherd_cgroup", tests, sizeof tests / sizeof tests[0]);
	if (cgroup[0] != '\0')
		rmdir(cgroup);
	return failed;
}
