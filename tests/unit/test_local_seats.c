/* SPDX-License-Identifier: MIT */
/*
 * test_local_seats.c - processors and devices of running jobs after a restart and under other lists of
 * devices
 *
 * The made-up host has more processors than the present machine may have, so jobs that are not on the first
 * one are not bound.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sys/prctl.h>

#include "local_stage.h"

/* Starts a job of one processor and these devices ("gpu:2"); its number, or 0 with err. */
static uint64_t start_on(struct stage *st, const char *gres)
{
	struct launch launch = launch_script("exec sleep 1000\n");

	st->job = (int64_t)scene_add(st->sc, (struct scene_job){.procs = 1, .wall_s = 600, .gres = gres});
	return start_submitted(st, &launch, 1) ? (uint64_t)st->job : 0;
}

static bool has_begun(uint64_t job)
{
	return spool_read(folder, job, 1, &spool, NULL) && spool.has_begun;
}

static void must_have(uint64_t job, const char *devices)
{
	if (job == 0)
		fail_msg("%s", err.text);
	WAIT_UNTIL(has_begun(job));
	assert_true(spool.has_devices);
	assert_string_equal(spool.begun.devices, devices);
}

static bool have_ended(struct stage *st, unsigned count)
{
	poll_now(st);
	return st->ends >= count;
}

static void end_job(struct stage *st, uint64_t job)
{
	unsigned ends = st->ends;

	if (!st->rm.ops->cancel(st->rm.self, scene_job_of(st->sc, job), 0, &err))
		fail_msg("%s", err.text);
	WAIT_UNTIL(have_ended(st, ends + 1));
}

static void listed_devices_are_the_jobs_after_a_restart(void **state)
{
	uint64_t first, second;
	struct stage st;

	(void)state;
	begin(&st, "devices = \"0,1,2,3\"\njobgrace = 0\ncpubinding = false\n");
	first = start_on(&st, "gpu:2");
	must_have(first, "0,1");
	another_scheduler(&st);
	ask_nodes(&st);
	second = start_on(&st, "gpu:2");
	must_have(second, "2,3");
	end_job(&st, first);
	end_job(&st, second);
	end(&st);
}

/* Reports the node again where an end makes that necessary, as the driver does after a poll. */
static void ask_again(struct stage *st, bool changed, const char *gres)
{
	assert_int_equal(st->rm.ops->nodes_changed(st->rm.self), changed);
	if (changed)
		ask_nodes(st);
	assert_string_equal(st->gres, gres);
	assert_false(st->rm.ops->nodes_changed(st->rm.self));
}

static void devices_are_the_jobs_under_another_list(void **state)
{
	uint64_t first, second, third;
	struct stage st;

	(void)state;
	begin(&st, "devices = \"0,1\"\njobgrace = 0\ncpubinding = false\n");
	first = start_on(&st, "gpu:1");
	must_have(first, "0");
	set(&st, "devices", "1,2");
	assert_string_equal(st.gres, "gpu:3"); /* two that are listed and one that is not */
	second = start_on(&st, "gpu:1");
	must_have(second, "1");
	scene_set(st.sc, "devices", "none");
	another_scheduler(&st); /* of another configuration */
	ask_nodes(&st);
	assert_string_equal(st.gres, "gpu:2");
	set(&st, "devices", "0,1,2");
	assert_string_equal(st.gres, "gpu:3");
	third = start_on(&st, "gpu:1");
	must_have(third, "2");
	end_job(&st, first);
	ask_again(&st, false, "gpu:3");
	first = start_on(&st, "gpu:1");
	must_have(first, "0");
	set(&st, "devices", "2");
	assert_string_equal(st.gres, "gpu:3");
	end_job(&st, first);
	ask_again(&st, true, "gpu:2");
	end_job(&st, second);
	ask_again(&st, true, "gpu:1");
	end_job(&st, third);
	ask_again(&st, false, "gpu:1");
	end(&st);
}

static void processors_kept_for_the_system_are_the_jobs_until_it_ends(void **state)
{
	uint64_t job;
	struct stage st;
	struct launch launch;

	(void)state;
	begin(&st, "jobgrace = 0\ncpubinding = false\n");
	launch = launch_script("exec sleep 1000\n");
	assert_true(start_job(&st, &launch, 4, 600));
	job = (uint64_t)st.job;
	WAIT_UNTIL(has_begun(job));
	set(&st, "systemprocs", "1");
	assert_int_equal(st.node.procs, 4);
	another_scheduler(&st);
	ask_nodes(&st);
	assert_int_equal(st.node.procs, 4);
	end_job(&st, job);
	ask_again(&st, true, "");
	assert_int_equal(st.node.procs, 3);
	end(&st);
}

static void put_board(unsigned number)
{
	char file[100];

	snprintf(file, sizeof file, "proc/driver/nvidia/gpus/0000:0%u:00.0/information", number);
	fake_file(&root, file, "GPU UUID: \t GPU-%035u\nDevice Minor: \t %u\n", number, number);
}

