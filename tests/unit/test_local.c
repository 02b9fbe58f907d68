/* SPDX-License-Identifier: MIT */
/*
 * test_local.c - the resource manager of this host: configuration, starts, adoption, orders and reports of
 * ends
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "local_stage.h"
#include "sched/rm/orphans.h"
#include "tests/take_turns.h"

/* --- configuration ----------------------------------------------------------------------------------- */

static void processors_and_memory_kept_for_the_system_are_not_offered(void **state)
{
	struct stage st;

	(void)state;
	begin(&st, "");
	assert_int_equal(st.node.procs, 4);
	assert_int_equal(st.node.mem_mb, ROOM_MB - 512);
	set(&st, "systemprocs", "1");
	set(&st, "systemmemory", "2gb");
	assert_int_equal(st.node.procs, 3);
	assert_int_equal(st.node.mem_mb, ROOM_MB - 2048);
	set(&st, "systemprocs", "99"); /* at least one processor is always offered */
	set(&st, "systemmemory", "1tb");
	assert_int_equal(st.node.procs, 1);
	assert_int_equal(st.node.mem_mb, ROOM_MB / 2);
	end(&st);
}

static void configured_devices_replace_the_devices_found(void **state)
{
	struct stage st;

	(void)state;
	begin(&st, "devices = \"3,5\"\n");
	assert_string_equal(st.gres, "gpu:2");
	run_to_end(&st, "echo \"[$CUDA_VISIBLE_DEVICES]$CUDA_DEVICE_ORDER\" >seen", 1);
	assert_string_equal(text_of(in_home("seen")), "[]PCI_BUS_ID\n");
	set(&st, "devices", "none");
	assert_string_equal(st.gres, "");
	end(&st);
}

static void devices_are_detected_below_the_root_of_the_manager(void **state)
{
	static const char board[] = "proc/driver/nvidia/gpus/0000:01:00.0/information";
	char file[1200];
	struct stage st;

	(void)state;
	fake_file(&root, board, "GPU UUID: \t GPU-1\nDevice Minor: \t 0\n");
	begin(&st, "");
	assert_string_equal(st.gres, "gpu:1");
	end(&st);
	snprintf(file, sizeof file, "%s/%s", root.path, board);
	assert_int_equal(unlink(file), 0);
	*strrchr(file, '/') = '\0';
	assert_int_equal(rmdir(file), 0);
}

static void a_job_is_bound_to_processors_unless_binding_is_disabled(void **state)
{
	struct stage st;
	cpu_set_t own_mask;

	(void)state;
	begin(&st, "");
	sched_getaffinity(0, sizeof own_mask, &own_mask);
	if (!CPU_ISSET(0, &own_mask) || CPU_COUNT(&own_mask) < 2) {
		end(&st);
		skip();
	}
	run_to_end(&st, "grep Cpus_allowed_list /proc/self/status >seen", 1);
	assert_string_equal(text_of(in_home("seen")), "Cpus_allowed_list:\t0\n");
	set(&st, "cpubinding", "false");
	run_to_end(&st, "grep Cpus_allowed_list /proc/self/status >seen", 1);
	assert_string_not_equal(text_of(in_home("seen")), "Cpus_allowed_list:\t0\n");
	end(&st);
}

static void the_umask_option_applies_to_jobs(void **state)
{
	struct stage st;

	(void)state;
	begin(&st, "umask = \"027\"\n");
	run_to_end(&st, "umask >seen", 1);
	assert_string_equal(text_of(in_home("seen")), "0027\n");
	end(&st);
}

static void prolog_and_epilog_run_before_and_after_a_job(void **state)
{
	struct stage st;
	char config[1500], text[2][800];

	(void)state;
	snprintf(text[0], sizeof text[0], "#!/bin/sh\necho before $KAHU_JOBID >>%s\n", in_home("said"));
	snprintf(text[1], sizeof text[1], "#!/bin/sh\necho after $KAHU_JOBID >>%s\n", in_home("said"));
	snprintf(config, sizeof config, "prolog = \"%s\"\nepilog = \"%s\"\n", put_program("before", text[0]),
		 put_program("after", text[1]));
	begin(&st, config);
	run_to_end(&st, "echo job >>said", 1);
	assert_int_equal(st.end.end.status, 0);
	WAIT_UNTIL(has_line(text_of(in_home("said")), "after 1"));
	assert_string_equal(text_of(in_home("said")), "before 1\njob\nafter 1\n");
	set(&st, "prolog", put_program("no", "#!/bin/sh\nexit 9\n"));
	run_to_end(&st, "echo job >>said", 1);
	assert_non_null(strstr(st.why, "ended with status 9"));
	assert_int_equal(st.end.end.status, 126);
	end(&st);
}

/* Is `name` the second argument in /proc/PID/cmdline? It is JOB.ATTEMPT, which ps(1) shows. */
static bool is_named(pid_t shepherd, const char *name)
{
	char file[64];
	const char *words;

	snprintf(file, sizeof file, "/proc/%d/cmdline", (int)shepherd);
	words = text_of(file);
	return strcmp(words + strlen(words) + 1, name) == 0;
}

