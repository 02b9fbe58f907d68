/* SPDX-License-Identifier: MIT */
/*
 * test_theme.c - themes: every role in every theme, also without colours
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sched/base/str.h"
#include "tui/draw/theme.h"

static struct theme theme;

/* ---- styles ---- */

static void assert_style(const char *text, enum colour_depth depth, int fg, int bg, unsigned attr)
{
	struct style style;
	struct err err = {""};

	if (!style_parse(text, depth, &style, &err))
		fail_msg("%s", err.text);
	assert_int_equal(style.fg, fg);
	assert_int_equal(style.bg, bg);
	assert_int_equal(style.attr, attr);
}

static void words_of_a_style_may_be_in_any_order(void **state)
{
	(void)state;
	assert_style("", COLOUR_16, -1, -1, 0);
	assert_style("default", COLOUR_16, -1, -1, 0);
	assert_style("green bold", COLOUR_16, 2, -1, STYLE_BOLD);
	assert_style("  bold  on blue underline bright_red", COLOUR_16, 9, 4, STYLE_BOLD | STYLE_UNDERLINE);
	assert_style("Reverse DIM", COLOUR_16, -1, -1, STYLE_REVERSE | STYLE_DIM);
	assert_style("203 on 16", COLOUR_256, 203, 16, 0);
	assert_style("red on default", COLOUR_256, 1, -1, 0);
}

static void assert_style_refused(const char *text, enum colour_depth depth, const char *why)
{
	struct style style = {7, 7, 7};
	struct err err = {""};

	assert_false(style_parse(text, depth, &style, &err));
	assert_int_equal(style.fg, 7);
	if (!strstr(err.text, why))
		fail_msg("'%s' does not say '%s'", err.text, why);
}

static void an_invalid_style_is_refused_and_the_word_named(void **state)
{
	(void)state;
	assert_style_refused("greeen", COLOUR_16, "'greeen' is neither");
	assert_style_refused("12", COLOUR_16, "'12' is neither");
	assert_style_refused("256", COLOUR_256, "'256' is neither");
	assert_style_refused("-1", COLOUR_256, "'-1' is neither");
	assert_style_refused("12x", COLOUR_256, "'12x' is neither");
	assert_style_refused("red green", COLOUR_16, "'green' is a second text colour");
	assert_style_refused("red on", COLOUR_16, "'on' must be followed");
	assert_style_refused("on on red", COLOUR_16, "'on' is neither");
	assert_style_refused("on bold", COLOUR_16, "'bold' is neither");
}

/* ---- files ---- */

static bool parse(const char *text, const struct theme *base, struct err *err)
{
	return theme_parse("my.theme", text, strlen(text), base, &theme, err);
}

static void a_missing_role_has_the_style_of_the_base_theme(void **state)
{
	struct theme base;
	struct err err = {""};

	(void)state;
	assert_true(parse("role \"error\" { style = \"red bold\" style256 = \"203\" }\n"
			  "role \"text\" { style = \"white\" }",
			  NULL, &err));
	base = theme;
	assert_true(parse("description = \"mine\"\nrole \"text\" { style = \"blue\" }", &base, &err));
	assert_string_equal(theme.description, "mine");
	assert_int_equal(theme.style16[ROLE_TEXT].fg, 4);
	assert_int_equal(theme.style256[ROLE_TEXT].fg, 4);
	assert_int_equal(theme.style16[ROLE_ERROR].fg, 1);
	assert_int_equal(theme.style256[ROLE_ERROR].fg, 203);
	assert_true(theme.given[ROLE_TEXT]);
	assert_false(theme.given[ROLE_ERROR]);
}

