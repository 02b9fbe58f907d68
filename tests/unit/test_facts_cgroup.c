/* SPDX-License-Identifier: MIT */
/*
 * test_facts_cgroup.c - below which folder do jobs get cgroups of their own, and what can these do?
 *
 * What only a kernel does (a busy folder, moving) is tried below the cgroup of this test where it may make
 * folders there and a controller is given to them; elsewhere that test is skipped and says so.
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

#include "sched/rm/facts_inside.h"
#include "tests/fake_root.h"

#define HOME "sys/fs/cgroup/kahu.service"

static void must_be(const struct store_dir *root, enum hold_level level, const char *folder,
		    const char *words)
{
	char found[4096];
	char expected[1024];
	struct str why = {0};

	assert_int_equal(facts_cgroup(root->path, found, sizeof found, &why), level);
	if (words == NULL)
		assert_string_equal(str_text(&why), "");
	else if (strstr(str_text(&why), words) == NULL)
		fail_msg("%s", str_text(&why));
	snprintf(expected, sizeof expected, "%s/%s", root->path, folder);
	assert_string_equal(found, *folder ? expected : "");
	str_free(&why);
}

/* A tree of version 2 where we stand in HOME, without controllers. */
static void a_tree(struct store_dir *root)
{
	make_store_dir(root);
	fake_file(root, "proc/self/mounts",
		  "tmpfs / tmpfs rw 0 0\ncgroup2 /sys/fs/cgroup cgroup2 rw,nosuid 0 0\n");
	fake_file(root, "proc/self/cgroup", "0::/kahu.service\n");
	fake_file(root, HOME "/cgroup.kill", "%s", "");
	fake_file(root, HOME "/cgroup.controllers", "\n");
	fake_file(root, HOME "/cgroup.subtree_control", "\n");
}

static void must_be_left_as_it_was(const struct store_dir *root)
{
	char path[1024];

	snprintf(path, sizeof path, "%s/" HOME "/scheduler", root->path);
	assert_int_not_equal(access(path, F_OK), 0);
	snprintf(path, sizeof path, "%s/" HOME "/probe.%ld", root->path, (long)getpid());
	assert_int_not_equal(access(path, F_OK), 0);
}

static void with_memory_it_is_full(void **state)
{
	struct store_dir root;

	(void)state;
	a_tree(&root);
	fake_file(&root, HOME "/cgroup.controllers", "cpu memory pids\n");
	fake_file(&root, HOME "/cgroup.subtree_control", "memory\n");
	must_be(&root, HOLD_FULL, HOME, NULL);
	must_be_left_as_it_was(&root);
	remove_store_dir(&root);
}

static void without_a_tree_there_is_none(void **state)
{
	struct store_dir root;

	(void)state;
	make_store_dir(&root);
	must_be(&root, HOLD_NONE, "", "no tree of cgroup version 2");
	fake_file(&root, "proc/self/mounts", "cgroup /sys/fs/cgroup/memory cgroup rw,memory 0 0\n");
	fake_file(&root, "proc/self/cgroup", "4:memory:/\n");
	must_be(&root, HOLD_NONE, "", "no tree of cgroup version 2");
	remove_store_dir(&root);
}

static void a_hybrid_host_has_no_memory_in_it(void **state)
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
	must_be(&root, HOLD_KILL_ONLY, "sys/fs/cgroup/unified", "belongs to version 1");
	remove_store_dir(&root);
}

static void an_old_kernel_cannot_kill_as_one(void **state)
{
	struct store_dir root;
	char path[1024];

	(void)state;
	a_tree(&root);
	snprintf(path, sizeof path, "%s/" HOME "/cgroup.kill", root.path);
	assert_int_equal(remove(path), 0);
	must_be(&root, HOLD_NONE, "", "no cgroup.kill");
	must_be_left_as_it_was(&root);
	remove_store_dir(&root);
}

static void where_no_folder_can_be_made_there_is_none(void **state)
{
	struct store_dir root;
	char path[64];

	(void)state;
	a_tree(&root);
	snprintf(path, sizeof path, HOME "/probe.%ld", (long)getpid());
	fake_file(&root, path, "in the way\n");
	must_be(&root, HOLD_NONE, "", "Delegate=yes");
	remove_store_dir(&root);
}

static void a_controller_that_cannot_be_enabled_is_named(void **state)
{
	struct store_dir root;

	(void)state;
	a_tree(&root);
	fake_file(&root, HOME "/cgroup.controllers", "memory\n");
	/* A file, not a kernel: what is written there does not become a list. */
	must_be(&root, HOLD_KILL_ONLY, HOME, "the memory controller cannot be used below");
	must_be_left_as_it_was(&root);
	remove_store_dir(&root);
}

