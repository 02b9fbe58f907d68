/* SPDX-License-Identifier: MIT */
/*
 * test_host_info_cgroup.c - the cgroup for jobs, and its controllers
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sched/rm/host_info.h"
#include "sched/rm/host_info_inside.h"
#include "tests/fake_root.h"

/* --- the directory for cgroups of jobs, and its controllers ------------------------------------------- */

/*
 * Behaviour of the kernel (EBUSY for a cgroup with processes, moving a process) is tested in a cgroup below
 * that of this process. These tests are skipped with a message if the process may not create a cgroup or
 * if no controller is enabled there.
 */

#define HOME "sys/fs/cgroup/kahu.service"

static void check_cgroup(const struct store_dir *root, enum hold_level level, const char *folder,
			 const char *words)
{
	char found[4096];
	char expected[1024];
	struct str why = {0};

	assert_int_equal(host_info_cgroup(root->path, found, sizeof found, &why), level);
	if (words == NULL)
		assert_string_equal(str_text(&why), "");
	else if (strstr(str_text(&why), words) == NULL)
		fail_msg("%s", str_text(&why));
	snprintf(expected, sizeof expected, "%s/%s", root->path, folder);
	assert_string_equal(found, *folder ? expected : "");
	str_free(&why);
}

/* A cgroup v2 hierarchy without controllers; the scheduler is in the cgroup HOME. */
static void make_tree(struct store_dir *root)
{
	make_store_dir(root);
	fake_file(root, "proc/self/mounts",
		  "tmpfs / tmpfs rw 0 0\ncgroup2 /sys/fs/cgroup cgroup2 rw,nosuid 0 0\n");
	fake_file(root, "proc/self/cgroup", "0::/kahu.service\n");
	fake_file(root, HOME "/cgroup.kill", "%s", "");
	fake_file(root, HOME "/cgroup.controllers", "\n");
	fake_file(root, HOME "/cgroup.subtree_control", "\n");
}

static void check_no_folder_left(const struct store_dir *root)
{
	char path[1024];

	snprintf(path, sizeof path, "%s/" HOME "/scheduler", root->path);
	assert_int_not_equal(access(path, F_OK), 0);
	snprintf(path, sizeof path, "%s/" HOME "/probe.%ld", root->path, (long)getpid());
	assert_int_not_equal(access(path, F_OK), 0);
}

static void with_the_memory_controller_control_is_full(void **state)
{
	struct store_dir root;

	(void)state;
	make_tree(&root);
	fake_file(&root, HOME "/cgroup.controllers", "cpu memory pids\n");
	fake_file(&root, HOME "/cgroup.subtree_control", "memory\n");
	check_cgroup(&root, HOLD_FULL, HOME, NULL);
	check_no_folder_left(&root);
	remove_store_dir(&root);
}

static void without_cgroup_version_2_there_is_no_control(void **state)
{
	struct store_dir root;

	(void)state;
	make_store_dir(&root);
	check_cgroup(&root, HOLD_NONE, "", "no tree of cgroup version 2");
	fake_file(&root, "proc/self/mounts", "cgroup /sys/fs/cgroup/memory cgroup rw,memory 0 0\n");
	fake_file(&root, "proc/self/cgroup", "4:memory:/\n");
	check_cgroup(&root, HOLD_NONE, "", "no tree of cgroup version 2");
	remove_store_dir(&root);
}

static void a_hybrid_host_lacks_the_memory_controller(void **state)
{
	struct store_dir root;

	(void)state;
	make_store_dir(&root);
	fake_file(&root, "proc/self/mounts",
		  "cgroup /sys/fs/cgroup/memory cgroup rw,memory 0 0\n"
		  "cgroup2 /sys/fs/cgroup/unified cgroup2 rw 0 0\n");
	fake_file(&root, "proc/self/cgroup", "4:memory:/lab\n0::/\n");
	fake_folder(&root, "sys/fs/cgroup/memory/lab");
	fake_file(&root, "sys/fs/cgroup/unified/cgroup.controllers", "hugetlb\n");
	fake_file(&root, "sys/fs/cgroup/unified/cgroup.kill", "%s", "");
	check_cgroup(&root, HOLD_KILL_ONLY, "sys/fs/cgroup/unified", "belongs to version 1");
	remove_store_dir(&root);
}

