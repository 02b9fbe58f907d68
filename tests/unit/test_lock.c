/* SPDX-License-Identifier: MIT */
/*
 * test_lock.c - exclusive use of a store directory
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "own_dir.h"
#include "store/lock.h"
#include "store/store.h"

static void check_refused(const char *path, const char *words)
{
	struct err err = {""};

	assert_false(store_check_dir(path, &err));
	if (!strstr(err.text, words))
		fail_msg("\"%s\" does not say \"%s\"", err.text, words);
}

static void make_file(const char *name)
{
	int fd = open(name_in(&dir, name), O_WRONLY | O_CREAT, 0600);

	assert_true(fd >= 0);
	close(fd);
}

static void directory_is_created_with_its_parents(void **state)
{
	char path[600];
	struct stat st;
	struct err err;

	(void)state;
	snprintf(path, sizeof path, "%s/a/b", dir.path);
	assert_true(store_make_dir(path, &err));
	assert_true(store_make_dir(path, &err));
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0700);
	assert_true(store_check_dir(path, &err));
	rmdir(path);
	make_file("file");
	snprintf(path, sizeof path, "%s/file/b", dir.path);
	assert_false(store_make_dir(path, &err));
	assert_non_null(strstr(err.text, "cannot be created"));
}

static void a_directory_that_others_can_write_is_refused(void **state)
{
	(void)state;
	chmod(dir.path, 0770);
	check_refused(dir.path, "is writable by other users: run 'chmod 700");
	chmod(dir.path, 0702);
	check_refused(dir.path, "is writable by other users");
	chmod(dir.path, 0755);
	assert_true(store_check_dir(dir.path, NULL));
}

static void non_directory_is_rejected(void **state)
{
	(void)state;
	make_file("file");
	check_refused(name_in(&dir, "file"), "is not a directory");
	check_refused(name_in(&dir, "missing"), "No such file or directory");
}

static void directory_of_another_user_is_rejected(void **state)
{
	(void)state;
	if (geteuid() == 0)
		assert_int_equal(chown(dir.path, 12345, 12345), 0);
	check_refused(geteuid() == 0 ? dir.path : "/", "belongs to user");
	if (geteuid() == 0)
		assert_int_equal(chown(dir.path, 0, 0), 0);
}

static void directory_with_other_files_is_rejected(void **state)
{
	(void)state;
	make_file("letter.txt");
	check_refused(dir.path, "contains other files but no store");
	make_file("data.mdb");
	assert_true(store_check_dir(dir.path, NULL));
}

static void a_lock_names_its_holder_until_it_is_released(void **state)
{
	(void)state;
	assert_int_equal(store_holder(dir.path), 0);
	int fd = store_lock(dir.path, NULL);
	assert_true(fd >= 0);
	assert_int_equal(store_holder(dir.path), getpid());
	/* store_holder() does not release the lock. */
	assert_int_equal(store_holder(dir.path), getpid());
	store_unlock(fd);
	assert_int_equal(store_holder(dir.path), 0);
}

/* Sets the time at which the lock was taken, or at which its holder last asked others to wait. */
static void set_changed(int fd, int seconds_ago)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	now.tv_sec -= seconds_ago;
	assert_int_equal(futimens(fd, (const struct timespec[2]){now, now}), 0);
}

static void a_holder_may_ask_others_to_wait(void **state)
{
	(void)state;
	assert_true(store_is_soon_free(dir.path));
	int fd = store_lock(dir.path, NULL);
	set_changed(fd, -3600);
	assert_true(store_is_soon_free(dir.path));
	set_changed(fd, 6);
	assert_false(store_is_soon_free(dir.path));
	assert_true(store_lock_say(fd, true));
	set_changed(fd, 6);
	assert_true(store_is_soon_free(dir.path));
	assert_int_equal(store_holder(dir.path), getpid());
	set_changed(fd, 61);
	assert_false(store_is_soon_free(dir.path));
	assert_true(store_lock_say(fd, false));
	set_changed(fd, 6);
	assert_false(store_is_soon_free(dir.path));
	assert_true(store_lock_say(fd, true));
	store_unlock(fd);
	assert_true(store_is_soon_free(dir.path));
	/* A new holder does not inherit the request of the previous one. */
	fd = store_lock(dir.path, NULL);
	set_changed(fd, 6);
	assert_false(store_is_soon_free(dir.path));
	store_unlock(fd);
}

static void a_second_lock_in_the_same_process_is_refused(void **state)
{
	struct err err;
	char words[64];

	(void)state;
	int fd = store_lock(dir.path, NULL);
	assert_int_equal(store_lock(dir.path, &err), -1);
	snprintf(words, sizeof words, "is in use by process %d", (int)getpid());
	assert_non_null(strstr(err.text, words));
	store_unlock(fd);
}

/* Takes the lock in a child process, which runs until it is killed. */
static pid_t lock_in_child(void)
{
	int ready[2];
	char c;

	assert_int_equal(pipe(ready), 0);
	pid_t pid = fork();
	if (pid == 0) {
		if (store_lock(dir.path, NULL) < 0 || write(ready[1], "1", 1) != 1)
			_exit(1);
		alarm(60); /* in case this process does not kill it */
		for (;;)
			pause();
	}
	close(ready[1]);
	assert_int_equal(read(ready[0], &c, 1), 1);
	close(ready[0]);
	return pid;
}

