/* SPDX-License-Identifier: MIT */
/*
 * test_local_seats.c - processors and devices of running jobs after a restart and under other lists of
 * devices
 *
 * The simulated host may have more processors than this machine, so only jobs on its first processor are
 * bound.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sys/prctl.h>

#include "local_stage.h"

/* Starts a job with one processor and these devices ("gpu:2"). Returns its ID, or 0 with an error in `err`.
 */
static uint64_t start_with_gres(struct stage *st, const char *gres)
{
	struct launch launch = launch_script("exec sleep 1000\n");

	st->job = (int64_t)scene_add(st->sc, (struct scene_job){.procs = 1, .wall_s = 600, .gres = gres});
	return start_submitted(st, &launch, 1) ? (uint64_t)st->job : 0;
}

static bool has_begun(uint64_t job)
{
	return spool_read(folder, job, 1, &spool, NULL) && spool.has_begun;
}

static void check_devices(uint64_t job, const char *devices)
{
	if (job == 0)
		fail_msg("%s", err.text);
	WAIT_UNTIL(has_begun(job));
	assert_true(spool.has_devices);
	assert_string_equal(spool.begun.devices, devices);
}

static bool ended_at_least(struct stage *st, unsigned count)
{
	poll_now(st);
	return st->ends >= count;
}

static void end_job(struct stage *st, uint64_t job)
{
	unsigned ends = st->ends;

	if (!st->rm.ops->cancel(st->rm.self, scene_job_of(st->sc, job), 0, &err))
		fail_msg("%s", err.text);
	WAIT_UNTIL(ended_at_least(st, ends + 1));
}

static void jobs_keep_their_listed_devices_after_a_restart(void **state)
{
	uint64_t first, second;
	struct stage st;

	(void)state;
	begin(&st, "devices = \"0,1,2,3\"\njobgrace = 0\ncpubinding = false\n");
	first = start_with_gres(&st, "gpu:2");
	check_devices(first, "0,1");
	another_scheduler(&st);
	ask_nodes(&st);
	second = start_with_gres(&st, "gpu:2");
	check_devices(second, "2,3");
	end_job(&st, first);
	end_job(&st, second);
	end(&st);
}

/* Checks whether the node has changed, and reports it again in that case, as the driver does after a poll. */
static void check_node_report(struct stage *st, bool changed, const char *gres)
{
	assert_int_equal(st->rm.ops->nodes_changed(st->rm.self), changed);
	if (changed)
		ask_nodes(st);
	assert_string_equal(st->gres, gres);
	assert_false(st->rm.ops->nodes_changed(st->rm.self));
}

static void jobs_keep_their_devices_when_the_list_changes(void **state)
{
	uint64_t first, second, third;
	struct stage st;

	(void)state;
	begin(&st, "devices = \"0,1\"\njobgrace = 0\ncpubinding = false\n");
	first = start_with_gres(&st, "gpu:1");
	check_devices(first, "0");
	set(&st, "devices", "1,2");
	assert_string_equal(st.gres, "gpu:3"); /* two listed devices, and one of a job */
	second = start_with_gres(&st, "gpu:1");
	check_devices(second, "1");
	scene_set(st.sc, "devices", "none");
	another_scheduler(&st); /* with another configuration */
	ask_nodes(&st);
	assert_string_equal(st.gres, "gpu:2");
	set(&st, "devices", "0,1,2");
	assert_string_equal(st.gres, "gpu:3");
	third = start_with_gres(&st, "gpu:1");
	check_devices(third, "2");
	end_job(&st, first);
	check_node_report(&st, false, "gpu:3");
	first = start_with_gres(&st, "gpu:1");
	check_devices(first, "0");
	set(&st, "devices", "2");
	assert_string_equal(st.gres, "gpu:3");
	end_job(&st, first);
	check_node_report(&st, true, "gpu:2");
	end_job(&st, second);
	check_node_report(&st, true, "gpu:1");
	end_job(&st, third);
	check_node_report(&st, false, "gpu:1");
	end(&st);
}

static void a_job_keeps_processors_reserved_for_the_system_until_it_ends(void **state)
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
	check_node_report(&st, true, "");
	assert_int_equal(st.node.procs, 3);
	end(&st);
}

static void put_board(unsigned number)
{
	char file[100];

	snprintf(file, sizeof file, "proc/driver/nvidia/gpus/0000:0%u:00.0/information", number);
	fake_file(&root, file, "GPU UUID: \t GPU-%035u\nDevice Minor: \t %u\n", number, number);
}

