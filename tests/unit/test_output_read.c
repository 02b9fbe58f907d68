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

/* The point at which the child stops itself, because the user, whose ids it has, could stop it there. */
static enum {
	NEVER,
	AFTER_SETTING_IDS,
	AFTER_REPLY
} stop_child_at;
static pid_t test_pid; /* this process, which must not be stopped */

static void stop_child(void)
{
	if (getpid() != test_pid)
		(void)kill(getpid(), SIGSTOP);
}

/* NOLINTBEGIN(readability-inconsistent-declaration-parameter-name): replacements of functions of libc */

/* The child calls both functions. */
int getresuid(uid_t *real, uid_t *effective, uid_t *saved)
{
	long n = syscall(SYS_getresuid, real, effective, saved);

	if (stop_child_at == AFTER_SETTING_IDS)
		stop_child();
	return (int)n;
}

ssize_t send(int socket, const void *bytes, size_t size, int flags)
{
	ssize_t n = syscall(SYS_sendto, socket, bytes, size, flags, NULL, 0);

	if (stop_child_at == AFTER_REPLY)
		stop_child();
	return n;
}

/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */

static const char *own_name(void)
{
	return getpwuid(geteuid())->pw_name;
}

/* Creates a file that contains "word" and belongs to the user. */
static const char *make_file(const char *name, const char *user, mode_t mode)
{
	const char *path = name_in(&dir, name);
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	const struct passwd *owner = getpwnam(user);

	assert_true(fd >= 0 && owner != NULL);
	assert_int_equal(write(fd, "word", 4), 4);
	assert_int_equal(fchmod(fd, mode), 0);
	if (geteuid() == 0)
		assert_int_equal(fchown(fd, owner->pw_uid, owner->pw_gid), 0);
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

/* The file can be opened, but reading times out. */
static void check_read_times_out(const char *path, const char *user)
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
	/* A late reply is not taken for that to a later request. */
	assert_false(output_read_size(file, &size, &err));
	assert_int_equal(errno, ETIMEDOUT);
	output_read_close(file);
}

static void an_own_regular_file_is_read(void **state)
{
	(void)state;
	check_read(make_file("out", own_name(), 0600), own_name());
}

static void a_missing_file_is_reported_as_such(void **state)
{
	(void)state;
	check_refused(name_in(&dir, "missing"), own_name(), ENOENT, "No such file");
}

static void a_symbolic_link_is_not_followed(void **state)
{
	char target[200];
	const char *path;

	(void)state;
	snprintf(target, sizeof target, "%s", make_file("target", own_name(), 0600));
	path = name_in(&dir, "link");
	assert_int_equal(symlink(target, path), 0);
	check_refused(path, own_name(), ELOOP, "symbolic link");
}

/* No process has the other end of the FIFO open, so open(2) without O_NONBLOCK would block. */
static void a_fifo_or_a_device_is_refused_without_waiting(void **state)
{
	const char *path = name_in(&dir, "fifo");

	(void)state;
	assert_int_equal(mkfifo(path, 0600), 0);
	check_refused(path, own_name(), EINVAL, "is not a regular file");
	check_refused("/dev/null", own_name(), EINVAL, "is not a regular file");
	check_refused(dir.path, own_name(), EINVAL, "is not a regular file");
}

