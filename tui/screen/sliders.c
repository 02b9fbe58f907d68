/* SPDX-License-Identifier: MIT */
/*
 * sliders.c - policy settings as a list of sliders
 *
 * The weights are taken from the option table, so every new factor gets a slider. Current values are printed
 * as configuration text and parsed again, so any type of option can have a slider.
 */
#include "sliders.h"

#include <math.h>

#include "sched/base/duration.h"
#include "sched/base/option.h"
#include "sched/base/str.h"
#include "sched/config/config.h"
#include "tui/draw/meter.h"
#include "tui/report/figure.h"
#include "view.h"

/* --- range and steps ---------------------------------------------------------------------------------- */

/*
 * The range of a slider depends on its current value and includes its new value. Bounds and steps of weights
 * are round numbers.
 */

#define STEPS 100 /* maximum number of steps from 0 to the maximum of a weight */

#define PART_STEPS 20 /* number of steps in the range of a real number */

/* Least upper end of the slider of a whole weight; also the upper end for a component weight of 0. */
#define LEAST_C 10

#define LEAST_F 100 /* upper end of the slider of a factor weight of 0 */

/* Returns the smallest round number that is not less than x > 0: one of the digits times a power of ten. */
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

/* Sets the range and the step of a weight. If the weight is a whole number, the step is, too. */
static void find_weight_range(struct slider *s)
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

/*
 * Sets the range and the step of a duration: the longest of the usual steps that the current value contains
 * at least eight times.
 */
static void find_time_range(struct slider *s)
{
	static const int step_s[] = {86400, 21600, 3600, 900, 300, 60};
	double reach = 2 * (s->applied > s->wanted ? s->applied : s->wanted);

	s->step = 1;
	for (size_t i = sizeof step_s / sizeof step_s[0]; i-- > 0 && s->applied >= 8 * step_s[i];)
		s->step = step_s[i];
	s->min = s->step > s->row->min ? s->step : s->row->min;
	s->max = reach;
}

/* Sets the range and the step of a slider. */
static void slider_find_range(struct slider *s)
{
	const struct option *row = s->row;

	if (config_weight_of(row).kind != NO_WEIGHT) {
		find_weight_range(s);
	} else if (row->type == OPTION_DURATION) {
		find_time_range(s);
	} else if (row->type == OPTION_CHOICE) {
		s->min = s->max = row->min;
		s->step = 1;
		for (size_t i = 1; row->choices[i]; i++)
			s->max++;
	} else {
		s->min = row->min;
		s->max = row->max;
		s->step = row->type == OPTION_REAL ? (row->max - row->min) / PART_STEPS : 1;
	}
}

/* --- list of sliders ---------------------------------------------------------------------------------- */

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
	[COL_NAME] = {.title = "", .min = 24, .max = 27},
	[COL_SLIDER] = {.title = "", .min = 16, .max = 40},
	[COL_VALUE] = {.title = "VALUE", .min = 10, .align = TEXT_RIGHT},
	[COL_APPLIED] = {.title = "IN FORCE", .min = 13, .max = 14, .align = TEXT_RIGHT, .drop = 1},
	[COL_RANGE] = {.title = "RANGE", .min = 10, .max = 20, .drop = 2},
	[COL_HELP] = {.title = "", .min = 20, .drop = 3, .flexible = true},
};

/* Sections of the two lists, in order. */
enum part {
	PART_USED,
	PART_NODES,
	PART_UNUSED,
	PART_FAIRSHARE = 0
};

static const char *const part_titles[][3] = {
	[SLIDERS_ORDER] = {"WEIGHTS IN USE", "NODES", "OTHER WEIGHTS"},
	[SLIDERS_FAIRSHARE] = {"FAIRSHARE", NULL, NULL},
};

/* --- values ------------------------------------------------------------------------------------------- */

static double value_number(const struct option *row, const struct option_value *value)
{
	return row->type == OPTION_REAL ? value->number : (double)value->whole;
}

static void add_value(const struct slider *s, double number, struct str *out)
{
	char buf[DURATION_TEXT];

	if (s->row->type == OPTION_CHOICE)
		str_add(out, s->row->choices[(size_t)(number - s->row->min)]);
	else if (s->row->type == OPTION_DURATION)
		str_add(out, duration_text(buf, (int64_t)number));
	else
		str_add_real(out, number);
}

void slider_add_wanted(const struct slider *s, struct str *out)
{
	add_value(s, s->wanted, out);
}

/* Appends a value in readable form, with few decimals. */
static void add_shown(const struct slider *s, double number, struct str *out)
{
	if (s->row->type == OPTION_REAL)
		formula_number(out, number);
	else
		add_value(s, number, out);
}