static void a_shepherd_has_the_name_of_its_job(void **state)
{
	struct launch launch = launch_script("until [ -e go ]; do sleep 0.01; done\n");
	const struct local *l;
	struct stage st;

	(void)state;
	begin(&st, "");
	l = st.rm.self;
	assert_true(start_job(&st, &launch, 1, 60));
	assert_int_equal(l->job_count, 1);
	WAIT_UNTIL(is_named(l->job[0].pid, "1.1"));
	put_file(in_home("go"), "", 0644);
	WAIT_UNTIL(has_ended(&st));
	end(&st);
}

/* The pipe may contain ends of a job that is gone, and of an earlier attempt. */
static void an_end_of_an_unknown_job_or_attempt_is_ignored(void **state)
{
	const struct shepherd_end unknown = {.job = 77, .attempt = 1},
				  other = {.job = 1, .attempt = 9, .failed = EIO},
				  own = {.job = 1, .attempt = 1, .failed = ENOMEM};
	struct launch launch = launch_script("until [ -e go ]; do sleep 0.01; done\n");
	struct local *l;
	struct stage st;

	(void)state;
	begin(&st, "");
	l = st.rm.self;
	assert_true(start_job(&st, &launch, 1, 60));
	assert_int_equal(write(l->ends[1], &unknown, sizeof unknown), sizeof unknown);
	assert_int_equal(write(l->ends[1], &other, sizeof other), sizeof other);
	poll_now(&st);
	assert_int_equal(st.ends, 0);
	assert_int_equal(l->job_count, 1);
	assert_int_equal(local_find(l, 1)->failed, 0);
	assert_int_equal(write(l->ends[1], &own, sizeof own), sizeof own);
	poll_now(&st);
	assert_int_equal(local_find(l, 1)->failed, ENOMEM);
	put_file(in_home("go"), "", 0644);
	WAIT_UNTIL(has_ended(&st));
	assert_int_equal(st.end.end.status, 0);
	assert_true(st.end.end.held_s >= 1);
	end(&st);
}

static void a_cancelled_job_has_a_nonzero_status_even_if_it_exits_with_0(void **state)
{
	struct stage st;
	struct launch launch =
		launch_script("trap 'exit 0' TERM\necho $$ >me\nwhile :; do sleep 0.01; done\n");

	(void)state;
	begin(&st, "");
	assert_true(start_job(&st, &launch, 1, 60));
	WAIT_UNTIL(text_of(in_home("me"))[0] != '\0');
	cancel_job(&st);
	WAIT_UNTIL(has_ended(&st));
	assert_int_equal(st.end.end.status, 256 + SIGTERM);
	run_to_end(&st, "exit 0", 1);
	assert_int_equal(st.end.end.status, 0);
	end(&st);
}

static void a_job_at_its_limit_has_a_nonzero_status_even_if_it_exits_with_0(void **state)
{
	struct stage st;
	struct launch launch = launch_script("trap 'exit 0' TERM\nwhile :; do sleep 0.01; done\n");

	(void)state;
	begin(&st, "");
	assert_true(start_job(&st, &launch, 1, 1));
	WAIT_UNTIL(has_ended(&st));
	assert_true(st.end.end.at_limit);
	assert_int_equal(st.end.end.status, 256 + SIGTERM);
	end(&st);
}

static void the_jobgrace_option_delays_sigkill(void **state)
{
	struct stage st;
	struct launch launch = launch_script("trap '' TERM\necho $$ >me\nwhile :; do sleep 0.01; done\n");
	int64_t began_ms;

	(void)state;
	begin(&st, "jobgrace = 1s\n");
	assert_true(start_job(&st, &launch, 1, 60));
	WAIT_UNTIL(text_of(in_home("me"))[0] != '\0');
	began_ms = time_ms();
	cancel_job(&st);
	WAIT_UNTIL(has_ended(&st));
	assert_true(time_ms() - began_ms >= 900);
	assert_int_equal(st.end.end.status, 256 + SIGKILL);
	end(&st);
}

/*
 * Starts a job that is warned warn_at_s seconds after its start, and waits until it traps the signal.
 * False: that took so long that the signal may have come earlier. The job continues to run.
 */
static bool is_ready_before_warning(struct stage *st, int64_t warn_at_s)
{
	struct launch launch = launch_script("trap 'echo warned >said; exit 4' USR2\necho >ready\n"
					     "while :; do sleep 0.01; done\n");
	int64_t began_ms = time_ms();
	char before_end[24];

	snprintf(before_end, sizeof before_end, "%ds", (int)(60 - warn_at_s));
	set(st, "warntime", before_end);
	unlink(in_home("ready"));
	st->ends = 0;
	assert_true(start_job(st, &launch, 1, 60));
	WAIT_UNTIL(access(in_home("ready"), F_OK) == 0);
	return time_ms() - began_ms < warn_at_s * 1000;
}