/* The child sends several replies. */
static void a_large_file_is_read_completely(void **state)
{
	static char bytes[100000], seen[100001];
	const char *path = make_file("large", own_name(), 0600);
	int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	struct err err = {{0}};
	struct output_reader *file;
	off_t size;

	(void)state;
	for (size_t i = 0; i < sizeof bytes; i++)
		bytes[i] = (char)(i * 7 / 5);
	assert_int_equal(write(fd, bytes, sizeof bytes), sizeof bytes);
	file = output_read_open(path, own_name(), &err);
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

static void check_no_child(void)
{
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

static void root_reads_with_the_permissions_of_the_user(void **state)
{
	(void)state;
	if (geteuid() != 0) {
		print_message("only root reads as another user\n");
		skip();
	}
	assert_int_equal(chmod(dir.path, 0711), 0);
	check_read(make_file("theirs", OTHER, 0600), OTHER);
	check_refused(make_file("roots", "root", 0600), OTHER, EACCES, "Permission denied");
	check_refused(make_file("roots", "root", 0600), NULL, EPERM, "does not know its user");
	check_refused(make_file("roots", "root", 0600), "kh_no_such_user", EPERM,
		      "does not know its user kh_no_such_user");
	assert_int_equal(geteuid(), 0);
	assert_int_equal(chmod(dir.path, 0700), 0);
	check_refused(name_in(&dir, "theirs"), OTHER, EACCES, "Permission denied");
	check_no_child();
}

/* The child has the groups of the user, so a file that only root's group may read is refused. */
static void groups_of_root_give_no_access(void **state)
{
	(void)state;
	if (geteuid() != 0) {
		print_message("only root reads as another user\n");
		skip();
	}
	assert_int_equal(chmod(dir.path, 0711), 0);
	check_refused(make_file("group", "root", 0640), OTHER, EACCES, "Permission denied");
	check_read(make_file("all", "root", 0644), OTHER);
	assert_int_equal(chmod(dir.path, 0700), 0);
}

static void a_user_who_stops_the_reading_child_does_not_block_root(void **state)
{
	const char *path;

	(void)state;
	if (geteuid() != 0) {
		print_message("only root reads as another user\n");
		skip();
	}
	assert_int_equal(chmod(dir.path, 0711), 0);
	path = make_file("theirs", OTHER, 0600);
	stop_child_at = AFTER_SETTING_IDS;
	check_refused(path, OTHER, ETIMEDOUT, "stops processes, then try again");
	check_no_child();
	stop_child_at = AFTER_REPLY;
	check_read_times_out(path, OTHER);
	check_no_child();
	stop_child_at = NEVER;
	assert_int_equal(chmod(dir.path, 0700), 0);
}

static const char *make_fuse_folder(void)
{
	const char *folder = name_in(&dir, "fuse");

	assert_int_equal(chmod(dir.path, 0711), 0);
	assert_int_equal(mkdir(folder, 0755), 0);
	return folder;
}

/* Children were blocked until the FUSE server ended. */
static void reap_children(void)
{
	while (waitpid(-1, NULL, 0) > 0)
		;
}

static void check_user_mount_refused(const char *source)
{
	const struct passwd *other = getpwnam(OTHER);
	const char *folder = make_fuse_folder();
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

static void a_fuse_file_system_mounted_by_a_user_is_not_read(void **state)
{
	(void)state;
	check_user_mount_refused("test");
}

/* A user chooses the source of a mount, which is shown in /proc/self/mountinfo. */
static void a_mount_source_that_imitates_user_id_0_has_no_effect(void **state)
{
	(void)state;
	check_user_mount_refused("host:/x,user_id=0");
}

/* close(2) of its files never returns, so this process must have no descriptor of them. */
static void a_fuse_file_system_mounted_by_root_is_read(void **state)
{
	const char *folder = make_fuse_folder();
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

/* A file system of root that does not reply to `request`: the reader must not wait for any reply. */
static void check_unanswered(uint32_t request, void (*check)(const char *path))
{
	const char *folder = make_fuse_folder();
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

static void check_open_times_out(const char *path)
{
	check_refused(path, OTHER, ETIMEDOUT, "takes more than 2 s");
}

static void check_only_read_times_out(const char *path)
{
	check_read_times_out(path, OTHER);
}

static void a_lookup_without_reply_times_out(void **state)
{
	(void)state;
	check_unanswered(FUSE_LOOKUP, check_open_times_out);
}

static void an_open_without_reply_times_out(void **state)
{
	(void)state;
	check_unanswered(FUSE_OPEN, check_open_times_out);
}

static void a_read_without_reply_times_out(void **state)
{
	(void)state;
	check_unanswered(FUSE_READ, check_only_read_times_out);
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

/* A user replaces a folder with a link to /proc/PID/root, the root of a process in a user namespace. */
static void a_mount_in_a_user_namespace_is_not_read(void **state)
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
		cmocka_unit_test_setup_teardown(a_large_file_is_read_completely, new_dir, old_dir),
		cmocka_unit_test_setup_teardown(an_own_regular_file_is_read, new_dir, old_dir),
		cmocka_unit_test_setup_teardown(a_missing_file_is_reported_as_such, new_dir, old_dir),
		cmocka_unit_test_setup_teardown(a_symbolic_link_is_not_followed, new_dir, old_dir),
		cmocka_unit_test_setup_teardown(a_fifo_or_a_device_is_refused_without_waiting, new_dir,
						old_dir),
		cmocka_unit_test_setup_teardown(root_reads_with_the_permissions_of_the_user, new_dir,
						old_dir),
		cmocka_unit_test_setup_teardown(groups_of_root_give_no_access, new_dir, old_dir),
		cmocka_unit_test_setup_teardown(a_user_who_stops_the_reading_child_does_not_block_root,
						new_dir, old_dir),
		cmocka_unit_test_setup_teardown(a_fuse_file_system_mounted_by_a_user_is_not_read, new_dir,
						old_dir),
		cmocka_unit_test_setup_teardown(a_mount_source_that_imitates_user_id_0_has_no_effect, new_dir,
						old_dir),
		cmocka_unit_test_setup_teardown(a_fuse_file_system_mounted_by_root_is_read, new_dir, old_dir),
		cmocka_unit_test_setup_teardown(a_lookup_without_reply_times_out, new_dir, old_dir),
		cmocka_unit_test_setup_teardown(an_open_without_reply_times_out, new_dir, old_dir),
		cmocka_unit_test_setup_teardown(a_read_without_reply_times_out, new_dir, old_dir),
		cmocka_unit_test_setup_teardown(a_mount_in_a_user_namespace_is_not_read, new_dir, old_dir),
	};

	test_pid = getpid();
	return cmocka_run_group_tests_name("output_read", tests, NULL, NULL);
}
