/* SPDX-License-Identifier: MIT */
/*
 * test_local_load.c - reports of load, memory and devices used by processes outside of jobs
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

/* Makes the replacement of eventfd() below fail. */
static bool no_eventfd;

/* NOLINTBEGIN(readability-inconsistent-declaration-parameter-name) */
int eventfd(unsigned count, int flags)
{
	if (!no_eventfd)
		return (int)syscall(SYS_eventfd2, count, flags);
	errno = EMFILE;
	return -1;
}
/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */

/* --- outside processes --------------------------------------------------------------------------------- */

/* Polls when process 70 has used hog_s seconds of processor time. */

static void poll_at(struct stage *st, double uptime_s, double hog_s, int64_t now_s)
{
	put_uptime(uptime_s);
	a_process(70, hog_s);
	st->rm.ops->poll(st->rm.self, now_s, take, st);
}

static void use_by_outside_processes_is_reported_when_it_changes(void **state)
{
	struct stage st;
	int64_t now_s = (int64_t)time(NULL);

	(void)state;
	begin(&st, "rmpollinterval = 10s\n");
	poll_at(&st, 1000, 100, now_s);
	poll_at(&st, 1001, 101, now_s + 1); /* too soon for another measurement */
	assert_int_equal(st.loads, 0);
	poll_at(&st, 1002, 101.4, now_s + 2); /* the first measurement */
	assert_int_equal(st.loads, 1);
	assert_true(st.used.load > 0.69 && st.used.load < 0.71 && st.used.procs > 0.99);
	assert_string_equal(st.used_by, "hog");
	poll_at(&st, 1012, 110.4, now_s + 12); /* 0.9 of a processor: a small change */
	assert_int_equal(st.loads, 1);
	poll_at(&st, 1022, 130.4, now_s + 22);
	assert_int_equal(st.loads, 2);
	assert_true(st.used.procs > 1.99 && st.used.procs < 2.01);
	poll_at(&st, 1032, 148.4, now_s + 32);
	poll_at(&st, 1042, 166.4, now_s + 42);
	assert_int_equal(st.loads, 2);
	poll_at(&st, 1052, 184.4, now_s + 52); /* 1.8 processors: a small change that lasts */
	assert_int_equal(st.loads, 3);
	assert_true(st.used.load > 1.79 && st.used.load < 1.81);
	poll_at(&st, 1062, 184.4, now_s + 62);
	assert_int_equal(st.loads, 4);
	assert_true(st.used.procs < 0); /* no outside process uses processors */
	assert_string_equal(st.used_by, "");
	poll_at(&st, 1072, 184.4, now_s + 72);
	poll_at(&st, 1082, 184.4, now_s + 82);
	poll_at(&st, 1092, 184.4, now_s + 92);
	assert_int_equal(st.loads, 4);
	end(&st);
}

static void set_name(const char *name)
{
	fake_file(&root, "proc/70/status", "Name: %s\nUid:\t0\t0\t0\t0\n", name);
}

static void a_new_largest_process_is_reported_after_a_while(void **state)
{
	struct stage st;
	int64_t now_s = (int64_t)time(NULL);
	double cpu_s = 100;

	(void)state;
	begin(&st, "rmpollinterval = 10s\n");
	poll_at(&st, 1000, cpu_s, now_s);
	for (int i = 1; i <= 6; i++) {
		cpu_s += 10;
		if (i == 2)
			set_name("hog");
		poll_at(&st, 1000 + i * 10, cpu_s, now_s + i * 10);
		assert_int_equal(st.loads, i < 4 ? 1 : 2);
	}
	assert_string_equal(st.used_by, "hog of root");
	end(&st);
}

/* The value in the store was measured by an earlier scheduler. */
static void the_first_measurement_is_reported_even_if_it_is_zero(void **state)
{
	struct stage st;
	int64_t now_s = (int64_t)time(NULL);

	(void)state;
	begin(&st, "rmpollinterval = 10s\n");
	poll_at(&st, 1000, 100, now_s);
	poll_at(&st, 1002, 100, now_s + 2);
	assert_int_equal(st.loads, 1);
	assert_true(st.used.load >= 0 && st.used.load < 0.01 && st.used.procs < 0);
	end(&st);
}

