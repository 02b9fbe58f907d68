/* SPDX-License-Identifier: MIT */
/*
 * test_spool.c - states of spool files and the fate of their jobs
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sched/rm/spool.h"
#include "tests/store_dir.h"

#define THIS_BOOT  "11111111-2222-3333-4444-555555555555"
#define OTHER_BOOT "99999999-2222-3333-4444-555555555555"

static const struct spool_begun begun = {.boot_id = THIS_BOOT,
					 .pid = 4711,
					 .pid_start = 123456789,
					 .begun_s = 1774359000,
					 .level = HOLD_KILL_ONLY,
					 .uid = 1001,
					 .cpus = "0-3",
					 .devices = "GPU-1"};
static const struct spool_ended ended = {.reason = END_WALL_LIMIT,
					 .status = 256 + 15,
					 .begun_s = 1774359000,
					 .ended_s = 1774362600,
					 .run_ms = 3600000,
					 .user_ms = 7000000,
					 .system_ms = -1,
					 .mem_peak_kb = 4096,
					 .survivors = 2,
					 .text = "a sentence"};

static struct store_dir dir;
static int folder;
static struct spool spool;
static struct err err;

static int make_folder(void **state)
{
	(void)state;
	make_store_dir(&dir);
	folder = open(dir.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	memset(&err, 0, sizeof err);
	return folder < 0;
}

static int remove_folder(void **state)
{
	(void)state;
	close(folder);
	remove_store_dir(&dir);
	return 0;
}

static enum spool_fate judge(uint64_t job)
{
	return spool_judge(folder, job, 1, THIS_BOOT, &spool, &err);
}

static bool is_there(const char *name)
{
	return faccessat(folder, name, F_OK, 0) == 0;
}

static void a_spool_file_is_created_only_once(void **state)
{
	int fd = spool_create(folder, 12, 1);
	struct stat st;

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(spool_create(folder, 12, 1), -1);
	assert_int_equal(errno, EEXIST);
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(st.st_size, SPOOL_SIZE);
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_true(st.st_blocks * 512 >= SPOOL_SIZE ||
		    st.st_blocks == 0); /* 0: not allocated until written back */
	close(fd);
	fd = spool_create(folder, 12, 2);
	assert_true(fd >= 0);
	close(fd);
}

static void without_a_file_the_job_was_not_started(void **state)
{
	(void)state;
	assert_int_equal(judge(12), SPOOL_NONE);
	assert_false(spool_read(folder, 12, 1, &spool, &err));
	assert_string_equal(err.text, "the spool file 12.1 cannot be read: No such file or directory");
	assert_true(spool_remove(folder, 12, 1, &err));
}

static void a_job_is_alive_while_its_file_is_locked(void **state)
{
	int fd = spool_create(folder, 12, 1);

	(void)state;
	assert_int_equal(judge(12), SPOOL_ALIVE);
	assert_false(spool.has_begun);
	assert_true(spool_write_begun(fd, &begun));
	assert_int_equal(judge(12), SPOOL_ALIVE);
	assert_true(spool.has_begun && !spool.has_ended);
	assert_int_equal(spool.job, 12);
	assert_int_equal(spool.begun.pid, 4711);
	assert_int_equal(spool.begun.pid_start, 123456789);
	assert_int_equal(spool.begun.level, HOLD_KILL_ONLY);
	assert_string_equal(spool.begun.boot_id, THIS_BOOT);
	assert_string_equal(spool.begun.cpus, "0-3");
	assert_string_equal(spool.begun.devices, "GPU-1");
	assert_true(spool_write_ended(fd, &ended) && spool_sync(fd));
	assert_int_equal(judge(12), SPOOL_ALIVE); /* alive while its epilog runs */
	close(fd);
	assert_int_equal(judge(12), SPOOL_ENDED);
}

static void a_file_without_a_begun_job_is_removed(void **state)
{
	(void)state;
	close(spool_create(folder, 12, 1));
	assert_true(is_there("12.1"));
	assert_int_equal(judge(12), SPOOL_NONE);
	assert_false(is_there("12.1"));
}

