/* SPDX-License-Identifier: MIT */
/*
 * figure.c - numbers on the screen with the expressions that compute them
 */
#include "figure.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/duration.h"
#include "sched/base/vec.h"
#include "sched/rm/wallclock.h"

/* --- rounding of the numbers in formulas -------------------------------------------------------------- */

/* Numbers in formulas have as many digits as affect the computed result, without trailing zeros. */

void formula_fixed(struct str *out, double value)
{
	int64_t hundredths;

	if (fabs(value) >= 1e15) {
		str_addf(out, "%.0f", value);
		return;
	}
	hundredths = llround(fabs(value) * 100);
	str_addf(out, "%s%" PRId64 ".%02" PRId64, value < 0 && hundredths > 0 ? "-" : "", hundredths / 100,
		 hundredths % 100);
}

/* Appends a small number as 0.00001 instead of 1e-05. */
static void add_small(struct str *out, double value)
{
	int64_t parts = llround(fabs(value) * 1e9);

	if (parts < 1000)
		str_add_real(out, value);
	else
		str_addf(out, "%s0.%09" PRId64, value < 0 ? "-" : "", parts);
}

void formula_number(struct str *out, double value)
{
	struct str text = {0};
	size_t len;

	if (value != 0 && fabs(value) < 0.1)
		add_small(&text, value);
	else
		formula_fixed(&text, value);
	len = text.len;
	if (strchr(text.data, '.') && !strchr(text.data, 'e')) {
		while (text.data[len - 1] == '0')
			len--;
		len -= text.data[len - 1] == '.';
	}
	str_add_bytes(out, text.data, len);
	str_free(&text);
}

int formula_digits(double value, double weight, double error)
{
	double unit = 100;
	int digits = 2;

	while (digits < 6 && fabs(weight * (round(value * unit) / unit - value)) >= error) {
		unit *= 10;
		digits++;
	}
	return fabs(value) < 1e9 ? digits : 2;
}

void formula_factor(struct str *out, double value, double weight, double error)
{
	int digits = formula_digits(value, weight, error);
	double unit = pow(10, digits);

	if (digits > 2)
		str_add_real(out, round(value * unit) / unit);
	else
		formula_number(out, value);
}

/* --- figures and their parts -------------------------------------------------------------------------- */

void figures_clear(struct figures *f, int64_t now_s)
{
	str_clear(&f->words);
	str_add_char(&f->words, '\0'); /* offset 0 is the empty string */
	f->parts = f->count = 0;
	f->now_s = now_s;
}

void figures_free(struct figures *f)
{
	str_free(&f->words);
	free(f->part);
	free(f->item);
	*f = (struct figures){0};
}

/* --- parts -------------------------------------------------------------------------------- */

static size_t keep_word(struct figures *f, const char *text)
{
	size_t at = f->words.len;

	if (!text || text[0] == '\0')
		return 0;
	str_add_bytes(&f->words, text, strlen(text) + 1);
	return at;
}

static uint32_t add_part(struct figures *f, struct figure_part part)
{
	f->part = vec_room(f->part, &f->part_room, f->parts + 1, sizeof *f->part);
	f->part[f->parts] = part;
	return (uint32_t)f->parts++;
}

uint32_t figure_number(struct figures *f, const char *name, double value, const char *unit)
{
	return add_part(f, (struct figure_part){.kind = PART_NUMBER,
						.value = value,
						.name = keep_word(f, name),
						.unit = keep_word(f, unit)});
}

uint32_t figure_duration(struct figures *f, const char *name, int64_t s)
{
	return add_part(f, (struct figure_part){
				   .kind = PART_DURATION, .value = (double)s, .name = keep_word(f, name)});
}

uint32_t figure_moment(struct figures *f, const char *name, int64_t at_s)
{
	return add_part(f, (struct figure_part){
				   .kind = PART_MOMENT, .value = (double)at_s, .name = keep_word(f, name)});
}

uint32_t figure_join(struct figures *f, enum figure_sign sign, uint32_t left, uint32_t right)
{
	if (left == FIGURE_NONE || right == FIGURE_NONE)
		return left == FIGURE_NONE ? right : left;
	return add_part(f,
			(struct figure_part){.kind = PART_JOIN, .sign = sign, .left = left, .right = right});
}

