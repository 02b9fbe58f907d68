/* SPDX-License-Identifier: MIT */
/*
 * trend.h - a number that changes with time
 */
#ifndef MODEL_TREND_H
#define MODEL_TREND_H

/* Grows by at least lo and at most hi per second; it may be off by `margin`. */
struct trend {
	double value, lo, hi, margin;
};

#endif
