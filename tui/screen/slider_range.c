/* SPDX-License-Identifier: MIT */
/*
 * slider_range.c - range and steps of a slider
 *
 * A range follows the value in force, and takes in the one that is wanted; its ends and steps are round
 * numbers, of times those that people count by.
 */
#include <math.h>

#include "sched/base/option.h"
#include "sched/config/config.h"
#include "sliders.h"

#define STEPS      100 /* at most, from end to end    */
#define PART_STEPS 20  /* from 0 to 1                 */
#define LEAST_C    10  /* least range: of a component */
#define LEAST_F    100 /* and of a factor             */

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

/* Steps that people count time by, about a dozen of them in the time in force. */
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

void slider_find_range(struct slider *s)
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
