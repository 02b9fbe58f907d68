/* SPDX-License-Identifier: MIT */
/*
 * numbers.c - every number on the screens of priorities, shares, limits and starts is correct
 *
 * Random policies and a generated workload after some days, with changes by an operator. On each screen and
 * for each row of its list, = shows a figure for each number in the row. The figure shows the number as the
 * cell does, and an independent calculation of its expression gives that number (evaluator.h).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <strings.h>

#include "tests/console_session.h"
#include "tests/evaluator.h"
#include "tests/many.h"
#include "tui/console/console_inside.h"

#define CELL_MAX 64

/* --- a random site --------------------------------------------------------------------------- */

static uint32_t below(struct rng *rng, uint32_t limit)
{
	return (uint32_t)rng_below(rng, limit);
}

static const char *pick(struct rng *rng, const char *const *of, uint32_t count)
{
	return of[below(rng, count)];
}

static void add_weights(struct rng *rng, struct str *out)
{
	static const char *const names[] = {
		"user", "group",    "class", "qos",       "fsuser",  "fsgroup", "proc",
		"ps",   "walltime", "mem",   "queuetime", "xfactor", "bypass",  "targetqueuetime"};
	static const char *const values[] = {"1", "10", "-3", "0.1", "0.35", "100", "7.25", "0.00001"};
	static const char *const components[] = {"cred", "fs", "res", "service", "target"};

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		if (below(rng, 2))
			str_addf(out, "%sweight = %s\n", names[i], pick(rng, values, 8));
		if (below(rng, 6) == 0)
			str_addf(out, "%scap = %u\n", names[i], 1 + below(rng, 300));
	}
	for (size_t i = 0; i < sizeof components / sizeof components[0]; i++) {
		if (below(rng, 3) == 0)
			str_addf(out, "%sweight = %s\n", components[i], pick(rng, values, 7));
		if (below(rng, 5) == 0)
			str_addf(out, "%scap = %u\n", components[i], 1 + below(rng, 3000));
	}
	if (below(rng, 3) == 0)
		str_add(out, "enablenegjobpriority = true\n");
	if (below(rng, 2))
		str_add(out, "rejectnegpriojobs = false\n");
	if (below(rng, 3) == 0)
		str_addf(out, "xfminwclimit = %u\n", 60 + below(rng, 7200));
}

static void add_shares(struct rng *rng, struct str *out)
{
	static const char *const policies[] = {"dedicatedps", "dedicatedpes", "utilizedps%", "dedicatedps%",
					       "none"};
	static const char *const modes[] = {"", "+", "-", "%", "^"};
	static const char *const users[] = {"eva", "bob", "mei", "steve", "john", "amina"};

	str_addf(out, "fspolicy = \"%s\"\n", pick(rng, policies, 5));
	str_addf(out, "fsinterval = \"%u:00:00\"\nfsdepth = %u\nfsdecay = 0.%u\n", 1 + below(rng, 24),
		 1 + below(rng, 8), below(rng, 10));
	for (unsigned i = 0; i < 3; i++)
		str_addf(out, "user %s { fstarget = \"%u.5%s\"  priority = %d }\n", users[2 * i],
			 1 + below(rng, 60), pick(rng, modes, 5), (int)below(rng, 400) - 200);
	str_addf(out, "group DEFAULT { fstarget = \"%u\" }\n", 1 + below(rng, 40));
}