static void remove_boards(void)
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

/* Their UUIDs have more than 255 bytes in total. Later the site lists some of them by number. */
static void a_job_keeps_seven_of_eight_detected_devices(void **state)
{
	uint64_t first, second;
	struct stage st;

	(void)state;
	for (unsigned i = 0; i < 8; i++)
		put_board(i);
	host_info_read(root.path, NULL, &host, &err);
	begin(&st, "jobgrace = 0\ncpubinding = false\n");
	assert_string_equal(st.gres, "gpu:8");
	first = start_with_gres(&st, "gpu:7");
	if (first == 0)
		fail_msg("%s", err.text);
	WAIT_UNTIL(has_begun(first));
	another_scheduler(&st);
	ask_nodes(&st);
	second = start_with_gres(&st, "gpu:1");
	check_devices(second, "GPU-00000000000000000000000000000000007");
	end_job(&st, second);
	set(&st, "devices", "0,6,7");
	assert_string_equal(st.gres, "gpu:8"); /* three listed devices, and five of the job */
	second = start_with_gres(&st, "gpu:1");
	check_devices(second, "7");
	end_job(&st, first);
	end_job(&st, second);
	end(&st);
	remove_boards();
}

/* Adds a running job whose shepherd is this process, with an empty spool file, which is returned. */
static int make_held_job(struct stage *st, uint64_t *job)
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

static void end_held_job(struct stage *st, int fd, uint64_t job)
{
	close(fd);
	spool_remove(folder, job, 1, NULL);
	end(st);
}

/* A shepherd that was started just before the restart writes its processors to the spool file a moment later.
 */
static void no_job_starts_until_the_processors_of_every_running_job_are_known(void **state)
{
	struct spool_begun begun = {.cpus = "1-3", .devices = "1"};
	uint64_t held, job;
	struct stage st;
	int fd;

	(void)state;
	begin(&st, "devices = \"0,1,2\"\njobgrace = 0\n");
	fd = make_held_job(&st, &held);
	assert_int_equal(start_with_gres(&st, "gpu:1"), 0);
	assert_true(st.passes);
	assert_string_equal(err.text,
			    "job 1 is running, but the processors that it uses are not in its spool file "
			    "yet; other jobs get none until they are, or until the job ends");
	snprintf(begun.boot_id, sizeof begun.boot_id, "%s", boot_id);
	assert_true(spool_write_begun(fd, &begun));
	job = start_with_gres(&st, "gpu:1");
	check_devices(job, "0");
	assert_string_equal(spool.begun.cpus, "0");
	end_job(&st, job);
	end_held_job(&st, fd, held);
}

/* Shepherds of an older version truncated the list of devices. */
static void no_device_is_assigned_until_the_devices_of_every_running_job_are_known(void **state)
{
	struct spool_begun begun = {.cpus = "1-3"};
	uint64_t held, job;
	struct stage st;
	int fd;

	(void)state;
	begin(&st, "devices = \"0,1\"\njobgrace = 0\n");
	fd = make_held_job(&st, &held);
	snprintf(begun.boot_id, sizeof begun.boot_id, "%s", boot_id);
	memset(begun.devices, 'G', SPOOL_TEXT - 1);
	assert_true(spool_write_begun(fd, &begun));
	assert_int_equal(ftruncate(fd, 4096), 0);
	assert_int_equal(start_with_gres(&st, "gpu:1"), 0);
	assert_true(st.passes);
	assert_string_equal(err.text, "job 1 is running, but the devices that it uses are not in its spool "
				      "file yet; other jobs get none until they are, or until the job ends");
	job = start_with_gres(&st, NULL);
	check_devices(job, "");
	assert_string_equal(spool.begun.cpus, "0");
	end_job(&st, job);
	end_held_job(&st, fd, held);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		ON_A_HOST(jobs_keep_their_listed_devices_after_a_restart),
		ON_A_HOST(jobs_keep_their_devices_when_the_list_changes),
		ON_A_HOST(a_job_keeps_processors_reserved_for_the_system_until_it_ends),
		ON_A_HOST(a_job_keeps_seven_of_eight_detected_devices),
		ON_A_HOST(no_job_starts_until_the_processors_of_every_running_job_are_known),
		ON_A_HOST(no_device_is_assigned_until_the_devices_of_every_running_job_are_known),
	};

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	return run_shepherd_tests("local_seats", tests, sizeof tests / sizeof tests[0]);
}
