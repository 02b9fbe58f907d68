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

/* Stands in for the library's: how many links have been read? */
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

static void process(const struct store_dir *root, const struct fake *p)
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

static void at(const struct store_dir *root, double uptime_s)
{
	fake_file(root, "proc/uptime", "%.2f 5.00\n", uptime_s);
}

static struct outside_use look(struct outside_watch *w, const int64_t *pid, size_t count)
{
	struct outside_use f;
	struct err err = {""};

	if (!outside_look(w, pid, count, &f, &err))
		fail_msg("%s", err.text);
	return f;
}

static void must_load(const struct outside_use *f, double load)
{
	if (f->load < load - 1e-9 || f->load > load + 1e-9)
		fail_msg("load %f, not %f", f->load, load);
}

/* init, one of eva's, a thread of the kernel, ourselves, a shepherd (50) that init has taken, its job. */
static void a_host(struct store_dir *root)
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
		process(root, &all[i]);
	fake_folder(root, "proc/sys");
	at(root, 1000);
}

static const int64_t shepherd[] = {50, 9999};

static void a_name_is_printable_and_replaces_a_longer_one(void **state)
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

static void memory_of_others_is_seen_at_once(void **state)
{
	struct store_dir root;

	(void)state;
	a_host(&root);
	struct outside_watch *w = outside_watch_new(root.path);
	struct outside_use f = look(w, shepherd, 2);
	must_load(&f, 0);
	assert_int_equal(f.mem_mb, 331);
	assert_int_equal(f.processes, 0);
	assert_string_equal(f.largest, "");
	f = look(w, NULL, 0);
	assert_int_equal(f.mem_mb, 331); /* too soon: the answer of before */
	at(&root, 1001);
	f = look(w, NULL, 0);
	assert_int_equal(f.mem_mb, 533);
	outside_watch_free(w);
	remove_store_dir(&root);
}

/* As the kernel writes them, up to the pending signals. */
static void killed(const struct store_dir *root, int64_t pid, int64_t parent, int64_t mem_mb,
		   unsigned pending)
{
	char path[64];

	snprintf(path, sizeof path, "proc/%" PRId64 "/stat", pid);
	fake_file(root, path,
		  "%" PRId64 " (hog) D %" PRId64 " 1 1 0 -1 0 9 9 9 9 1 1 0 0 20 0 1 0 500 999 %" PRId64
		  " 18446744073709551615 1 2 3 4 5 %u 0 0 0 0 0 0 17 1 0 0 0 0 0\n",
		  pid, parent, mem_mb * MB_PAGES, pending);
}

/* As the kernel writes them: a tracer keeps it where it has exited, and no signal is pending any more. */
static void exiting(const struct store_dir *root, const char *path, char letter, unsigned flags, int threads,
		    int64_t mem_mb)
{
	fake_file(root, path,
		  "72 (hog) %c 1 1 1 0 -1 %u 9 9 9 9 1 1 0 0 20 0 %d 0 500 999 %" PRId64
		  " 18446744073709551615 1 2 3 4 5 0 0 0 0 0 0 0 17 1 0 0 0 0 0\n",
		  letter, flags, threads, mem_mb * MB_PAGES);
}

static void memory_of_processes_that_are_stopped_while_they_exit_is_told_apart(void **state)
{
	static const unsigned flags[] = {0x400408, 0x4, 0x8, 0x400};
	struct store_dir root;

	(void)state;
	a_host(&root);
	struct outside_watch *w = outside_watch_new(root.path);
	for (int i = 0; i < 4; i++) {
		exiting(&root, "proc/72/stat", 't', flags[i], 1, 300);
		at(&root, 1000 + i);
		assert_int_equal(look(w, NULL, 0).stuck_mb, 300);
	}
	exiting(&root, "proc/72/stat", 't', 0x400000, 1, 300); /* stopped by a debugger */
	at(&root, 1010);
	assert_int_equal(look(w, NULL, 0).stuck_mb, 0);
	outside_watch_free(w);
	remove_store_dir(&root);
}

