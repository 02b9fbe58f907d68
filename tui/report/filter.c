/* SPDX-License-Identifier: MIT */
/*
 * filter.c - typed filters of rows
 */
#include "filter.h"

#include <fnmatch.h>
#include <math.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/duration.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"

#define EXPRESSION_MAX 256 /* maximum length of a regular expression in bytes */
#define PLUSES_MAX     4
#define WHY_MAX        80

enum sign {
	SIGN_NONE, /* a word without a field */
	SIGN_IS,
	SIGN_LIKE, /* ~: a regular expression */
	SIGN_LESS,
	SIGN_MORE,
	SIGN_AT_MOST,
	SIGN_AT_LEAST
};

/* The operand of a comparison: a text or glob, or a regular expression. */
struct pattern {
	char *text;
	bool wants_regex, is_regex;
	char why[WHY_MAX]; /* why the regular expression is invalid */
	regex_t regex;
};

struct filter_word {
	struct pattern whole; /* the word without its !, which is searched for in all fields */
	char *name;           /* name of the field; NULL: a word without a field */
	enum sign sign;
	struct pattern *item; /* the items of a list of values */
	size_t items, item_cap;
	double number; /* the value as a number; NAN: not a number */
	bool negated, sign_negated;
};

/* --- parsing ------------------------------------------------------------------------------------------ */

/*
 * Detects repetitions of a repetition, such as a*+: POSIX leaves them undefined, and regcomp() may never
 * return.
 */
static bool repeats_repetition(const char *text)
{
	static const char signs[] = "*+?";

	for (; *text != '\0'; text++)
		if (strchr(signs, text[0]) && text[1] != '\0' && strchr(signs, text[1]))
			return true;
	return false;
}

/*
 * Returns why an expression may be slow, or NULL. Matching counts and back references may not terminate, and
 * each + may double the expression before it.
 */
static const char *too_slow(const char *text)
{
	size_t pluses = 0;

	for (const char *at = strchr(text, '+'); at; at = strchr(at + 1, '+'))
		pluses++;
	if (strpbrk(text, "{\\"))
		return "{ and \\ are not allowed";
	if (repeats_repetition(text))
		return "it has two of * + ? in a row";
	if (pluses > PLUSES_MAX)
		return "it has more than four +";
	return strlen(text) > EXPRESSION_MAX ? "it is too long" : NULL;
}

static void read_pattern(struct pattern *p, const char *text, size_t len, const char *signs)
{
	const char *slow;
	int error;

	*p = (struct pattern){.text = mem_alloc(len + 1)};
	memcpy(p->text, text, len);
	p->text[len] = '\0';
	p->wants_regex = signs == NULL || strpbrk(p->text, signs) != NULL;
	if (!p->wants_regex)
		return;
	slow = too_slow(p->text);
	if (slow != NULL) {
		strncpy(p->why, slow, WHY_MAX - 1);
		return;
	}
	error = regcomp(&p->regex, p->text, REG_EXTENDED | REG_ICASE | REG_NOSUB);
	p->is_regex = error == 0;
	if (error != 0)
		(void)regerror(error, &p->regex, p->why, sizeof p->why);
}

static void free_pattern(struct pattern *p)
{
	if (p->is_regex)
		regfree(&p->regex);
	free(p->text);
}

/* Returns the number in the text, or the seconds of a duration; NAN if the text is neither. */
static double read_number(const char *text)
{
	char *end;
	double number = strtod(text, &end);
	int64_t seconds;

	if (text[0] != '\0' && *end == '\0' && isfinite(number))
		return number;
	return duration_parse(text, &seconds, NULL) ? (double)seconds : (double)NAN;
}

static bool is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/*
 * Returns the operator at the beginning of text, and its length in *len. Sets *negated if it begins with !.
 */
static enum sign read_sign(const char *text, size_t *len, bool *negated)
{
	static const struct {
		const char *text;
		enum sign sign;
		bool negated;
	} signs[] = {{"!=", SIGN_IS, true},       {"!~", SIGN_LIKE, true}, {">=", SIGN_AT_LEAST, false},
		     {"<=", SIGN_AT_MOST, false}, {"=", SIGN_IS, false},   {"~", SIGN_LIKE, false},
		     {">", SIGN_MORE, false},     {"<", SIGN_LESS, false}};

	for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
		*len = strlen(signs[i].text);
		*negated = signs[i].negated;
		if (strncmp(text, signs[i].text, *len) == 0)
			return signs[i].sign;
	}
	return SIGN_NONE;
}

static void read_items(struct filter_word *w, const char *value)
{
	for (const char *at = value;; at++) {
		size_t len = w->sign == SIGN_IS ? strcspn(at, ",") : strlen(at);

		w->item = vec_room(w->item, &w->item_cap, w->items + 1, sizeof *w->item);
		read_pattern(&w->item[w->items++], at, len, w->sign == SIGN_LIKE ? NULL : "^$+()|");
		at += len;
		if (*at == '\0')
			return;
	}
}

static void read_word(struct filter_word *w, const char *text, size_t len)
{
	size_t name = 0, sign;

	*w = (struct filter_word){.negated = len > 1 && text[0] == '!', .number = (double)NAN};
	text += w->negated;
	len -= w->negated;
	read_pattern(&w->whole, text, len, "^$.*+?[]()|");
	while (name < len && is_name_char(w->whole.text[name]))
		name++;
	if (name == 0)
		return;
	w->sign = read_sign(w->whole.text + name, &sign, &w->sign_negated);
	if (w->sign == SIGN_NONE)
		return;
	w->name = mem_alloc(name + 1);
	memcpy(w->name, text, name);
	w->name[name] = '\0';
	read_items(w, w->whole.text + name + sign);
	w->number = read_number(w->whole.text + name + sign);
}

