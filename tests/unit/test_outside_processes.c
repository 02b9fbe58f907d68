/* SPDX-License-Identifier: MIT */
/*
 * test_outside_processes.c - load, memory and devices used by processes outside of jobs
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sched/rm/outside_processes.h"
#include "tests/fake_root.h"

#define MB_PAGES   ((int64_t)(1 << 20) / sysconf(_SC_PAGESIZE))
#define NOBODY_UID "4000000001"

/* Number of links read by the replacement of readlinkat() below. */
static size_t links_read;

/* NOLINTBEGIN(readability-inconsistent-declaration-parameter-name) */
ssize_t readlinkat(int folder, const char *path, char *out, size_t size)
{
	links_read++;
	return (ssize_t)syscall(SYS_readlinkat, folder, path, out, size);
}
/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */

struct fake {
	int64_t pid, parent;
	const char *name;
	double cpu_s, start_s;
	int64_t mem_mb;
	unsigned flags;
};

static void put_process(const struct store_dir *root, const struct fake *p)
{
	double hz = (double)sysconf(_SC_CLK_TCK);
	char path[64];

	snprintf(path, sizeof path, "proc/%" PRId64 "/stat", p->pid);
	fake_file(root, path,
		  "%" PRId64 " (%s) S %" PRId64
		  " 1 1 0 -1 %u 9 9 9 9 %.0f %.0f 77 77 20 0 1 0 %.0f 999 %" PRId64 " 1 2\n",
		  p->pid, p->name, p->parent, p->flags, p->cpu_s * hz / 2, p->cpu_s * hz / 2, p->start_s * hz,
		  p->mem_mb * MB_PAGES);
	snprintf(path, sizeof path, "proc/%" PRId64 "/status", p->pid);
	fake_file(root, path, "Name:\t%s\nUid:\t" NOBODY_UID "\t0\t0\t0\n", p->name);
}

static void set_uptime(const struct store_dir *root, double uptime_s)
{
	fake_file(root, "proc/uptime", "%.2f 5.00\n", uptime_s);
}

static struct outside_use measure(struct outside_watch *w, const int64_t *pid, size_t count)
{
	struct outside_use f;
	struct err err = {""};

	if (!outside_look(w, pid, count, &f, &err))
		fail_msg("%s", err.text);
	return f;
}

static void check_load(const struct outside_use *f, double load)
{
	if (f->load < load - 1e-9 || f->load > load + 1e-9)
		fail_msg("load %f, not %f", f->load, load);
}

/* init, kernel threads, this process, a shepherd (50) whose parent is init, two processes of its job
 * (60, 40), and two processes outside of jobs (70, 71). */
static void make_host(struct store_dir *root)
{
	const struct fake all[] = {
		{.pid = 1, .parent = 0, .name = "init", .cpu_s = 100, .mem_mb = 1},
		{.pid = 2, .parent = 0, .name = "kthreadd", .cpu_s = 100, .flags = 0x00208040},
		{.pid = 3, .parent = 2, .name = "kworker/0:1", .cpu_s = 100, .flags = 0x04208060},
		{.pid = getpid(), .parent = 1, .name = "kahu", .cpu_s = 10, .start_s = 5, .mem_mb = 64},
		{.pid = 50, .parent = 1, .name = "kahu-shepherd", .cpu_s = 1, .start_s = 5, .mem_mb = 2},
		{.pid = 60, .parent = 50, .name = "job) S 1 (x", .cpu_s = 1, .start_s = 5, .mem_mb = 100},
		{.pid = 40, .parent = 60, .name = "double-fork", .cpu_s = 1, .start_s = 5, .mem_mb = 100},
		{.pid = 70, .parent = 1, .name = "python3", .cpu_s = 1, .start_s = 5, .mem_mb = 300},
		{.pid = 71, .parent = 70, .name = "idle", .cpu_s = 1, .start_s = 5, .mem_mb = 30},
	};

	make_store_dir(root);
	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
		put_process(root, &all[i]);
	fake_folder(root, "proc/sys");
	set_uptime(root, 1000);
}

static const int64_t shepherds[] = {50, 9999};

static void a_name_is_truncated_and_made_printable(void **state)
{
	char name[8];

	(void)state;
	name_safe(name, sizeof name, "messagebus");
	assert_string_equal(name, "message");
	name_safe(name, sizeof name, "a\tb~\x7f\xe9");
	assert_string_equal(name, "a?b~??");
	name_safe(name, sizeof name, "root");
	assert_string_equal(name, "root");
}