static void a_measurement_expires_when_no_look_succeeds(void **state)
{
	struct stage st;
	int64_t now_s = (int64_t)time(NULL);

	(void)state;
	begin(&st, "rmpollinterval = 10s\n");
	poll_at(&st, 1000, 100, now_s);
	poll_at(&st, 1002, 104, now_s + 2);
	assert_int_equal(st.loads, 1);
	fake_file(&root, "proc/uptime", "unknown\n");
	for (int i = 1; i <= 3; i++)
		st.rm.ops->poll(st.rm.self, now_s + 2 + i * 10, take, &st);
	assert_int_equal(st.loads, 1);
	st.rm.ops->poll(st.rm.self, now_s + 33, take, &st);
	assert_int_equal(st.loads, 2);
	assert_true(st.used.load < 0 && st.used.procs < 0);
	poll_at(&st, 1042, 104, now_s + 43);
	poll_at(&st, 1052, 104, now_s + 53);
	assert_int_equal(st.loads, 3); /* the first measurement after the failures */
	end(&st);
}

static void measuring_continues_after_the_clock_is_set_back(void **state)
{
	struct stage st;
	int64_t now_s = (int64_t)time(NULL);

	(void)state;
	begin(&st, "rmpollinterval = 10s\n");
	poll_at(&st, 1000, 100, now_s);
	poll_at(&st, 1002, 100, now_s + 2);
	poll_at(&st, 1012, 120, now_s - 3600);
	assert_int_equal(st.loads, 2);
	assert_true(st.used.procs > 1.99 && st.used.procs < 2.01);
	end(&st);
}

/* All times that the manager stores are shifted, so the interval until the next look stays the same. */
static void the_time_of_the_next_look_moves_with_the_clock(void **state)
{
	int64_t now_s = (int64_t)time(NULL);

	(void)state;
	for (int i = 0; i < 2; i++) {
		int64_t by_s = i == 0 ? 3600 : -3600;
		struct stage st;

		begin(&st, "rmpollinterval = 10s\n");
		poll_at(&st, 1000, 100, now_s);
		poll_at(&st, 1002, 100, now_s + 2);
		assert_int_equal(st.rm.ops->next_s(st.rm.self), now_s + 12);
		st.rm.ops->set_clock(st.rm.self, by_s);
		assert_int_equal(st.rm.ops->next_s(st.rm.self), now_s + by_s + 12);
		poll_at(&st, 1003, 100, now_s + by_s + 3);
		assert_int_equal(st.loads, 1);
		poll_at(&st, 1012, 120, now_s + by_s + 12);
		assert_int_equal(st.loads, 2);
		assert_true(st.used.procs > 1.99 && st.used.procs < 2.01);
		end(&st);
	}
}

static bool wants_poll(const struct stage *st)
{
	struct pollfd one = {.fd = st->rm.ops->fd(st->rm.self), .events = POLLIN};

	return poll(&one, 1, 0) == 1;
}

static int count_polls(struct stage *st, int64_t now_s)
{
	int count = 0;

	do {
		st->rm.ops->poll(st->rm.self, now_s, take, st);
		count++;
		/* The next look must not be due at once, or the manager would do nothing else. */
		assert_true(((struct local *)st->rm.self)->load.look_s > now_s);
	} while (wants_poll(st));
	return count;
}

