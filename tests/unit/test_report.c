/* SPDX-License-Identifier: MIT */
/*
 * test_report.c - columns of reports with any text
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tui/report/report.h"

static const struct report_column columns[] = {{"JOB", TEXT_LEFT}, {"PROC", TEXT_RIGHT}, {"WHY", TEXT_LEFT}};

static void columns_are_as_wide_as_their_widest_cell(void **state)
{
	struct report r = {.column = columns, .columns = 3};
	struct str out = {0};

	(void)state;
	report_cell(&r, "900991");
	report_cellf(&r, "%d", 8);
	report_cell(&r, "held");
	report_cell(&r, "1");
	report_cell(&r, "123456");
	report_cell(&r, "");
	report_print(&r, 1, false, &out);
	assert_string_equal(str_text(&out), " JOB       PROC  WHY\n"
					    " 900991       8  held\n"
					    " 1       123456\n");
	report_free(&r);
	str_free(&out);
}

static void control_bytes_are_escaped(void **state)
{
	struct report r = {.column = columns, .columns = 3, .no_titles = true};
	struct str out = {0};

	(void)state;
	report_cell(&r, "a\033[2Jb");
	report_cell(&r, "\n");
	report_cell(&r, "\xc3\xa9");
	report_print(&r, 0, true, &out);
	assert_string_equal(str_text(&out), "a\\x1b[2Jb  \\n  ?\n");
	report_free(&r);
	str_free(&out);
}

static void an_empty_report_shows_its_titles(void **state)
{
	struct report r = {.column = columns, .columns = 3};
	struct str out = {0};

	(void)state;
	report_print(&r, 0, false, &out);
	assert_string_equal(str_text(&out), "JOB  PROC  WHY\n");
	report_free(&r);
	str_free(&out);
}

static void narrow_reports_omit_spare_columns(void **state)
{
	static const unsigned char spare[] = {0, 1, 0};
	struct report r = {.column = columns, .columns = 3, .width = 16, .spare = spare};
	struct str out = {0};

	(void)state;
	report_cell(&r, "900991");
	report_cell(&r, "8");
	report_cell(&r, "held");
	report_print(&r, 0, false, &out);
	assert_string_equal(str_text(&out), "JOB     WHY\n"
					    "900991  held\n");
	str_clear(&out);
	r.width = 10;
	report_print(&r, 0, false, &out);
	assert_string_equal(str_text(&out), "JOB     W~\n"
					    "900991  h~\n");
	str_clear(&out);
	r.width = 18;
	report_print(&r, 0, false, &out);
	assert_string_equal(str_text(&out), "JOB     PROC  WHY\n"
					    "900991     8  held\n");
	report_free(&r);
	str_free(&out);
}

static void reports_can_share_their_widths(void **state)
{
	struct report r = {.column = columns, .columns = 3};
	int width[3] = {0};
	struct str out = {0};

	(void)state;
	report_cell(&r, "900991");
	report_cell(&r, "8");
	report_cell(&r, "");
	report_widen(&r, width);
	report_free(&r);
	r.least = width;
	report_print(&r, 0, false, &out);
	assert_string_equal(str_text(&out), "JOB     PROC  WHY\n");
	report_free(&r);
	str_free(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_are_as_wide_as_their_widest_cell),
		cmocka_unit_test(control_bytes_are_escaped),
		cmocka_unit_test(an_empty_report_shows_its_titles),
		cmocka_unit_test(narrow_reports_omit_spare_columns),
		cmocka_unit_test(reports_can_share_their_widths),
	};

	return cmocka_run_group_tests_name("report", tests, NULL, NULL);
}
