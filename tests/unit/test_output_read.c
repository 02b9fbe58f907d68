/* SPDX-License-Identifier: MIT */
/*
 * test_output_read.c - opening the output of a job as its user
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../store_dir.h"
#include "fuse_server.h"
#include "own_dir.h"
#include "sched/rm/output_read.h"

#define OTHER "nobody"

/* Where a child that has the user's ids is stopped, as the user could do. */
static enum {
	NOWHERE,
	WITH_THE_IDS,
	AFTER_THE_ANSWER
} stopped;

static void stop_child(void)
{
	(void)kill(getpid(), SIGSTOP);
}

/* NOLINTBEGIN(readability-inconsistent-declaration-parameter-name): what stands in for functions of libc */

/* The child calls them on its way. */
int getresuid(uid_t *real, uid_t *effective, uid_t *saved)
{
	long n = syscall(SYS_getresuid, real, effective, saved);

	if (stopped == WITH_THE_IDS)
		stop_child();
	return (int)n;
}

ssize_t sendmsg(int socket, const struct msghdr *message, int flags)
{
	ssize_t n = syscall(SYS_sendmsg, socket, message, flags);

	if (stopped == AFTER_THE_ANSWER)
		stop_child();
	return n;
}

/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */

static const char *me(void)
{
	return getpwuid(geteuid())->pw_name;
}

/* A file with a word in it, of a user. */
static const char *file_of(const char *name, const char *user, mode_t mode)
{
	const char *path = name_in(&dir, name);
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	const struct passwd *who = getpwnam(user);

	assert_true(fd >= 0 && who != NULL);
	assert_int_equal(write(fd, "word", 4), 4);
	assert_int_equal(fchmod(fd, mode), 0);
	if (geteuid() == 0)
		assert_int_equal(fchown(fd, who->pw_uid, who->pw_gid), 0);
	close(fd);
	return path;
}