static void memory_outside_of_jobs_is_measured_at_the_first_look(void **state)
{
	struct store_dir root;

	(void)state;
	make_host(&root);
	struct outside_watch *w = outside_watch_new(root.path);
	struct outside_use f = measure(w, shepherds, 2);
	check_load(&f, 0);
	assert_int_equal(f.mem_mb, 331);
	assert_int_equal(f.processes, 0);
	assert_string_equal(f.largest, "");
	f = measure(w, NULL, 0);
	assert_int_equal(f.mem_mb, 331); /* too soon: the previous result */
	set_uptime(&root, 1001);
	f = measure(w, NULL, 0);
	assert_int_equal(f.mem_mb, 533);
	outside_watch_free(w);
	remove_store_dir(&root);
}

/* A killed process in uninterruptible sleep. The file has the fields of the kernel up to the pending
 * signals. */
static void put_killed(const struct store_dir *root, int64_t pid, int64_t parent, int64_t mem_mb,
		       unsigned pending)
{
	char path[64];

	snprintf(path, sizeof path, "proc/%" PRId64 "/stat", pid);
	fake_file(root, path,
		  "%" PRId64 " (hog) D %" PRId64 " 1 1 0 -1 0 9 9 9 9 1 1 0 0 20 0 1 0 500 999 %" PRId64
		  " 18446744073709551615 1 2 3 4 5 %u 0 0 0 0 0 0 17 1 0 0 0 0 0\n",
		  pid, parent, mem_mb * MB_PAGES, pending);
}

/* An exiting process that is stopped by a tracer, without pending signals. */
static void put_exiting(const struct store_dir *root, const char *path, char letter, unsigned flags,
			int threads, int64_t mem_mb)
{
	fake_file(root, path,
		  "72 (hog) %c 1 1 1 0 -1 %u 9 9 9 9 1 1 0 0 20 0 %d 0 500 999 %" PRId64
		  " 18446744073709551615 1 2 3 4 5 0 0 0 0 0 0 0 17 1 0 0 0 0 0\n",
		  letter, flags, threads, mem_mb * MB_PAGES);
}

static void memory_of_processes_stopped_during_exit_counts_as_stuck(void **state)
{
	static const unsigned flags[] = {0x400408, 0x4, 0x8, 0x400};
	struct store_dir root;

	(void)state;
	make_host(&root);
	struct outside_watch *w = outside_watch_new(root.path);
	for (int i = 0; i < 4; i++) {
		put_exiting(&root, "proc/72/stat", 't', flags[i], 1, 300);
		set_uptime(&root, 1000 + i);
		assert_int_equal(measure(w, NULL, 0).stuck_mb, 300);
	}
	put_exiting(&root, "proc/72/stat", 't', 0x400000, 1, 300); /* stopped by a debugger */
	set_uptime(&root, 1010);
	assert_int_equal(measure(w, NULL, 0).stuck_mb, 0);
	outside_watch_free(w);
	remove_store_dir(&root);
}

/* The stat file of the process shows no memory, but those of its other threads do. */
static void memory_of_a_process_whose_first_thread_has_exited_is_measured(void **state)
{
	struct store_dir root;

	(void)state;
	make_host(&root);
	struct outside_watch *w = outside_watch_new(root.path);
	int64_t before_mb = measure(w, NULL, 0).mem_mb;
	put_exiting(&root, "proc/72/stat", 'Z', 0x40000c, 3, 0);
	put_exiting(&root, "proc/72/task/72/stat", 'Z', 0x40000c, 3, 0);
	put_exiting(&root, "proc/72/task/73/stat", 'Z', 0x40000c, 3, 0);
	put_exiting(&root, "proc/72/task/74/stat", 'S', 0x400000, 3, 300);
	set_uptime(&root, 1010);
	struct outside_use f = measure(w, NULL, 0);
	assert_int_equal(f.mem_mb, before_mb + 300);
	assert_int_equal(f.stuck_mb, 0);
	put_exiting(&root, "proc/72/task/74/stat", 't', 0x400408, 3, 300);
	set_uptime(&root, 1020);
	assert_int_equal(measure(w, NULL, 0).stuck_mb, 300);
	outside_watch_free(w);
	remove_store_dir(&root);
}

