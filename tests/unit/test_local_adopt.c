/* SPDX-License-Identifier: MIT */
/*
 * test_local_adopt.c - order of writes and syncs when the boot of a spool folder is recorded
 *
 * fsync and renameat of this program note what they are called for. (What becomes of jobs: test_local.c.)
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sched/rm/local_inside.h"
#include "tests/store_dir.h"

#define BOOT "3f2a6d1c-0000-4000-8000-000000000001"

static char calls[64];
static int syncs_left; /* before fsync fails */
static struct store_dir dir;
static struct local local;
static struct err err;

/* "file " with its content written, "empty " without, "folder ". */
int fsync(int fd)
{
	struct stat st;

	assert_int_equal(fstat(fd, &st), 0);
	strcat(calls, S_ISDIR(st.st_mode) ? "folder " : st.st_size > 0 ? "file " : "empty ");
	errno = EIO;
	return syncs_left-- > 0 ? 0 : -1;
}

/* NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name): libc has reserved names there */
int renameat(int from_folder, const char *from, int to_folder, const char *to)
{
	strcat(calls, "rename ");
	return (int)syscall(SYS_renameat, from_folder, from, to_folder, to);
}

static int begin(void **state)
{
	(void)state;
	make_store_dir(&dir);
	local = (struct local){.setup = {.spool = dir.path}, .boot_id = BOOT};
	local.folder = open(dir.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	calls[0] = '\0';
	syncs_left = 2;
	return 0;
}

static int end(void **state)
{
	(void)state;
	close(local.folder);
	remove_store_dir(&dir);
	return 0;
}

static bool has_boot(void)
{
	char text[BOOT_ID] = "";
	int fd = openat(local.folder, "boot", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof text - 1);

	if (fd >= 0)
		close(fd);
	return n == BOOT_ID - 1 && strcmp(text, BOOT) == 0;
}

static void a_boot_is_synced_before_it_is_renamed_and_the_folder_afterwards(void **state)
{
	(void)state;
	assert_true(local_keep_boot(&local, NULL, &err));
	assert_string_equal(calls, "file rename folder ");
	assert_true(has_boot());
}

static void a_boot_is_recorded_once(void **state)
{
	(void)state;
	assert_true(local_keep_boot(&local, NULL, &err));
	calls[0] = '\0';
	assert_true(local_keep_boot(&local, NULL, &err));
	assert_string_equal(calls, "");
}

static void a_boot_that_was_not_synced_is_not_renamed(void **state)
{
	(void)state;
	syncs_left = 0;
	assert_false(local_keep_boot(&local, NULL, &err));
	assert_string_equal(calls, "file ");
	assert_false(has_boot());
	assert_non_null(strstr(err.text, "/boot cannot be written: "));
	syncs_left = 2;
	assert_true(local_keep_boot(&local, NULL, &err)); /* tried again */
	assert_true(has_boot());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			a_boot_is_synced_before_it_is_renamed_and_the_folder_afterwards, begin, end),
		cmocka_unit_test_setup_teardown(a_boot_is_recorded_once, begin, end),
		cmocka_unit_test_setup_teardown(a_boot_that_was_not_synced_is_not_renamed, begin, end),
	};

	return cmocka_run_group_tests_name("local_adopt", tests, NULL, NULL);
}
