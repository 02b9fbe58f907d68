/* SPDX-License-Identifier: MIT */
/*
 * evaluator.h - evaluates expressions on a screen and compares them with the number shown
 *
 * Parses the syntax described in tui/report/figure.h, independently of the code that makes figures. Times are
 * seconds since the beginning of the current day. For tests that include cmocka.h.
 */
#ifndef TESTS_EVALUATOR_H
#define TESTS_EVALUATOR_H

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct evaluator {
	const char *at;
	int64_t now_s;
	bool failed;
};

static double evaluate_sum(struct evaluator *e);

static inline void skip_blanks(struct evaluator *e)
{
	while (*e->at == ' ')
		e->at++;
}

/* "[899744]", also "[12[3]]". */
static inline void skip_remark(struct evaluator *e)
{
	int depth = 0;

	skip_blanks(e);
	if (*e->at != '[')
		return;
	do {
		depth += (*e->at == '[') - (*e->at == ']');
	} while (*e->at++ && depth > 0);
	skip_blanks(e);
}

static inline bool is_word_sign(char c)
{
	return isalnum((unsigned char)c) || c == '.' || c == '_' || c == '-' || c == '%';
}

/* 0 = January; 12 = not a month. */
static inline int month_of(const char *text)
{
	static const char names[] = "JanFebMarAprMayJunJulAugSepOctNovDec";

	for (int m = 0; m < 12; m++)
		if (strncmp(text, names + 3 * m, 3) == 0 && isdigit((unsigned char)text[3]))
			return m;
	return 12;
}

/* Days from today to this day of the month, in the year in which it is nearest. */
static inline int64_t days_away(int month, int day, int64_t now_s)
{
	time_t now = (time_t)now_s;
	struct tm today, tm;
	int64_t best = INT64_MAX;

	gmtime_r(&now, &today);
	for (int year = today.tm_year - 1; year <= today.tm_year + 1; year++) {
		int64_t days;

		tm = (struct tm){.tm_year = year, .tm_mon = month, .tm_mday = day};
		days = (int64_t)timegm(&tm) / 86400 - now_s / 86400;
		if (llabs(days) < llabs(best))
			best = days;
	}
	return best;
}

/* Reads "10:50:09", "1:12:00:00" or "10:50" up to the end of the digits and colons. */
static inline double read_clock(const char **at)
{
	static const double units[] = {1, 60, 3600, 86400};
	double field[4] = {0}, sum = 0;
	int count = 0;
	char *end;

	do {
		field[count++] = (double)strtoll(*at, &end, 10);
		*at = end;
	} while (count < 4 && **at == ':' && isdigit((unsigned char)(*at)[1]) && (*at)++);
	for (int i = 0; i < count; i++)
		sum += field[i] * units[count - 1 - i];
	return sum;
}

static inline bool is_clock(const char *text)
{
	size_t digits = strspn(text, "0123456789");

	return digits > 0 && text[digits] == ':' && isdigit((unsigned char)text[digits + 1]);
}

/* A number, a duration or a time. */
static inline double evaluate_value(struct evaluator *e)
{
	int month = month_of(e->at);
	double days = 0, value;
	char *end;

	if (month < 12) {
		days = (double)days_away(month, (int)strtol(e->at + 3, NULL, 10), e->now_s);
		e->at += 6;
	}
	if (is_clock(*e->at == '-' ? e->at + 1 : e->at)) {
		bool is_negative = *e->at == '-';

		e->at += is_negative;
		value = read_clock(&e->at);
		return (is_negative ? -value : value) + 86400 * days;
	}
	value = strtod(e->at, &end);
	e->failed |= end == e->at;
	e->at = end;
	return value;
}

static inline double evaluate_call(struct evaluator *e, bool least)
{
	double a = evaluate_sum(e), b;

	e->failed |= *e->at != ',';
	e->at += *e->at == ',';
	b = evaluate_sum(e);
	e->failed |= *e->at != ')';
	e->at += *e->at == ')';
	return least ? fmin(a, b) : fmax(a, b);
}

/* Names before a value, and the unit after it, are skipped. */
static inline double evaluate_term(struct evaluator *e)
{
	double value;

	skip_blanks(e);
	while (isalpha((unsigned char)*e->at) && month_of(e->at) == 12) {
		bool least = strncmp(e->at, "least(", 6) == 0, most = strncmp(e->at, "most(", 5) == 0;

		if (least || most) {
			e->at += least ? 6 : 5;
			value = evaluate_call(e, least);
			skip_remark(e);
			return value;
		}
		while (is_word_sign(*e->at))
			e->at++;
		skip_blanks(e);
	}
	if (*e->at == '(') {
		e->at++;
		value = evaluate_sum(e);
		e->failed |= *e->at != ')';
		e->at += *e->at == ')';
	} else {
		value = evaluate_value(e);
	}
	skip_blanks(e);
	if (*e->at == '%')
		e->at++;
	skip_blanks(e);
	while (isalpha((unsigned char)*e->at)) {
		while (is_word_sign(*e->at))
			e->at++;
		skip_blanks(e);
	}
	skip_remark(e);
	return value;
}