/* /proc says nothing of its memory, but the other threads have it. */
static void memory_of_a_process_whose_first_thread_has_ended_is_seen(void **state)
{
	struct store_dir root;

	(void)state;
	a_host(&root);
	struct outside_watch *w = outside_watch_new(root.path);
	int64_t before_mb = look(w, NULL, 0).mem_mb;
	exiting(&root, "proc/72/stat", 'Z', 0x40000c, 3, 0);
	exiting(&root, "proc/72/task/72/stat", 'Z', 0x40000c, 3, 0);
	exiting(&root, "proc/72/task/73/stat", 'Z', 0x40000c, 3, 0);
	exiting(&root, "proc/72/task/74/stat", 'S', 0x400000, 3, 300);
	at(&root, 1010);
	struct outside_use f = look(w, NULL, 0);
	assert_int_equal(f.mem_mb, before_mb + 300);
	assert_int_equal(f.stuck_mb, 0);
	exiting(&root, "proc/72/task/74/stat", 't', 0x400408, 3, 300);
	at(&root, 1020);
	assert_int_equal(look(w, NULL, 0).stuck_mb, 300);
	outside_watch_free(w);
	remove_store_dir(&root);
}

static void memory_of_processes_that_cannot_be_killed_is_told_apart(void **state)
{
	struct store_dir root;

	(void)state;
	a_host(&root);
	killed(&root, 70, 1, 300, 1 << (SIGKILL - 1) | 1 << (SIGTERM - 1));
	killed(&root, 71, 1, 30, 1 << (SIGTERM - 1));
	killed(&root, 60, 50, 100, 1 << (SIGKILL - 1)); /* its shepherd is at it */
	struct outside_watch *w = outside_watch_new(root.path);
	struct outside_use f = look(w, shepherd, 2);
	assert_int_equal(f.stuck_mb, 300);
	/* 900 MB, by what each of them has resident, and the host has no more than 500 in use. */
	fake_file(&root, "proc/meminfo", "MemTotal: 1024000 kB\nMemFree: 1 kB\nMemAvailable: 512000 kB\n");
	killed(&root, 71, 1, 600, 1 << (SIGKILL - 1));
	at(&root, 1010);
	f = look(w, shepherd, 2);
	assert_int_equal(f.stuck_mb, 500);
	killed(&root, 70, 1, 0, 1 << (SIGKILL - 1));
	killed(&root, 71, 1, 0, 1 << (SIGKILL - 1));
	at(&root, 1020);
	f = look(w, shepherd, 2);
	assert_int_equal(f.stuck_mb, 0);
	outside_watch_free(w);
	remove_store_dir(&root);
}

static void a_look_in_pieces_sees_the_same(void **state)
{
	struct store_dir root;
	struct err err = {""};
	struct outside_use f;
	enum look last;
	int calls = 0;

	(void)state;
	a_host(&root);
	struct outside_watch *w = outside_watch_new(root.path);
	look(w, shepherd, 1);
	at(&root, 1010);
	process(&root, &(struct fake){.pid = 70, .parent = 1, .name = "python3", .cpu_s = 41, .start_s = 5});
	do {
		/* The shepherds are asked for at the end alone. */
		last = outside_look_some(w, 2, calls >= 4 ? shepherd : NULL, calls >= 4, &f, &err);
		/* The time is that of the beginning. */
		at(&root, 1015);
		calls++;
	} while (last == LOOK_ON);
	assert_int_equal(last, LOOK_DONE);
	assert_true(calls >= 5);
	must_load(&f, 4.0);
	assert_string_equal(f.largest, "python3 of " NOBODY_UID);
	assert_true(fabs(f.largest_load - 4.0) < 0.05);
	assert_int_equal(f.mem_mb, 31); /* python3 has none now */
	/* One that has begun is completed, or given up. */
	assert_int_equal(outside_look_some(w, 1, shepherd, 1, &f, &err), LOOK_ON);
	f = look(w, shepherd, 1);
	assert_int_equal(f.mem_mb, 31);
	assert_int_equal(outside_look_some(w, 1, shepherd, 1, &f, &err), LOOK_ON);
	outside_watch_free(w);
	remove_store_dir(&root);
}