static double value_in_force(const struct slider *s, const struct policy *policy)
{
	struct option_value value;
	struct str text = {0};
	bool is_read;

	config_print_value(s->row, policy, NULL, NULL, &text);
	is_read = option_read(s->row, str_text(&text), &value, NULL);
	str_free(&text);
	return is_read ? value_number(s->row, &value) : s->applied;
}

/* --- opening and closing ------------------------------------------------------------------------------ */

/*
 * Returns the position of a weight in the list, from 1. Factor weights come before component weights, and
 * weights that are changed most often come first: those of the service component (queue time).
 */
static int place_of(const struct option *row)
{
	static const int first[PRIO_COMPONENT_COUNT] = {[PRIO_SERV] = 1, [PRIO_TARGET] = 2, [PRIO_FS] = 3,
							[PRIO_CRED] = 4, [PRIO_RES] = 5,    [PRIO_USAGE] = 6};
	struct config_weight weight = config_weight_of(row);

	if (weight.kind == FACTOR_WEIGHT)
		return first[policy_factor_info((enum prio_factor)weight.index)->component];
	return PRIO_COMPONENT_COUNT + first[weight.index];
}

static bool is_weight(const struct option *row)
{
	struct config_weight weight = config_weight_of(row);

	return row->scope[0] == '\0' && (weight.kind == COMPONENT_WEIGHT || weight.kind == FACTOR_WEIGHT);
}

static void add_weights(struct sliders *s)
{
	for (int place = 1; place <= 2 * PRIO_COMPONENT_COUNT; place++)
		for (size_t i = 0; i < config_row_count; i++)
			if (is_weight(&config_rows[i]) && place_of(&config_rows[i]) == place)
				s->slider[s->count++].row = &config_rows[i];
}

static void add_option(struct sliders *s, const char *name)
{
	s->slider[s->count++].row = option_find(config_rows, config_row_count, "", name);
}

void sliders_open(struct sliders *s, enum sliders_of of)
{
	s->of = of;
	if (of == SLIDERS_ORDER) {
		add_weights(s);
		add_option(s, "nodeallocationpolicy");
	} else {
		add_option(s, "fspolicy");
		add_option(s, "fsinterval");
		add_option(s, "fsdepth");
		add_option(s, "fsdecay");
	}
	table_init(&s->table, columns, COL_COUNT);
	s->table.no_header = true;
}

void sliders_close(struct sliders *s)
{
	table_free(&s->table);
}

/* --- rows --------------------------------------------------------------------------------------------- */

static void add_rows(struct sliders *s, unsigned part)
{
	size_t heading = s->rows;

	s->row[s->rows++] = SLIDERS_MAX + part;
	for (size_t i = 0; i < s->count; i++)
		if (s->slider[i].part == part)
			s->row[s->rows++] = i;
	if (s->rows == heading + 1)
		s->rows--;
}

static bool is_section(void *self, size_t row)
{
	return ((const struct sliders *)self)->row[row] >= SLIDERS_MAX;
}

static uint64_t key(void *self, size_t row)
{
	return ((const struct sliders *)self)->row[row];
}

static enum role add_heading(const struct sliders *s, size_t row, size_t column, struct str *out)
{
	if (column == TABLE_LABEL)
		str_add(out, part_titles[s->of][s->row[row] - SLIDERS_MAX]);
	else if (row == 0 && (column == COL_VALUE || column == COL_APPLIED))
		str_add(out, columns[column].title);
	return ROLE_SECTION;
}

bool slider_is_moved(const struct slider *s)
{
	return s->wanted < s->applied || s->wanted > s->applied;
}

/* For an option whose values are words, writes the word in place of the slider: "<minresource>". */
static enum role add_choice(const struct slider *s, struct str *out)
{
	str_add_char(out, '<');
	add_shown(s, s->wanted, out);
	str_add_char(out, '>');
	return slider_is_moved(s) ? ROLE_DRAFT : ROLE_STRONG;
}

static enum role cell(void *self, size_t row, size_t column, struct str *out)
{
	const struct sliders *s = self;
	const struct slider *slider;
	bool is_choice;