static void memory_of_processes_that_cannot_be_killed_counts_as_stuck(void **state)
{
	struct store_dir root;

	(void)state;
	make_host(&root);
	put_killed(&root, 70, 1, 300, 1 << (SIGKILL - 1) | 1 << (SIGTERM - 1));
	put_killed(&root, 71, 1, 30, 1 << (SIGTERM - 1));
	put_killed(&root, 60, 50, 100, 1 << (SIGKILL - 1)); /* its shepherd handles it */
	struct outside_watch *w = outside_watch_new(root.path);
	struct outside_use f = measure(w, shepherds, 2);
	assert_int_equal(f.stuck_mb, 300);
	/* The resident sizes add up to 900 MB, but only 500 MB of the host are in use. */
	fake_file(&root, "proc/meminfo", "MemTotal: 1024000 kB\nMemFree: 1 kB\nMemAvailable: 512000 kB\n");
	put_killed(&root, 71, 1, 600, 1 << (SIGKILL - 1));
	set_uptime(&root, 1010);
	f = measure(w, shepherds, 2);
	assert_int_equal(f.stuck_mb, 500);
	put_killed(&root, 70, 1, 0, 1 << (SIGKILL - 1));
	put_killed(&root, 71, 1, 0, 1 << (SIGKILL - 1));
	set_uptime(&root, 1020);
	f = measure(w, shepherds, 2);
	assert_int_equal(f.stuck_mb, 0);
	outside_watch_free(w);
	remove_store_dir(&root);
}

static void a_look_in_several_calls_has_the_same_result(void **state)
{
	struct store_dir root;
	struct err err = {""};
	struct outside_use f;
	enum look last;
	int calls = 0;

	(void)state;
	make_host(&root);
	struct outside_watch *w = outside_watch_new(root.path);
	measure(w, shepherds, 1);
	set_uptime(&root, 1010);
	put_process(&root,
		    &(struct fake){.pid = 70, .parent = 1, .name = "python3", .cpu_s = 41, .start_s = 5});
	do {
		/* The list of shepherds is used only at the end. */
		last = outside_look_some(w, 2, calls >= 4 ? shepherds : NULL, calls >= 4, &f, &err);
		/* The time of a look is that of its first call. */
		set_uptime(&root, 1015);
		calls++;
	} while (last == LOOK_ON);
	assert_int_equal(last, LOOK_DONE);
	assert_true(calls >= 5);
	check_load(&f, 4.0);
	assert_string_equal(f.largest, "python3 of " NOBODY_UID);
	assert_true(fabs(f.largest_load - 4.0) < 0.05);
	assert_int_equal(f.mem_mb, 31); /* python3 has none now */
	/* A look that has begun is completed by the next one, or abandoned. */
	assert_int_equal(outside_look_some(w, 1, shepherds, 1, &f, &err), LOOK_ON);
	f = measure(w, shepherds, 1);
	assert_int_equal(f.mem_mb, 31);
	assert_int_equal(outside_look_some(w, 1, shepherds, 1, &f, &err), LOOK_ON);
	outside_watch_free(w);
	remove_store_dir(&root);
}

static void load_is_the_processor_time_since_the_last_look(void **state)
{
	struct store_dir root;

	(void)state;
	make_host(&root);
	struct outside_watch *w = outside_watch_new(root.path);
	measure(w, shepherds, 1);
	set_uptime(&root, 1010);
	put_process(&root,
		    &(struct fake){.pid = 70, .parent = 1, .name = "python3", .cpu_s = 41, .start_s = 5});
	put_process(&root,
		    &(struct fake){.pid = 71, .parent = 70, .name = "idle", .cpu_s = 1.2, .start_s = 5});
	put_process(&root,
		    &(struct fake){.pid = 60, .parent = 50, .name = "job", .cpu_s = 400, .start_s = 5});
	put_process(&root,
		    &(struct fake){.pid = 40, .parent = 60, .name = "job", .cpu_s = 400, .start_s = 5});
	put_process(&root,
		    &(struct fake){.pid = 3, .parent = 2, .name = "k", .cpu_s = 400, .flags = 0x00200000});
	struct outside_use f = measure(w, shepherds, 1);
	check_load(&f, 4.02);
	assert_int_equal(f.processes, 1);
	assert_string_equal(f.largest, "python3 of " NOBODY_UID);
	assert_true(fabs(f.largest_load - 4.0) < 0.05);
	set_uptime(&root, 1020);
	f = measure(w, shepherds, 1);
	check_load(&f, 0);
	assert_string_equal(f.largest, "");
	outside_watch_free(w);
	remove_store_dir(&root);
}