static void processor_time_is_that_since_the_last_look(void **state)
{
	struct store_dir root;

	(void)state;
	a_host(&root);
	struct outside_watch *w = outside_watch_new(root.path);
	look(w, shepherd, 1);
	at(&root, 1010);
	process(&root, &(struct fake){.pid = 70, .parent = 1, .name = "python3", .cpu_s = 41, .start_s = 5});
	process(&root, &(struct fake){.pid = 71, .parent = 70, .name = "idle", .cpu_s = 1.2, .start_s = 5});
	process(&root, &(struct fake){.pid = 60, .parent = 50, .name = "job", .cpu_s = 400, .start_s = 5});
	process(&root, &(struct fake){.pid = 40, .parent = 60, .name = "job", .cpu_s = 400, .start_s = 5});
	process(&root, &(struct fake){.pid = 3, .parent = 2, .name = "k", .cpu_s = 400, .flags = 0x00200000});
	struct outside_use f = look(w, shepherd, 1);
	must_load(&f, 4.02);
	assert_int_equal(f.processes, 1);
	assert_string_equal(f.largest, "python3 of " NOBODY_UID);
	assert_true(fabs(f.largest_load - 4.0) < 0.05);
	at(&root, 1020);
	f = look(w, shepherd, 1);
	must_load(&f, 0);
	assert_string_equal(f.largest, "");
	outside_watch_free(w);
	remove_store_dir(&root);
}

static void a_new_process_counts_only_what_it_used_since(void **state)
{
	struct store_dir root;

	(void)state;
	a_host(&root);
	struct outside_watch *w = outside_watch_new(root.path);
	look(w, shepherd, 1);
	at(&root, 1010);
	/* Begun since; begun long ago and only now seen; another one under the same pid. */
	process(&root, &(struct fake){.pid = 80, .parent = 1, .name = "new", .cpu_s = 5, .start_s = 1005});
	process(&root, &(struct fake){.pid = 81, .parent = 1, .name = "old", .cpu_s = 500, .start_s = 5});
	process(&root, &(struct fake){.pid = 71, .parent = 1, .name = "again", .cpu_s = 2, .start_s = 1008});
	struct outside_use f = look(w, shepherd, 1);
	must_load(&f, 0.7);
	assert_int_equal(f.processes, 2);
	assert_string_equal(f.largest, "new of " NOBODY_UID);
	assert_true(fabs(f.largest_load - 0.5) < 0.05);
	outside_watch_free(w);
	remove_store_dir(&root);
}

static void what_loses_its_shepherd_counts_from_then_on(void **state)
{
	struct store_dir root;

	(void)state;
	a_host(&root);
	struct outside_watch *w = outside_watch_new(root.path);
	look(w, shepherd, 1);
	at(&root, 1010);
	process(&root, &(struct fake){.pid = 60, .parent = 1, .name = "left", .cpu_s = 11, .start_s = 5});
	struct outside_use f = look(w, shepherd, 1);
	must_load(&f, 1.0);
	outside_watch_free(w);
	remove_store_dir(&root);
}

static void a_name_cannot_draw_on_the_terminal(void **state)
{
	struct store_dir root;

	(void)state;
	a_host(&root);
	struct outside_watch *w = outside_watch_new(root.path);
	look(w, shepherd, 1);
	at(&root, 1010);
	process(&root,
		&(struct fake){
			.pid = 70, .parent = 1, .name = "\x1b]0;\xc2\x9b x)\n1 (", .cpu_s = 5, .start_s = 5});
	struct outside_use f = look(w, shepherd, 1);
	assert_string_equal(f.largest, "?]0;?? x)?1 ( of " NOBODY_UID);
	assert_true(fabs(f.largest_load - 0.4) < 0.05);
	outside_watch_free(w);
	remove_store_dir(&root);
}

