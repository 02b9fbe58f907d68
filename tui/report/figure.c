/* SPDX-License-Identifier: MIT */
/*
 * figure.c - what is a number on the screen made of?
 *
 * Here figures are put together; figure_text.c writes them.
 */
#include "figure.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"

void figures_clear(struct figures *f, int64_t now_s)
{
	str_clear(&f->words);
	str_add_char(&f->words, '\0'); /* at 0 stands nothing */
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

double figure_rounded(double value, int decimals)
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

/* --- who set it ------------------------------------------------------------------------------ */

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