static void only_processor_time_since_the_last_look_counts_for_a_new_process(void **state)
{
	struct store_dir root;

	(void)state;
	make_host(&root);
	struct outside_watch *w = outside_watch_new(root.path);
	measure(w, shepherds, 1);
	set_uptime(&root, 1010);
	/* A process started since; one started earlier and found only now; a new one with the same pid.
	 */
	put_process(&root,
		    &(struct fake){.pid = 80, .parent = 1, .name = "new", .cpu_s = 5, .start_s = 1005});
	put_process(&root, &(struct fake){.pid = 81, .parent = 1, .name = "old", .cpu_s = 500, .start_s = 5});
	put_process(&root,
		    &(struct fake){.pid = 71, .parent = 1, .name = "again", .cpu_s = 2, .start_s = 1008});
	struct outside_use f = measure(w, shepherds, 1);
	check_load(&f, 0.7);
	assert_int_equal(f.processes, 2);
	assert_string_equal(f.largest, "new of " NOBODY_UID);
	assert_true(fabs(f.largest_load - 0.5) < 0.05);
	outside_watch_free(w);
	remove_store_dir(&root);
}

static void a_process_without_its_shepherd_counts_from_then_on(void **state)
{
	struct store_dir root;

	(void)state;
	make_host(&root);
	struct outside_watch *w = outside_watch_new(root.path);
	measure(w, shepherds, 1);
	set_uptime(&root, 1010);
	put_process(&root, &(struct fake){.pid = 60, .parent = 1, .name = "left", .cpu_s = 11, .start_s = 5});
	struct outside_use f = measure(w, shepherds, 1);
	check_load(&f, 1.0);
	outside_watch_free(w);
	remove_store_dir(&root);
}

static void control_characters_in_a_process_name_are_replaced(void **state)
{
	struct store_dir root;

	(void)state;
	make_host(&root);
	struct outside_watch *w = outside_watch_new(root.path);
	measure(w, shepherds, 1);
	set_uptime(&root, 1010);
	put_process(
		&root,
		&(struct fake){
			.pid = 70, .parent = 1, .name = "\x1b]0;\xc2\x9b x)\n1 (", .cpu_s = 5, .start_s = 5});
	struct outside_use f = measure(w, shepherds, 1);
	assert_string_equal(f.largest, "?]0;?? x)?1 ( of " NOBODY_UID);
	assert_true(fabs(f.largest_load - 0.4) < 0.05);
	outside_watch_free(w);
	remove_store_dir(&root);
}

static void malformed_proc_files_are_tolerated(void **state)
{
	struct store_dir root;

	(void)state;
	make_host(&root);
	struct outside_watch *w = outside_watch_new(root.path);
	measure(w, shepherds, 1);
	set_uptime(&root, 1010);
	fake_folder(&root, "proc/90/stat");
	fake_folder(&root, "proc/91");
	fake_file(&root, "proc/92/stat", "92 (x) S");
	fake_file(&root, "proc/93/stat", "%s", "");
	fake_file(&root, "proc/94/stat", ")(");
	fake_file(&root, "proc/99999999999999999999999999999/stat",
		  "1 (x) S 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n");
	put_process(
		&root,
		&(struct fake){
			.pid = 95, .parent = 96, .name = "ring", .cpu_s = 1, .start_s = 1005, .mem_mb = 1});
	put_process(
		&root,
		&(struct fake){
			.pid = 96, .parent = 95, .name = "ring", .cpu_s = 1, .start_s = 1005, .mem_mb = 1});
	put_process(
		&root,
		&(struct fake){
			.pid = 97, .parent = 97, .name = "self", .cpu_s = 1, .start_s = 1005, .mem_mb = 1});
	fake_file(&root, "proc/98/stat",
		  "98 (huge) R 1 1 1 1 1 0 1 1 1 1 99999999999999999999 -5 1 1 1 1 1 1 5 1 "
		  "99999999999999999999\n");
	struct outside_use f = measure(w, shepherds, 1);
	check_load(&f, 0.3);
	assert_true(f.mem_mb > 331 + 3);
	outside_watch_free(w);
	remove_store_dir(&root);
}