static void absurd_processes_do_no_harm(void **state)
{
	struct store_dir root;

	(void)state;
	a_host(&root);
	struct outside_watch *w = outside_watch_new(root.path);
	look(w, shepherd, 1);
	at(&root, 1010);
	fake_folder(&root, "proc/90/stat");
	fake_folder(&root, "proc/91");
	fake_file(&root, "proc/92/stat", "92 (x) S");
	fake_file(&root, "proc/93/stat", "%s", "");
	fake_file(&root, "proc/94/stat", ")(");
	fake_file(&root, "proc/99999999999999999999999999999/stat",
		  "1 (x) S 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n");
	process(&root,
		&(struct fake){
			.pid = 95, .parent = 96, .name = "ring", .cpu_s = 1, .start_s = 1005, .mem_mb = 1});
	process(&root,
		&(struct fake){
			.pid = 96, .parent = 95, .name = "ring", .cpu_s = 1, .start_s = 1005, .mem_mb = 1});
	process(&root,
		&(struct fake){
			.pid = 97, .parent = 97, .name = "self", .cpu_s = 1, .start_s = 1005, .mem_mb = 1});
	fake_file(&root, "proc/98/stat",
		  "98 (huge) R 1 1 1 1 1 0 1 1 1 1 99999999999999999999 -5 1 1 1 1 1 1 5 1 "
		  "99999999999999999999\n");
	struct outside_use f = look(w, shepherd, 1);
	must_load(&f, 0.3);
	assert_true(f.mem_mb > 331 + 3);
	outside_watch_free(w);
	remove_store_dir(&root);
}

static void a_clock_that_goes_back_begins_again(void **state)
{
	struct store_dir root;

	(void)state;
	a_host(&root);
	struct outside_watch *w = outside_watch_new(root.path);
	look(w, shepherd, 1);
	at(&root, 10);
	process(&root, &(struct fake){.pid = 70, .parent = 1, .name = "python3", .cpu_s = 41, .start_s = 5});
	struct outside_use f = look(w, shepherd, 1);
	must_load(&f, 0);
	outside_watch_free(w);
	remove_store_dir(&root);
}

static void without_proc_it_says_so(void **state)
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

/* One that lost its parent and uses a processor until it is killed; its pid. */
static pid_t spin_apart(void)
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

/* Looks until it is seen, for as long as there is a stranger. */
static void a_busy_stranger_is_seen_here(void **state)
{
	struct outside_watch *w = outside_watch_new("/");
	const struct timespec a_while = {.tv_nsec = 100000000};
	struct outside_use f = {0};

	(void)state;
	look(w, NULL, 0);
	pid_t stranger = spin_apart();
	for (int i = 0; i < 550 && f.processes == 0; i++) {
		nanosleep(&a_while, NULL);
		f = look(w, NULL, 0);
	}
	kill(stranger, SIGKILL);
	assert_true(f.load > 0.05);
	assert_true(f.processes > 0);
	assert_true(f.mem_mb > 0);
	assert_non_null(strstr(f.largest, " of "));
	outside_watch_free(w);
}

static void opens(const struct store_dir *root, int64_t pid, int fd, const char *what)
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

static void closes(const struct store_dir *root, int64_t pid, int fd)
{
	char path[700];

	snprintf(path, sizeof path, "%s/proc/%" PRId64 "/fd/%d", root->path, pid, fd);
	assert_int_equal(unlink(path), 0);
}

/* So many descriptors that are of no device. */
static void opens_many(const struct store_dir *root, int64_t pid, int count)
{
	for (int fd = 100; fd < 100 + count; fd++)
		opens(root, pid, fd, "/dev/null");
}

static void an_outside_process(const struct store_dir *root, int64_t pid)
{
	process(root, &(struct fake){.pid = pid, .parent = 1, .name = "python3", .cpu_s = 1, .start_s = 5});
}

