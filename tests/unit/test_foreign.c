/* SPDX-License-Identifier: MIT */
/*
 * test_foreign.c - what on this host is in use by processes that belong to no job?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sched/rm/foreign.h"
#include "sched/rm/foreign_inside.h"
#include "tests/fake_root.h"

#define MB_PAGES   ((int64_t)(1 << 20) / sysconf(_SC_PAGESIZE))
#define NOBODY_UID "4000000001"

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

static struct foreign look(struct foreign_watch *w, const int64_t *pid, size_t count)
{
	struct foreign f;
	struct err err = {""};

	if (!foreign_look(w, pid, count, &f, &err))
		fail_msg("%s", err.text);
	return f;
}

static void must_load(const struct foreign *f, double load)
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

static void memory_of_others_is_seen_at_once(void **state)
{
	struct store_dir root;

	(void)state;
	a_host(&root);
	struct foreign_watch *w = foreign_watch_new(root.path);
	struct foreign f = look(w, shepherd, 2);
	must_load(&f, 0);
	assert_int_equal(f.mem_mb, 331);
	assert_int_equal(f.processes, 0);
	assert_string_equal(f.largest, "");
	f = look(w, NULL, 0);
	assert_int_equal(f.mem_mb, 331); /* too soon: the answer of before */
	at(&root, 1001);
	f = look(w, NULL, 0);
	assert_int_equal(f.mem_mb, 533);
	foreign_watch_free(w);
	remove_store_dir(&root);
}

static void a_look_in_pieces_sees_the_same(void **state)
{
	struct store_dir root;
	struct err err = {""};
	struct foreign f;
	enum look last;
	int calls = 0;

	(void)state;
	a_host(&root);
	struct foreign_watch *w = foreign_watch_new(root.path);
	look(w, shepherd, 1);
	at(&root, 1010);
	process(&root, &(struct fake){.pid = 70, .parent = 1, .name = "python3", .cpu_s = 41, .start_s = 5});
	do {
		/* The shepherds are asked for at the end alone. */
		last = foreign_look_some(w, 2, calls >= 4 ? shepherd : NULL, calls >= 4, &f, &err);
		/* The time is that of the beginning. */
		at(&root, 1015);
		calls++;
	} while (last == LOOK_ON);
	assert_int_equal(last, LOOK_DONE);
	assert_true(calls >= 5);
	must_load(&f, 4.0);
	assert_string_equal(f.largest, "python3 of " NOBODY_UID " (4.0)");
	assert_int_equal(f.mem_mb, 31); /* python3 has none now */
	/* One that has begun is completed, or given up. */
	assert_int_equal(foreign_look_some(w, 1, shepherd, 1, &f, &err), LOOK_ON);
	f = look(w, shepherd, 1);
	assert_int_equal(f.mem_mb, 31);
	assert_int_equal(foreign_look_some(w, 1, shepherd, 1, &f, &err), LOOK_ON);
	foreign_watch_free(w);
	remove_store_dir(&root);
}

static void processor_time_is_that_since_the_last_look(void **state)
{
	struct store_dir root;

	(void)state;
	a_host(&root);
	struct foreign_watch *w = foreign_watch_new(root.path);
	look(w, shepherd, 1);
	at(&root, 1010);
	process(&root, &(struct fake){.pid = 70, .parent = 1, .name = "python3", .cpu_s = 41, .start_s = 5});
	process(&root, &(struct fake){.pid = 71, .parent = 70, .name = "idle", .cpu_s = 1.2, .start_s = 5});
	process(&root, &(struct fake){.pid = 60, .parent = 50, .name = "job", .cpu_s = 400, .start_s = 5});
	process(&root, &(struct fake){.pid = 40, .parent = 60, .name = "job", .cpu_s = 400, .start_s = 5});
	process(&root, &(struct fake){.pid = 3, .parent = 2, .name = "k", .cpu_s = 400, .flags = 0x00200000});
	struct foreign f = look(w, shepherd, 1);
	must_load(&f, 4.02);
	assert_int_equal(f.processes, 1);
	assert_string_equal(f.largest, "python3 of " NOBODY_UID " (4.0)");
	at(&root, 1020);
	f = look(w, shepherd, 1);
	must_load(&f, 0);
	assert_string_equal(f.largest, "");
	foreign_watch_free(w);
	remove_store_dir(&root);
}

static void a_new_process_counts_only_what_it_used_since(void **state)
{
	struct store_dir root;

	(void)state;
	a_host(&root);
	struct foreign_watch *w = foreign_watch_new(root.path);
	look(w, shepherd, 1);
	at(&root, 1010);
	/* Begun since; begun long ago and only now seen; another one under the same pid. */
	process(&root, &(struct fake){.pid = 80, .parent = 1, .name = "new", .cpu_s = 5, .start_s = 1005});
	process(&root, &(struct fake){.pid = 81, .parent = 1, .name = "old", .cpu_s = 500, .start_s = 5});
	process(&root, &(struct fake){.pid = 71, .parent = 1, .name = "again", .cpu_s = 2, .start_s = 1008});
	struct foreign f = look(w, shepherd, 1);
	must_load(&f, 0.7);
	assert_int_equal(f.processes, 2);
	assert_string_equal(f.largest, "new of " NOBODY_UID " (0.5)");
	foreign_watch_free(w);
	remove_store_dir(&root);
}