void filter_set(struct filter *f, const char *text)
{
	struct filter fresh = {
		.text = mem_string(text)}; /* a copy, because `text` may belong to the old filter */
	size_t cap = 0;

	for (const char *at = text + strspn(text, " "); *at; at += strspn(at, " ")) {
		size_t len = strcspn(at, " ");

		fresh.word = vec_room(fresh.word, &cap, fresh.count + 1, sizeof *fresh.word);
		read_word(&fresh.word[fresh.count++], at, len);
		at += len;
	}
	filter_clear(f);
	if (fresh.count == 0)
		filter_clear(&fresh);
	*f = fresh;
}

void filter_clear(struct filter *f)
{
	for (size_t i = 0; i < f->count; i++) {
		struct filter_word *w = &f->word[i];

		for (size_t k = 0; k < w->items; k++)
			free_pattern(&w->item[k]);
		free_pattern(&w->whole);
		free(w->item);
		free(w->name);
	}
	free(f->word);
	free(f->text);
	*f = (struct filter){0};
}

const char *filter_text(const struct filter *f)
{
	return f->text ? f->text : "";
}

/* --- checking ------------------------------------------------------------------------------- */

static bool has_field(const char *fields, const char *name)
{
	size_t len = strlen(name);

	for (const char *at = fields; *at; at += strspn(at, " ")) {
		size_t word = strcspn(at, " ");

		if (word == len && strncasecmp(at, name, len) == 0)
			return true;
		at += word;
	}
	return false;
}

static bool is_order(enum sign sign)
{
	return sign >= SIGN_LESS;
}

static bool check_pattern(const struct pattern *p, struct err *err)
{
	return !p->wants_regex || p->is_regex ||
	       err_set(err, "'%s' is not a valid regular expression (%s); it is searched for as text",
		       p->text, p->why);
}

static bool check_word(const struct filter_word *w, const char *fields, struct err *err)
{
	if (w->name == NULL)
		return check_pattern(&w->whole, err);
	if (fields != NULL && !has_field(fields, w->name))
		return err_set(err, "no field '%s' here; fields are %s", w->name, fields);
	if (is_order(w->sign))
		return !isnan(w->number) ||
		       err_set(err, "%s must be compared with a number or a duration, got '%s'", w->name,
			       w->item[0].text);
	for (size_t i = 0; i < w->items; i++)
		if (!check_pattern(&w->item[i], err))
			return false;
	return true;
}

bool filter_check(const struct filter *f, const char *fields, struct err *err)
{
	for (size_t i = 0; i < f->count; i++)
		if (!check_word(&f->word[i], fields, err))
			return false;
	return true;
}

/* --- matching ------------------------------------------------------------------------------- */

static bool found_in(const struct pattern *p, const char *value)
{
	if (p->is_regex)
		return regexec(&p->regex, value, 0, NULL, 0) == 0;
	return strcasestr(value, p->text) != NULL;
}

/*
 * Does the value match? A regular expression may match any part of it, other patterns must match all of it.
 * An invalid regular expression is searched for as text.
 */
static bool is_like(const struct pattern *p, const char *value)
{
	if (p->wants_regex)
		return found_in(p, value);
	return fnmatch(p->text, value, FNM_CASEFOLD) == 0;
}

static bool is_ordered(const struct filter_word *w, const char *value)
{
	double number = read_number(value);

	switch (w->sign) {
	case SIGN_LESS:
		return number < w->number;
	case SIGN_MORE:
		return number > w->number;
	case SIGN_AT_MOST:
		return number <= w->number;
	default:
		return number >= w->number;
	}
}

/* Do both texts stand for the same number or duration? A duration may be written as 2h or 2:00:00. */
static bool is_equal_number(const struct pattern *p, const char *value)
{
	double wanted = read_number(p->text), number = read_number(value);

	return wanted >= number && wanted <= number;
}

static bool value_holds(const struct filter_word *w, const char *value)
{
	if (is_order(w->sign))
		return is_ordered(w, value);
	for (size_t i = 0; i < w->items; i++)
		if (is_like(&w->item[i], value) ||
		    (w->sign == SIGN_IS && is_equal_number(&w->item[i], value)))
			return true;
	return false;
}

/*
 * Returns the field named by a word like user=eva; NULL for a word without a field, or with an unknown one.
 */
static const struct named_text *named_field(const struct filter_word *w, const struct named_text *field,
					    size_t count)
{
	for (size_t i = 0; i < count && w->name; i++)
		if (strcasecmp(field[i].name, w->name) == 0)
			return &field[i];
	return NULL;
}

static bool word_holds(const struct filter_word *w, const struct named_text *field, size_t first,
		       size_t count)
{
	const struct named_text *named = named_field(w, field, count);

	if (named)
		return value_holds(w, named->value ? named->value : "") != w->sign_negated;
	for (size_t i = 0; i < first; i++)
		if (field[i].value && found_in(&w->whole, field[i].value))
			return true;
	return false;
}

bool filter_names(const struct filter *f, const char *name)
{
	for (size_t i = 0; i < f->count; i++)
		if (f->word[i].name != NULL && strcasecmp(f->word[i].name, name) == 0)
			return true;
	return false;
}

bool filter_match_named(const struct filter *f, const struct named_text *field, size_t first, size_t count)
{
	for (size_t i = 0; i < f->count; i++)
		if (word_holds(&f->word[i], field, first, count) == f->word[i].negated)
			return false;
	return true;
}

bool filter_match(const struct filter *f, const struct named_text *field, size_t count)
{
	return filter_match_named(f, field, count, count);
}