uint32_t figure_remark(struct figures *f, uint32_t part, const char *text)
{
	f->part[part].remark = keep_word(f, text);
	return part;
}

void figure_digits(struct figures *f, uint32_t part, int digits)
{
	f->part[part].digits = digits;
}

/* --- figures ------------------------------------------------------------------------------ */

static void add_figure(struct figures *f, struct figure figure)
{
	f->item = vec_room(f->item, &f->room, f->count + 1, sizeof *f->item);
	f->item[f->count++] = figure;
}

void figure_add(struct figures *f, const char *title, const char *shown, uint32_t part, double value,
		enum figure_loss loss)
{
	add_figure(f, (struct figure){.title = keep_word(f, title),
				      .shown = keep_word(f, shown),
				      .part = part,
				      .value = value,
				      .loss = loss});
}

/* Halves are rounded away from zero, and -0.00 becomes 0.00. */
static double figure_rounded(double value, int decimals)
{
	double unit = pow(10, decimals);

	return fabs(value) >= 1e15 ? value : round(value * unit) / unit + 0.0;
}

void figure_add_rounded(struct figures *f, const char *title, double value, int decimals, uint32_t part)
{
	struct str shown = {0};

	str_addf(&shown, "%.*f", decimals, figure_rounded(value, decimals));
	figure_add(f, title, str_text(&shown), part, value, FIGURE_ROUNDED);
	f->item[f->count - 1].decimals = decimals;
	f->item[f->count - 1].seen = figure_rounded(value, decimals);
	str_free(&shown);
}

void figure_add_cut(struct figures *f, const char *title, double value, uint32_t part)
{
	struct str shown = {0};

	str_addf(&shown, "%" PRId64, (int64_t)value);
	figure_add(f, title, str_text(&shown), part, value, FIGURE_CUT);
	str_free(&shown);
}

static void add_note(struct figures *f, struct figure *figure, const char *more)
{
	struct str text = {0};

	str_addf(&text, "%s%s", figure_word(f, figure->note), more);
	figure->note = keep_word(f, str_text(&text));
	str_free(&text);
}

void figure_note(struct figures *f, const char *format, ...)
{
	struct str text = {0};
	va_list args;

	va_start(args, format);
	str_addv(&text, format, args);
	va_end(args);
	add_note(f, &f->item[f->count - 1], str_text(&text));
	str_free(&text);
}

void figure_note_origin(struct figures *f, const char *option, const char *place, uint64_t entry)
{
	struct figure *figure = &f->item[f->count - 1];

	figure_note(f, "%s%s: %s", figure->note ? ", " : "", option, place);
	if (entry > figure->entry)
		figure->entry = entry;
}

void figure_show(struct figures *f, const char *shown)
{
	struct figure *figure = &f->item[f->count - 1];
	char *end;
	double seen = strtod(shown, &end);

	figure->shown = keep_word(f, shown);
	if (end != shown)
		figure->seen = seen;
}

void figure_say(struct figures *f, const char *text)
{
	add_figure(f, (struct figure){.part = FIGURE_NONE, .title = keep_word(f, text)});
}

const char *figure_word(const struct figures *f, size_t at)
{
	return at == 0 ? "" : f->words.data + at;
}

/* --- origin of the values ----------------------------------------------------------------------------- */

void figures_tell(struct figures *f, figure_tell *tell, void *self)
{
	struct str who = {0};

	for (size_t i = 0; i < f->count; i++) {
		if (f->item[i].entry == 0)
			continue;
		str_clear(&who);
		tell(self, f->item[i].entry, &who);
		add_note(f, &f->item[i], str_text(&who));
	}
	str_free(&who);
}

/* --- text of a figure --------------------------------------------------------------------------------- */

/*
 * The number of digits is found by trial: the expression is evaluated from the texts as written, with
 * increasing numbers of digits, until the result equals the displayed number.
 */

#define DIGITS_FIRST 2 /* digits after the decimal point */

#define DIGITS_LAST 9 /* with more digits, the value is written in full */

#define SMALL 0.1

#define NOISE 1e-12 /* relative rounding error of doubles, which is not reported as a loss */

/* --- operator precedence ------------------------------------------------------------------------------ */