static void the_warnsignal_option_signals_a_job_before_its_limit(void **state)
{
	struct stage st;

	(void)state;
	begin(&st, "warnsignal = usr2\n");
	for (int64_t warn_at_s = 1; !is_ready_before_warning(&st, warn_at_s); warn_at_s *= 5) {
		assert_true(warn_at_s < 25);
		cancel_job(&st);
		WAIT_UNTIL(has_ended(&st));
	}
	WAIT_UNTIL(has_ended(&st));
	assert_int_equal(st.end.end.status, 4);
	assert_string_equal(text_of(in_home("said")), "warned\n");
	end(&st);
}

static void jobs_of_root_are_refused_if_allowroot_is_false(void **state)
{
	struct stage st;
	struct launch launch = launch_script("exit 0");

	(void)state;
	launch.uid = 0;
	begin(&st, "allowroot = false\n");
	assert_false(start_job(&st, &launch, 1, 60));
	assert_string_equal(err.text,
			    "jobs of root are not accepted here; set allowroot = true to accept them");
	end(&st);
}

/* --- jobs that cannot be started --------------------------------------------------------------------- */

static void a_job_that_cannot_be_started_has_a_reason(void **state)
{
	const struct alloc_run run = {.nodes = 1, .procs = 1, .tasks = 1, .next = INDEX_NONE};
	struct rm_start order = {.runs = &run, .run_count = 1};
	struct launch launch = launch_script("exit 0");
	struct stage st;

	(void)state;
	begin(&st, "");
	st.job = (int64_t)scene_submit(st.sc, 1, 60);
	scene_start(st.sc, (uint64_t)st.job, 0, 1, 1);
	order.s = scene_view(st.sc);
	order.job = scene_job_of(st.sc, (uint64_t)st.job);
	assert_false(st.rm.ops->start(st.rm.self, &order, 0, &err));
	assert_non_null(strstr(err.text, "it has no launch"));
	order.launch = "junk";
	order.launch_size = 4;
	assert_false(st.rm.ops->start(st.rm.self, &order, 0, &err));
	assert_string_equal(err.text, "the launch data have an unknown format");
	/* Another job has the processors, unknown to the scheduler. */
	seats_take_named(&((struct local *)st.rm.self)->seats, 77, "0-3", "");
	assert_false(start_job(&st, &launch, 2, 60));
	assert_string_equal(err.text, "this host does not have 2 free processors and 0 free devices");
	assert_false(st.passes);
	end(&st);
}

/* The configuration gives the node more processors than the host has. */
static void a_job_larger_than_the_host_is_not_bound(void **state)
{
	const struct node_record more = {.name = "lab", .procs = 16, .mem_mb = ROOM_MB};
	struct stage st;

	(void)state;
	begin(&st, "pamservice = none\n");
	scene_node(st.sc, more);
	run_to_end(&st, "echo \"[$KAHU_CPUS]\" >seen; exit 3", 16);
	assert_int_equal(st.end.end.status, 3);
	assert_string_equal(text_of(in_home("seen")), "[]\n");
	end(&st);
}

static void a_spool_folder_that_others_may_write_to_is_refused(void **state)
{
	char inside[800];
	struct local_setup setup = {.spool = inside, .shepherd = program, .root = root.path, .host = &host};
	struct rm rm;

	(void)state;
	snprintf(inside, sizeof inside, "%s/open", dir.path);
	assert_int_equal(mkdir(inside, 0700), 0);
	assert_int_equal(chmod(inside, 0770), 0);
	rm = local_new(&setup, &err);
	assert_null(rm.ops);
	assert_non_null(strstr(
		err.text,
		"must belong to the scheduler's user, and group and others must not have write permission"));
	if (getuid() == 0) {
		assert_int_equal(chmod(inside, 0700), 0);
		assert_int_equal(chown(inside, NOBODY, NOBODY), 0);
		rm = local_new(&setup, &err);
		assert_null(rm.ops);
		assert_non_null(strstr(err.text, "must belong to the scheduler's user"));
	}
	assert_int_equal(rmdir(inside), 0);
	rm = local_new(&setup, &err); /* creates the folder */
	assert_non_null(rm.ops);
	rm.ops->close(rm.self);
}

/* --- leftover cgroups -------------------------------------------------------------------------------- */

static const char *cgroup_path(uint64_t job, int64_t pid, int64_t pid_start)
{
	static char out[sizeof host.cgroup + ORPHANS_FOLDER];
	char name[ORPHANS_FOLDER];

	orphans_folder(job, 1, pid, pid_start, name);
	snprintf(out, sizeof out, "%s/%s", host.cgroup, name);
	return out;
}