static void from_its_own_leaf_the_folder_is_above(void **state)
{
	struct store_dir root;

	(void)state;
	a_tree(&root);
	fake_file(&root, "proc/self/cgroup", "0::/kahu.service/scheduler\n");
	fake_folder(&root, HOME "/scheduler");
	fake_file(&root, HOME "/cgroup.controllers", "memory\n");
	fake_file(&root, HOME "/cgroup.subtree_control", "cpu memory\n");
	must_be(&root, HOLD_FULL, HOME, NULL);
	remove_store_dir(&root);
}

static void a_folder_that_is_too_long_is_none(void **state)
{
	struct store_dir root;
	struct str why = {0};
	char folder[16] = "x";

	(void)state;
	a_tree(&root);
	assert_int_equal(facts_cgroup(root.path, folder, sizeof folder, &why), HOLD_NONE);
	assert_string_equal(folder, "");
	assert_non_null(strstr(str_text(&why), "too long"));
	str_free(&why);
	remove_store_dir(&root);
}

/* --- with what a kernel does, on files ------------------------------------------------------- */

static const struct store_dir *emulated; /* NULL: nothing is */
static bool makes_no_leaf, keeps_probes;

static bool ends_with(const char *text, const char *end)
{
	size_t len = strlen(text), size = strlen(end);

	return len >= size && strcmp(text + len - size, end) == 0;
}

static bool stands_in_home(void)
{
	struct str text = {0};
	bool some = kernel_text(&text, "%s/" HOME "/cgroup.procs", emulated->path) && text.len > 0;

	str_free(&text);
	return some;
}

/* "+memory" joins the others. Only one is tried at a time, so nothing else is there when "-memory" comes. */
static void control(const char *word, size_t size)
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

/* NOLINTBEGIN(readability-inconsistent-declaration-parameter-name): what stands in for functions of libc */

