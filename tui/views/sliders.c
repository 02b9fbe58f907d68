/* SPDX-License-Identifier: MIT */
/*
 * sliders.c - the weights of the policy as a list of sliders
 *
 * Which sliders there are is read off the option rows, so a new factor has one by itself.
 */
#include "sliders.h"

#include <math.h>

#include "sched/base/str.h"
#include "sched/core/config.h"
#include "tui/draw/meter.h"
#include "tui/formula.h"

#define HEADING SIZE_MAX
#define STEPS   100 /* at most, from end to end    */
#define LEAST_C 10  /* least range: of a component */
#define LEAST_F 100 /* and of a factor             */

enum column {
	COL_NAME,
	COL_SLIDER,
	COL_VALUE,
	COL_APPLIED,
	COL_RANGE,
	COL_HELP,
	COL_COUNT
};

static const struct table_column columns[COL_COUNT] = {
	[COL_NAME] = {.title = "WEIGHT", .min = 24, .max = 27},
	[COL_SLIDER] = {.title = "", .min = 14, .max = 40},
	[COL_VALUE] = {.title = "VALUE", .min = 8, .align = TEXT_RIGHT},
	[COL_APPLIED] = {.title = "IN FORCE", .min = 8, .align = TEXT_RIGHT},
	[COL_RANGE] = {.title = "RANGE", .min = 10, .drop = 1},
	[COL_HELP] = {.title = "", .min = 20, .drop = 2, .flexible = true},
};

/* --- ranges ----------------------------------------------------------------------------- */

/* The least round number that is not less than x > 0: one of `count` digits with zeros. */
static double round_up(double x, const int *digit, size_t count)
{
	double unit = pow(10, floor(log10(x)));

	for (size_t i = 0; i < count; i++)
		if (unit * digit[i] >= x)
			return unit * digit[i];
	return unit * 10;
}

static double round_range(double x)
{
	static const int digit[] = {1, 2, 3, 4, 5, 6, 8};

	return round_up(x, digit, sizeof digit / sizeof digit[0]);
}

static double round_step(double x)
{
	static const int digit[] = {1, 2, 5};

	return round_up(x, digit, sizeof digit / sizeof digit[0]);
}

/* Whole weights stay whole; a weight of 0 gets the usual range of its kind. */
static void find_range(struct slider *s)
{
	double usual = config_weight_of(s->row).kind == COMPONENT_WEIGHT ? LEAST_C : LEAST_F;
	bool whole = s->applied == floor(s->applied);
	double reach = whole && fabs(s->applied) < LEAST_C / 2.0 ? LEAST_C : fabs(s->applied) * 2;

	if (s->applied == 0)
		reach = usual;
	if (fabs(s->wanted) > reach)
		reach = fabs(s->wanted);
	s->max = round_range(reach);
	s->min = s->applied < 0 || s->wanted < 0 ? -s->max : 0;
	s->step = round_step(s->max / STEPS);
	if (whole && s->step < 1)
		s->step = 1;
}

/* --- life ------------------------------------------------------------------------------- */

/* What is moved most often stands first: the time in the queue; components after their factors. */
static int place_of(const struct option *row)
{
	static const int first[PRIO_COMPONENT_COUNT] = {[PRIO_SERV] = 1, [PRIO_TARGET] = 2, [PRIO_FS] = 3,
							[PRIO_CRED] = 4, [PRIO_RES] = 5,    [PRIO_USAGE] = 6};
	struct config_weight weight = config_weight_of(row);

	if (weight.kind == FACTOR_WEIGHT)
		return first[policy_factor_info((enum prio_factor)weight.index)->component];
	return PRIO_COMPONENT_COUNT + first[weight.index];
}

static bool is_slider(const struct option *row)
{
	struct config_weight weight = config_weight_of(row);

	return row->scope[0] == '\0' && (weight.kind == COMPONENT_WEIGHT || weight.kind == FACTOR_WEIGHT);
}

void sliders_open(struct sliders *s)
{
	for (int place = 1; place <= 2 * PRIO_COMPONENT_COUNT; place++)
		for (size_t i = 0; i < config_row_count; i++)
			if (is_slider(&config_rows[i]) && place_of(&config_rows[i]) == place)
				s->slider[s->count++].row = &config_rows[i];
	table_init(&s->table, columns, COL_COUNT);
	s->table.no_header = true;
}

void sliders_close(struct sliders *s)
{
	table_free(&s->table);
}

/* --- rows ------------------------------------------------------------------------------- */

static void add_rows(struct sliders *s, bool used)
{
	s->row[s->rows++] = HEADING;
	for (size_t i = 0; i < s->count; i++)
		if (s->slider[i].used == used)
			s->row[s->rows++] = i;
}

static bool is_section(void *self, size_t row)
{
	return ((const struct sliders *)self)->row[row] == HEADING;
}