static void add_limits(struct rng *rng, struct str *out)
{
	static const char *const kinds[] = {"job", "proc", "node", "ps", "wc"};

	for (unsigned i = 0; i < 4; i++) {
		const char *kind = pick(rng, kinds, 5);
		unsigned scale = kind[0] == 'p' && kind[1] == 's' ? 40000 : kind[0] == 'w' ? 8000 : 3;

		str_addf(out, "%s { max%s = {\"%u,%u\"}  maxi%s = {\"%u\"} }\n",
			 (const char *const[]){"user DEFAULT", "group physics", "class batch", "user bob"}[i],
			 kind, scale * (1 + below(rng, 4)), scale * 5, below(rng, 2) ? "job" : "proc",
			 2 + below(rng, 20));
	}
	str_addf(out, "class long { maxproc = {\"USER=%u\", \"USER:eva=%u,%u\"} }\n", 4 + below(rng, 20),
		 2 + below(rng, 4), 8 + below(rng, 8));
	str_addf(out,
		 "qos high { omaxproc = {\"%u\"}  qtweight = %u  xfweight = 0.5  qttarget = \"2:00:00\" }\n",
		 8 + below(rng, 20), below(rng, 5));
	if (below(rng, 2))
		str_addf(out, "systemmaxjobwalltime = \"%u:00:00\"\n", 12 + below(rng, 100));
}

static char *random_site(struct rng *rng)
{
	struct str out = {0};

	add_weights(rng, &out);
	add_shares(rng, &out);
	add_limits(rng, &out);
	str_addf(&out, "reservationdepth = %u\n", below(rng, 4));
	return out.data;
}

/* --- a row ------------------------------------------------------------------------------------- */

static const struct figure *find_figure(const struct figures *f, const char *title)
{
	for (size_t i = 0; i < f->count; i++)
		if (f->item[i].part != FIGURE_NONE && strcmp(figure_word(f, f->item[i].title), title) == 0)
			return &f->item[i];
	return NULL;
}

static void check_figure(const struct console *c, const char *title, const char *shown)
{
	const struct figure *figure = find_figure(&c->figures, title);
	struct str text = {0};

	if (!figure)
		fail_msg("%s: no figure for %s %s", console_view(c)->name, title, shown);
	figure_text(&c->figures, figure, &text);
	if (!is_true_of(str_text(&text), shown, c->shown->now_s))
		fail_msg("%s: %s shows \"%s\", but \"%s\"", console_view(c)->name, title, shown,
			 str_text(&text));
	str_free(&text);
}

static bool has_digit(const char *text)
{
	return text[strcspn(text, "0123456789")] != '\0';
}

/* "~19:44:39 +3:42h": the time, and the difference from now. */
static void check_moment(const struct console *c, const char *title, char *cell)
{
	char *at = cell + strspn(cell, " ~>r"), *away = strpbrk(at + 1, "+-");

	if (away) {
		check_figure(c, "IN", away + 1);
		away[-1] = '\0';
	}
	check_figure(c, title, at);
}

/* "3730 (373)": points, and the measured value. */
static void check_points(const struct console *c, const char *column, char *cell)
{
	char title[CELL_MAX], *measured = strstr(cell, " (");

	snprintf(title, sizeof title, "%.*s", (int)strcspn(column, "*"), column);
	if (measured) {
		*measured = '\0';
		measured[strlen(measured + 2) + 1] = '\0';
	}
	check_figure(c, title, cell);
}

/* "3 -> 1" */
static void check_rank(const struct console *c, char *cell)
{
	char *after = strstr(cell, " -> ");

	if (after) {
		*after = '\0';
		if (has_digit(after + 4))
			check_figure(c, "RANK AFTER", after + 4);
	}
	if (has_digit(cell))
		check_figure(c, "RANK", cell);
}

/* "433->5363" */
static void check_arrow(const struct console *c, const char *title, char *cell)
{
	char *after = strstr(cell, "->"), name[CELL_MAX];

	if (after) {
		*after = '\0';
		snprintf(name, sizeof name, "%s AFTER", title);
		check_figure(c, name, after + 2);
	}
	check_figure(c, title, cell);
}

static bool is_one_of(const char *title, const char *const *of)
{
	for (; *of; of++)
		if (strcmp(title, *of) == 0)
			return true;
	return false;
}