/* Plain folders stand for cgroups: both can be removed only when they are empty. */
static void empty_cgroups_of_dead_shepherds_are_removed_at_startup(void **state)
{
	static const char *const others[] = {"job.01.1.1.1", "job.1.1.1",    "job.1.1.1.1x", "job.1.1.1.1.1",
					     "job.1.0.1.1",  "job.0.1.1.1",  "job.-1.1.1.1", "notify.1.1.1",
					     "scheduler",    "xjob.1.1.1.1", "job."};
	char file[sizeof host.cgroup + 200];
	struct stage st;

	(void)state;
	snprintf(host.cgroup, sizeof host.cgroup, "%s/cgroup", dir.path);
	assert_int_equal(mkdir(host.cgroup, 0755), 0);
	begin(&st, "");
	st.job = (int64_t)scene_submit(st.sc, 1, 60);
	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
		snprintf(file, sizeof file, "%s/%s", host.cgroup, others[i]);
		assert_int_equal(mkdir(file, 0755), 0);
	}
	/* Cgroups of dead shepherds (no process has start time 1), of a live one, one in use, and one of
	 * another store. */
	assert_int_equal(mkdir(cgroup_path((uint64_t)st.job, 1, 1), 0755), 0);
	assert_int_equal(mkdir(cgroup_path((uint64_t)st.job, getpid(), 1), 0755), 0);
	assert_int_equal(mkdir(cgroup_path((uint64_t)st.job, getpid(), spool_pid_start(getpid())), 0755), 0);
	assert_int_equal(mkdir(cgroup_path((uint64_t)st.job, 1, 2), 0755), 0);
	snprintf(file, sizeof file, "%s/a process", cgroup_path((uint64_t)st.job, 1, 2));
	put_file(file, "", 0600);
	assert_int_equal(mkdir(cgroup_path((uint64_t)st.job + 1, 1, 1), 0755), 0);

	assert_true(st.rm.ops->adopt(st.rm.self, scene_view(st.sc), &err));

	assert_int_equal(rmdir(cgroup_path((uint64_t)st.job, 1, 1)), -1);
	assert_int_equal(errno, ENOENT);
	assert_int_equal(rmdir(cgroup_path((uint64_t)st.job, getpid(), 1)), -1);
	assert_int_equal(errno, ENOENT);
	assert_int_equal(rmdir(cgroup_path((uint64_t)st.job, getpid(), spool_pid_start(getpid()))), 0);
	assert_int_equal(access(file, F_OK), 0);
	/* The cgroup in use is removed when it is empty. */
	local_remove_cgroups(st.rm.self);
	assert_int_equal(unlink(file), 0);
	local_remove_cgroups(st.rm.self);
	assert_int_equal(rmdir(cgroup_path((uint64_t)st.job, 1, 2)), -1);
	assert_int_equal(errno, ENOENT);
	assert_int_equal(rmdir(cgroup_path((uint64_t)st.job + 1, 1, 1)), 0);
	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
		snprintf(file, sizeof file, "%s/%s", host.cgroup, others[i]);
		assert_int_equal(rmdir(file), 0);
	}
	host.cgroup[0] = '\0';
	end(&st);
}

/* --- fork server ------------------------------------------------------------------------------------- */

/* Is the second NUL-terminated argument in /proc/PID/cmdline that of a fork server? */
static bool is_fork_server(long pid)
{
	char file[64];
	const char *words;

	snprintf(file, sizeof file, "/proc/%ld/cmdline", pid);
	words = text_of(file);
	return strcmp(words + strlen(words) + 1, SHEPHERD_FORK_SERVER) == 0;
}

static pid_t find_fork_server(void)
{
	char file[64], children[1024], *end;

	snprintf(file, sizeof file, "/proc/self/task/%d/children", (int)getpid());
	snprintf(children, sizeof children, "%.1023s", text_of(file));
	for (const char *at = children;; at = end) {
		long pid = strtol(at, &end, 10);

		if (end == at || is_fork_server(pid))
			return end == at ? 0 : (pid_t)pid;
	}
}

static void one_fork_server_starts_all_shepherds_and_exits_with_the_scheduler(void **state)
{
	struct stage st;
	pid_t fork_server;

	(void)state;
	begin(&st, "");
	assert_int_equal(find_fork_server(), 0);
	run_to_end(&st, "exit 3", 1);
	assert_int_equal(st.end.end.status, 3);
	fork_server = find_fork_server();
	assert_true(fork_server > 0);
	run_to_end(&st, "exit 4", 1);
	assert_int_equal(st.end.end.status, 4);
	assert_int_equal(find_fork_server(), fork_server);
	end(&st);
	assert_false(is_alive(fork_server));
}

static void a_job_starts_although_the_fork_server_was_killed(void **state)
{
	struct stage st;
	pid_t fork_server;

	(void)state;
	begin(&st, "");
	run_to_end(&st, "exit 0", 1);
	fork_server = find_fork_server();
	kill(fork_server, SIGKILL);
	WAIT_UNTIL(!is_alive(fork_server));
	run_to_end(&st, "exit 5", 1);
	assert_int_equal(st.end.end.status, 5);
	assert_int_not_equal(find_fork_server(), fork_server);
	end(&st);
}

static bool was_deferred(struct stage *st)
{
	poll_now(st);
	return st->defers > 0;
}

static bool spool_file_exists(uint64_t job, uint32_t attempt)
{
	struct spool now;

	return spool_read(folder, job, attempt, &now, NULL);
}