static void a_clock_that_goes_back_resets_the_measurement(void **state)
{
	struct store_dir root;

	(void)state;
	make_host(&root);
	struct outside_watch *w = outside_watch_new(root.path);
	measure(w, shepherds, 1);
	set_uptime(&root, 10);
	put_process(&root,
		    &(struct fake){.pid = 70, .parent = 1, .name = "python3", .cpu_s = 41, .start_s = 5});
	struct outside_use f = measure(w, shepherds, 1);
	check_load(&f, 0);
	outside_watch_free(w);
	remove_store_dir(&root);
}

static void without_proc_a_look_fails_with_an_error(void **state)
{
	struct store_dir root;
	struct outside_use f;
	struct err err = {""};

	(void)state;
	make_store_dir(&root);
	struct outside_watch *w = outside_watch_new(root.path);
	assert_false(outside_look(w, NULL, 0, &f, &err));
	assert_non_null(strstr(err.text, "is it mounted?"));
	fake_file(&root, "proc/uptime", "soon\n");
	assert_false(outside_look(w, NULL, 0, &f, &err));
	outside_watch_free(w);
	outside_watch_free(NULL);
	remove_store_dir(&root);
}

/* --- this host ------------------------------------------------------------------------------- */

/* Starts a process that uses a processor until it is killed, and whose parent exits. Returns its pid.
 */
static pid_t fork_spinning_orphan(void)
{
	int channel[2];
	pid_t pid = -1;

	assert_int_equal(pipe(channel), 0);
	pid_t between = fork();
	if (between == 0) {
		pid_t apart = fork();
		if (apart == 0) {
			alarm(60);
			for (volatile unsigned i = 0;; i++)
				;
		}
		_exit(write(channel[1], &apart, sizeof apart) == (ssize_t)sizeof apart ? 0 : 1);
	}
	assert_int_equal(waitpid(between, NULL, 0), between);
	assert_int_equal(read(channel[0], &pid, sizeof pid), sizeof pid);
	close(channel[0]);
	close(channel[1]);
	return pid;
}

/* Measures until the process is found; its alarm ends it after 60 s. */
static void a_busy_outside_process_is_measured_on_this_host(void **state)
{
	struct outside_watch *w = outside_watch_new("/");
	const struct timespec a_while = {.tv_nsec = 100000000};
	struct outside_use f = {0};

	(void)state;
	measure(w, NULL, 0);
	pid_t stranger = fork_spinning_orphan();
	for (int i = 0; i < 550 && f.processes == 0; i++) {
		nanosleep(&a_while, NULL);
		f = measure(w, NULL, 0);
	}
	kill(stranger, SIGKILL);
	assert_true(f.load > 0.05);
	assert_true(f.processes > 0);
	assert_true(f.mem_mb > 0);
	assert_non_null(strstr(f.largest, " of "));
	outside_watch_free(w);
}

static void add_descriptor(const struct store_dir *root, int64_t pid, int fd, const char *what)
{
	char path[700];

	snprintf(path, sizeof path, "proc/%" PRId64 "/fd", pid);
	fake_folder(root, path);
	snprintf(path, sizeof path, "%s/proc/%" PRId64 "/fd/%d", root->path, pid, fd);
	assert_int_equal(symlink(what, path), 0);
}

static const struct device board[] = {{.id = "GPU-a", .kind = "nvidia", .node = 1},
				      {.id = "GPU-b", .kind = "nvidia", .node = 0},
				      {.id = "0", .kind = "amd", .node = 128},
				      {.id = "x", .kind = "listed", .node = -1}};

static void remove_descriptor(const struct store_dir *root, int64_t pid, int fd)
{
	char path[700];

	snprintf(path, sizeof path, "%s/proc/%" PRId64 "/fd/%d", root->path, pid, fd);
	assert_int_equal(unlink(path), 0);
}

/* Adds descriptors of a file that is not a GPU. */
static void add_descriptors(const struct store_dir *root, int64_t pid, int count)
{
	for (int fd = 100; fd < 100 + count; fd++)
		add_descriptor(root, pid, fd, "/dev/null");
}

static void put_outside_process(const struct store_dir *root, int64_t pid)
{
	put_process(root,
		    &(struct fake){.pid = pid, .parent = 1, .name = "python3", .cpu_s = 1, .start_s = 5});
}

static int count_own_descriptors(void)
{
	struct dirent *entry;
	DIR *all = opendir("/proc/self/fd");
	int count = 0;

	assert_non_null(all);
	while ((entry = readdir(all)) != NULL)
		count++;
	closedir(all);
	return count;
}

