/* SPDX-License-Identifier: MIT */
/*
 * formula_number.c - with how many digits is a number of a formula written?
 *
 * With as many as move what is computed from it, and none that say nothing.
 */
#include "formula_number.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

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

/* 0.00001 rather than 1e-05. */
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