static int binding_of(enum figure_sign sign)
{
	static const int of_sign[] = {
		[FIGURE_PLUS] = 1,  [FIGURE_MINUS] = 1, [FIGURE_TIMES] = 2, [FIGURE_OVER] = 2,
		[FIGURE_POWER] = 3, [FIGURE_LEAST] = 4, [FIGURE_MOST] = 4,
	};

	return of_sign[sign];
}

static int binding(const struct figure_part *part)
{
	return part->kind == PART_JOIN ? binding_of(part->sign) : 4;
}

static bool is_call(enum figure_sign sign)
{
	return sign == FIGURE_LEAST || sign == FIGURE_MOST;
}

/*
 * Does the right operand of the operator need brackets? Yes if it binds less tightly than the operator, or
 * equally tightly after any operator but +.
 */
static bool needs_brackets(const struct figures *f, enum figure_sign sign, uint32_t at)
{
	int inner = binding(&f->part[at]), outer = binding_of(sign);

	return !is_call(sign) && (inner < outer || (sign != FIGURE_PLUS && inner == outer));
}

/* --- values as text ----------------------------------------------------------------------------------- */

/*
 * Appends the value with `digits` digits after the decimal point, more if it is small, without trailing
 * zeros.
 */
static void add_number(struct str *out, double value, int digits)
{
	struct str text = {0};
	double least = SMALL;
	size_t len;

	if (digits > DIGITS_LAST || fabs(value) >= 1e15 || (value != 0 && fabs(value) < 1e-9)) {
		str_add_real(out, value);
		return;
	}
	while (value != 0 && fabs(value) < least && digits < DIGITS_LAST) {
		least /= 10;
		digits++;
	}
	str_addf(&text, "%.*f", digits, figure_rounded(value, digits));
	for (len = text.len; text.data[len - 1] == '0';)
		len--;
	str_add_bytes(out, text.data, len - (text.data[len - 1] == '.'));
	str_free(&text);
}

/*
 * Returns the number of digits to try for this part: the trials begin with the minimum set by figure_digits,
 * if it is above DIGITS_FIRST.
 */
static int more_digits(const struct figure_part *part, int digits)
{
	return part->digits > DIGITS_FIRST && digits <= DIGITS_LAST ? part->digits + digits - DIGITS_FIRST
								    : digits;
}

/* Returns the value that a reader gets from the number as written with `digits` digits. */
static double written(double value, int digits)
{
	struct str text = {0};
	double read = value;

	add_number(&text, value, digits);
	str_read_real(str_text(&text), &read);
	str_free(&text);
	return read;
}

static double joined(enum figure_sign sign, double left, double right)
{
	switch (sign) {
	case FIGURE_PLUS:
		return left + right;
	case FIGURE_MINUS:
		return left - right;
	case FIGURE_TIMES:
		return left * right;
	case FIGURE_OVER:
		return left / right;
	case FIGURE_POWER:
		return pow(left, right);
	case FIGURE_LEAST:
		return fmin(left, right);
	case FIGURE_MOST:
		break;
	}
	return fmax(left, right);
}

static double computed(const struct figures *f, uint32_t at, int digits);

/*
 * Applies the operator to left and the operand at `at`. An operand that is written without brackets is
 * evaluated as it reads, from left to right: a + (b + c) as (a + b) + c.
 */
static double computed_on(const struct figures *f, double left, enum figure_sign sign, uint32_t at,
			  int digits)
{
	const struct figure_part *part = &f->part[at];

	if (part->kind != PART_JOIN || is_call(sign) || needs_brackets(f, sign, at))
		return joined(sign, left, computed(f, at, digits));
	if (binding(part) != binding_of(sign))
		return joined(sign, left, computed(f, at, digits));
	return computed_on(f, computed_on(f, left, sign, part->left, digits), part->sign, part->right,
			   digits);
}

static double computed(const struct figures *f, uint32_t at, int digits)
{
	const struct figure_part *part = &f->part[at];

	if (part->kind == PART_JOIN)
		return computed_on(f, computed(f, part->left, digits), part->sign, part->right, digits);
	return part->kind == PART_NUMBER ? written(part->value, more_digits(part, digits)) : part->value;
}

/*
 * Returns the number as a cell would show it. A value exactly halfway between two displayable numbers counts
 * as the one that is displayed.
 */