static void an_invalid_theme_is_refused_completely_and_the_line_named(void **state)
{
	static const struct {
		const char *text, *why;
	} rows[] = {
		{"role \"text\" { style = \"blue\" }\nrole \"no.such\" { style = \"red\" }", "my.theme:2"},
		{"role \"no.such\" { style = \"red\" }", "unknown role 'no.such'"},
		{"\n\nrole \"text\" { style = \"pink\" }", "my.theme:3"},
		{"role \"text\" { style = \"red\" }\nrole \"text\" { style = \"red\" }", "text"},
		{"role \"text\" { style256 = \"12\" }", "no style"},
		{"role \"text\" { }", "no style"},
		{"role \"text\" { style = \"red\"", "my.theme"},
		{"colour = \"red\"", "colour"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct err err = {""};

		memset(&theme, 0, sizeof theme);
		if (parse(rows[i].text, NULL, &err))
			fail_msg("accepted: %s", rows[i].text);
		if (!strstr(err.text, rows[i].why))
			fail_msg("'%s' does not say '%s'", err.text, rows[i].why);
		assert_false(theme.given[ROLE_TEXT]);
	}
}

/* ---- shipped themes ---- */

static void load(const char *name)
{
	struct err err = {""};

	if (!theme_load(NULL, name, &theme, &err))
		fail_msg("%s", err.text);
}

static void every_shipped_theme_defines_every_role(void **state)
{
	(void)state;
	assert_true(builtin_theme_count >= 5);
	for (size_t i = 0; i < builtin_theme_count; i++) {
		load(builtin_themes[i].name);
		assert_string_equal(theme.name, builtin_themes[i].name);
		assert_true(theme.description[0] != '\0');
		for (int role = 0; role < ROLE_COUNT; role++)
			if (!theme.given[role])
				fail_msg("themes/%s.theme has no line for role %s", theme.name,
					 role_info((enum role)role)->name);
	}
}

/* Tells if the attributes or marks of two roles differ without colours. */
static bool differ_without_colour(enum role a, enum role b)
{
	return theme_style(&theme, a, ROLE_COUNT, COLOUR_NONE).attr !=
		       theme_style(&theme, b, ROLE_COUNT, COLOUR_NONE).attr ||
	       strcmp(role_info(a)->mark, role_info(b)->mark) != 0;
}

static void roles_are_distinguishable_without_colour(void **state)
{
	size_t count;
	const struct role_pair *rival = role_rivals(&count);

	(void)state;
	assert_true(count > 20);
	for (size_t i = 0; i < builtin_theme_count; i++) {
		load(builtin_themes[i].name);
		for (size_t n = 0; n < count; n++)
			if (!differ_without_colour(rival[n].a, rival[n].b))
				fail_msg("themes/%s.theme: %s and %s differ by colour alone", theme.name,
					 role_info(rival[n].a)->name, role_info(rival[n].b)->name);
	}
}

static void no_text_has_the_colour_of_its_background(void **state)
{
	(void)state;
	for (size_t i = 0; i < builtin_theme_count; i++) {
		load(builtin_themes[i].name);
		for (int role = 0; role < ROLE_COUNT * 2; role++) {
			bool over = role >= ROLE_COUNT;
			enum role base = (enum role)(role % ROLE_COUNT);
			struct style style =
				theme_style(&theme, base, over ? ROLE_CURSOR : ROLE_COUNT, COLOUR_16);

			if (style.fg != STYLE_DEFAULT_COLOUR)
				assert_int_not_equal(style.fg, style.bg);
		}
	}
}

static void the_mono_theme_has_no_colours(void **state)
{
	(void)state;
	load("mono");
	for (int role = 0; role < ROLE_COUNT; role++) {
		assert_int_equal(theme.style256[role].fg, STYLE_DEFAULT_COLOUR);
		assert_int_equal(theme.style256[role].bg, STYLE_DEFAULT_COLOUR);
	}
}

static void an_overlay_adds_attributes_and_overrides_colours(void **state)
{
	struct err err = {""};
	struct style style;

	(void)state;
	assert_true(parse("role \"error\" { style = \"red on white bold\" }\n"
			  "role \"cursor\" { style = \"blue reverse\" }",
			  NULL, &err));
	style = theme_style(&theme, ROLE_ERROR, ROLE_CURSOR, COLOUR_16);
	assert_int_equal(style.fg, 4);
	assert_int_equal(style.bg, 7);
	assert_int_equal(style.attr, STYLE_BOLD | STYLE_REVERSE);
	style = theme_style(&theme, ROLE_ERROR, ROLE_CURSOR, COLOUR_NONE);
	assert_int_equal(style.fg, STYLE_DEFAULT_COLOUR);
	assert_int_equal(style.bg, STYLE_DEFAULT_COLOUR);
}

static void roles_are_found_by_name_in_any_case(void **state)
{
	(void)state;
	assert_int_equal(role_find("job.running"), ROLE_JOB_RUNNING);
	assert_int_equal(role_find("Job.Running"), ROLE_JOB_RUNNING);
	assert_int_equal(role_find("job"), ROLE_COUNT);
	for (int a = 0; a < ROLE_COUNT; a++)
		assert_int_equal(role_find(role_info((enum role)a)->name), a);
}

/* ---- the user's theme directory ---- */

static char dir[64];

static void write_theme(const char *name, const char *text)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof path, "%s/%s", dir, name);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static int make_dir(void **state)
{
	(void)state;
	snprintf(dir, sizeof dir, "/tmp/kahu-theme-XXXXXX");
	return mkdtemp(dir) ? 0 : -1;
}