static void requeue(struct stage *st, uint64_t job)
{
	struct event ev = {.kind = EVENT_REQUEUE, .job = job};

	scene_apply(st->sc, &ev);
}

/* A fork server that was asked and does not reply may still start the job later. The spool file of that
 * attempt is created to prevent it; another attempt can start. */
static void a_hung_fork_server_defers_the_job_and_bars_that_attempt(void **state)
{
	struct launch launch = launch_script("exit 0");
	struct stage st;
	uint64_t barred;

	(void)state;
	begin(&st, "");
	run_to_end(&st, "exit 0", 1);
	kill(find_fork_server(), SIGSTOP);
	assert_true(start_job(&st, &launch, 1, 60));
	WAIT_UNTIL(was_deferred(&st));
	assert_int_equal(spool_create(folder, (uint64_t)st.job, 1), -1);
	assert_int_equal(errno, EEXIST);
	barred = (uint64_t)st.job;
	run_to_end(&st, "exit 6", 4); /* all processors are free */
	assert_int_equal(st.end.end.status, 6);
	st.ends = 0;
	assert_true(start_again(&st, barred, &launch));
	WAIT_UNTIL(has_ended(&st));
	poll_now(&st);
	assert_int_equal(spool_file_exists(barred, 1), false);
	assert_int_equal(spool_file_exists(barred, 2), false);
	end(&st);
}

/* The end of a requeued job removes one file. */
static void an_end_removes_only_the_spool_file_of_its_attempt(void **state)
{
	struct launch launch = launch_script("exit 0");
	struct stage st;
	uint64_t job;

	(void)state;
	begin(&st, "");
	job = scene_submit(st.sc, 1, 60);
	for (int i = 1; i <= 2; i++) {
		st.ends = 0;
		if (i == 2)
			close(spool_create(folder, job, 1)); /* not of this manager */
		assert_true(start_again(&st, job, &launch));
		if (i == 1)
			requeue(&st, job);
		WAIT_UNTIL(has_ended(&st));
		poll_now(&st);
	}
	assert_true(spool_file_exists(job, 1));
	assert_false(spool_file_exists(job, 2));
	end(&st);
}

static void a_start_without_free_descriptors_fails_temporarily(void **state)
{
	struct launch launch = launch_script("exit 7");
	struct rlimit before, few;
	int last = open("/dev/null", O_RDONLY | O_CLOEXEC);
	struct stage st;

	(void)state;
	close(last);
	begin(&st, "");
	run_to_end(&st, "exit 0", 1);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	few = before;
	few.rlim_cur = (rlim_t)last;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	assert_false(start_job(&st, &launch, 1, 60));
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
	assert_string_equal(err.text,
			    "its launch data cannot be passed to its shepherd: Too many open files");
	assert_true(st.passes);
	end(&st);
}

/* --- ends -------------------------------------------------------------------------------------------- */

static pid_t shepherd_of_job(const struct stage *st)
{
	struct spool now;

	return spool_read(folder, (uint64_t)st->job, 1, &now, NULL) && now.has_begun ? (pid_t)now.begun.pid
										     : 0;
}

static void a_job_is_lost_and_its_processes_are_killed_if_its_shepherd_is_killed(void **state)
{
	struct stage st;
	struct launch launch = launch_script(stubborn);

	(void)state;
	begin(&st, "");
	assert_true(start_job(&st, &launch, 4, 60));
	WAIT_UNTIL(count_pids(false) == 7);
	WAIT_UNTIL(shepherd_of_job(&st) > 0);
	kill(shepherd_of_job(&st), SIGKILL);
	WAIT_UNTIL(has_ended(&st));
	assert_true(st.end.end.lost);
	assert_string_equal(st.why, "its shepherd was killed, so its exit status is unknown");
	WAIT_UNTIL(count_pids(true) == 0);
	poll_now(&st);
	assert_int_equal(st.ends, 1);
	run_to_end(&st, "exit 0", 4); /* all its processors are free again */
	assert_false(st.end.end.lost);
	end(&st);
}

/* The next scheduler detects the loss; the manager that started the job is gone. */
static void a_job_is_lost_if_its_shepherd_is_killed_between_two_schedulers(void **state)
{
	struct stage st;
	struct local_setup setup = {
		.spool = spool_folder, .shepherd = program, .root = root.path, .host = &host};
	struct launch launch = launch_script(stubborn);
	pid_t shepherd;

	(void)state;
	begin(&st, "");
	assert_true(start_job(&st, &launch, 4, 60));
	WAIT_UNTIL(count_pids(false) == 7);
	WAIT_UNTIL(shepherd_of_job(&st) > 0);
	shepherd = shepherd_of_job(&st);
	st.rm.ops->close(st.rm.self);
	kill(shepherd, SIGKILL);
	waitpid(shepherd, NULL, 0);
	WAIT_UNTIL(!is_alive(shepherd));
	st.rm = local_new(&setup, &err);
	assert_true(st.rm.ops->adopt(st.rm.self, scene_view(st.sc), &err));
	ask_nodes(&st);
	WAIT_UNTIL(has_ended(&st));
	assert_true(st.end.end.lost);
	WAIT_UNTIL(count_pids(true) == 0);
	assert_int_equal(st.ends, 1);
	end(&st);
}