static void a_begun_job_without_an_end_is_lost(void **state)
{
	int fd = spool_create(folder, 12, 1);

	(void)state;
	spool_write_begun(fd, &begun);
	close(fd);
	assert_int_equal(judge(12), SPOOL_LOST);
	assert_string_equal(err.text, "its shepherd was killed, so its exit status is unknown");
	assert_true(is_there("12.1"));
}

static void a_recorded_end_is_read_unchanged(void **state)
{
	int fd = spool_create(folder, 12, 1);
	const struct spool_ended *e = &spool.ended;

	(void)state;
	spool_write_begun(fd, &begun);
	spool_write_ended(fd, &ended);
	close(fd);
	assert_int_equal(judge(12), SPOOL_ENDED);
	assert_true(e->reason == END_WALL_LIMIT && e->status == 256 + 15 && e->survivors == 2);
	assert_true(e->ended_s == 1774362600 && e->run_ms == 3600000 && e->user_ms == 7000000);
	assert_true(e->system_ms == -1 && e->mem_peak_kb == 4096 && e->begun_s == 1774359000);
	assert_string_equal(e->text, "a sentence");
	assert_true(spool_remove(folder, 12, 1, &err));
	assert_int_equal(judge(12), SPOOL_NONE);
}

static void after_a_reboot_a_job_without_an_end_is_lost(void **state)
{
	int fd = spool_create(folder, 12, 1), other = spool_create(folder, 13, 1);

	(void)state;
	spool_write_begun(fd, &begun);
	assert_int_equal(spool_judge(folder, 12, 1, OTHER_BOOT, &spool, &err),
			 SPOOL_LOST); /* even with a lock */
	assert_string_equal(err.text, "the machine went down while the job was running");
	spool_write_begun(other, &begun);
	spool_write_ended(other, &ended);
	assert_int_equal(spool_judge(folder, 13, 1, OTHER_BOOT, &spool, &err), SPOOL_ENDED);
	close(fd);
	close(other);
}

static void usage_is_rewritten_and_read_without_a_lock(void **state)
{
	struct spool_usage usage = {.at_s = 1774359005, .cpu_ms = 100, .mem_kb = 7, .mem_peak_kb = 9};
	int fd = spool_create(folder, 12, 1);

	(void)state;
	assert_true(spool_read(folder, 12, 1, &spool, &err));
	assert_false(spool.has_usage);
	for (uint32_t i = 1; i <= 3; i++) {
		usage.processes = i;
		usage.suspended = i == 3;
		assert_true(spool_write_usage(fd, &usage));
		assert_true(spool_read(folder, 12, 1, &spool, &err));
		assert_true(spool.has_usage && spool.usage.processes == i && spool.usage.cpu_ms == 100);
		assert_true(spool.usage.suspended == (i == 3) && spool.usage.mem_peak_kb == 9);
	}
	close(fd);
}

static void flip(const char *name, off_t at)
{
	int fd = openat(folder, name, O_RDWR | O_CLOEXEC);
	unsigned char byte;

	assert_int_equal(pread(fd, &byte, 1, at), 1);
	byte ^= 1;
	assert_int_equal(pwrite(fd, &byte, 1, at), 1);
	close(fd);
}

static void write_spool_file(uint64_t job, bool with_end)
{
	int fd = spool_create(folder, job, 1);

	spool_write_begun(fd, &begun);
	if (with_end)
		spool_write_ended(fd, &ended);
	close(fd);
}

/* The checksum of a part also covers the zeros at its end. */
static void flipped_bits_are_detected(void **state)
{
	static const off_t of_begun[] = {0, 3, 4, 7, 8, 60, 1023};

	(void)state;
	for (size_t i = 0; i < sizeof of_begun / sizeof of_begun[0]; i++) {
		write_spool_file(i, false);
		flip((char[]){(char)('0' + i), '.', '1', '\0'}, of_begun[i]);
		assert_int_equal(judge(i), SPOOL_LOST);
		assert_string_equal(err.text, "its spool file is damaged, so the job may have run");
		assert_false(spool.has_begun);
	}
	for (size_t i = 0; i < sizeof of_begun / sizeof of_begun[0]; i++) {
		char name[] = {'2', (char)('0' + i), '.', '1', '\0'};

		write_spool_file(20 + i, true);
		flip(name, 2048 + of_begun[i]);
		assert_int_equal(judge(20 + i), SPOOL_LOST);
		assert_string_equal(err.text, "the record of its end in the spool file is damaged");
	}
}