static void without_cgroup_kill_there_is_no_control(void **state)
{
	struct store_dir root;
	char path[1024];

	(void)state;
	make_tree(&root);
	snprintf(path, sizeof path, "%s/" HOME "/cgroup.kill", root.path);
	assert_int_equal(remove(path), 0);
	check_cgroup(&root, HOLD_NONE, "", "no cgroup.kill");
	check_no_folder_left(&root);
	remove_store_dir(&root);
}

static void a_probe_that_cannot_be_created_means_no_control(void **state)
{
	struct store_dir root;
	char path[64];

	(void)state;
	make_tree(&root);
	snprintf(path, sizeof path, HOME "/probe.%ld", (long)getpid());
	fake_file(&root, path, "in the way\n");
	check_cgroup(&root, HOLD_NONE, "", "Delegate=yes");
	remove_store_dir(&root);
}

static void a_controller_that_cannot_be_enabled_is_named(void **state)
{
	struct store_dir root;

	(void)state;
	make_tree(&root);
	fake_file(&root, HOME "/cgroup.controllers", "memory\n");
	/* A plain file: writing "+memory" to it does not enable the controller, as the kernel would. */
	check_cgroup(&root, HOLD_KILL_ONLY, HOME, "the memory controller cannot be used below");
	check_no_folder_left(&root);
	remove_store_dir(&root);
}

static void a_scheduler_in_its_leaf_uses_the_parent_cgroup(void **state)
{
	struct store_dir root;

	(void)state;
	make_tree(&root);
	fake_file(&root, "proc/self/cgroup", "0::/kahu.service/scheduler\n");
	fake_folder(&root, HOME "/scheduler");
	fake_file(&root, HOME "/cgroup.controllers", "memory\n");
	fake_file(&root, HOME "/cgroup.subtree_control", "cpu memory\n");
	check_cgroup(&root, HOLD_FULL, HOME, NULL);
	remove_store_dir(&root);
}

static void a_cgroup_path_that_is_too_long_is_refused(void **state)
{
	struct store_dir root;
	struct str why = {0};
	char folder[16] = "x";

	(void)state;
	make_tree(&root);
	assert_int_equal(host_info_cgroup(root.path, folder, sizeof folder, &why), HOLD_NONE);
	assert_string_equal(folder, "");
	assert_non_null(strstr(str_text(&why), "too long"));
	str_free(&why);
	remove_store_dir(&root);
}

/* --- cgroups emulated with files ------------------------------------------------------------- */

static const struct store_dir *emulated; /* root of the emulated host; NULL: no emulation */

static bool leaf_is_denied, rmdir_fails;

static bool ends_with(const char *text, const char *end)
{
	size_t len = strlen(text), size = strlen(end);

	return len >= size && strcmp(text + len - size, end) == 0;
}

static bool home_has_processes(void)
{
	struct str text = {0};
	bool some = kernel_text(&text, "%s/" HOME "/cgroup.procs", emulated->path) && text.len > 0;

	str_free(&text);
	return some;
}

/* "+memory" adds a controller. A probe enables one controller at a time, so "-memory" empties the list. */
static void set_controllers(const char *word, size_t size)
{
	struct str given = {0};

	kernel_text(&given, "%s/" HOME "/cgroup.subtree_control", emulated->path);
	if (word[0] == '-')
		str_clear(&given);
	else
		str_addf(&given, "%s%.*s", given.len > 0 ? " " : "", (int)size - 1, word + 1);
	fake_file(emulated, HOME "/cgroup.subtree_control", "%s\n", str_text(&given));
	str_free(&given);
}

/* NOLINTBEGIN(readability-inconsistent-declaration-parameter-name): replacements of functions of libc */

/* Controllers can be enabled only in a cgroup without processes; a process that moves leaves its old cgroup.
 */