static uint64_t key(void *self, size_t row)
{
	return ((const struct sliders *)self)->row[row];
}

static enum role cell(void *self, size_t row, size_t column, struct str *out)
{
	const struct sliders *s = self;
	const struct slider *slider = s->row[row] == HEADING ? NULL : &s->slider[s->row[row]];

	if (!slider) {
		if (column == TABLE_LABEL)
			str_add(out, row == 0 ? "WEIGHTS IN USE" : "OTHER WEIGHTS");
		else if (row == 0 && (column == COL_VALUE || column == COL_APPLIED))
			str_add(out, columns[column].title);
		return ROLE_SECTION;
	}
	switch (column) {
	case COL_NAME:
		str_add(out, slider->row->name);
		return ROLE_TEXT;
	case COL_VALUE:
		formula_number(out, slider->wanted);
		return slider->wanted != slider->applied ? ROLE_DRAFT : ROLE_STRONG;
	case COL_APPLIED:
		formula_number(out, slider->applied);
		return ROLE_DIM;
	case COL_RANGE:
		formula_number(out, slider->min);
		str_add(out, "..");
		formula_number(out, slider->max);
		return ROLE_DIM;
	case COL_HELP:
		str_add(out, slider->row->help);
		return ROLE_DIM;
	default:
		return ROLE_TEXT;
	}
}

static double weight_of(const struct policy *policy, struct config_weight weight)
{
	return weight.kind == COMPONENT_WEIGHT ? policy->weights.component[weight.index]
					       : policy->weights.factor[weight.index];
}

/* Does moving it change anything as things stand? A component needs a factor, a factor its component. */
static bool counts(const struct policy *policy, struct config_weight weight)
{
	if (weight.kind == FACTOR_WEIGHT)
		return policy->weights.factor[weight.index] != 0;
	for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++)
		if (policy_factor_info(f)->component == (enum prio_component)weight.index &&
		    policy->weights.factor[f] != 0)
			return true;
	return false;
}

void sliders_update(struct sliders *s, const struct policy *policy, bool keep)
{
	struct table_source source = {.self = s, .key = key, .is_section = is_section, .cell = cell};

	for (size_t i = 0; i < s->count; i++) {
		struct slider *slider = &s->slider[i];
		struct config_weight weight = config_weight_of(slider->row);
		double applied = weight_of(policy, weight);

		if (!keep || slider->wanted == slider->applied)
			slider->wanted = applied;
		slider->applied = applied;
		slider->used = counts(policy, weight);
		find_range(slider);
	}
	s->rows = 0;
	add_rows(s, true);
	add_rows(s, false);
	source.rows = s->rows;
	table_update(&s->table, &source);
}

/* --- moving ----------------------------------------------------------------------------- */

struct slider *sliders_at_cursor(struct sliders *s)
{
	return s->table.cursor == TABLE_NO_ROW ? NULL : &s->slider[s->row[s->table.cursor]];
}

void slider_move(struct slider *s, int steps)
{
	double away = round((s->wanted - s->applied) / s->step) + steps;
	double wanted = s->applied + away * s->step;

	s->wanted = wanted < s->min ? s->min : wanted > s->max ? s->max : wanted;
}

void slider_to_default(struct slider *s)
{
	struct option_value value;

	if (s->row->fallback && option_read(s->row, s->row->fallback, &value, NULL))
		s->wanted = value.number;
}

bool slider_read(struct slider *s, const char *text, struct err *err)
{
	struct option_value value;

	if (!option_read(s->row, text, &value, err))
		return false;
	s->wanted = value.number;
	find_range(s);
	return true;
}

void sliders_lines(const struct sliders *s, struct str *out)
{
	for (size_t i = 0; i < s->count; i++) {
		const struct slider *slider = &s->slider[i];

		if (slider->wanted == slider->applied)
			continue;
		str_addf(out, "%stune %s ", out->len > 0 ? "\n" : "", slider->row->name);
		str_add_real(out, slider->wanted);
	}
}

/* --- drawing ---------------------------------------------------------------------------- */

void sliders_draw(struct sliders *s, struct canvas *canvas, struct rect r, bool focused)
{
	struct table *t = &s->table;
	int x = TABLE_GUTTER;

	t->unfocused = !focused;
	table_draw(t, canvas, r);
	for (int i = 0; i < COL_SLIDER; i++)
		x += t->width[i] ? t->width[i] + 1 : 0;
	for (int y = 0; y < t->body; y++) {
		size_t row = table_row_at(t, t->body_y + y);
		const struct slider *slider;

		if (row == TABLE_NO_ROW || is_section(s, row) || t->width[COL_SLIDER] < 5)
			continue;
		slider = &s->slider[s->row[row]];
		meter_slider(canvas, r, x, t->body_y + y - r.y, t->width[COL_SLIDER], slider->wanted,
			     slider->min, slider->max);
	}
}