static void check_read(const char *path, const char *user)
{
	struct err err = {{0}};
	char text[8] = "";
	int fd = output_read_open(path, user, &err);

	if (fd < 0)
		fail_msg("%s", err.text);
	assert_int_equal(read(fd, text, sizeof text), 4);
	assert_string_equal(text, "word");
	assert_true((fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0);
	close(fd);
}

static void check_refused(const char *path, const char *user, int error, const char *why)
{
	struct err err = {{0}};

	assert_int_equal(output_read_open(path, user, &err), -1);
	assert_int_equal(errno, error);
	if (strstr(err.text, why) == NULL)
		fail_msg("\"%s\" does not say \"%s\"", err.text, why);
}

static void a_regular_file_of_ones_own_is_read(void **state)
{
	(void)state;
	check_read(file_of("out", me(), 0600), me());
}

static void what_is_not_there_is_told_from_what_cannot_be_read(void **state)
{
	(void)state;
	check_refused(name_in(&dir, "missing"), me(), ENOENT, "No such file");
}

static void a_symbolic_link_is_not_followed(void **state)
{
	char target[200];
	const char *path;

	(void)state;
	snprintf(target, sizeof target, "%s", file_of("target", me(), 0600));
	path = name_in(&dir, "link");
	assert_int_equal(symlink(target, path), 0);
	check_refused(path, me(), ELOOP, "symbolic link");
}

/* Without anybody at its other end; the test would hang. */
static void a_fifo_or_a_device_is_not_waited_for(void **state)
{
	const char *path = name_in(&dir, "fifo");

	(void)state;
	assert_int_equal(mkfifo(path, 0600), 0);
	check_refused(path, me(), EINVAL, "is not a regular file");
	check_refused("/dev/null", me(), EINVAL, "is not a regular file");
	check_refused(dir.path, me(), EINVAL, "is not a regular file");
}

static void no_child_is_left(void)
{
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

static void root_reads_as_the_user_and_not_as_root(void **state)
{
	(void)state;
	if (geteuid() != 0) {
		print_message("only root reads as somebody else\n");
		skip();
	}
	assert_int_equal(chmod(dir.path, 0711), 0);
	check_read(file_of("theirs", OTHER, 0600), OTHER);
	check_refused(file_of("roots", "root", 0600), OTHER, EACCES, "Permission denied");
	check_refused(file_of("roots", "root", 0600), NULL, EPERM, "does not know its user");
	check_refused(file_of("roots", "root", 0600), "kh_no_such_user", EPERM,
		      "does not know its user kh_no_such_user");
	assert_int_equal(geteuid(), 0);
	assert_int_equal(chmod(dir.path, 0700), 0);
	check_refused(name_in(&dir, "theirs"), OTHER, EACCES, "Permission denied");
	no_child_is_left();
}

/* The groups are the user's: a file of root's group is not read through root's groups. */
static void root_s_groups_do_not_help_a_user(void **state)
{
	(void)state;
	if (geteuid() != 0) {
		print_message("only root reads as somebody else\n");
		skip();
	}
	assert_int_equal(chmod(dir.path, 0711), 0);
	check_refused(file_of("group", "root", 0640), OTHER, EACCES, "Permission denied");
	check_read(file_of("all", "root", 0644), OTHER);
	assert_int_equal(chmod(dir.path, 0700), 0);
}

static void a_user_who_stops_what_opens_the_file_does_not_stop_root(void **state)
{
	const char *path;

	(void)state;
	if (geteuid() != 0) {
		print_message("only root reads as somebody else\n");
		skip();
	}
	assert_int_equal(chmod(dir.path, 0711), 0);
	path = file_of("theirs", OTHER, 0600);
	stopped = WITH_THE_IDS;
	check_refused(path, OTHER, ETIMEDOUT, "stops processes, then try again");
	no_child_is_left();
	stopped = AFTER_THE_ANSWER;
	check_read(path, OTHER);
	no_child_is_left();
	stopped = NOWHERE;
	assert_int_equal(chmod(dir.path, 0700), 0);
}

static const char *fuse_folder(void)
{
	const char *folder = name_in(&dir, "fuse");

	assert_int_equal(chmod(dir.path, 0711), 0);
	assert_int_equal(mkdir(folder, 0755), 0);
	return folder;
}

/* Its close(2) never returns, so no descriptor of it may come to this process. */
static void a_file_system_that_a_user_has_mounted_is_not_read(void **state)
{
	const struct passwd *other = getpwnam(OTHER);
	const char *folder = fuse_folder();
	pid_t server = geteuid() == 0 ? fuse_begin(folder, other->pw_uid) : -1;
	char path[700];

	(void)state;
	if (server < 0) {
		print_message("no FUSE file system can be mounted here\n");
		skip();
	}
	snprintf(path, sizeof path, "%s/file", folder);
	check_refused(path, OTHER, ETIMEDOUT, "it is in a FUSE file system of a user");
	fuse_end(server, folder);
	while (waitpid(-1, NULL, 0) > 0) /* who could not close it is free again */
		;
}

static void a_fuse_file_system_of_root_s_is_read(void **state)
{
	const char *folder = fuse_folder();
	pid_t server = geteuid() == 0 ? fuse_begin(folder, 0) : -1;
	struct err err = {{0}};
	char path[700], text[8] = "";
	int fd;

	(void)state;
	if (server < 0) {
		print_message("no FUSE file system can be mounted here\n");
		skip();
	}
	snprintf(path, sizeof path, "%s/file", folder);
	fd = output_read_open(path, OTHER, &err);
	if (fd < 0)
		fail_msg("%s", err.text);
	assert_int_equal(read(fd, text, sizeof text), 4);
	assert_string_equal(text, FUSE_WORD);
	fuse_end(server, folder);
	close(fd);
	while (waitpid(-1, NULL, 0) > 0)
		;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_regular_file_of_ones_own_is_read, new_dir, old_dir),
		cmocka_unit_test_setup_teardown(what_is_not_there_is_told_from_what_cannot_be_read, new_dir,
						old_dir),
		cmocka_unit_test_setup_teardown(a_symbolic_link_is_not_followed, new_dir, old_dir),
		cmocka_unit_test_setup_teardown(a_fifo_or_a_device_is_not_waited_for, new_dir, old_dir),
		cmocka_unit_test_setup_teardown(root_reads_as_the_user_and_not_as_root, new_dir, old_dir),
		cmocka_unit_test_setup_teardown(root_s_groups_do_not_help_a_user, new_dir, old_dir),
		cmocka_unit_test_setup_teardown(a_user_who_stops_what_opens_the_file_does_not_stop_root,
						new_dir, old_dir),
		cmocka_unit_test_setup_teardown(a_file_system_that_a_user_has_mounted_is_not_read, new_dir,
						old_dir),
		cmocka_unit_test_setup_teardown(a_fuse_file_system_of_root_s_is_read, new_dir, old_dir),
	};

	return cmocka_run_group_tests_name("output_read", tests, NULL, NULL);
}
