/* SPDX-License-Identifier: MIT */
/*
 * sweep_words.c - values of a sweep, as typed
 */
#include "sweep_words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STEPS      11
#define OFFER_MOST 10 /* where it is nothing today */

static bool read_count(const char *text, size_t *count, struct err *err)
{
	char *end = NULL;
	unsigned long number = strtoul(text, &end, 10);

	if (*text < '0' || *text > '9' || *end != '\0' || number < 2 || number > SWEEP_VALUES)
		return err_set(err, "%s is no number of values from 2 to %d", text, SWEEP_VALUES);
	*count = number;
	return true;
}

/* The words are cut where they part. */
static bool read_range(struct sweep_words *w, const struct snapshot *s, char *lo, char *hi,
		       struct arena *arena, struct err *err)
{
	char *slash = strchr(hi, '/');
	size_t count = STEPS;
	double from, to;
	struct knob knob;

	if (slash) {
		*slash = '\0';
		if (!read_count(slash + 1, &count, err))
			return false;
	}
	if (!knob_find(&knob, s, w->name, arena, err) || !knob_read_ends(&knob, lo, hi, &from, &to, err))
		return false;
	if (from > to)
		return err_set(err, "%s is more than %s; write the smaller one first", lo, hi);
	w->values = sweep_range(&knob, from, to, count, arena, w->value);
	return true;
}

static bool read_list(struct sweep_words *w, char *words, struct err *err)
{
	for (char *at = words; at; w->values++) {
		char *bar = strchr(at, '|');

		if (w->values == SWEEP_VALUES)
			return err_set(err, "more than %d values", SWEEP_VALUES);
		if (bar)
			*bar = '\0';
		w->value[w->values] = at;
		at = bar ? bar + 1 : NULL;
	}
	return true;
}

bool sweep_words_read(struct sweep_words *out, const struct snapshot *s, const char *words,
		      struct arena *arena, struct err *err)
{
	char *own = arena_copy(arena, words, strlen(words) + 1), *sign = strchr(own, '='), *dots;

	*out = (struct sweep_words){.name = own};
	if (!sign || sign[1] == '\0')
		return err_set(err,
			       "%s: over which values? write NAME=LO..HI, NAME=LO..HI/STEPS or NAME=A|B|C",
			       words);
	*sign = '\0';
	dots = strstr(sign + 1, "..");
	if (!dots)
		return read_list(out, sign + 1, err);
	*dots = '\0';
	return read_range(out, s, sign + 1, dots + 2, arena, err);
}

void sweep_words_offer(const struct snapshot *s, const char *name, struct str *out)
{
	struct arena arena = {0};
	struct knob knob;
	double far;

	if (knob_find(&knob, s, name, &arena, NULL)) {
		far = knob.now == 0 ? OFFER_MOST : 2 * knob.now;
		str_addf(out, "%s=%.10g..%.10g", knob.name, fmax(fmin(far, 0), knob.min),
			 fmin(fmax(far, 0), knob.max));
	}
	arena_free(&arena);
}