static void a_look_at_many_processes_is_split_into_several_polls(void **state)
{
	struct stage st;
	int64_t now_s = (int64_t)time(NULL);

	(void)state;
	for (int pid = 1000; pid < 1000 + 3 * LOCAL_LOOK_MAX; pid++)
		a_process(pid, 1);
	begin(&st, "rmpollinterval = 10s\n");
	put_uptime(1000);
	a_process(70, 100);
	assert_true(count_polls(&st, now_s) >= 4);
	assert_int_equal(st.loads, 0);
	assert_int_equal(st.rm.ops->next_s(st.rm.self), now_s + 2);
	/* The result is reported when all processes have been read. */
	put_uptime(1010);
	a_process(70, 120);
	st.rm.ops->poll(st.rm.self, now_s + 10, take, &st);
	assert_true(wants_poll(&st));
	assert_int_equal(st.loads, 0);
	assert_true(count_polls(&st, now_s + 10) >= 3);
	assert_int_equal(st.loads, 1);
	assert_true(st.used.procs > 1.99 && st.used.procs < 2.01);
	/* An unfinished look is freed with the manager. */
	st.rm.ops->poll(st.rm.self, now_s + 20, take, &st);
	assert_true(wants_poll(&st));
	end(&st);
}

static void add_descriptor(int pid, int fd, const char *what)
{
	char file[1200];

	snprintf(file, sizeof file, "proc/%d/fd", pid);
	fake_folder(&root, file);
	snprintf(file, sizeof file, "%s/proc/%d/fd/%d", root.path, pid, fd);
	assert_int_equal(symlink(what, file), 0);
}

static void a_search_for_devices_is_split_into_several_polls(void **state)
{
	const int links = LOCAL_LOOK_MAX * OUTSIDE_OPEN_EACH;
	struct stage st;
	const struct local *l;
	int64_t now_s = (int64_t)time(NULL);
	char file[1200];

	(void)state;
	begin(&st, "rmpollinterval = 10s\ndevices = \"0,1\"\n");
	l = st.rm.self;
	poll_at(&st, 1000, 100, now_s);
	add_descriptor(70, 3, "/dev/nvidia-uvm");
	add_descriptor(70, 4, "/dev/nvidia0");
	count_polls(&st, now_s);
	put_uptime(1010);
	count_polls(&st, now_s + 10);
	assert_int_equal(l->seats.devices_avoided, 1 << 0);

	/* The process uses the other device now, and has more open files than one call can read. */
	snprintf(file, sizeof file, "%s/proc/70/fd/4", root.path);
	assert_int_equal(unlink(file), 0);
	add_descriptor(70, 4000, "/dev/nvidia1");
	for (int fd = 10; fd < 10 + 5 * links; fd++)
		add_descriptor(70, fd, "/dev/null");
	put_uptime(1020);
	for (int i = 0; i < 4; i++) {
		st.rm.ops->poll(st.rm.self, now_s + 20, take, &st);
		assert_true(wants_poll(&st));
		/* The previous result is valid meanwhile, even if the nodes are asked for again. */
		assert_int_equal(l->seats.devices_avoided, 1 << 0);
		ask_nodes(&st);
		assert_int_equal(l->seats.devices_avoided, 1 << 0);
	}
	count_polls(&st, now_s + 20);
	assert_int_equal(l->seats.devices_avoided, 1 << 1);
	/* Devices of a new list are not known to be in use. */
	set(&st, "devices", "1,2");
	assert_int_equal(l->seats.devices_avoided, 0);
	put_uptime(1030);
	count_polls(&st, now_s + 30);
	assert_int_equal(l->seats.devices_avoided, 1 << 0);
	end(&st);
}

/* Without an eventfd the manager cannot request the next poll. The next piece of the look is larger, and is
 * read a second later. */
static void a_look_continues_without_an_eventfd(void **state)
{
	struct stage st;
	int64_t now_s = (int64_t)time(NULL);
	int polls = 0;

	(void)state;
	for (int pid = 1000; pid < 1000 + LOCAL_LOOK_UNCALLED; pid++)
		a_process(pid, 1);
	begin(&st, "rmpollinterval = 10s\n");
	put_uptime(1000);
	no_eventfd = true;
	st.rm.ops->poll(st.rm.self, now_s, take, &st);
	no_eventfd = false;
	assert_true(((struct local *)st.rm.self)->load.looking);
	assert_false(wants_poll(&st));
	assert_int_equal(st.rm.ops->next_s(st.rm.self), now_s + 1);
	do {
		polls++;
		st.rm.ops->poll(st.rm.self, now_s + polls, take, &st);
		assert_false(wants_poll(&st));
	} while (((struct local *)st.rm.self)->load.looking);
	assert_true(polls < 4);
	end(&st);
}