static void devices_used_by_outside_processes_are_found(void **state)
{
	struct store_dir root;
	struct outside_watch *w;

	(void)state;
	make_host(&root);
	w = outside_watch_new(root.path);
	outside_watch_devices(w, board, 4);
	add_descriptor(&root, 60, 3, "/dev/nvidia1"); /* of a job */
	add_descriptor(&root, 60, 4, "/dev/nvidia-uvm");
	add_descriptor(&root, 71, 3,
		       "/dev/nvidia0"); /* of a display server, which does not use the GPU to compute */
	add_descriptor(&root, 71, 4, "/dev/dri/renderD128");
	measure(w, shepherds, 1);
	assert_int_equal(outside_devices(w), 0);
	add_descriptor(&root, 70, 3, "/dev/nvidia0");
	add_descriptor(&root, 70, 4, "/dev/nvidiactl");
	add_descriptor(&root, 70, 5, "/dev/nvidia-uvm");
	add_descriptor(&root, 71, 5, "/dev/kfd");
	set_uptime(&root, 1010);
	measure(w, shepherds, 1);
	assert_int_equal(outside_devices(w), 1 << 1 | 1 << 2);
	/* Setting the same list again changes nothing; devices of a new list are not known to be in use. */
	outside_watch_devices(w, board, 4);
	assert_int_equal(outside_devices(w), 1 << 1 | 1 << 2);
	outside_watch_devices(w, board + 1, 3);
	assert_int_equal(outside_devices(w), 0);
	set_uptime(&root, 1020);
	measure(w, shepherds, 1);
	assert_int_equal(outside_devices(w), 1 << 0 | 1 << 1);
	remove_descriptor(&root, 70, 5);
	set_uptime(&root, 1030);
	measure(w, shepherds, 1);
	assert_int_equal(outside_devices(w), 1 << 1);
	outside_watch_free(w);
	remove_store_dir(&root);
}

static void without_devices_no_descriptors_are_read(void **state)
{
	struct store_dir root;
	struct outside_watch *w;

	(void)state;
	make_host(&root);
	w = outside_watch_new(root.path);
	add_descriptor(&root, 70, 3, "/dev/nvidia0");
	add_descriptor(&root, 70, 4, "/dev/nvidia-uvm");
	links_read = 0;
	measure(w, shepherds, 1);
	assert_int_equal(outside_devices(w), 0);
	/* A device without a known device file cannot be found. */
	outside_watch_devices(w, board + 3, 1);
	set_uptime(&root, 1010);
	measure(w, shepherds, 1);
	assert_int_equal(links_read, 0);
	/* The list is emptied during a look. */
	outside_watch_devices(w, board, 4);
	set_uptime(&root, 1020);
	struct outside_use f;
	struct err err = {""};
	do
		assert_int_equal(outside_look_some(w, 1, shepherds, 1, &f, &err), LOOK_ON);
	while (links_read == 0);
	outside_watch_devices(w, NULL, 0);
	links_read = 0;
	assert_int_equal(outside_look_some(w, 1, shepherds, 1, &f, &err), LOOK_DONE);
	assert_int_equal(links_read, 0);
	assert_int_equal(f.mem_mb, 331);
	outside_watch_free(w);
	remove_store_dir(&root);
}

/* Completes a look and returns the number of calls. Checks that no call reads more links than allowed, and
 * that the set of devices is `expected` until the end. */
static int count_calls(struct outside_watch *w, size_t max, uint64_t expected)
{
	enum look last = LOOK_ON;
	struct err err = {""};
	struct outside_use f;
	int calls = 0;

	for (; last == LOOK_ON; calls++) {
		assert_int_equal(outside_devices(w), expected);
		links_read = 0;
		last = outside_look_some(w, max, shepherds, 1, &f, &err);
		assert_true(links_read <= max * OUTSIDE_OPEN_EACH);
	}
	assert_int_equal(last, LOOK_DONE);
	return calls;
}

