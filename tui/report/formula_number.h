/* SPDX-License-Identifier: MIT */
/*
 * formula_number.h - with how many digits is a number of a formula written?
 */
#ifndef REPORT_FORMULA_NUMBER_H
#define REPORT_FORMULA_NUMBER_H

#include "sched/base/str.h"

/* At most two digits behind the point, and no zeros at the end: "373.5"; small ones in full. */
void formula_number(struct str *out, double value);
/* With both digits: "4.50". */
void formula_fixed(struct str *out, double value);

/*
 * A factor of a product, with so many digits behind the point that what is written, times the weight, is
 * within `error` of the product: 7.2168 for a weight of 1000 and an error of 0.05.
 */
int formula_digits(double value, double weight, double error);
void formula_factor(struct str *out, double value, double weight, double error);

#endif