/* The processor time belongs to the job, whenever its shepherd exits. */
static void a_job_that_ends_during_a_look_is_not_an_outside_process(void **state)
{
	struct stage st;
	int64_t now_s = (int64_t)time(NULL);
	struct launch launch = launch_script("read line <go; exit 0");
	int shepherd;

	(void)state;
	for (int pid = 1000; pid < 1000 + 3 * LOCAL_LOOK_MAX; pid++)
		a_process(pid, 1);
	assert_int_equal(mkfifo(in_home("go"), 0666), 0);
	begin(&st, "rmpollinterval = 1d\n");
	assert_true(start_job(&st, &launch, 1, 60));
	shepherd = (int)((struct local *)st.rm.self)->job[0].pid;
	put_uptime(1000);
	a_process(shepherd, 100);
	count_polls(&st, now_s - 86400);
	put_uptime(1010);
	a_process(shepherd, 120);
	st.rm.ops->poll(st.rm.self, now_s, take, &st);
	assert_true(wants_poll(&st));
	close(open(in_home("go"), O_WRONLY | O_CLOEXEC));
	WAIT_UNTIL(kill(shepherd, 0) != 0);
	assert_true(has_ended(&st));
	assert_true(wants_poll(&st));
	count_polls(&st, now_s);
	assert_int_equal(st.loads, 1);
	assert_true(st.used.load < 0.01 && st.used.procs < 0);
	end(&st);
}

/* The order in which processes are read is unknown, so every second entry becomes the shepherd, and the
 * others become its children. */
static void a_job_that_starts_during_a_look_is_not_an_outside_process(void **state)
{
	const int first = 1000, end_pid = first + 3 * LOCAL_LOOK_MAX;
	struct stage st;
	int64_t now_s = (int64_t)time(NULL);
	struct launch launch = launch_script("read line <go; exit 0");
	int shepherd;

	(void)state;
	for (int pid = first; pid < end_pid; pid++)
		a_process(pid, 1);
	assert_int_equal(mkfifo(in_home("go"), 0666), 0);
	begin(&st, "rmpollinterval = 1d\n");
	put_uptime(1000);
	count_polls(&st, now_s - 86400);
	put_uptime(1010);
	st.rm.ops->poll(st.rm.self, now_s, take, &st);
	assert_true(wants_poll(&st));
	assert_true(start_job(&st, &launch, 1, 60));
	shepherd = (int)((struct local *)st.rm.self)->job[0].pid;
	for (int pid = first; pid < end_pid; pid += 2) {
		a_process_at(pid, shepherd, 1, 1);
		a_process_at(pid + 1, pid + 1, shepherd, 2);
	}
	count_polls(&st, now_s);
	assert_int_equal(st.loads, 1);
	assert_true(st.used.load < 0.01 && st.used.procs < 0);
	close(open(in_home("go"), O_WRONLY | O_CLOEXEC));
	WAIT_UNTIL(has_ended(&st));
	end(&st);
}

/* The sum of processors of jobs and of outside processes is reported when a job ends, not at the next look.
 */