/* --- adoption by the next scheduler ------------------------------------------------------------------ */

/* The job is running according to the state, but its shepherd has created no spool file. */
static void begin_without_spool_file(struct stage *st, const char *boot)
{
	char file[800];
	uint64_t job;

	begin(st, "");
	job = scene_submit(st->sc, 1, 60);
	scene_start(st->sc, job, 0, 1, 1);
	snprintf(file, sizeof file, "%s/boot", spool_folder);
	put_file(file, boot, 0600);
	another_scheduler(st);
	poll_now(st);
}

static void without_a_spool_file_a_job_of_this_boot_is_deferred(void **state)
{
	struct stage st;

	(void)state;
	begin_without_spool_file(&st, boot_id);
	assert_int_equal(st.ends, 0);
	assert_int_equal(st.defers, 1);
	end(&st);
}

/* The host may have crashed while the job ran, before its file was on disk. */
static void without_a_spool_file_a_job_of_another_boot_is_lost(void **state)
{
	struct stage st;

	(void)state;
	begin_without_spool_file(&st, "00000000-0000-4000-8000-000000000000");
	assert_int_equal(st.defers, 0);
	assert_int_equal(st.ends, 1);
	assert_true(st.end.end.lost);
	assert_string_equal(st.why,
			    "the machine went down while the job was running, or just before it started");
	end(&st);
}

/* Does cancelling a running job signal this process, if its spool file names this process as the shepherd? */
static bool cancel_signals_this_process(int64_t pid_start)
{
	struct spool_begun begun = {.pid = getpid(), .pid_start = pid_start};
	struct stage st;
	sigset_t orders, before, pending;
	bool reached;
	uint64_t job;
	int fd;

	begin(&st, "");
	job = scene_submit(st.sc, 1, 60);
	scene_start(st.sc, job, 0, 1, 1);
	fd = spool_create(folder, job, 1);
	snprintf(begun.boot_id, sizeof begun.boot_id, "%s", boot_id);
	assert_true(fd >= 0 && spool_write_begun(fd, &begun));
	sigemptyset(&orders);
	for (int what = SHEPHERD_CANCEL; what <= SHEPHERD_LIMIT; what++)
		sigaddset(&orders, SIGRTMIN + what);
	sigprocmask(SIG_BLOCK, &orders, &before);
	another_scheduler(&st);
	st.rm.ops->cancel(st.rm.self, scene_job_of(st.sc, job), 0, &err);
	sigpending(&pending);
	reached = sigismember(&pending, SIGRTMIN + SHEPHERD_CANCEL) == 1;
	while (sigtimedwait(&orders, NULL, &(struct timespec){0}) > 0)
		continue;
	sigprocmask(SIG_SETMASK, &before, NULL);
	close(fd);
	spool_remove(folder, job, 1, NULL);
	end(&st);
	return reached;
}

/* The pid of a dead shepherd may belong to another process. */
static void a_process_with_a_different_start_time_is_not_the_shepherd(void **state)
{
	int64_t own_mask = spool_pid_start(getpid());

	(void)state;
	assert_true(cancel_signals_this_process(own_mask));
	assert_false(cancel_signals_this_process(own_mask - 1));
}