static int descriptors_here(void)
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

static void devices_in_use_by_others_are_seen(void **state)
{
	struct store_dir root;
	struct outside_watch *w;

	(void)state;
	a_host(&root);
	w = outside_watch_new(root.path);
	outside_watch_devices(w, board, 4);
	opens(&root, 60, 3, "/dev/nvidia1"); /* a job's */
	opens(&root, 60, 4, "/dev/nvidia-uvm");
	opens(&root, 71, 3, "/dev/nvidia0"); /* a screen's: it computes nothing */
	opens(&root, 71, 4, "/dev/dri/renderD128");
	look(w, shepherd, 1);
	assert_int_equal(outside_devices(w), 0);
	opens(&root, 70, 3, "/dev/nvidia0");
	opens(&root, 70, 4, "/dev/nvidiactl");
	opens(&root, 70, 5, "/dev/nvidia-uvm");
	opens(&root, 71, 5, "/dev/kfd");
	at(&root, 1010);
	look(w, shepherd, 1);
	assert_int_equal(outside_devices(w), 1 << 1 | 1 << 2);
	/* The same list again changes nothing; of another one nothing is known yet. */
	outside_watch_devices(w, board, 4);
	assert_int_equal(outside_devices(w), 1 << 1 | 1 << 2);
	outside_watch_devices(w, board + 1, 3);
	assert_int_equal(outside_devices(w), 0);
	at(&root, 1020);
	look(w, shepherd, 1);
	assert_int_equal(outside_devices(w), 1 << 0 | 1 << 1);
	closes(&root, 70, 5);
	at(&root, 1030);
	look(w, shepherd, 1);
	assert_int_equal(outside_devices(w), 1 << 1);
	outside_watch_free(w);
	remove_store_dir(&root);
}

static void without_devices_nobody_is_examined(void **state)
{
	struct store_dir root;
	struct outside_watch *w;

	(void)state;
	a_host(&root);
	w = outside_watch_new(root.path);
	opens(&root, 70, 3, "/dev/nvidia0");
	opens(&root, 70, 4, "/dev/nvidia-uvm");
	links_read = 0;
	look(w, shepherd, 1);
	assert_int_equal(outside_devices(w), 0);
	/* One that is known by its name alone cannot be seen. */
	outside_watch_devices(w, board + 3, 1);
	at(&root, 1010);
	look(w, shepherd, 1);
	assert_int_equal(links_read, 0);
	/* The wish ends while it is examined. */
	outside_watch_devices(w, board, 4);
	at(&root, 1020);
	struct outside_use f;
	struct err err = {""};
	do
		assert_int_equal(outside_look_some(w, 1, shepherd, 1, &f, &err), LOOK_ON);
	while (links_read == 0);
	outside_watch_devices(w, NULL, 0);
	links_read = 0;
	assert_int_equal(outside_look_some(w, 1, shepherd, 1, &f, &err), LOOK_DONE);
	assert_int_equal(links_read, 0);
	assert_int_equal(f.mem_mb, 331);
	outside_watch_free(w);
	remove_store_dir(&root);
}

/* Calls until the look is done; none reads more than it may, and until then the answer is `before`. */
static int calls_until_done(struct outside_watch *w, size_t most, uint64_t before)
{
	enum look last = LOOK_ON;
	struct err err = {""};
	struct outside_use f;
	int calls = 0;

	for (; last == LOOK_ON; calls++) {
		assert_int_equal(outside_devices(w), before);
		links_read = 0;
		last = outside_look_some(w, most, shepherd, 1, &f, &err);
		assert_true(links_read <= most * OUTSIDE_OPEN_EACH);
	}
	assert_int_equal(last, LOOK_DONE);
	return calls;
}