static void used_processors_are_reported_again_when_a_job_starts_or_ends(void **state)
{
	struct stage st;
	int64_t now_s = (int64_t)time(NULL);
	struct launch launch = launch_script("read line <go; exit 0");

	(void)state;
	assert_int_equal(mkfifo(in_home("go"), 0666), 0);
	begin(&st, "rmpollinterval = 1d\n");
	poll_at(&st, 1000, 100, now_s - 86400);
	poll_at(&st, 1010, 110.4, now_s);
	assert_int_equal(st.loads, 1);
	assert_true(start_job(&st, &launch, 2, 60));
	poll_now(&st);
	assert_int_equal(st.loads, 2);
	assert_true(st.used.procs > 2.99 && st.used.procs < 3.01);
	close(open(in_home("go"), O_WRONLY | O_CLOEXEC));
	WAIT_UNTIL(has_ended(&st));
	assert_int_equal(st.loads, 3);
	assert_true(st.used.procs > 0.99 && st.used.procs < 1.01);
	end(&st);
}

static void put_killed_process(int mem_mb)
{
	fake_file(&root, "proc/80/stat",
		  "80 (hog) D 1 1 1 0 -1 0 9 9 9 9 0 0 0 0 20 0 1 0 100 999 %" PRId64
		  " 1 1 2 3 4 5 256 0 0 0 0 0 0 17 1 0 0 0 0 0\n",
		  (int64_t)mem_mb * 1024 * 1024 / sysconf(_SC_PAGESIZE));
}

/* Its memory no longer belongs to a job, and is not available to others. */
static void memory_of_a_process_that_cannot_be_killed_is_reported_as_used(void **state)
{
	struct stage st;
	struct launch launch = launch_script("read line <go; exit 0");
	int64_t now_s = (int64_t)time(NULL);

	(void)state;
	assert_int_equal(mkfifo(in_home("go"), 0666), 0);
	begin(&st, "rmpollinterval = 10s\n");
	put_killed_process(1500);
	poll_at(&st, 1000, 100, now_s);
	assert_int_equal(st.loads, 1);
	assert_int_equal(st.used.mem_mb, 1500);
	assert_true(st.used.procs < 0);
	st.job = (int64_t)scene_add(st.sc, (struct scene_job){.procs = 1, .wall_s = 60, .mem_mb = 1000});
	assert_true(start_submitted(&st, &launch, 1));
	st.rm.ops->poll(st.rm.self, now_s, take, &st);
	assert_int_equal(st.loads, 2);
	assert_int_equal(st.used.mem_mb, 2500);
	close(open(in_home("go"), O_WRONLY | O_CLOEXEC));
	WAIT_UNTIL((st.rm.ops->poll(st.rm.self, now_s, take, &st), st.ends > 0));
	assert_int_equal(st.used.mem_mb, 1500);
	put_killed_process(0);
	poll_at(&st, 1010, 100, now_s + 10);
	assert_true(st.used.mem_mb < 0);
	end(&st);
}

/* Until a look has measured the processes, all memory that the job requested counts. */
static void memory_of_a_job_that_left_processes_is_reported_at_once(void **state)
{
	struct stage st;
	struct local_job job = {.id = 77, .mem_mb = 1500};
	int64_t now_s = (int64_t)time(NULL);

	(void)state;
	begin(&st, "rmpollinterval = 60s\n");
	poll_at(&st, 1000, 100, now_s);
	poll_at(&st, 1002, 100, now_s + 2);
	assert_true(st.used.mem_mb < 0);
	local_memory_left(st.rm.self, &job, 0, now_s + 2);
	st.rm.ops->poll(st.rm.self, now_s + 2, take, &st);
	assert_int_equal(st.used.mem_mb, 1500);
	/* The shepherd may still exist during the next look. */
	((struct local *)st.rm.self)->load.look_s = now_s + 4;
	poll_at(&st, 1004, 100, now_s + 4);
	assert_int_equal(st.used.mem_mb, 1500);
	put_killed_process(1200);
	poll_at(&st, 1007, 100, now_s + 7);
	assert_int_equal(st.used.mem_mb, 1200);
	end(&st);
}

