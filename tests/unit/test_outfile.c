/* SPDX-License-Identifier: MIT */
/*
 * test_outfile.c - is a file either whole or as it was?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <string.h>

#include "../store_dir.h"
#include "own_dir.h"
#include "sched/base/str.h"
#include "sched/rm/outfile.h"

static void check_file(const char *name, const char *expected)
{
	char text[100] = "";
	FILE *f = fopen(name_in(&dir, name), "r");

	assert_non_null(f);
	text[fread(text, 1, sizeof text - 1, f)] = '\0';
	fclose(f);
	assert_string_equal(text, expected);
}

static int count_files(void)
{
	DIR *d = opendir(dir.path);
	int count = 0;

	while (readdir(d))
		count++;
	closedir(d);
	return count - 2;
}

static void write_file(const char *name, const char *content)
{
	struct outfile f;
	struct str text = {0};

	str_add(&text, content);
	assert_true(outfile_open(&f, name_in(&dir, name), NULL));
	assert_true(outfile_write(&f, &text, NULL));
	outfile_drop(&f);
	str_free(&text);
}

static void a_file_takes_its_place_when_it_is_whole(void **state)
{
	struct outfile f;

	(void)state;
	write_file("a", "first\n");
	assert_true(outfile_open(&f, name_in(&dir, "a"), NULL));
	check_file("a", "first\n");
	outfile_drop(&f);
	check_file("a", "first\n");
	write_file("a", "second\n");
	check_file("a", "second\n");
	assert_int_equal(count_files(), 1);
}

static void a_place_that_cannot_be_written_is_refused_at_once(void **state)
{
	struct outfile f;
	struct err err;

	(void)state;
	assert_false(outfile_open(&f, name_in(&dir, "none/a"), &err));
	assert_non_null(strstr(err.text, "cannot be written"));
	assert_false(outfile_open(&f, dir.path, &err));
	outfile_drop(&f);
	assert_int_equal(count_files(), 0);
}

/* In a folder of everybody somebody may have guessed the name of the file beside it. */
static void a_link_in_its_way_leads_nowhere(void **state)
{
	char beside[40];

	(void)state;
	write_file("precious", "precious\n");
	snprintf(beside, sizeof beside, "a.%ld.new", (long)getpid());
	assert_int_equal(symlink("precious", name_in(&dir, beside)), 0);
	write_file("a", "ours\n");
	check_file("a", "ours\n");
	check_file("precious", "precious\n");
	assert_int_equal(count_files(), 2);
}

static void what_is_no_file_is_written_directly(void **state)
{
	struct outfile f;
	struct str text = {0};

	(void)state;
	str_add(&text, "x");
	assert_true(outfile_open(&f, "/dev/null", NULL));
	assert_true(outfile_write(&f, &text, NULL));
	str_free(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_file_takes_its_place_when_it_is_whole, new_dir, old_dir),
		cmocka_unit_test_setup_teardown(a_place_that_cannot_be_written_is_refused_at_once, new_dir,
						old_dir),
		cmocka_unit_test_setup_teardown(a_link_in_its_way_leads_nowhere, new_dir, old_dir),
		cmocka_unit_test(what_is_no_file_is_written_directly),
	};

	return cmocka_run_group_tests_name("outfile", tests, NULL, NULL);
}