static void short_files_and_other_file_types_are_handled(void **state)
{
	int fd = openat(folder, "12.1", O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	(void)state;
	assert_int_equal(write(fd, "\0\0\0", 3), 3);
	close(fd);
	assert_int_equal(judge(12), SPOOL_NONE);
	assert_int_equal(mkdirat(folder, "13.1", 0700), 0);
	assert_int_equal(judge(13), SPOOL_LOST);
	assert_string_equal(err.text, "the spool file 13.1 cannot be read: Is a directory");
	assert_int_equal(symlinkat("/etc/passwd", folder, "14.1"), 0);
	assert_int_equal(judge(14), SPOOL_LOST);
	assert_int_equal(mkfifoat(folder, "15.1", 0600), 0);
	assert_int_equal(judge(15), SPOOL_LOST);
}

/* A child locks and removes the file as soon as it exists, while spool_create waits for the lock. */
static void a_file_removed_during_its_creation_is_stale(void **state)
{
	int ready[2], status;
	pid_t judge_pid;

	(void)state;
	assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
	judge_pid = fork();
	if (judge_pid == 0) {
		int fd;

		if (write(ready[1], "", 1) != 1)
			_exit(1);
		while ((fd = openat(folder, "12.1", O_RDWR | O_CLOEXEC)) < 0)
			;
		/* If this process locks the file first, spool_create must fail with ESTALE; otherwise it
		 * succeeds. */
		if (flock(fd, LOCK_EX | LOCK_NB) != 0)
			_exit(2);
		unlinkat(folder, "12.1", 0);
		_exit(0);
	}
	assert_int_equal(read(ready[0], (char[1]){0}, 1), 1);
	int fd = spool_create(folder, 12, 1), why = errno;

	assert_int_equal(waitpid(judge_pid, &status, 0), judge_pid);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) != 1);
	if (WEXITSTATUS(status) == 0) {
		assert_int_equal(fd, -1);
		assert_int_equal(why, ESTALE);
	} else {
		assert_true(fd >= 0);
		close(fd);
	}
	close(ready[0]);
	close(ready[1]);
}

/* The file size limit fails the write as a full disk does; no file is left behind. */
static void without_disk_space_no_file_is_created(void **state)
{
	struct rlimit before, small = {.rlim_cur = 1000};
	int fd, why;

	(void)state;
	getrlimit(RLIMIT_FSIZE, &before);
	small.rlim_max = before.rlim_max;
	setrlimit(RLIMIT_FSIZE, &small);
	fd = spool_create(folder, 12, 1);
	why = errno;
	setrlimit(RLIMIT_FSIZE, &before);
	assert_int_equal(fd, -1);
	assert_int_equal(why, ENOSPC);
	assert_false(is_there("12.1"));
}

/* A process without a free descriptor cannot read the file, which says nothing about the job. */
static void a_file_that_cannot_be_opened_now_does_not_make_its_job_lost(void **state)
{
	struct rlimit before, none = {.rlim_cur = 0};
	enum spool_fate fate;

	(void)state;
	write_spool_file(12, true);
	getrlimit(RLIMIT_NOFILE, &before);
	none.rlim_max = before.rlim_max;
	setrlimit(RLIMIT_NOFILE, &none);
	fate = spool_judge(folder, 12, 1, THIS_BOOT, &spool, &err);
	setrlimit(RLIMIT_NOFILE, &before);
	assert_int_equal(fate, SPOOL_ALIVE);
	assert_false(spool.has_begun);
	assert_int_equal(spool_judge(folder, 12, 1, THIS_BOOT, &spool, &err), SPOOL_ENDED);
}