static void a_process_with_thousands_of_descriptors_is_examined_in_many_calls(void **state)
{
	struct store_dir root;

	(void)state;
	a_host(&root);
	struct outside_watch *w = outside_watch_new(root.path);
	outside_watch_devices(w, board, 4);
	opens(&root, 71, 3, "/dev/kfd");
	opens(&root, 71, 4, "/dev/dri/renderD128");
	look(w, shepherd, 1);
	assert_int_equal(outside_devices(w), 1 << 2);

	/* Below and behind the crowd, and another one; the first has closed what it had. */
	closes(&root, 71, 3);
	opens(&root, 70, 3, "/dev/nvidia-uvm");
	opens_many(&root, 70, 3000);
	opens(&root, 70, 5000, "/dev/nvidia0");
	an_outside_process(&root, 80);
	opens(&root, 80, 3, "/dev/nvidia-uvm");
	opens(&root, 80, 4, "/dev/nvidia1");
	at(&root, 1010);
	int calls = calls_until_done(w, 16, 1 << 2);
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
	a_host(&root);
	struct outside_watch *w = outside_watch_new(root.path);
	outside_watch_devices(w, board, 4);
	for (int64_t pid = 200; pid < 240; pid++)
		an_outside_process(&root, pid);
	opens(&root, 239, 3, "/dev/nvidia0");
	opens(&root, 239, 4, "/dev/nvidia-uvm");
	/* 40 and some to be read, as many to be examined: those without a descriptor cost something, too. */
	assert_true(calls_until_done(w, 4, 0) >= 20);
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
	a_host(&root);
	int before = descriptors_here();
	struct outside_watch *w = outside_watch_new(root.path);
	outside_watch_devices(w, board, 4);
	opens_many(&root, 70, 20);
	opens_many(&root, 71, 20);
	an_outside_process(&root, 80);
	opens(&root, 80, 3, "/dev/nvidia-uvm");
	opens(&root, 80, 4, "/dev/nvidia1");
	links_read = 0;
	do
		assert_int_equal(outside_look_some(w, 1, shepherd, 1, &f, &err), LOOK_ON);
	while (links_read == 0);
	for (int64_t pid = 70; pid <= 71; pid++) {
		snprintf(open, sizeof open, "%s/proc/%" PRId64 "/fd", root.path, pid);
		snprintf(gone, sizeof gone, "%s/gone%" PRId64, root.path, pid);
		assert_int_equal(rename(open, gone), 0);
	}
	calls_until_done(w, 1, 0);
	assert_int_equal(outside_devices(w), 1 << 0);
	assert_int_equal(descriptors_here(), before);
	/* One that is given up leaves nothing open. */
	at(&root, 1010);
	opens_many(&root, 80, 20);
	links_read = 0;
	do
		assert_int_equal(outside_look_some(w, 1, shepherd, 1, &f, &err), LOOK_ON);
	while (links_read == 0);
	assert_int_equal(descriptors_here(), before + 1);
	outside_watch_free(w);
	assert_int_equal(descriptors_here(), before);
	remove_store_dir(&root);
}

static void another_list_of_devices_begins_the_search_again(void **state)
{
	struct store_dir root;
	struct err err = {""};
	struct outside_use f;

	(void)state;
	a_host(&root);
	struct outside_watch *w = outside_watch_new(root.path);
	outside_watch_devices(w, board + 2, 1);
	opens(&root, 70, 3, "/dev/nvidia-uvm");
	opens(&root, 70, 4, "/dev/nvidia1");
	opens_many(&root, 71, 20);
	do {
		links_read = 0;
		assert_int_equal(outside_look_some(w, 2, shepherd, 1, &f, &err), LOOK_ON);
	} while (links_read < 2 * OUTSIDE_OPEN_EACH - 2); /* it is beyond process 70 */
	outside_watch_devices(w, board, 2);
	calls_until_done(w, 2, 0);
	assert_int_equal(outside_devices(w), 1 << 0);
	outside_watch_free(w);
	remove_store_dir(&root);
}