/* Files whose names are not those of spool files are kept. */
static void spool_files_of_jobs_that_have_ended_are_removed_at_adoption(void **state)
{
	static const char *const names[] = {"boot.x",
					    "x.1",
					    "12.x",
					    "0.1",
					    "-1.1",
					    "12.0",
					    "12.-1",
					    "12.4294967296",
					    ".1",
					    "12.",
					    "12.1.cpus",
					    "111111111111111111111111111111111111.1",
					    "99999999999999999999.1"};
	struct stage st;

	(void)state;
	begin(&st, "");
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		close(openat(folder, names[i], O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
	close(spool_create(folder, 12, 1));
	close(spool_create(folder, 12, 7));
	another_scheduler(&st);
	assert_false(spool_file_exists(12, 1));
	assert_false(spool_file_exists(12, 7));
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (strcmp(names[i], "12.1.cpus") != 0) /* removed with 12.1 */
			assert_int_equal(faccessat(folder, names[i], F_OK, 0), 0);
	end(&st);
}

/* Adopts a job whose shepherd is this process, after the event. Returns the order sent to it; -1: none. */
static int order_at_adoption(struct event ev, bool spool_says_suspended)
{
	struct spool_begun begun = {.pid = getpid(), .pid_start = spool_pid_start(getpid()), .cpus = "0"};
	const struct spool_usage usage = {.suspended = spool_says_suspended};
	sigset_t orders, before;
	struct stage st;
	int fd, number, what = -1;

	begin(&st, "");
	ev.job = scene_submit(st.sc, 1, 60);
	scene_start(st.sc, ev.job, 0, 1, 1);
	fd = spool_create(folder, ev.job, 1);
	snprintf(begun.boot_id, sizeof begun.boot_id, "%s", boot_id);
	assert_true(fd >= 0 && spool_write_begun(fd, &begun) && spool_write_usage(fd, &usage));
	if (ev.kind != EVENT_KIND_COUNT)
		scene_apply(st.sc, &ev);
	sigemptyset(&orders);
	for (int i = SHEPHERD_CANCEL; i <= SHEPHERD_LIMIT; i++)
		sigaddset(&orders, SIGRTMIN + i);
	sigprocmask(SIG_BLOCK, &orders, &before);
	another_scheduler(&st);
	while ((number = sigtimedwait(&orders, NULL, &(struct timespec){0})) > 0)
		what = number - SIGRTMIN;
	sigprocmask(SIG_SETMASK, &before, NULL);
	close(fd);
	spool_remove(folder, ev.job, 1, NULL);
	end(&st);
	return what;
}

static void pending_orders_are_sent_again_at_adoption(void **state)
{
	const struct event suspended = {.kind = EVENT_SUSPEND,
					.suspend = {.on = true, .how = SUSPEND_RELEASE}};

	(void)state;
	assert_int_equal(order_at_adoption((struct event){.kind = EVENT_CANCEL}, false), SHEPHERD_CANCEL);
	assert_int_equal(order_at_adoption((struct event){.kind = EVENT_REQUEUE}, false), SHEPHERD_CANCEL);
	assert_int_equal(order_at_adoption(suspended, false), SHEPHERD_SUSPEND);
	assert_int_equal(order_at_adoption(suspended, true), SHEPHERD_SUSPEND);
	/* The job was resumed, and its shepherd may not have received the order. */
	assert_int_equal(order_at_adoption((struct event){.kind = EVENT_KIND_COUNT}, true), SHEPHERD_RESUME);
	assert_int_equal(order_at_adoption((struct event){.kind = EVENT_KIND_COUNT}, false), SHEPHERD_RESUME);
}

/* --- many signals and orders ------------------------------------------------------------------------- */

#define FLOOD 2000

static struct local_job *running(const struct stage *st)
{
	return &((struct local *)st->rm.self)->job[0];
}

static bool send_signal(struct stage *st, int number)
{
	return st->rm.ops->signal(st->rm.self, scene_job_of(st->sc, (uint64_t)st->job), number,
				  (int64_t)time(NULL), &err);
}

/* Starts a job that counts the signals it receives; signals that arrive together count as one. */
static void start_counting(struct stage *st)
{
	struct launch launch =
		launch_script("trap 'echo usr >>usr' USR1\ntrap 'echo done >>usr; exit 5' USR2\n"
			      "sleep 1000 & echo >>ready\nwhile :; do wait; done\n");

	begin(st, "");
	assert_true(start_job(st, &launch, 1, 60));
	WAIT_UNTIL(access(in_home("ready"), F_OK) == 0);
}

static bool all_signals_sent(struct stage *st)
{
	poll_now(st);
	return running(st)->requested.count == 0;
}

static void repeated_signals_are_merged_and_the_last_of_each_number_is_delivered(void **state)
{
	struct stage st;
	unsigned lines = 0;

	(void)state;
	start_counting(&st);
	for (int i = 0; i < FLOOD; i++)
		assert_true(send_signal(&st, SIGUSR1));
	assert_true(send_signal(&st, SIGUSR2));
	assert_in_range(running(&st)->requested.count, 1, 2);
	WAIT_UNTIL(all_signals_sent(&st));
	WAIT_UNTIL(has_ended(&st));
	assert_int_equal(st.end.end.status, 5);
	for (const char *at = text_of(in_home("usr")); (at = strchr(at, '\n')) != NULL; at++)
		lines++;
	assert_in_range(lines, 2, FLOOD / 2);
	end(&st);
}

static bool is_suspended(const struct stage *st)
{
	const struct local *l = st->rm.self;

	return spool_read(l->folder, (uint64_t)st->job, 1, &spool, NULL) && spool.usage.suspended;
}

/* RLIMIT_SIGPENDING of 0: the kernel queues no signals for the shepherd. */
static void orders_arrive_even_if_no_signal_can_be_queued(void **state)
{
	const struct rlimit none = {0, 0};
	struct stage st;

	(void)state;
	start_counting(&st);
	assert_int_equal(prlimit(running(&st)->pid, RLIMIT_SIGPENDING, &none, NULL), 0);
	assert_true(send_signal(
		&st, SIGUSR2)); /* stays pending, because a signal that is not queued lacks its value */
	assert_int_equal(running(&st)->requested.count, 1);
	assert_true(st.rm.ops->suspend(st.rm.self, scene_job_of(st.sc, (uint64_t)st.job), true, &err));
	WAIT_UNTIL(is_suspended(&st));
	cancel_job(&st);
	WAIT_UNTIL(has_ended(&st));
	assert_int_equal(st.end.end.status, 256 + SIGTERM);
	end(&st);
}

static void apply_to_job(struct stage *st, struct event ev)
{
	ev.job = (uint64_t)st->job;
	scene_apply(st->sc, &ev);
}

/* Suspends a job that traps SIGTERM, with or without releasing its processors, then stops it. Returns its
 * exit status. */
static int status_when_stopped(uint8_t how, enum event_kind stop)
{
	struct launch launch =
		launch_script("trap 'exit 7' TERM\necho >>ready\nwhile :; do sleep 0.01; done\n");
	struct stage st;
	int status;

	begin(&st, "jobgrace = \"0:01:00\"\n");
	assert_true(start_job(&st, &launch, 1, 60));
	WAIT_UNTIL(access(in_home("ready"), F_OK) == 0);
	apply_to_job(&st, (struct event){.kind = EVENT_SUSPEND, .suspend = {.on = true, .how = how}});
	assert_true(st.rm.ops->suspend(st.rm.self, scene_job_of(st.sc, (uint64_t)st.job), true, &err));
	WAIT_UNTIL(is_suspended(&st));
	apply_to_job(&st, (struct event){.kind = stop});
	cancel_job(&st);
	WAIT_UNTIL(has_ended(&st));
	status = st.end.end.status;
	end(&st);
	return status;
}

static void a_cancelled_suspended_job_that_kept_its_processors_has_its_grace_time(void **state)
{
	(void)state;
	assert_int_equal(status_when_stopped(SUSPEND_KEEP, EVENT_CANCEL), 7);
}

static void a_cancelled_suspended_job_that_released_its_processors_is_killed_at_once(void **state)
{
	(void)state;
	assert_int_equal(status_when_stopped(SUSPEND_RELEASE, EVENT_CANCEL), 256 + SIGKILL);
}

static void a_requeued_suspended_job_that_released_its_processors_is_killed_at_once(void **state)
{
	(void)state;
	assert_int_equal(status_when_stopped(SUSPEND_RELEASE, EVENT_REQUEUE), 256 + SIGKILL);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		ON_A_HOST(processors_and_memory_kept_for_the_system_are_not_offered),
		ON_A_HOST(configured_devices_replace_the_devices_found),
		ON_A_HOST(devices_are_detected_below_the_root_of_the_manager),
		ON_A_HOST(a_job_is_bound_to_processors_unless_binding_is_disabled),
		ON_A_HOST(the_umask_option_applies_to_jobs),
		ON_A_HOST(prolog_and_epilog_run_before_and_after_a_job),
		ON_A_HOST(a_shepherd_has_the_name_of_its_job),
		ON_A_HOST(an_end_of_an_unknown_job_or_attempt_is_ignored),
		ON_A_HOST(a_cancelled_job_has_a_nonzero_status_even_if_it_exits_with_0),
		ON_A_HOST(a_job_at_its_limit_has_a_nonzero_status_even_if_it_exits_with_0),
		ON_A_HOST(the_jobgrace_option_delays_sigkill),
		ON_A_HOST(the_warnsignal_option_signals_a_job_before_its_limit),
		ON_A_HOST(jobs_of_root_are_refused_if_allowroot_is_false),
		ON_A_HOST(a_job_that_cannot_be_started_has_a_reason),
		ON_A_HOST(a_job_larger_than_the_host_is_not_bound),
		ON_A_HOST(a_spool_folder_that_others_may_write_to_is_refused),
		ON_A_HOST(empty_cgroups_of_dead_shepherds_are_removed_at_startup),
		ON_A_HOST(spool_files_of_jobs_that_have_ended_are_removed_at_adoption),
		ON_A_HOST(pending_orders_are_sent_again_at_adoption),
		ON_A_HOST(one_fork_server_starts_all_shepherds_and_exits_with_the_scheduler),
		ON_A_HOST(a_job_starts_although_the_fork_server_was_killed),
		ON_A_HOST(a_hung_fork_server_defers_the_job_and_bars_that_attempt),
		ON_A_HOST(an_end_removes_only_the_spool_file_of_its_attempt),
		ON_A_HOST(a_start_without_free_descriptors_fails_temporarily),
		ON_A_HOST(a_job_is_lost_and_its_processes_are_killed_if_its_shepherd_is_killed),
		ON_A_HOST(a_job_is_lost_if_its_shepherd_is_killed_between_two_schedulers),
		ON_A_HOST(without_a_spool_file_a_job_of_this_boot_is_deferred),
		ON_A_HOST(without_a_spool_file_a_job_of_another_boot_is_lost),
		ON_A_HOST(a_process_with_a_different_start_time_is_not_the_shepherd),
		ON_A_HOST(repeated_signals_are_merged_and_the_last_of_each_number_is_delivered),
		ON_A_HOST(orders_arrive_even_if_no_signal_can_be_queued),
		ON_A_HOST(a_cancelled_suspended_job_that_kept_its_processors_has_its_grace_time),
		ON_A_HOST(a_cancelled_suspended_job_that_released_its_processors_is_killed_at_once),
		ON_A_HOST(a_requeued_suspended_job_that_released_its_processors_is_killed_at_once),
	};

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	take_turns(LOCK_SH);
	return run_shepherd_tests("local", tests, sizeof tests / sizeof tests[0]);
}
