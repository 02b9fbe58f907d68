/* SPDX-License-Identifier: MIT */
/*
 * trend.h - a number that changes with time
 */
#ifndef MODEL_TREND_H
#define MODEL_TREND_H

/* A value that grows by at least `lo` and at most `hi` per second. `value` may be wrong by up to `margin`. */
struct trend {
	double value, lo, hi, margin;
};

#endif