static int remove_dir(void **state)
{
	static const char *const names[] = {"mine.theme", "default.theme",  "pipe.theme",
					    "bad.theme",  "TEMPLATE.theme", "notes.txt"};

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		char path[128];

		snprintf(path, sizeof path, "%s/%s", dir, names[i]);
		unlink(path);
	}
	return rmdir(dir);
}

static void add_name(void *self, const char *name)
{
	str_addf(self, "%s ", name);
}

static void themes_of_the_user_directory_override_shipped_themes(void **state)
{
	struct str names = {0};
	struct err err = {""};

	(void)state;
	write_theme("mine.theme", "role \"text\" { style = \"red\" }");
	write_theme("default.theme", "role \"text\" { style = \"blue\" }");
	write_theme("TEMPLATE.theme", "");
	write_theme("notes.txt", "");
	theme_each(dir, add_name, &names);
	assert_string_equal(str_text(&names), "colourblind contrast default light mine mono ");
	str_free(&names);
	assert_true(theme_load(dir, "default", &theme, &err));
	assert_int_equal(theme.style16[ROLE_TEXT].fg, 4);
	assert_true(theme_load(dir, "mine", &theme, &err));
	assert_string_equal(theme.name, "mine");
	assert_int_equal(theme.style16[ROLE_TEXT].fg, 1);
	assert_int_equal(theme.style16[ROLE_ERROR].attr, STYLE_BOLD | STYLE_REVERSE);
	assert_true(theme_load(dir, "mono", &theme, &err));
}

static void assert_not_loaded(const char *name, const char *why)
{
	struct err err = {""};

	assert_false(theme_load(dir, name, &theme, &err));
	if (!strstr(err.text, why))
		fail_msg("'%s' does not say '%s'", err.text, why);
}

static void an_invalid_or_missing_theme_is_an_error(void **state)
{
	char path[128];

	(void)state;
	write_theme("bad.theme", "role \"text\" { style = \"pink\" }");
	snprintf(path, sizeof path, "%s/pipe.theme", dir);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_not_loaded("bad", "bad.theme:1");
	assert_not_loaded("pipe", "not a regular file");
	assert_not_loaded("none", "available themes: bad, colourblind");
	assert_not_loaded("../../etc/passwd", "unknown theme '../../etc/passwd'");
	assert_not_loaded("", "unknown theme ''");
}

static void the_template_explains_every_role(void **state)
{
	const char *top = getenv("KAHU_SOURCE");
	struct str path = {0};
	struct err err = {""};
	char text[32768];
	size_t len;
	FILE *file;

	(void)state;
	str_addf(&path, "%s/themes/TEMPLATE.theme", top ? top : ".");
	file = fopen(str_text(&path), "r");
	str_free(&path);
	if (!file)
		skip(); /* the source tree is not available */
	len = fread(text, 1, sizeof text - 1, file);
	text[len] = '\0';
	fclose(file);
	if (!theme_parse("TEMPLATE.theme", text, len, NULL, &theme, &err))
		fail_msg("%s", err.text);
	for (int role = 0; role < ROLE_COUNT; role++) {
		assert_true(theme.given[role]);
		if (!strstr(text, role_info((enum role)role)->help))
			fail_msg("TEMPLATE.theme does not explain %s", role_info((enum role)role)->name);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_of_a_style_may_be_in_any_order),
		cmocka_unit_test(an_invalid_style_is_refused_and_the_word_named),
		cmocka_unit_test(a_missing_role_has_the_style_of_the_base_theme),
		cmocka_unit_test(an_invalid_theme_is_refused_completely_and_the_line_named),
		cmocka_unit_test(every_shipped_theme_defines_every_role),
		cmocka_unit_test(roles_are_distinguishable_without_colour),
		cmocka_unit_test(no_text_has_the_colour_of_its_background),
		cmocka_unit_test(the_mono_theme_has_no_colours),
		cmocka_unit_test(an_overlay_adds_attributes_and_overrides_colours),
		cmocka_unit_test(roles_are_found_by_name_in_any_case),
		cmocka_unit_test_setup_teardown(themes_of_the_user_directory_override_shipped_themes,
						make_dir, remove_dir),
		cmocka_unit_test_setup_teardown(an_invalid_or_missing_theme_is_an_error, make_dir,
						remove_dir),
		cmocka_unit_test(the_template_explains_every_role),
	};

	return cmocka_run_group_tests_name("theme", tests, NULL, NULL);
}