static void lock_of_another_process_is_held_until_it_is_killed(void **state)
{
	struct err err;
	char words[64];

	(void)state;
	pid_t pid = lock_in_child();
	assert_int_equal(store_holder(dir.path), pid);
	assert_int_equal(store_lock(dir.path, &err), -1);
	snprintf(words, sizeof words, "is in use by process %d", (int)pid);
	assert_non_null(strstr(err.text, words));
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(store_holder(dir.path), 0);
	int fd = store_lock(dir.path, NULL);
	assert_true(fd >= 0);
	store_unlock(fd);
}

static void a_lock_file_that_is_a_link_is_refused(void **state)
{
	struct err err;

	(void)state;
	assert_int_equal(symlink("/etc/hostname", name_in(&dir, "kahu.lock")), 0);
	assert_int_equal(store_lock(dir.path, &err), -1);
	assert_non_null(strstr(err.text, "cannot be opened"));
	assert_int_equal(store_holder(dir.path), 0);
}

static void invalid_lock_file_content_is_handled(void **state)
{
	(void)state;
	int fd = store_lock(dir.path, NULL);
	assert_int_equal(pwrite(fd, "nonsense, and more of it\n", 25, 0), 25);
	assert_int_equal(store_holder(dir.path), -1);
	store_unlock(fd);
	fd = store_lock(dir.path, NULL);
	assert_int_equal(store_holder(dir.path), getpid());
	store_unlock(fd);
}

static void a_directory_is_claimed_only_once_even_under_another_path(void **state)
{
	struct store_claim claim, other;
	struct err err;
	char path[600];

	(void)state;
	snprintf(path, sizeof path, "%s/.", dir.path);
	assert_true(store_claim(dir.path, &claim, NULL));
	assert_false(store_claim(path, &other, &err));
	assert_non_null(strstr(err.text, "is already open in this process"));
	store_unclaim(&claim);
	assert_true(store_claim(path, &claim, NULL));
	store_unclaim(&claim);
}

static void lock_is_never_free_during_a_handover(void **state)
{
	int lock = store_lock(dir.path, NULL), passed = fcntl(lock, F_DUPFD, 0);
	struct err err;

	(void)state;
	assert_true(passed >= 0);
	store_unlock(lock);
	assert_int_equal(store_lock(dir.path, &err), -1);
	assert_non_null(strstr(err.text, "in use by process"));
	assert_int_equal(store_lock_adopt(dir.path, passed, &err), passed);
	assert_int_equal(fcntl(passed, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
	assert_int_equal(store_lock(dir.path, NULL), -1);
	store_unlock(passed);
	assert_int_equal(store_holder(dir.path), 0);
}

static void other_descriptor_is_not_accepted_as_the_lock(void **state)
{
	struct err err;
	int other;

	(void)state;
	store_unlock(store_lock(dir.path, NULL));
	make_file("other");
	other = open(name_in(&dir, "other"), O_RDWR);
	assert_int_equal(store_lock_adopt(dir.path, other, &err), -1);
	assert_non_null(strstr(err.text, "was not handed over"));
	assert_int_equal(fcntl(other, F_GETFD), -1);
	assert_int_equal(store_lock_adopt(dir.path, -1, &err), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(directory_is_created_with_its_parents, new_dir, old_dir),
		cmocka_unit_test_setup_teardown(a_directory_that_others_can_write_is_refused, new_dir,
						old_dir),
		cmocka_unit_test_setup_teardown(non_directory_is_rejected, new_dir, old_dir),
		cmocka_unit_test_setup_teardown(directory_of_another_user_is_rejected, new_dir, old_dir),
		cmocka_unit_test_setup_teardown(directory_with_other_files_is_rejected, new_dir, old_dir),
		cmocka_unit_test_setup_teardown(a_lock_names_its_holder_until_it_is_released, new_dir,
						old_dir),
		cmocka_unit_test_setup_teardown(a_holder_may_ask_others_to_wait, new_dir, old_dir),
		cmocka_unit_test_setup_teardown(a_second_lock_in_the_same_process_is_refused, new_dir,
						old_dir),
		cmocka_unit_test_setup_teardown(lock_of_another_process_is_held_until_it_is_killed, new_dir,
						old_dir),
		cmocka_unit_test_setup_teardown(a_lock_file_that_is_a_link_is_refused, new_dir, old_dir),
		cmocka_unit_test_setup_teardown(invalid_lock_file_content_is_handled, new_dir, old_dir),
		cmocka_unit_test_setup_teardown(lock_is_never_free_during_a_handover, new_dir, old_dir),
		cmocka_unit_test_setup_teardown(other_descriptor_is_not_accepted_as_the_lock, new_dir,
						old_dir),
		cmocka_unit_test_setup_teardown(a_directory_is_claimed_only_once_even_under_another_path,
						new_dir, old_dir),
	};

	return cmocka_run_group_tests_name("lock", tests, NULL, NULL);
}