static inline double evaluate_power(struct evaluator *e)
{
	double value = evaluate_term(e);

	while (*e->at == '^') {
		e->at++;
		value = pow(value, evaluate_term(e));
	}
	return value;
}

static inline double evaluate_product(struct evaluator *e)
{
	double value = evaluate_power(e);

	while (*e->at == '*' || *e->at == '/') {
		bool times = *e->at++ == '*';
		double other = evaluate_power(e);

		value = times ? value * other : value / other;
	}
	return value;
}

static double evaluate_sum(struct evaluator *e)
{
	double value = evaluate_product(e);

	while (*e->at == '+' || *e->at == '-') {
		bool plus = *e->at++ == '+';
		double other = evaluate_product(e);

		value = plus ? value + other : value - other;
	}
	return value;
}

/* --- shown values --------------------------------------------------------------------------------- */

/* Converts "Mar25 01:44" to minutes. */
static inline double minutes_of(const char *shown, int64_t now_s)
{
	const char *at = shown + 6;

	return 1440 * (double)days_away(month_of(shown), (int)strtol(shown + 3, NULL, 10), now_s) +
	       read_clock(&at);
}

/* Permitted error of a sum that is added up in another order. It is larger if operands are written with all
 * their digits, which happens when fewer do not suffice. */
static inline double slack_of(const char *text, double value)
{
	for (const char *point = strchr(text, '.'); point; point = strchr(point + 1, '.'))
		if (strspn(point + 1, "0123456789") >= 10)
			return 1e-9 * fmax(1, fabs(value));
	return 1e-12 * fabs(value);
}

static inline bool is_cut_to(double value, double shown, double unit, double slack)
{
	return trunc((value - slack) / unit) == shown || trunc((value + slack) / unit) == shown;
}

/* "45s" "12m" "6:13h" "2d04h" "120d" "+1d01h". */
static inline bool is_short(const char *shown, double *value, double *unit)
{
	size_t len = strlen(shown);
	const char *at = shown + (shown[0] == '-' || shown[0] == '+');
	const char *colon = strchr(at, ':'), *day = strchr(at, 'd');
	double first = strtod(at, NULL);

	if (len == 0 || !strchr("smhd", shown[len - 1]) || strspn(at, "0123456789:d") < strlen(at) - 1)
		return false;
	*unit = shown[len - 1] == 's'            ? 1
		: shown[len - 1] == 'm' || colon ? 60
		: day && day[1]                  ? 3600
						 : 86400;
	*value = colon           ? first * 60 + strtod(colon + 1, NULL)
		 : day && day[1] ? first * 24 + strtod(day + 1, NULL)
				 : first;
	if (shown[0] == '-')
		*value = -*value;
	return true;
}

/* Whether the value equals the shown one after cutting or rounding, as `loss` says. */
static inline bool is_shown_as(double value, double slack, const char *shown, const char *loss, int64_t now_s)
{
	double number, unit;
	struct evaluator e = {.at = shown, .now_s = now_s};
	const char *point = strchr(shown, '.');
	bool is_cut = strcmp(loss, ", cut") == 0;

	if (strcmp(shown, "weight 0") == 0)
		return value == 0;
	if (month_of(shown) < 12)
		return is_cut && is_cut_to(value, minutes_of(shown, now_s), 60, 0);
	if (is_short(shown, &number, &unit))
		return is_cut && is_cut_to(value, number, unit, 0);
	e.at += shown[0] == '+';
	number = evaluate_value(&e);
	if (is_cut)
		return is_cut_to(value, number, 1, slack < 1e-9 ? 0 : slack);
	if (strcmp(loss, ", rounded") == 0) {
		unit = point ? pow(10, -(double)strspn(point + 1, "0123456789")) : 1;
		return fabs(value - number) <= unit / 2 + slack;
	}
	return loss[0] == '\0' && fabs(value - number) <= slack;
}

/* Whether "724 = qos 1 * 500 + ..., cut" is a true equation for `shown`. False also if the text cannot be
 * parsed completely. */
static inline bool is_true_of(const char *text, const char *shown, int64_t now_s)
{
	size_t len = strlen(shown);
	struct evaluator e = {.at = text + len + 3, .now_s = now_s};
	double value;

	if (strncmp(text, shown, len) != 0 || strncmp(text + len, " = ", 3) != 0)
		return false;
	value = evaluate_sum(&e);
	return !e.failed && is_shown_as(value, slack_of(text, value), shown, e.at, now_s);
}

#endif