static void what_loses_its_shepherd_counts_from_then_on(void **state)
{
	struct store_dir root;

	(void)state;
	a_host(&root);
	struct foreign_watch *w = foreign_watch_new(root.path);
	look(w, shepherd, 1);
	at(&root, 1010);
	process(&root, &(struct fake){.pid = 60, .parent = 1, .name = "left", .cpu_s = 11, .start_s = 5});
	struct foreign f = look(w, shepherd, 1);
	must_load(&f, 1.0);
	foreign_watch_free(w);
	remove_store_dir(&root);
}

static void a_name_cannot_draw_on_the_terminal(void **state)
{
	struct store_dir root;

	(void)state;
	a_host(&root);
	struct foreign_watch *w = foreign_watch_new(root.path);
	look(w, shepherd, 1);
	at(&root, 1010);
	process(&root,
		&(struct fake){
			.pid = 70, .parent = 1, .name = "\x1b]0;\xc2\x9b x)\n1 (", .cpu_s = 5, .start_s = 5});
	struct foreign f = look(w, shepherd, 1);
	assert_string_equal(f.largest, "?]0;?? x)?1 ( of " NOBODY_UID " (0.4)");
	foreign_watch_free(w);
	remove_store_dir(&root);
}

static void absurd_processes_do_no_harm(void **state)
{
	struct store_dir root;

	(void)state;
	a_host(&root);
	struct foreign_watch *w = foreign_watch_new(root.path);
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
	struct foreign f = look(w, shepherd, 1);
	must_load(&f, 0.3);
	assert_true(f.mem_mb > 331 + 3);
	foreign_watch_free(w);
	remove_store_dir(&root);
}

static void a_clock_that_goes_back_begins_again(void **state)
{
	struct store_dir root;

	(void)state;
	a_host(&root);
	struct foreign_watch *w = foreign_watch_new(root.path);
	look(w, shepherd, 1);
	at(&root, 10);
	process(&root, &(struct fake){.pid = 70, .parent = 1, .name = "python3", .cpu_s = 41, .start_s = 5});
	struct foreign f = look(w, shepherd, 1);
	must_load(&f, 0);
	foreign_watch_free(w);
	remove_store_dir(&root);
}

static void without_proc_it_says_so(void **state)
{
	struct store_dir root;
	struct foreign f;
	struct err err = {""};

	(void)state;
	make_store_dir(&root);
	struct foreign_watch *w = foreign_watch_new(root.path);
	assert_false(foreign_look(w, NULL, 0, &f, &err));
	assert_non_null(strstr(err.text, "is it mounted?"));
	fake_file(&root, "proc/uptime", "soon\n");
	assert_false(foreign_look(w, NULL, 0, &f, &err));
	foreign_watch_free(w);
	foreign_watch_free(NULL);
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
	struct foreign_watch *w = foreign_watch_new("/");
	const struct timespec a_while = {.tv_nsec = 100000000};
	struct foreign f = {0};

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
	foreign_watch_free(w);
}

static void opens(const struct store_dir *root, int64_t pid, int fd, const char *what)
{
	char path[700];

	snprintf(path, sizeof path, "proc/%" PRId64 "/fd", pid);
	fake_folder(root, path);
	snprintf(path, sizeof path, "%s/proc/%" PRId64 "/fd/%d", root->path, pid, fd);
	assert_int_equal(symlink(what, path), 0);
}

static void devices_in_use_by_others_are_seen(void **state)
{
	static const struct device device[] = {{.id = "GPU-a", .kind = "nvidia", .node = 1},
					       {.id = "GPU-b", .kind = "nvidia", .node = 0},
					       {.id = "0", .kind = "amd", .node = 128},
					       {.id = "x", .kind = "listed", .node = -1}};
	struct store_dir root;
	struct foreign_watch *w;

	(void)state;
	a_host(&root);
	w = foreign_watch_new(root.path);
	opens(&root, 60, 3, "/dev/nvidia1"); /* a job's */
	opens(&root, 60, 4, "/dev/nvidia-uvm");
	opens(&root, 71, 3, "/dev/nvidia0"); /* a screen's: it computes nothing */
	opens(&root, 71, 4, "/dev/dri/renderD128");
	look(w, shepherd, 1);
	assert_int_equal(foreign_devices(w, device, 4), 0);
	opens(&root, 70, 3, "/dev/nvidia0");
	opens(&root, 70, 4, "/dev/nvidiactl");
	opens(&root, 70, 5, "/dev/nvidia-uvm");
	opens(&root, 71, 5, "/dev/kfd");
	assert_int_equal(foreign_devices(w, device, 4), 1 << 1 | 1 << 2);
	assert_int_equal(foreign_devices(w, device, 0), 0);
	foreign_watch_free(w);
	remove_store_dir(&root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_of_others_is_seen_at_once),
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
	};
	return cmocka_run_group_tests_name("foreign", tests, NULL, NULL);
}