/* A controller is given to folders below one in which nobody stands; who is moved leaves where he was. */
ssize_t write(int fd, const void *bytes, size_t size)
{
	char link[64], path[1024];
	ssize_t n;

	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	n = emulated == NULL ? -1 : readlink(link, path, sizeof path - 1);
	path[n > 0 ? n : 0] = '\0';
	if (ends_with(path, "/cgroup.subtree_control")) {
		if (stands_in_home()) {
			errno = EBUSY;
			return -1;
		}
		control(bytes, size);
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

	if (leaf && makes_no_leaf) {
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
	if (emulated != NULL && keeps_probes) {
		errno = EBUSY;
		return -1;
	}
	return (int)syscall(SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR);
}

/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */

/* A tree with memory to give, where those stand in HOME. */
static void begin_emulation(struct store_dir *root, const char *procs)
{
	a_tree(root);
	fake_file(root, HOME "/cgroup.controllers", "cpu memory\n");
	fake_file(root, HOME "/cgroup.procs", "%s", procs);
	makes_no_leaf = keeps_probes = false;
	emulated = root;
}

static void end_emulation(struct store_dir *root)
{
	emulated = NULL;
	remove_store_dir(root);
}

static void must_enter(const struct store_dir *root, enum hold_level level, const char *words)
{
	char found[4096];
	struct str why = {0};

	assert_int_equal(facts_cgroup_enter(root->path, found, sizeof found, &why), level);
	assert_int_equal(found[0] == '\0', level == HOLD_NONE);
	if (strstr(str_text(&why), words) == NULL)
		fail_msg("%s", str_text(&why));
	str_free(&why);
}

static const char *ourselves(void)
{
	static char text[32];

	snprintf(text, sizeof text, "%ld\n", (long)getpid());
	return text;
}

/* The controllers that folders below HOME have. */
static void must_give(const struct store_dir *root, const char *controllers)
{
	struct str text = {0};

	assert_true(kernel_text(&text, "%s/" HOME "/cgroup.subtree_control", root->path));
	assert_string_equal(str_text(&text), controllers);
	str_free(&text);
}

static void alone_in_a_busy_folder_it_would_step_aside_and_does(void **state)
{
	struct store_dir root;
	struct str text = {0};

	(void)state;
	begin_emulation(&root, ourselves());
	must_be(&root, HOLD_FULL, HOME, NULL);
	must_be_left_as_it_was(&root);
	assert_true(stands_in_home());
	must_enter(&root, HOLD_FULL, "");
	assert_false(stands_in_home());
	must_give(&root, "memory pids cpuset");
	assert_true(kernel_text(&text, "%s/" HOME "/scheduler/cgroup.procs", root.path));
	assert_int_equal(strtol(str_text(&text), NULL, 10), getpid());
	must_enter(&root, HOLD_FULL, ""); /* again, from there */
	str_free(&text);
	end_emulation(&root);
}

static void in_an_empty_folder_a_trial_is_undone_and_entering_is_not(void **state)
{
	struct store_dir root;

	(void)state;
	begin_emulation(&root, "");
	must_be(&root, HOLD_FULL, HOME, NULL);
	must_give(&root, "");
	must_enter(&root, HOLD_FULL, "");
	must_give(&root, "memory pids cpuset");
	end_emulation(&root);
}

static void beside_others_it_stays_where_it_is(void **state)
{
	struct store_dir root;
	char text[64];

	(void)state;
	snprintf(text, sizeof text, "%s1\n", ourselves());
	begin_emulation(&root, text);
	must_enter(&root, HOLD_KILL_ONLY, "other processes stand in");
	must_be_left_as_it_was(&root);
	end_emulation(&root);
	begin_emulation(&root, "nobody\n"); /* of another namespace, say */
	must_enter(&root, HOLD_KILL_ONLY, "other processes stand in");
	end_emulation(&root);
}

static void a_leaf_that_cannot_be_made_is_a_reason(void **state)
{
	struct store_dir root;

	(void)state;
	begin_emulation(&root, ourselves());
	makes_no_leaf = true;
	must_enter(&root, HOLD_KILL_ONLY, "Permission denied");
	end_emulation(&root);
}

/* It is there since the last time. */
static void a_leaf_that_is_there_is_used(void **state)
{
	struct store_dir root;

	(void)state;
	begin_emulation(&root, ourselves());
	fake_file(&root, HOME "/scheduler/cgroup.procs", "%s", "");
	must_enter(&root, HOLD_FULL, "");
	end_emulation(&root);
}

static void a_folder_that_cannot_be_removed_is_none_to_use(void **state)
{
	struct store_dir root;

	(void)state;
	begin_emulation(&root, "");
	keeps_probes = true;
	must_enter(&root, HOLD_NONE, "Device or resource busy");
	end_emulation(&root);
}

static void a_list_that_cannot_be_written_is_a_reason(void **state)
{
	struct store_dir root;
	char path[1024];

	(void)state;
	begin_emulation(&root, "");
	snprintf(path, sizeof path, "%s/" HOME "/cgroup.subtree_control", root.path);
	assert_int_equal(remove(path), 0);
	must_enter(&root, HOLD_KILL_ONLY, "No such file");
	end_emulation(&root);
}

/* --- with the kernel ------------------------------------------------------------------------- */

/* A controller that folders below ours can have; false: there is none, or we may make no folder. */
static bool can_try(struct cgroup_place *place, struct str *controller, struct str *home)
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

/* In a child: 0 = all as it should be, else the number of the step that was not. */
static int alone_at_home(const char *home, const char *controller)
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

/* In a child, whose own child stands there as well. */
static int with_another_at_home(const char *home, const char *controller)
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
	bool said = strstr(str_text(&why), "other processes stand in") != NULL;
	str_free(&why);
	close(waits[1]);
	waitpid(other, NULL, 0);
	return could ? 2 : said ? 0 : 3;
}

static void try_in_a_child(int (*deed)(const char *, const char *))
{
	struct cgroup_place place = {{0}, {0}};
	struct str controller = {0};
	struct str home = {0};
	int status = 0;
	bool can = can_try(&place, &controller, &home);

	if (can) {
		pid_t child = fork();
		if (child == 0)
			_exit(deed(str_text(&home), str_text(&controller)));
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

static void alone_it_steps_aside_for_the_controller(void **state)
{
	(void)state;
	try_in_a_child(alone_at_home);
}

static void others_are_not_moved(void **state)
{
	(void)state;
	try_in_a_child(with_another_at_home);
}

static void this_host_is_left_as_it_was(void **state)
{
	struct str before = {0};
	struct str after = {0};
	struct str why = {0};
	char folder[4096];

	(void)state;
	kernel_text(&before, "/proc/self/cgroup");
	enum hold_level level = facts_cgroup("/", folder, sizeof folder, &why);
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
		cmocka_unit_test(with_memory_it_is_full),
		cmocka_unit_test(without_a_tree_there_is_none),
		cmocka_unit_test(a_hybrid_host_has_no_memory_in_it),
		cmocka_unit_test(an_old_kernel_cannot_kill_as_one),
		cmocka_unit_test(where_no_folder_can_be_made_there_is_none),
		cmocka_unit_test(a_controller_that_cannot_be_enabled_is_named),
		cmocka_unit_test(from_its_own_leaf_the_folder_is_above),
		cmocka_unit_test(a_folder_that_is_too_long_is_none),
		cmocka_unit_test(alone_in_a_busy_folder_it_would_step_aside_and_does),
		cmocka_unit_test(in_an_empty_folder_a_trial_is_undone_and_entering_is_not),
		cmocka_unit_test(beside_others_it_stays_where_it_is),
		cmocka_unit_test(a_leaf_that_cannot_be_made_is_a_reason),
		cmocka_unit_test(a_leaf_that_is_there_is_used),
		cmocka_unit_test(a_folder_that_cannot_be_removed_is_none_to_use),
		cmocka_unit_test(a_list_that_cannot_be_written_is_a_reason),
		cmocka_unit_test(alone_it_steps_aside_for_the_controller),
		cmocka_unit_test(others_are_not_moved),
		cmocka_unit_test(this_host_is_left_as_it_was),
	};
	return cmocka_run_group_tests_name("facts_cgroup", tests, NULL, NULL);
}