static void a_process_with_thousands_of_descriptors_is_examined_in_many_calls(void **state)
{
	struct store_dir root;

	(void)state;
	make_host(&root);
	struct outside_watch *w = outside_watch_new(root.path);
	outside_watch_devices(w, board, 4);
	add_descriptor(&root, 71, 3, "/dev/kfd");
	add_descriptor(&root, 71, 4, "/dev/dri/renderD128");
	measure(w, shepherds, 1);
	assert_int_equal(outside_devices(w), 1 << 2);

	/* The two files of process 70 are before and after 3000 others. Process 80 uses a GPU, too.
	 * Process 71 has closed its GPU. */
	remove_descriptor(&root, 71, 3);
	add_descriptor(&root, 70, 3, "/dev/nvidia-uvm");
	add_descriptors(&root, 70, 3000);
	add_descriptor(&root, 70, 5000, "/dev/nvidia0");
	put_outside_process(&root, 80);
	add_descriptor(&root, 80, 3, "/dev/nvidia-uvm");
	add_descriptor(&root, 80, 4, "/dev/nvidia1");
	set_uptime(&root, 1010);
	int calls = count_calls(w, 16, 1 << 2);
	assert_true(calls >= 3000 / (16 * OUTSIDE_OPEN_EACH));
	assert_true(calls <= 3000 / (16 * OUTSIDE_OPEN_EACH) + 6);
	assert_int_equal(outside_devices(w), 1 << 0 | 1 << 1);
	outside_watch_free(w);
	remove_store_dir(&root);
}

static void many_processes_without_descriptors_are_examined_in_many_calls(void **state)
{
	struct store_dir root;

	(void)state;
	make_host(&root);
	struct outside_watch *w = outside_watch_new(root.path);
	outside_watch_devices(w, board, 4);
	for (int64_t pid = 200; pid < 240; pid++)
		put_outside_process(&root, pid);
	add_descriptor(&root, 239, 3, "/dev/nvidia0");
	add_descriptor(&root, 239, 4, "/dev/nvidia-uvm");
	/* The look reads and examines more than 40 processes; one without descriptors counts, too. */
	assert_true(count_calls(w, 4, 0) >= 20);
	assert_int_equal(outside_devices(w), 1 << 1);
	outside_watch_free(w);
	remove_store_dir(&root);
}

static void a_process_that_ends_while_it_is_examined_is_skipped(void **state)
{
	char open[700], gone[700];
	struct store_dir root;
	struct err err = {""};
	struct outside_use f;

	(void)state;
	make_host(&root);
	int expected = count_own_descriptors();
	struct outside_watch *w = outside_watch_new(root.path);
	outside_watch_devices(w, board, 4);
	add_descriptors(&root, 70, 20);
	add_descriptors(&root, 71, 20);
	put_outside_process(&root, 80);
	add_descriptor(&root, 80, 3, "/dev/nvidia-uvm");
	add_descriptor(&root, 80, 4, "/dev/nvidia1");
	links_read = 0;
	do
		assert_int_equal(outside_look_some(w, 1, shepherds, 1, &f, &err), LOOK_ON);
	while (links_read == 0);
	for (int64_t pid = 70; pid <= 71; pid++) {
		snprintf(open, sizeof open, "%s/proc/%" PRId64 "/fd", root.path, pid);
		snprintf(gone, sizeof gone, "%s/gone%" PRId64, root.path, pid);
		assert_int_equal(rename(open, gone), 0);
	}
	count_calls(w, 1, 0);
	assert_int_equal(outside_devices(w), 1 << 0);
	assert_int_equal(count_own_descriptors(), expected);
	/* An abandoned look leaves no descriptor open. */
	set_uptime(&root, 1010);
	add_descriptors(&root, 80, 20);
	links_read = 0;
	do
		assert_int_equal(outside_look_some(w, 1, shepherds, 1, &f, &err), LOOK_ON);
	while (links_read == 0);
	assert_int_equal(count_own_descriptors(), expected + 1);
	outside_watch_free(w);
	assert_int_equal(count_own_descriptors(), expected);
	remove_store_dir(&root);
}

static void a_new_list_of_devices_restarts_the_search(void **state)
{
	struct store_dir root;
	struct err err = {""};
	struct outside_use f;

	(void)state;
	make_host(&root);
	struct outside_watch *w = outside_watch_new(root.path);
	outside_watch_devices(w, board + 2, 1);
	add_descriptor(&root, 70, 3, "/dev/nvidia-uvm");
	add_descriptor(&root, 70, 4, "/dev/nvidia1");
	add_descriptors(&root, 71, 20);
	do {
		links_read = 0;
		assert_int_equal(outside_look_some(w, 2, shepherds, 1, &f, &err), LOOK_ON);
	} while (links_read < 2 * OUTSIDE_OPEN_EACH - 2); /* the look has passed process 70 */
	outside_watch_devices(w, board, 2);
	count_calls(w, 2, 0);
	assert_int_equal(outside_devices(w), 1 << 0);
	outside_watch_free(w);
	remove_store_dir(&root);
}