static void boot_id_and_process_start_are_read(void **state)
{
	char boot[BOOT_ID];

	(void)state;
	assert_true(spool_boot_id(boot, &err));
	assert_int_equal(strlen(boot), BOOT_ID - 1);
	assert_true(spool_pid_start(getpid()) > 0);
	assert_true(spool_pid_start(getpid()) >= spool_pid_start(getppid()));
	assert_int_equal(spool_pid_start(0), -1);
	assert_int_equal(spool_pid_start(INT64_C(4000000000)), -1);
}

static void a_process_that_cannot_be_examined_is_not_gone(void **state)
{
	int64_t start = spool_pid_start(getpid());
	struct rlimit before, none;

	(void)state;
	assert_false(spool_pid_is_gone(getpid(), start));
	assert_true(spool_pid_is_gone(getpid(), start + 1));
	assert_true(spool_pid_is_gone(INT64_C(4000000000), start));
	assert_true(spool_pid_is_gone(0, start));
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	none = (struct rlimit){.rlim_cur = 0, .rlim_max = before.rlim_max};
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
	bool gone = spool_pid_is_gone(getpid(), start);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
	assert_false(gone);
}

/* The manager looks up the start time of a process for each job, so no descriptor may be leaked. */
static void look_ups_of_boot_and_process_leak_no_descriptor(void **state)
{
	int next = dup(STDOUT_FILENO);
	char boot[BOOT_ID];

	(void)state;
	assert_true(next >= 0);
	close(next);
	assert_true(spool_boot_id(boot, &err));
	assert_true(spool_pid_start(getpid()) > 0);
	assert_int_equal(dup(STDOUT_FILENO), next);
	close(next);
}

static void processors_of_a_resumed_job_are_read_once(void **state)
{
	char cpus[SPOOL_LIST], longest[SPOOL_LIST + 1] = "";

	(void)state;
	assert_false(spool_take_cpus(folder, 12, 1, cpus));
	assert_true(spool_write_cpus(folder, 12, 1, "0-3,8"));
	assert_true(spool_write_cpus(folder, 12, 1, "2"));
	assert_false(spool_take_cpus(folder, 12, 2, cpus));
	assert_true(spool_take_cpus(folder, 12, 1, cpus));
	assert_string_equal(cpus, "2");
	assert_false(spool_take_cpus(folder, 12, 1, cpus));
	assert_string_equal(cpus, "");
	memset(longest, '1', SPOOL_LIST);
	assert_false(spool_write_cpus(folder, 12, 1, longest));
	assert_true(spool_write_cpus(folder, 12, 1, "2"));
	assert_true(spool_remove(folder, 12, 1, &err)); /* also removes an unread list */
	assert_false(spool_take_cpus(folder, 12, 1, cpus));
}

/* Writes a begun part with lists of these lengths to a locked file and checks that they are read unchanged.
 */
static void write_lists(int fd, size_t cpus, size_t devices)
{
	static struct spool_begun with;

	with = begun;
	memset(with.cpus, '1', cpus);
	with.cpus[cpus] = '\0';
	memset(with.devices, 'G', devices);
	with.devices[devices] = '\0';
	assert_true(spool_write_begun(fd, &with));
	assert_int_equal(judge(12), SPOOL_ALIVE);
	assert_true(spool.has_begun && spool.has_cpus && spool.has_devices);
	assert_string_equal(spool.begun.cpus, with.cpus);
	assert_string_equal(spool.begun.devices, with.devices);
	assert_int_equal(spool.begun.pid, 4711);
}

static void lists_of_any_length_are_read_unchanged(void **state)
{
	static const size_t lengths[] = {
		0,    SPOOL_TEXT - 2, SPOOL_TEXT - 1, SPOOL_TEXT,
		1024, SPOOL_LIST - 1, SPOOL_TEXT, /* a shorter list after a longer one */
		3};
	int fd = spool_create(folder, 12, 1);

	(void)state;
	for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
		write_lists(fd, lengths[i], 0);
		write_lists(fd, 0, lengths[i]);
		write_lists(fd, lengths[i], lengths[i]);
	}
	close(fd);
}

static void a_list_that_is_too_long_is_refused(void **state)
{
	static char list[SPOOL_LIST + 1], out[SPOOL_LIST];

	(void)state;
	memset(list, '1', SPOOL_LIST);
	errno = 0;
	assert_false(spool_set_list(out, list));
	assert_int_equal(errno, E2BIG);
	list[SPOOL_LIST - 1] = '\0';
	assert_true(spool_set_list(out, list));
	assert_string_equal(out, list);
	assert_true(spool_set_list(out, NULL));
	assert_string_equal(out, "");
}