	if (is_section(self, row))
		return add_heading(s, row, column, out);
	slider = &s->slider[s->row[row]];
	is_choice = slider->row->type == OPTION_CHOICE;
	switch (column) {
	case COL_NAME:
		str_add(out, slider->row->name);
		return ROLE_TEXT;
	case COL_SLIDER:
		return is_choice ? add_choice(slider, out) : ROLE_TEXT;
	case COL_VALUE:
		if (!is_choice)
			add_shown(slider, slider->wanted, out);
		return slider_is_moved(slider) ? ROLE_DRAFT : ROLE_STRONG;
	case COL_APPLIED:
		add_shown(slider, slider->applied, out);
		return ROLE_DIM;
	case COL_RANGE:
		if (!is_choice) {
			add_shown(slider, slider->min, out);
			str_add(out, "..");
			add_shown(slider, slider->max, out);
		}
		return ROLE_DIM;
	case COL_HELP:
		str_add(out, slider->row->help);
		return ROLE_DIM;
	default:
		return ROLE_TEXT;
	}
}

/*
 * Is the weight in use? A factor weight is in use if it is not 0, a component weight if one of the
 * component's factor weights is not 0.
 */
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

static unsigned part_of(const struct sliders *s, const struct slider *slider, const struct policy *policy)
{
	struct config_weight weight = config_weight_of(slider->row);

	if (s->of == SLIDERS_FAIRSHARE)
		return PART_FAIRSHARE;
	if (weight.kind == NO_WEIGHT)
		return PART_NODES;
	return counts(policy, weight) ? PART_USED : PART_UNUSED;
}

static const char *value_in_draft(const void *self, const char *name);

/*
 * Returns the new value: the value in the draft, given as text, or the current value if the draft does not
 * set it.
 */
static double value_wanted(const struct slider *s, const char *drafted)
{
	struct option_value value;

	return drafted && option_read(s->row, drafted, &value, NULL) ? value_number(s->row, &value)
								     : s->applied;
}

void sliders_update(struct sliders *s, const struct policy *policy,
		    const char *(*drafted)(const void *self, const char *name), const void *self)
{
	struct table_source source = {.self = s, .key = key, .is_section = is_section, .cell = cell};

	for (size_t i = 0; i < s->count; i++) {
		struct slider *slider = &s->slider[i];

		slider->applied = value_in_force(slider, policy);
		slider->wanted = value_wanted(slider, drafted ? drafted(self, slider->row->name) : NULL);
		slider->part = part_of(s, slider, policy);
		slider_find_range(slider);
	}
	s->rows = 0;
	for (unsigned part = 0; part < 3; part++)
		add_rows(s, part);
	source.rows = s->rows;
	table_update(&s->table, &source);
}

/* --- movement ----------------------------------------------------------------------------------------- */

/* Returns the slider under the cursor; NULL if there is none. */
static struct slider *sliders_at_cursor(struct sliders *s)
{
	return s->table.cursor == TABLE_NO_ROW ? NULL : &s->slider[s->row[s->table.cursor]];
}

/* If the step is less than 1, rounds x to tenths of the step, which removes the rounding error of a sum. */
static double without_rest(double x, double step)
{
	double per = 10 * round(1 / step);

	return step < 1 ? round(x * per) / per : x;
}

void slider_move(struct slider *s, int steps)
{
	double away = round((s->wanted - s->applied) / s->step) + steps;
	double wanted = away == 0 ? s->applied : without_rest(s->applied + away * s->step, s->step);

	s->wanted = wanted < s->min ? s->min : wanted > s->max ? s->max : wanted;
}

void slider_put(struct slider *s, double part)
{
	double wanted = s->min + part * (s->max - s->min);

	if (s->row->type != OPTION_CHOICE)
		slider_move(s, (int)round((wanted - s->wanted) / s->step));
}

void slider_to_default(struct slider *s)
{
	struct option_value value;

	if (!s->row->fallback || !option_read(s->row, s->row->fallback, &value, NULL))
		return;
	s->wanted = value_number(s->row, &value);
	slider_find_range(s);
}

bool slider_read(struct slider *s, const char *text, struct err *err)
{
	struct option_value value;

	if (!option_read(s->row, text, &value, err))
		return false;
	s->wanted = value_number(s->row, &value);
	slider_find_range(s);
	return true;
}

/* --- drawing ------------------------------------------------------------------------------------------ */

/* Returns the position (0 to 1) of column x between the brackets of a slider; -1 outside of the brackets. */
static double sliders_part_at(const struct sliders *s, int x)
{
	int track = s->table.width[COL_SLIDER] - 2, cell = x - s->slider_x - 1;

	return track > 1 && cell >= 0 && cell < track ? (double)cell / (track - 1) : -1;
}

