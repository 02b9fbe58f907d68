/* SPDX-License-Identifier: MIT */
/*
 * test_output_read.c - reading the output of a job as its user
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
#include <sys/sysmacros.h>
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
static pid_t test; /* the process that is not stopped */

static void stop_child(void)
{
	if (getpid() != test)
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

ssize_t send(int socket, const void *bytes, size_t size, int flags)
{
	ssize_t n = syscall(SYS_sendto, socket, bytes, size, flags, NULL, 0);

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
	struct output_reader *file = output_read_open(path, user, &err);
	char text[8] = "";
	off_t size = 0;

	if (file == NULL || !output_read_size(file, &size, &err) ||
	    output_read_at(file, text, sizeof text, 0, &err) != 4)
		fail_msg("%s", err.text);
	assert_int_equal(size, 4);
	assert_string_equal(text, "word");
	assert_int_equal(output_read_at(file, text, 2, 1, &err), 2);
	assert_memory_equal(text, "or", 2);
	output_read_close(file);
}

static void check_refused(const char *path, const char *user, int error, const char *why)
{
	struct err err = {{0}};

	assert_null(output_read_open(path, user, &err));
	assert_int_equal(errno, error);
	if (strstr(err.text, why) == NULL)
		fail_msg("\"%s\" does not say \"%s\"", err.text, why);
}

/* It can be opened, but its bytes do not come. */
static void check_not_read(const char *path, const char *user)
{
	struct err err = {{0}};
	struct output_reader *file = output_read_open(path, user, &err);
	char text[8];
	off_t size;

	if (file == NULL)
		fail_msg("%s", err.text);
	assert_int_equal(output_read_at(file, text, sizeof text, 0, &err), -1);
	assert_int_equal(errno, ETIMEDOUT);
	if (strstr(err.text, "takes more than 2 s") == NULL)
		fail_msg("\"%s\"", err.text);
	/* A late answer is not taken for that to another question. */
	assert_false(output_read_size(file, &size, &err));
	assert_int_equal(errno, ETIMEDOUT);
	output_read_close(file);
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

/* Several answers of the child. */
static void a_large_file_is_read_whole(void **state)
{
	static char bytes[100000], seen[100001];
	const char *path = file_of("large", me(), 0600);
	int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	struct err err = {{0}};
	struct output_reader *file;
	off_t size;

	(void)state;
	for (size_t i = 0; i < sizeof bytes; i++)
		bytes[i] = (char)(i * 7 / 5);
	assert_int_equal(write(fd, bytes, sizeof bytes), sizeof bytes);
	file = output_read_open(path, me(), &err);
	assert_non_null(file);
	assert_int_equal(output_read_at(file, seen, sizeof seen, 0, &err), sizeof bytes);
	assert_memory_equal(seen, bytes, sizeof bytes);
	assert_int_equal(output_read_at(file, seen, 70000, 1000, &err), 70000);
	assert_memory_equal(seen, bytes + 1000, 70000);
	assert_int_equal(output_read_at(file, seen, 1, sizeof bytes, &err), 0);
	assert_int_equal(write(fd, "more", 4), 4); /* the file grows while it is open */
	assert_true(output_read_size(file, &size, &err));
	assert_int_equal(size, sizeof bytes + 4);
	assert_int_equal(output_read_at(file, seen, 8, sizeof bytes, &err), 4);
	assert_memory_equal(seen, "more", 4);
	output_read_close(file);
	close(fd);
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
	check_not_read(path, OTHER);
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

/* They waited for the server. */
static void reap_children(void)
{
	while (waitpid(-1, NULL, 0) > 0)
		;
}

static void check_users_mount(const char *source)
{
	const struct passwd *other = getpwnam(OTHER);
	const char *folder = fuse_folder();
	pid_t server;
	char path[700];

	fuse_source = source;
	server = geteuid() == 0 ? fuse_begin(folder, other->pw_uid) : -1;
	fuse_source = "test";
	if (server < 0) {
		print_message("no FUSE file system can be mounted here\n");
		skip();
	}
	snprintf(path, sizeof path, "%s/file", folder);
	check_refused(path, OTHER, ETIMEDOUT, "it is in a FUSE or overlay file system of a user");
	fuse_end(server, folder);
	reap_children();
}

static void a_file_system_that_a_user_has_mounted_is_not_read(void **state)
{
	(void)state;
	check_users_mount("test");
}

/* The source is the user's text. */
static void a_source_that_looks_like_roots_option_changes_nothing(void **state)
{
	(void)state;
	check_users_mount("host:/x,user_id=0");
}

/* Its close(2) never returns: no descriptor of it is in this process. */
static void a_fuse_file_system_of_root_s_is_read(void **state)
{
	const char *folder = fuse_folder();
	pid_t server = geteuid() == 0 ? fuse_begin(folder, 0) : -1;
	char path[700];

	(void)state;
	if (server < 0) {
		print_message("no FUSE file system can be mounted here\n");
		skip();
	}
	snprintf(path, sizeof path, "%s/file", folder);
	check_read(path, OTHER);
	fuse_end(server, folder);
	reap_children();
}

/* What no rule on file systems sees: nobody may wait for the answer to any request. */
static void check_unanswered(uint32_t request, void (*check)(const char *path))
{
	const char *folder = fuse_folder();
	pid_t server;
	char path[700];

	fuse_unanswered = request;
	server = geteuid() == 0 ? fuse_begin(folder, 0) : -1;
	fuse_unanswered = FUSE_FLUSH;
	if (server < 0) {
		print_message("no FUSE file system can be mounted here\n");
		skip();
	}
	snprintf(path, sizeof path, "%s/file", folder);
	check(path);
	fuse_end(server, folder);
	reap_children();
}

static void check_not_opened(const char *path)
{
	check_refused(path, OTHER, ETIMEDOUT, "takes more than 2 s");
}

static void check_opened_only(const char *path)
{
	check_not_read(path, OTHER);
}

static void a_path_that_is_never_found_is_not_waited_for(void **state)
{
	(void)state;
	check_unanswered(FUSE_LOOKUP, check_not_opened);
}

static void a_file_that_is_never_opened_is_not_waited_for(void **state)
{
	(void)state;
	check_unanswered(FUSE_OPEN, check_not_opened);
}

static void a_file_that_is_never_read_is_not_waited_for(void **state)
{
	(void)state;
	check_unanswered(FUSE_READ, check_opened_only);
}

static bool make_mount_points(void)
{
	static const char *const folder[] = {"fuse", "lower", "overlay"};
	const char *device;

	assert_int_equal(chmod(dir.path, 0711), 0);
	for (size_t i = 0; i < sizeof folder / sizeof folder[0]; i++)
		assert_int_equal(mkdir(name_in(&dir, folder[i]), 0755), 0);
	device = name_in(&dir, "device");
	return mknod(device, S_IFCHR | 0666, makedev(10, 229)) == 0 && chmod(device, 0666) == 0;
}

/* By a link to the root folder of a process of the user, who has replaced a folder by it. */
static void a_mount_in_a_namespace_of_a_user_is_not_read(void **state)
{
	const struct passwd *other = getpwnam(OTHER);
	static const char *const mounted[] = {"overlay", "fuse"};
	pid_t server = -1;
	char target[700], path[700];

	(void)state;
	fuse_unanswered = FUSE_READ;
	if (geteuid() == 0 && make_mount_points())
		server = fuse_begin_overlay(dir.path, other->pw_uid, other->pw_gid);
	fuse_unanswered = FUSE_FLUSH;
	if (server < 0) {
		print_message("a user cannot mount FUSE and an overlay in a namespace here\n");
		skip();
	}
	for (size_t i = 0; i < sizeof mounted / sizeof mounted[0]; i++) {
		snprintf(target, sizeof target, "/proc/%d/root%s/%s", (int)server, dir.path, mounted[i]);
		assert_int_equal(symlink(target, name_in(&dir, "replaced")), 0);
		snprintf(path, sizeof path, "%s/replaced/file", dir.path);
		check_refused(path, OTHER, ETIMEDOUT, "it is in a FUSE or overlay file system of a user");
		assert_int_equal(unlink(name_in(&dir, "replaced")), 0);
	}
	kill(server, SIGKILL);
	reap_children();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_large_file_is_read_whole, new_dir, old_dir),
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
		cmocka_unit_test_setup_teardown(a_source_that_looks_like_roots_option_changes_nothing,
						new_dir, old_dir),
		cmocka_unit_test_setup_teardown(a_fuse_file_system_of_root_s_is_read, new_dir, old_dir),
		cmocka_unit_test_setup_teardown(a_path_that_is_never_found_is_not_waited_for, new_dir,
						old_dir),
		cmocka_unit_test_setup_teardown(a_file_that_is_never_opened_is_not_waited_for, new_dir,
						old_dir),
		cmocka_unit_test_setup_teardown(a_file_that_is_never_read_is_not_waited_for, new_dir,
						old_dir),
		cmocka_unit_test_setup_teardown(a_mount_in_a_namespace_of_a_user_is_not_read, new_dir,
						old_dir),
	};

	test = getpid();
	return cmocka_run_group_tests_name("output_read", tests, NULL, NULL);
}