/* before: the title of the previous column, whose value after the draft an AFTER column shows. */
static void check_cell(const struct console *c, const struct job *job, const char *title, const char *before,
		       char *cell)
{
	static const char *const words[] = {"JOB",        "USER",  "GROUP",    "ACCOUNT", "QOS", "CLASS",
					    "CREDENTIAL", "LIMIT", "OLD..NEW", "SHARES",  NULL};
	static const char *const plain[] = {"PROC",  "WCLIMIT", "XF",     "QUEUED", "PRIORITY", "TARGET",
					    "USAGE", "DELTA",   "EFFECT", "IN USE", "SOFT",     "HARD",
					    "HOLDS", "CHANGE",  "LIVE",   "DRAFT",  "WAIT",     NULL};
	char name[CELL_MAX];

	if (!has_digit(cell) || is_one_of(title, words))
		return;
	snprintf(name, sizeof name, "%s%s", strcmp(title, "AFTER") == 0 ? before : title,
		 strcmp(title, "AFTER") == 0 ? " AFTER" : "");
	if (strcmp(title, "PRIO") == 0)
		check_figure(c, "PRIORITY", cell);
	else if (strcmp(title, "WHY NOT NOW") == 0 && job && job->state == JOB_RUNNING)
		check_figure(c, "OF LIMIT", cell + strspn(cell, " "));
	else if (strcmp(title, "EST.START") == 0 || strncmp(name, "START", 5) == 0)
		check_moment(c, name, cell);
	else if (strcmp(title, "RANK") == 0)
		check_rank(c, cell);
	else if (strcmp(title, "PRIORITY") == 0)
		check_arrow(c, title, cell);
	else if (strncmp(cell, "cap holds ", 10) == 0)
		check_figure(c, name, cell + 10);
	else if (strcmp(title, "AFTER") == 0 || is_one_of(title, plain))
		check_figure(c, name, cell);
	else if (strcmp(title, "") == 0 && strcmp(before, "OF SOFT") == 0)
		check_figure(c, "OF SOFT", cell);
	else if (strcmp(title, "WHY NOT NOW") != 0 && title[0] != '\0')
		check_points(c, title, cell);
}

/* "1224 xfactor <", "1224 fragile", "queuetime in 1 h", "IN 1 H": figures of neighbouring jobs, in no cell.
 */
static bool is_of_neighbours(const char *title)
{
	size_t len = strlen(title);

	return strchr("<>", title[len - 1]) || strstr(title, " fragile") ||
	       (len > 3 && strcasecmp(title + len - 3, "1 h") == 0);
}

/* Checks the figures about the neighbouring jobs and, on a screen that shows the draft, all figures. */
static void check_other_figures(const struct console *c)
{
	bool all = console_view(c)->shows_draft;
	struct str text = {0};

	for (size_t i = 0; i < c->figures.count; i++) {
		const struct figure *figure = &c->figures.item[i];
		const char *shown = figure_word(&c->figures, figure->shown);

		if (figure->part == FIGURE_NONE ||
		    (!all && !is_of_neighbours(figure_word(&c->figures, figure->title))))
			continue;
		str_clear(&text);
		figure_text(&c->figures, figure, &text);
		if (!is_true_of(str_text(&text), shown, c->shown->now_s))
			fail_msg("%s: \"%s\", but \"%s\"", console_view(c)->name, shown, str_text(&text));
	}
	str_free(&text);
}

static uint32_t check_row(struct console *c, const struct table *t, size_t row)
{
	const struct job *job = console_view(c)->jobs ? forecast_job(&c->shown->live, c->job, NULL) : NULL;
	struct str cell = {0};
	uint32_t numbers = 0;

	console_write_numbers(c);
	check_other_figures(c);
	for (size_t i = 0; i < t->columns; i++) {
		str_clear(&cell);
		(void)t->source.cell(t->source.self, row, i, &cell);
		if (cell.len == 0)
			continue;
		cell.data[cell.len - (cell.data[cell.len - 1] == ' ')] = '\0';
		numbers += has_digit(cell.data);
		check_cell(c, job, t->column[i].title, i > 0 ? t->column[i - 1].title : "", cell.data);
	}
	str_free(&cell);
	return numbers;
}