static void sliders_draw(struct sliders *s, struct canvas *canvas, struct rect r, bool focused)
{
	struct table *t = &s->table;
	int x = TABLE_GUTTER;

	t->unfocused = !focused;
	table_draw(t, canvas, r);
	for (int i = 0; i < COL_SLIDER; i++)
		x += t->width[i] ? t->width[i] + 1 : 0;
	s->slider_x = r.x + x;
	for (int y = 0; y < t->body; y++) {
		size_t row = table_row_at(t, t->body_y + y);
		const struct slider *slider;

		if (row == TABLE_NO_ROW || is_section(s, row) || t->width[COL_SLIDER] < 5)
			continue;
		slider = &s->slider[s->row[row]];
		if (slider->row->type != OPTION_CHOICE)
			meter_slider(canvas, r, x, t->body_y + y - r.y, t->width[COL_SLIDER], slider->wanted,
				     slider->min, slider->max);
	}
}

/* --- pane: values are edits of the draft -------------------------------------------------------------- */

void slider_pane_open(struct slider_pane *p, struct screen_host *host, enum sliders_of of)
{
	p->host = host;
	sliders_open(&p->sliders, of);
}

void slider_pane_close(struct slider_pane *p)
{
	sliders_close(&p->sliders);
}

static const char *value_in_draft(const void *self, const char *name)
{
	const struct screen_host *host = self;

	return host->ops->drafted(host->console, name);
}

void slider_pane_recalc(struct slider_pane *p)
{
	sliders_update(&p->sliders, &p->host->ops->plan_query(p->host->console)->live.s->policy,
		       value_in_draft, p->host);
}

void slider_pane_draw(struct slider_pane *p, struct canvas *canvas, struct rect r)
{
	sliders_draw(&p->sliders, canvas, r, p->focused);
}

/* Adds the new value to the draft, or, if it equals the current value, removes the edit of the option. */
static void draft_value(struct slider_pane *p, const struct slider *slider)
{
	struct str value = {0};

	slider_add_wanted(slider, &value);
	if (slider_is_moved(slider))
		(void)p->host->ops->propose_tune(p->host->console, slider->row->name, str_text(&value));
	else
		p->host->ops->unset(p->host->console, slider->row->name);
	slider_pane_recalc(p);
	str_free(&value);
}

static void typed(void *self, const char *text)
{
	struct slider_pane *p = self;
	struct slider *slider = sliders_at_cursor(&p->sliders);
	struct err err;

	if (!slider || !text[0])
		return;
	if (slider_read(slider, text, &err))
		draft_value(p, slider);
	else
		p->host->ops->say(p->host->console, ROLE_ERROR, "%s", err.text);
}

static void ask_value(struct slider_pane *p)
{
	struct slider *slider = sliders_at_cursor(&p->sliders);
	struct str sign = {0}, value = {0};

	if (!slider)
		return;
	str_addf(&sign, "%s: ", slider->row->name);
	slider_add_wanted(slider, &value);
	p->host->ops->ask(p->host->console, str_text(&sign), str_text(&value), typed, p);
	str_free(&sign);
	str_free(&value);
}

static void slide(struct slider_pane *p, enum action action)
{
	struct slider *slider = sliders_at_cursor(&p->sliders);

	if (!slider)
		return;
	switch (action) {
	case ACTION_LEFT:
		slider_move(slider, -1);
		break;
	case ACTION_RIGHT:
		slider_move(slider, 1);
		break;
	case ACTION_TEN_LESS:
		slider_move(slider, -10);
		break;
	case ACTION_TEN_MORE:
		slider_move(slider, 10);
		break;
	default:
		slider_to_default(slider);
	}
	draft_value(p, slider);
}

bool slider_pane_act(struct slider_pane *p, enum action action)
{
	if (p->focused && moving_table(&p->sliders.table, action))
		return true;
	switch (action) {
	case ACTION_PANE_NEXT:
	case ACTION_PANE_PREVIOUS:
		p->focused = !p->focused;
		return true;
	case ACTION_LEFT:
	case ACTION_RIGHT:
	case ACTION_TEN_LESS:
	case ACTION_TEN_MORE:
	case ACTION_DEFAULT:
		p->focused = true;
		slide(p, action);
		return true;
	case ACTION_EDIT:
		p->focused = true;
		ask_value(p);
		return true;
	default:
		return false;
	}
}

bool slider_pane_click(struct slider_pane *p, int x, int y)
{
	struct table *t = &p->sliders.table;
	size_t row = table_row_at(t, y);
	struct slider *slider;
	double part;

	p->focused = row != TABLE_NO_ROW;
	if (!p->focused)
		return false;
	table_go_row(t, row);
	slider = sliders_at_cursor(&p->sliders);
	part = sliders_part_at(&p->sliders, x);
	if (slider && part >= 0) {
		slider_put(slider, part);
		draft_value(p, slider);
	}
	return true;
}