/* Users can make shared memory count for each of many killed processes. */
static void memory_of_killed_processes_counts_only_as_far_as_ended_jobs_had_it(void **state)
{
	struct stage st;
	struct local_job job = {.id = 77, .mem_mb = 1500};
	int64_t now_s = (int64_t)time(NULL);

	(void)state;
	begin(&st, "rmpollinterval = 10s\n");
	poll_at(&st, 1000, 100, now_s);
	put_killed_process(12000);
	poll_at(&st, 1010, 100, now_s + 10);
	assert_true(st.used.mem_mb < 0);
	local_memory_left(st.rm.self, &job, 2000 * 1024, now_s + 10);
	poll_at(&st, 1020, 100, now_s + 20);
	assert_int_equal(st.used.mem_mb, 2000);
	put_killed_process(300);
	poll_at(&st, 1030, 100, now_s + 30);
	assert_int_equal(st.used.mem_mb, 300);
	put_killed_process(0);
	poll_at(&st, 1040, 100, now_s + 40);
	assert_true(st.used.mem_mb < 0);
	put_killed_process(300);
	poll_at(&st, 1050, 100, now_s + 50);
	assert_true(st.used.mem_mb < 0);
	end(&st);
}

/* Plain folders stand for cgroups: both can be removed only when they are empty. */
static void a_cgroup_of_a_job_is_removed_when_its_last_process_has_exited(void **state)
{
	const struct spool left_job = {
		.job = 77, .attempt = 2, .has_begun = true, .begun = {.pid = 1, .pid_start = 1}};
	int64_t now_s = (int64_t)time(NULL);
	char cgroup[sizeof host.cgroup + 200], file[sizeof cgroup + 20];
	struct stage st;

	(void)state;
	snprintf(host.cgroup, sizeof host.cgroup, "%s", in_home("cgroup"));
	snprintf(cgroup, sizeof cgroup, "%s/job.77.2.1.1", host.cgroup);
	snprintf(file, sizeof file, "%s/a process", cgroup);
	assert_int_equal(mkdir(host.cgroup, 0755), 0);
	assert_int_equal(mkdir(cgroup, 0755), 0);
	assert_int_equal(mkdir(file, 0755), 0);
	begin(&st, "rmpollinterval = 10s\n");
	local_note_cgroup_of(st.rm.self, &left_job);
	poll_at(&st, 1000, 100, now_s);
	assert_int_equal(access(cgroup, F_OK), 0);
	assert_int_equal(rmdir(file), 0);
	poll_at(&st, 1010, 100, now_s + 10);
	assert_int_equal(access(cgroup, F_OK), -1);
	host.cgroup[0] = '\0';
	end(&st);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		ON_A_HOST(use_by_outside_processes_is_reported_when_it_changes),
		ON_A_HOST(a_new_largest_process_is_reported_after_a_while),
		ON_A_HOST(the_first_measurement_is_reported_even_if_it_is_zero),
		ON_A_HOST(a_measurement_expires_when_no_look_succeeds),
		ON_A_HOST(measuring_continues_after_the_clock_is_set_back),
		ON_A_HOST(the_time_of_the_next_look_moves_with_the_clock),
		ON_A_HOST(a_look_at_many_processes_is_split_into_several_polls),
		ON_A_HOST(a_search_for_devices_is_split_into_several_polls),
		ON_A_HOST(a_look_continues_without_an_eventfd),
		ON_A_HOST(a_job_that_ends_during_a_look_is_not_an_outside_process),
		ON_A_HOST(a_job_that_starts_during_a_look_is_not_an_outside_process),
		ON_A_HOST(used_processors_are_reported_again_when_a_job_starts_or_ends),
		ON_A_HOST(memory_of_a_process_that_cannot_be_killed_is_reported_as_used),
		ON_A_HOST(memory_of_a_job_that_left_processes_is_reported_at_once),
		ON_A_HOST(memory_of_killed_processes_counts_only_as_far_as_ended_jobs_had_it),
		ON_A_HOST(a_cgroup_of_a_job_is_removed_when_its_last_process_has_exited),
	};

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	return run_shepherd_tests("local_load", tests, sizeof tests / sizeof tests[0]);
}