static double shown_of(const struct figure *figure, double value)
{
	switch (figure->loss) {
	case FIGURE_CUT:
		return trunc(value);
	case FIGURE_ROUNDED:
		return fabs(value - figure->seen) <= 0.5 * pow(10, -figure->decimals)
			       ? figure->seen
			       : figure_rounded(value, figure->decimals);
	case FIGURE_WHOLE:
	case FIGURE_SHORT:
		break;
	}
	return value;
}

static int digits_for(const struct figures *f, const struct figure *figure)
{
	double shown = shown_of(figure, figure->value);
	int digits = DIGITS_FIRST;

	while (digits <= DIGITS_LAST && shown_of(figure, computed(f, figure->part, digits)) != shown)
		digits++;
	return digits;
}

/* --- text ----------------------------------------------------------------------------------- */

static void add_part_text(const struct figures *f, uint32_t at, int digits, struct str *out);

static void add_operand(const struct figures *f, uint32_t at, bool in_brackets, int digits, struct str *out)
{
	str_add(out, in_brackets ? "(" : "");
	add_part_text(f, at, digits, out);
	str_add(out, in_brackets ? ")" : "");
}

static void add_join(const struct figures *f, const struct figure_part *part, int digits, struct str *out)
{
	static const char *const between[] = {
		[FIGURE_PLUS] = " + ",  [FIGURE_MINUS] = " - ", [FIGURE_TIMES] = " * ", [FIGURE_OVER] = " / ",
		[FIGURE_POWER] = " ^ ", [FIGURE_LEAST] = ", ",  [FIGURE_MOST] = ", ",
	};
	enum figure_sign sign = part->sign;
	int left = binding(&f->part[part->left]);

	if (is_call(sign))
		str_add(out, sign == FIGURE_LEAST ? "least(" : "most(");
	add_operand(f, part->left,
		    !is_call(sign) &&
			    (left < binding_of(sign) || (sign == FIGURE_POWER && left == binding_of(sign))),
		    digits, out);
	str_add(out, between[sign]);
	add_operand(f, part->right, needs_brackets(f, sign, part->right), digits, out);
	str_add(out, is_call(sign) ? ")" : "");
}

/* Appends "16:02:11", or "Mar24 16:02:11" if the time is on another day than f->now_s. */
static void add_moment(const struct figures *f, int64_t at_s, struct str *out)
{
	char text[MOMENT_TEXT], clock[MOMENT_TEXT];

	wallclock_short(text, at_s, f->now_s);
	wallclock_short(clock, at_s, at_s);
	if (strcmp(text, clock) != 0)
		str_addf(out, "%.5s ", text);
	str_add(out, clock);
}

static void add_value(const struct figures *f, const struct figure_part *part, int digits, struct str *out)
{
	char text[DURATION_TEXT];

	if (part->kind == PART_NUMBER)
		add_number(out, part->value, more_digits(part, digits));
	else if (part->kind == PART_DURATION)
		str_add(out, duration_text(text, (int64_t)part->value));
	else
		add_moment(f, (int64_t)part->value, out);
}

static void add_part_text(const struct figures *f, uint32_t at, int digits, struct str *out)
{
	const struct figure_part *part = &f->part[at];

	if (part->name)
		str_addf(out, "%s ", figure_word(f, part->name));
	if (part->kind == PART_JOIN)
		add_join(f, part, digits, out);
	else
		add_value(f, part, digits, out);
	if (part->unit)
		str_addf(out, " %s", figure_word(f, part->unit));
	if (part->remark)
		str_addf(out, " [%s]", figure_word(f, part->remark));
}

void figure_expression(const struct figures *f, const struct figure *figure, struct str *out)
{
	add_part_text(f, figure->part, digits_for(f, figure), out);
}

void figure_text(const struct figures *f, const struct figure *figure, struct str *out)
{
	static const char *const words[] = {
		[FIGURE_WHOLE] = "",
		[FIGURE_CUT] = ", cut",
		[FIGURE_ROUNDED] = ", rounded",
		[FIGURE_SHORT] = ", cut",
	};
	int digits = digits_for(f, figure);
	double value = computed(f, figure->part, digits);

	str_addf(out, "%s = ", figure_word(f, figure->shown));
	add_part_text(f, figure->part, digits, out);
	if (figure->loss == FIGURE_SHORT || fabs(shown_of(figure, value) - value) > NOISE * fabs(value))
		str_add(out, words[figure->loss]);
}