/* 60 processes that let themselves seem to have all descriptors that are read of one process. */
static void nobody_is_hidden_behind_a_crowd(void **state)
{
	struct store_dir root;
	char target[700], path[700];
	size_t sum[3];

	(void)state;
	a_host(&root);
	struct outside_watch *w = outside_watch_new(root.path);
	outside_watch_devices(w, board, 4);
	opens(&root, 71, 3, "/dev/kfd");
	opens(&root, 71, 4, "/dev/dri/renderD128");
	opens_many(&root, 200, 5000);
	snprintf(target, sizeof target, "%s/proc/200/fd", root.path);
	for (int64_t pid = 200; pid < 260; pid++) {
		an_outside_process(&root, pid);
		snprintf(path, sizeof path, "%s/proc/%" PRId64 "/fd", root.path, pid);
		if (pid > 200)
			assert_int_equal(symlink(target, path), 0);
	}
	an_outside_process(&root, 300);
	opens(&root, 300, 3, "/dev/nvidia-uvm");
	opens(&root, 300, 4, "/dev/nvidia0");
	for (int i = 0; i < 3; i++) {
		links_read = 0;
		at(&root, 1000 + i * 10);
		look(w, shepherd, 1);
		sum[i] = links_read;
		/* The last one is beyond the first look's part, and stays known while the round begins again.
		 */
		assert_int_equal(outside_devices(w), i == 0 ? 1 << 2 : 1 << 1 | 1 << 2);
	}
	assert_true(sum[0] >= 200000 && sum[0] <= 200000 + 4096);
	/* 60 processes of 4096, and a few. */
	assert_true(sum[0] + sum[1] >= 60 * 4096 && sum[0] + sum[1] < 60 * 4096 + 100);
	assert_true(sum[2] >= 200000);
	/* Without the crowd one look is a round, and what was closed is no longer in use. */
	for (int64_t pid = 200; pid < 260; pid++) {
		snprintf(path, sizeof path, "%s/proc/%" PRId64 "/stat", root.path, pid);
		assert_int_equal(unlink(path), 0);
	}
	closes(&root, 71, 3);
	closes(&root, 300, 3);
	for (int i = 3; i < 5; i++) {
		at(&root, 1000 + i * 10);
		look(w, shepherd, 1);
	}
	assert_int_equal(outside_devices(w), 0);
	outside_watch_free(w);
	remove_store_dir(&root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_name_is_printable_and_replaces_a_longer_one),
		cmocka_unit_test(memory_of_others_is_seen_at_once),
		cmocka_unit_test(memory_of_processes_that_cannot_be_killed_is_told_apart),
		cmocka_unit_test(memory_of_processes_that_are_stopped_while_they_exit_is_told_apart),
		cmocka_unit_test(memory_of_a_process_whose_first_thread_has_ended_is_seen),
		cmocka_unit_test(a_look_in_pieces_sees_the_same),
		cmocka_unit_test(processor_time_is_that_since_the_last_look),
		cmocka_unit_test(a_new_process_counts_only_what_it_used_since),
		cmocka_unit_test(what_loses_its_shepherd_counts_from_then_on),
		cmocka_unit_test(a_name_cannot_draw_on_the_terminal),
		cmocka_unit_test(absurd_processes_do_no_harm),
		cmocka_unit_test(a_clock_that_goes_back_begins_again),
		cmocka_unit_test(without_proc_it_says_so),
		cmocka_unit_test(a_busy_stranger_is_seen_here),
		cmocka_unit_test(devices_in_use_by_others_are_seen),
		cmocka_unit_test(without_devices_nobody_is_examined),
		cmocka_unit_test(a_process_with_thousands_of_descriptors_is_examined_in_many_calls),
		cmocka_unit_test(many_processes_without_descriptors_are_examined_in_many_calls),
		cmocka_unit_test(a_process_that_ends_while_it_is_examined_is_skipped),
		cmocka_unit_test(another_list_of_devices_begins_the_search_again),
		cmocka_unit_test(nobody_is_hidden_behind_a_crowd),
	};
	return cmocka_run_group_tests_name("outside_processes", tests, NULL, NULL);
}