static void take_boards_away(void)
{
	char file[1200];

	for (unsigned i = 0; i < 8; i++) {
		snprintf(file, sizeof file, "%s/proc/driver/nvidia/gpus/0000:0%u:00.0/information", root.path,
			 i);
		assert_int_equal(unlink(file), 0);
		*strrchr(file, '/') = '\0';
		assert_int_equal(rmdir(file), 0);
	}
}

/* Their names are longer than 255 bytes together, and once the site lists them by number. */
static void seven_of_eight_devices_found_are_the_jobs(void **state)
{
	uint64_t first, second;
	struct stage st;

	(void)state;
	for (unsigned i = 0; i < 8; i++)
		put_board(i);
	host_info_read(root.path, NULL, &host, &err);
	begin(&st, "jobgrace = 0\ncpubinding = false\n");
	assert_string_equal(st.gres, "gpu:8");
	first = start_on(&st, "gpu:7");
	if (first == 0)
		fail_msg("%s", err.text);
	WAIT_UNTIL(has_begun(first));
	another_scheduler(&st);
	ask_nodes(&st);
	second = start_on(&st, "gpu:1");
	must_have(second, "GPU-00000000000000000000000000000000007");
	end_job(&st, second);
	set(&st, "devices", "0,6,7");
	assert_string_equal(st.gres, "gpu:8"); /* five that are not listed */
	second = start_on(&st, "gpu:1");
	must_have(second, "7");
	end_job(&st, first);
	end_job(&st, second);
	end(&st);
	take_boards_away();
}

/* A running job of a made-up shepherd, which is this process: its spool file is held open and empty. */
static int hold_a_job(struct stage *st, uint64_t *job)
{
	int fd;

	*job = scene_add(st->sc, (struct scene_job){.procs = 1, .wall_s = 600, .gres = "gpu:1"});
	scene_start(st->sc, *job, 0, 1, 1);
	fd = spool_create(folder, *job, 1);
	assert_true(fd >= 0);
	another_scheduler(st);
	ask_nodes(st);
	return fd;
}

static void let_go(struct stage *st, int fd, uint64_t job)
{
	close(fd);
	spool_remove(folder, job, 1, NULL);
	end(st);
}

/* A shepherd that was made just before the restart has its processors, and says so in a moment. */
static void nothing_is_assigned_before_a_job_has_said_what_it_has(void **state)
{
	struct spool_begun begun = {.cpus = "1-3", .devices = "1"};
	uint64_t held, job;
	struct stage st;
	int fd;

	(void)state;
	begin(&st, "devices = \"0,1,2\"\njobgrace = 0\n");
	fd = hold_a_job(&st, &held);
	assert_int_equal(start_on(&st, "gpu:1"), 0);
	assert_true(st.passes);
	assert_string_equal(err.text,
			    "job 1 is running, but its spool file does not name its processors yet; "
			    "until it does or the job ends, none are assigned to other jobs");
	snprintf(begun.boot_id, sizeof begun.boot_id, "%s", boot_id);
	assert_true(spool_write_begun(fd, &begun));
	job = start_on(&st, "gpu:1");
	must_have(job, "0");
	assert_string_equal(spool.begun.cpus, "0");
	end_job(&st, job);
	let_go(&st, fd, held);
}

/* An older shepherd cut its list of devices off. */
static void no_device_is_assigned_while_a_job_may_have_it(void **state)
{
	struct spool_begun begun = {.cpus = "1-3"};
	uint64_t held, job;
	struct stage st;
	int fd;

	(void)state;
	begin(&st, "devices = \"0,1\"\njobgrace = 0\n");
	fd = hold_a_job(&st, &held);
	snprintf(begun.boot_id, sizeof begun.boot_id, "%s", boot_id);
	memset(begun.devices, 'G', SPOOL_TEXT - 1);
	assert_true(spool_write_begun(fd, &begun));
	assert_int_equal(ftruncate(fd, 4096), 0);
	assert_int_equal(start_on(&st, "gpu:1"), 0);
	assert_true(st.passes);
	assert_string_equal(err.text, "job 1 is running, but its spool file does not name its devices yet; "
				      "until it does or the job ends, none are assigned to other jobs");
	job = start_on(&st, NULL);
	must_have(job, "");
	assert_string_equal(spool.begun.cpus, "0");
	end_job(&st, job);
	let_go(&st, fd, held);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		ON_A_HOST(listed_devices_are_the_jobs_after_a_restart),
		ON_A_HOST(devices_are_the_jobs_under_another_list),
		ON_A_HOST(processors_kept_for_the_system_are_the_jobs_until_it_ends),
		ON_A_HOST(seven_of_eight_devices_found_are_the_jobs),
		ON_A_HOST(nothing_is_assigned_before_a_job_has_said_what_it_has),
		ON_A_HOST(no_device_is_assigned_while_a_job_may_have_it),
	};

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	return run_shepherd_tests("local_seats", tests, sizeof tests / sizeof tests[0]);
}