ssize_t write(int fd, const void *bytes, size_t size)
{
	char link[64], path[1024];
	ssize_t n;

	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	n = emulated == NULL ? -1 : readlink(link, path, sizeof path - 1);
	path[n > 0 ? n : 0] = '\0';
	if (ends_with(path, "/cgroup.subtree_control")) {
		if (home_has_processes()) {
			errno = EBUSY;
			return -1;
		}
		set_controllers(bytes, size);
		return (ssize_t)size;
	}
	if (ends_with(path, "/scheduler/cgroup.procs"))
		fake_file(emulated, HOME "/cgroup.procs", "%s", "");
	return syscall(SYS_write, fd, bytes, size);
}

int mkdir(const char *path, mode_t mode)
{
	bool leaf = emulated != NULL && ends_with(path, "/scheduler");
	int failed;

	if (leaf && leaf_is_denied) {
		errno = EACCES;
		return -1;
	}
	failed = (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
	if (leaf && failed == 0)
		fake_file(emulated, HOME "/scheduler/cgroup.procs", "%s", "");
	return failed;
}

int rmdir(const char *path)
{
	if (emulated != NULL && rmdir_fails) {
		errno = EBUSY;
		return -1;
	}
	return (int)syscall(SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR);
}

/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */

/* An emulated hierarchy with the memory controller; `procs` is the list of processes in HOME. */
static void begin_emulation(struct store_dir *root, const char *procs)
{
	make_tree(root);
	fake_file(root, HOME "/cgroup.controllers", "cpu memory\n");
	fake_file(root, HOME "/cgroup.procs", "%s", procs);
	leaf_is_denied = rmdir_fails = false;
	emulated = root;
}

static void end_emulation(struct store_dir *root)
{
	emulated = NULL;
	remove_store_dir(root);
}

static void check_enter(const struct store_dir *root, enum hold_level level, const char *words)
{
	char found[4096];
	struct str why = {0};

	assert_int_equal(host_info_cgroup_enter(root->path, found, sizeof found, &why), level);
	assert_int_equal(found[0] == '\0', level == HOLD_NONE);
	if (strstr(str_text(&why), words) == NULL)
		fail_msg("%s", str_text(&why));
	str_free(&why);
}

static const char *own_pid(void)
{
	static char text[32];

	snprintf(text, sizeof text, "%ld\n", (long)getpid());
	return text;
}

/* Checks the controllers that are enabled below HOME. */
static void check_controllers(const struct store_dir *root, const char *controllers)
{
	struct str text = {0};

	assert_true(kernel_text(&text, "%s/" HOME "/cgroup.subtree_control", root->path));
	assert_string_equal(str_text(&text), controllers);
	str_free(&text);
}

static void a_scheduler_alone_in_its_cgroup_moves_to_a_leaf(void **state)
{
	struct store_dir root;
	struct str text = {0};

	(void)state;
	begin_emulation(&root, own_pid());
	check_cgroup(&root, HOLD_FULL, HOME, NULL);
	check_no_folder_left(&root);
	assert_true(home_has_processes());
	check_enter(&root, HOLD_FULL, "");
	assert_false(home_has_processes());
	check_controllers(&root, "memory pids cpuset");
	assert_true(kernel_text(&text, "%s/" HOME "/scheduler/cgroup.procs", root.path));
	assert_int_equal(strtol(str_text(&text), NULL, 10), getpid());
	check_enter(&root, HOLD_FULL, ""); /* again, from the leaf */
	str_free(&text);
	end_emulation(&root);
}

static void in_an_empty_cgroup_only_entering_enables_controllers(void **state)
{
	struct store_dir root;

	(void)state;
	begin_emulation(&root, "");
	check_cgroup(&root, HOLD_FULL, HOME, NULL);
	check_controllers(&root, "");
	check_enter(&root, HOLD_FULL, "");
	check_controllers(&root, "memory pids cpuset");
	end_emulation(&root);
}

static void a_scheduler_that_shares_its_cgroup_stays_there(void **state)
{
	struct store_dir root;
	char text[64];

	(void)state;
	snprintf(text, sizeof text, "%s1\n", own_pid());
	begin_emulation(&root, text);
	check_enter(&root, HOLD_KILL_ONLY, "contains other processes");
	check_no_folder_left(&root);
	end_emulation(&root);
	begin_emulation(&root, "nobody\n"); /* not a pid, as for a process of another pid namespace */
	check_enter(&root, HOLD_KILL_ONLY, "contains other processes");
	end_emulation(&root);
}

static void a_leaf_that_cannot_be_created_is_reported(void **state)
{
	struct store_dir root;

	(void)state;
	begin_emulation(&root, own_pid());
	leaf_is_denied = true;
	check_enter(&root, HOLD_KILL_ONLY, "Permission denied");
	end_emulation(&root);
}

/* An earlier scheduler created the leaf. */
static void an_existing_leaf_is_used(void **state)
{
	struct store_dir root;

	(void)state;
	begin_emulation(&root, own_pid());
	fake_file(&root, HOME "/scheduler/cgroup.procs", "%s", "");
	check_enter(&root, HOLD_FULL, "");
	end_emulation(&root);
}

static void a_probe_that_cannot_be_removed_means_no_control(void **state)
{
	struct store_dir root;

	(void)state;
	begin_emulation(&root, "");
	rmdir_fails = true;
	check_enter(&root, HOLD_NONE, "Device or resource busy");
	end_emulation(&root);
}

static void an_unwritable_subtree_control_is_reported(void **state)
{
	struct store_dir root;
	char path[1024];

	(void)state;
	begin_emulation(&root, "");
	snprintf(path, sizeof path, "%s/" HOME "/cgroup.subtree_control", root.path);
	assert_int_equal(remove(path), 0);
	check_enter(&root, HOLD_KILL_ONLY, "No such file");
	end_emulation(&root);
}

/* --- cgroups of the kernel ------------------------------------------------------------------- */

/*
 * Creates the cgroup `home` below that of this process, and returns a controller that can be enabled there.
 * False: no controller is enabled for cgroups below, or the cgroup cannot be created.
 */
static bool make_test_cgroup(struct cgroup_place *place, struct str *controller, struct str *home)
{
	if (!cgroup_find("", NULL, place) ||
	    !kernel_text(controller, "%s/cgroup.subtree_control", str_text(&place->folder)) ||
	    controller->len == 0)
		return false;
	controller->data[strcspn(controller->data, " ")] = '\0';
	str_addf(home, "%s/kahu-test.%ld", str_text(&place->folder), (long)getpid());
	return mkdir(str_text(home), 0755) == 0;
}

static bool enter(const char *home)
{
	struct str path = {0};

	str_addf(&path, "%s/cgroup.procs", home);
	FILE *file = fopen(str_text(&path), "w");
	str_free(&path);
	return file != NULL && fprintf(file, "%ld\n", (long)getpid()) > 0 && fclose(file) == 0;
}

/* Runs in a child process. Returns 0, or the number of the step that failed. */
static int enable_controller_alone(const char *home, const char *controller)
{
	struct str why = {0};
	struct str text = {0};

	if (!enter(home))
		return 1;
	if (!cgroup_control(home, controller, false, &why))
		return 2;
	if (!kernel_text(&text, "%s/cgroup.procs", home) || strtol(str_text(&text), NULL, 10) != getpid())
		return 3;
	if (!cgroup_control(home, controller, true, &why))
		return 4;
	if (!kernel_text(&text, "%s/cgroup.procs", home) || text.len != 0)
		return 5;
	if (!kernel_text(&text, "%s/scheduler/cgroup.procs", home) ||
	    strtol(str_text(&text), NULL, 10) != getpid())
		return 6;
	if (!kernel_text(&text, "%s/cgroup.subtree_control", home) ||
	    !kernel_has_word(str_text(&text), controller))
		return 7;
	str_free(&why);
	str_free(&text);
	return 0;
}

/* Runs in a child process, whose own child is in the same cgroup. Returns 0, or the number of the failure. */
static int enable_controller_beside_another(const char *home, const char *controller)
{
	struct str why = {0};
	int waits[2];

	if (pipe(waits) != 0 || !enter(home))
		return 1;
	pid_t other = fork();
	if (other == 0) {
		char c;

		close(waits[1]);
		_exit(read(waits[0], &c, 1) == 0 ? 0 : 1);
	}
	bool could = cgroup_control(home, controller, true, &why);
	bool said = strstr(str_text(&why), "contains other processes") != NULL;
	str_free(&why);
	close(waits[1]);
	waitpid(other, NULL, 0);
	return could ? 2 : said ? 0 : 3;
}

static void run_in_a_child(int (*run)(const char *, const char *))
{
	struct cgroup_place place = {{0}, {0}};
	struct str controller = {0};
	struct str home = {0};
	int status = 0;
	bool can = make_test_cgroup(&place, &controller, &home);

	if (can) {
		pid_t child = fork();
		if (child == 0)
			_exit(run(str_text(&home), str_text(&controller)));
		assert_int_equal(waitpid(child, &status, 0), child);
		struct str leaf = {0};
		str_addf(&leaf, "%s/scheduler", str_text(&home));
		rmdir(str_text(&leaf));
		str_free(&leaf);
		assert_int_equal(rmdir(str_text(&home)), 0);
	}
	cgroup_place_free(&place);
	str_free(&controller);
	str_free(&home);
	if (!can) {
		print_message("skipped: no controller is given to cgroups below ours\n");
		skip();
	}
	assert_int_equal(status, 0);
}

static void a_process_alone_in_its_cgroup_moves_to_a_leaf(void **state)
{
	(void)state;
	run_in_a_child(enable_controller_alone);
}

static void other_processes_are_not_moved_to_the_leaf(void **state)
{
	(void)state;
	run_in_a_child(enable_controller_beside_another);
}

static void a_probe_leaves_the_cgroup_of_this_process_unchanged(void **state)
{
	struct str before = {0};
	struct str after = {0};
	struct str why = {0};
	char folder[4096];

	(void)state;
	kernel_text(&before, "/proc/self/cgroup");
	enum hold_level level = host_info_cgroup("/", folder, sizeof folder, &why);
	kernel_text(&after, "/proc/self/cgroup");
	assert_string_equal(str_text(&before), str_text(&after));
	assert_int_equal(level == HOLD_NONE, folder[0] == '\0');
	assert_int_equal(level == HOLD_FULL, why.len == 0);
	if (level != HOLD_NONE)
		assert_true(folder[0] == '/' && folder[1] != '/' && access(folder, W_OK) == 0);
	str_free(&before);
	str_free(&after);
	str_free(&why);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(with_the_memory_controller_control_is_full),
		cmocka_unit_test(without_cgroup_version_2_there_is_no_control),
		cmocka_unit_test(a_hybrid_host_lacks_the_memory_controller),
		cmocka_unit_test(without_cgroup_kill_there_is_no_control),
		cmocka_unit_test(a_probe_that_cannot_be_created_means_no_control),
		cmocka_unit_test(a_controller_that_cannot_be_enabled_is_named),
		cmocka_unit_test(a_scheduler_in_its_leaf_uses_the_parent_cgroup),
		cmocka_unit_test(a_cgroup_path_that_is_too_long_is_refused),
		cmocka_unit_test(a_scheduler_alone_in_its_cgroup_moves_to_a_leaf),
		cmocka_unit_test(in_an_empty_cgroup_only_entering_enables_controllers),
		cmocka_unit_test(a_scheduler_that_shares_its_cgroup_stays_there),
		cmocka_unit_test(a_leaf_that_cannot_be_created_is_reported),
		cmocka_unit_test(an_existing_leaf_is_used),
		cmocka_unit_test(a_probe_that_cannot_be_removed_means_no_control),
		cmocka_unit_test(an_unwritable_subtree_control_is_reported),
		cmocka_unit_test(a_process_alone_in_its_cgroup_moves_to_a_leaf),
		cmocka_unit_test(other_processes_are_not_moved_to_the_leaf),
		cmocka_unit_test(a_probe_leaves_the_cgroup_of_this_process_unchanged),
	};

	return cmocka_run_group_tests_name("host_info_cgroup", tests, NULL, NULL);
}