/* Checks each row of the current screen; returns the number of cells with numbers. */
static uint32_t check_screen(struct console *c)
{
	struct table *t = console_view(c)->table(console_view_memory(c));
	uint32_t numbers = 0;

	for (size_t row = 0; row < t->source.rows; row++) {
		if (table_is_section(t, row))
			continue;
		table_go_row(t, row);
		if (console_view(c)->jobs)
			console_go_job(c, t->cursor_key);
		numbers += check_row(c, t, row);
	}
	return numbers;
}

/* --- sessions ----------------------------------------------------------------------------------- */

static struct session begin(struct rng *rng)
{
	struct err err;
	char *conf = random_site(rng);
	int64_t warm_up_s = 20000 + below(rng, 200000);
	struct driver *d = session_driver(rng_u64(rng), warm_up_s);
	struct event ev = {.time_s = SESSION_BEGIN_S + warm_up_s,
			   .kind = EVENT_CONFIG,
			   .who = "ops",
			   .config = {.file = "kahu.conf", .text = conf}};
	struct host_setup setup = {.driver = d, .start_s = SESSION_BEGIN_S + warm_up_s};
	struct session s = {.simulated = true, .color = true, .who = "ops"};

	if (driver_post(d, &ev, 1, &err) != DRIVER_DONE)
		fail_msg("%s\n%s", err.text, conf);
	s.host = host_start(&setup, NULL);
	assert_non_null(s.host);
	s.source = source_of_host(s.host);
	free(conf);
	return s;
}

/* Screens 3 and 4 are checked in both units, which "b" switches. */
static uint32_t check_all(struct console *c, const char *screens)
{
	uint32_t numbers = 0;
	char keys[2] = "";

	for (; *screens; screens++) {
		keys[0] = *screens;
		press(c, keys);
		(void)console_draw(c);
		numbers += check_screen(c);
		if (*screens != '3' && *screens != '4')
			continue;
		press(c, "b");
		numbers += check_screen(c);
		press(c, "b");
	}
	return numbers;
}

static void operate(struct rng *rng, struct console *c)
{
	char line[80];
	struct err err;

	snprintf(line, sizeof line, "set %u priority=%d", (unsigned)(c->job), (int)below(rng, 90));
	(void)console_command(c, line, &err);
	settle(c);
	if (c->box.proposal)
		press(c, "<Enter>");
}

static void draft(struct rng *rng, struct console *c)
{
	static const char *const options[] = {"queuetimeweight", "xfactorweight", "user[eva].fstarget",
					      "user[DEFAULT].maxproc", "fsdecay"};
	char value[16];

	snprintf(value, sizeof value, "%u", 1 + below(rng, 40));
	(void)console_propose_tune(c, options[below(rng, 4)], value);
	settle(c);
}

static void every_number_equals_the_expression_of_its_figure(void **state)
{
	struct rng rng = seeded("numbers");
	uint32_t numbers = 0;

	(void)state;
	for (unsigned i = 0; i < many(8); i++) {
		struct session s = begin(&rng);
		struct console *c = console_new(&s, NULL, true, NULL);

		console_resize(c, i % 2 ? 200 : 100, i % 2 ? 60 : 30);
		settle(c);
		numbers += check_all(c, "13467");
		press(c, "1");
		operate(&rng, c);
		console_advance(c, console_now_s(c) + below(&rng, 20000));
		settle(c);
		numbers += check_all(c, "13");
		draft(&rng, c);
		numbers += check_all(c, "3467");
		console_free(c);
		session_end(&s);
	}
	print_message("# %u numbers\n", (unsigned)numbers);
	assert_true(numbers > 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_number_equals_the_expression_of_its_figure),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
