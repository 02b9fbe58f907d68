/* SPDX-License-Identifier: MIT */
/*
 * test_fs_files.c - do windows of usage come back from files as they went?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/said.h"
#include "tests/store_dir.h"

static const char config[] = "fspolicy = \"dedicatedps\"\nfsinterval = \"1:00:00\"\nfsdepth = 3\n";

static struct scene *used(void)
{
	struct scene *sc = scene_new(1, 4);

	scene_config(sc, config);
	scene_add(sc, (struct scene_job){.procs = 2, .wall_s = 5000, .user = "amy", .group = "staff"});
	scene_pass(sc);
	scene_go(sc, 6000);
	scene_add(sc, (struct scene_job){.procs = 1, .wall_s = 9000, .user = "bob"});
	scene_pass(sc);
	scene_go(sc, 7300);
	return sc;
}

static void all_windows_come_back(void **state)
{
	struct store_dir dir;
	struct scene *sc = used(), *other = scene_new(1, 4);
	struct str line = {0};

	(void)state;
	make_store_dir(&dir);
	str_addf(&line, "fairshare --export %s", dir.path);
	said_done(sc, str_text(&line));
	other->now_s = 7300;
	scene_config(other, config);
	str_clear(&line);
	str_addf(&line, "fairshare --import %s", dir.path);
	said_done(other, str_text(&line));
	check_lines(sc, "fairshare", "amy 88.50 ------- ------- 70.00 100.00\n");
	check_lines(other, "fairshare", "amy 88.50 ------- ------- 70.00 100.00\n");
	check_lines(other, "fairshare", "staff 88.50 ------- ------- 70.00 100.00\n");
	check_lines(other, "fairshare", "bob 11.50 ------- 100.00 30.00 -------\n");
	str_free(&line);
	remove_store_dir(&dir);
	scene_free(sc);
	scene_free(other);
}

static void windows_that_are_too_old_are_left_out(void **state)
{
	struct store_dir dir;
	struct scene *sc = used();
	struct str line = {0};

	(void)state;
	make_store_dir(&dir);
	str_addf(&line, "fairshare --export %s", dir.path);
	said_done(sc, str_text(&line));
	scene_go(sc, 11000);
	str_clear(&line);
	str_addf(&line, "fairshare --import %s", dir.path);
	check_lines(sc, str_text(&line), "1 of the windows are not among the last 3 and are left out\n");
	scene_go(sc, 100000);
	str_clear(&line);
	str_addf(&line, "none of the 3 windows in %s is among the last 3", dir.path);
	{
		struct str verb = {0};

		str_addf(&verb, "fairshare --import %s", dir.path);
		check_refused(sc, str_text(&verb), CMD_REFUSED, str_text(&line));
		str_free(&verb);
	}
	str_free(&line);
	remove_store_dir(&dir);
	scene_free(sc);
}

static void without_a_policy_there_is_nothing_to_write(void **state)
{
	struct scene *sc = scene_new(1, 1);

	(void)state;
	check_refused(sc, "fairshare --export .", CMD_REFUSED,
		      "fairshare is off (FSPOLICY NONE), so there are no windows to write");
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_windows_come_back),
		cmocka_unit_test(windows_that_are_too_old_are_left_out),
		cmocka_unit_test(without_a_policy_there_is_nothing_to_write),
	};

	return cmocka_run_group_tests_name("fs_files", tests, NULL, NULL);
}