/* A list that an older shepherd truncated, or whose part is damaged, is reported as missing. */
static void an_incomplete_list_is_reported_as_missing(void **state)
{
	int fd = spool_create(folder, 12, 1);

	(void)state;
	write_lists(fd, 300, 3);
	flip("12.1", 4096 + 8);
	assert_int_equal(judge(12), SPOOL_ALIVE);
	assert_true(spool.has_begun && !spool.has_cpus && spool.has_devices);
	write_lists(fd, 3, 300);
	flip("12.1", 8192 + 4095);
	assert_int_equal(judge(12), SPOOL_ALIVE);
	assert_true(spool.has_begun && spool.has_cpus && !spool.has_devices);
	write_lists(fd, 300, SPOOL_TEXT - 1);
	assert_int_equal(ftruncate(fd, 4096), 0); /* the file size of an older version */
	assert_int_equal(judge(12), SPOOL_ALIVE);
	assert_true(spool.has_begun && !spool.has_cpus && !spool.has_devices);
	write_lists(fd, 254, 254);
	assert_int_equal(ftruncate(fd, 4096), 0);
	assert_int_equal(judge(12), SPOOL_ALIVE);
	assert_true(spool.has_begun && spool.has_cpus && spool.has_devices);
	assert_int_equal(strlen(spool.begun.cpus), 254);
	close(fd);
}

/* On a disk with space for half of a part, and with an invalid descriptor. */
static void an_incomplete_write_reports_its_reason(void **state)
{
	int fd = open(name_in(&dir, "part"), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	struct rlimit before, half;
	bool written;
	int why;

	(void)state;
	assert_true(fd >= 0);
	getrlimit(RLIMIT_FSIZE, &before);
	half = before;
	half.rlim_cur = 512;
	setrlimit(RLIMIT_FSIZE, &half);
	errno = 0;
	written = spool_write_begun(fd, &begun);
	why = errno;
	setrlimit(RLIMIT_FSIZE, &before);
	close(fd);
	assert_false(written);
	assert_int_equal(why, ENOSPC);
	errno = 0;
	assert_false(spool_write_begun(-1, &begun));
	assert_int_equal(errno, EBADF);
}

#define WITH_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_FOLDER(a_spool_file_is_created_only_once),
		WITH_FOLDER(without_a_file_the_job_was_not_started),
		WITH_FOLDER(a_job_is_alive_while_its_file_is_locked),
		WITH_FOLDER(a_file_without_a_begun_job_is_removed),
		WITH_FOLDER(a_begun_job_without_an_end_is_lost),
		WITH_FOLDER(a_recorded_end_is_read_unchanged),
		WITH_FOLDER(after_a_reboot_a_job_without_an_end_is_lost),
		WITH_FOLDER(usage_is_rewritten_and_read_without_a_lock),
		WITH_FOLDER(flipped_bits_are_detected),
		WITH_FOLDER(short_files_and_other_file_types_are_handled),
		WITH_FOLDER(a_file_removed_during_its_creation_is_stale),
		WITH_FOLDER(without_disk_space_no_file_is_created),
		WITH_FOLDER(a_file_that_cannot_be_opened_now_does_not_make_its_job_lost),
		WITH_FOLDER(processors_of_a_resumed_job_are_read_once),
		WITH_FOLDER(lists_of_any_length_are_read_unchanged),
		WITH_FOLDER(an_incomplete_list_is_reported_as_missing),
		cmocka_unit_test(a_list_that_is_too_long_is_refused),
		WITH_FOLDER(an_incomplete_write_reports_its_reason),
		cmocka_unit_test(boot_id_and_process_start_are_read),
		cmocka_unit_test(a_process_that_cannot_be_examined_is_not_gone),
		cmocka_unit_test(look_ups_of_boot_and_process_leak_no_descriptor),
	};

	return cmocka_run_group_tests_name("spool", tests, NULL, NULL);
}