/* 60 processes, each of which has more descriptors than are read of one process. */
static void no_process_is_hidden_by_many_others(void **state)
{
	struct store_dir root;
	char target[700], path[700];
	size_t sum[3];

	(void)state;
	make_host(&root);
	struct outside_watch *w = outside_watch_new(root.path);
	outside_watch_devices(w, board, 4);
	add_descriptor(&root, 71, 3, "/dev/kfd");
	add_descriptor(&root, 71, 4, "/dev/dri/renderD128");
	add_descriptors(&root, 200, 5000);
	snprintf(target, sizeof target, "%s/proc/200/fd", root.path);
	for (int64_t pid = 200; pid < 260; pid++) {
		put_outside_process(&root, pid);
		snprintf(path, sizeof path, "%s/proc/%" PRId64 "/fd", root.path, pid);
		if (pid > 200)
			assert_int_equal(symlink(target, path), 0);
	}
	put_outside_process(&root, 300);
	add_descriptor(&root, 300, 3, "/dev/nvidia-uvm");
	add_descriptor(&root, 300, 4, "/dev/nvidia0");
	for (int i = 0; i < 3; i++) {
		links_read = 0;
		set_uptime(&root, 1000 + i * 10);
		measure(w, shepherds, 1);
		sum[i] = links_read;
		/* The first look does not reach the last process. Its device stays known when the next
		 * round begins.
		 */
		assert_int_equal(outside_devices(w), i == 0 ? 1 << 2 : 1 << 1 | 1 << 2);
	}
	assert_true(sum[0] >= 200000 && sum[0] <= 200000 + 4096);
	/* 4096 links of each of 60 processes, and a few others. */
	assert_true(sum[0] + sum[1] >= 60 * 4096 && sum[0] + sum[1] < 60 * 4096 + 100);
	assert_true(sum[2] >= 200000);
	/* Without these processes one look is a round, and devices that were closed are no longer in use.
	 */
	for (int64_t pid = 200; pid < 260; pid++) {
		snprintf(path, sizeof path, "%s/proc/%" PRId64 "/stat", root.path, pid);
		assert_int_equal(unlink(path), 0);
	}
	remove_descriptor(&root, 71, 3);
	remove_descriptor(&root, 300, 3);
	for (int i = 3; i < 5; i++) {
		set_uptime(&root, 1000 + i * 10);
		measure(w, shepherds, 1);
	}
	assert_int_equal(outside_devices(w), 0);
	outside_watch_free(w);
	remove_store_dir(&root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_name_is_truncated_and_made_printable),
		cmocka_unit_test(memory_outside_of_jobs_is_measured_at_the_first_look),
		cmocka_unit_test(memory_of_processes_that_cannot_be_killed_counts_as_stuck),
		cmocka_unit_test(memory_of_processes_stopped_during_exit_counts_as_stuck),
		cmocka_unit_test(memory_of_a_process_whose_first_thread_has_exited_is_measured),
		cmocka_unit_test(a_look_in_several_calls_has_the_same_result),
		cmocka_unit_test(load_is_the_processor_time_since_the_last_look),
		cmocka_unit_test(only_processor_time_since_the_last_look_counts_for_a_new_process),
		cmocka_unit_test(a_process_without_its_shepherd_counts_from_then_on),
		cmocka_unit_test(control_characters_in_a_process_name_are_replaced),
		cmocka_unit_test(malformed_proc_files_are_tolerated),
		cmocka_unit_test(a_clock_that_goes_back_resets_the_measurement),
		cmocka_unit_test(without_proc_a_look_fails_with_an_error),
		cmocka_unit_test(a_busy_outside_process_is_measured_on_this_host),
		cmocka_unit_test(devices_used_by_outside_processes_are_found),
		cmocka_unit_test(without_devices_no_descriptors_are_read),
		cmocka_unit_test(a_process_with_thousands_of_descriptors_is_examined_in_many_calls),
		cmocka_unit_test(many_processes_without_descriptors_are_examined_in_many_calls),
		cmocka_unit_test(a_process_that_ends_while_it_is_examined_is_skipped),
		cmocka_unit_test(a_new_list_of_devices_restarts_the_search),
		cmocka_unit_test(no_process_is_hidden_by_many_others),
	};
	return cmocka_run_group_tests_name("outside_processes", tests, NULL, NULL);
}
