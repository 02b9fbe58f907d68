/* SPDX-License-Identifier: MIT */
/*
 * maui_cfg_value.h - conversion of maui.cfg values
 *
 * The option's row accepts every converted value; a value that is not imported has a remark.
 */
#ifndef TRACE_MAUI_CFG_VALUE_H
#define TRACE_MAUI_CFG_VALUE_H

#include "maui_cfg.h"
#include "sched/base/option.h"

/* A remark about a value; "" = none. */
struct import_remark {
	enum maui_severity severity;
	struct err says;
};

/*
 * Sets out to the value of an option that is not a limit; names in a list are separated by commas. text may
 * be modified. False: it is not imported, and remark contains the reason.
 */
bool import_value(const struct option *row, char *text, struct str *out, struct import_remark *remark);

/* The same for [SOFT,]HARD of a limit. second: "USER:steve", "" = none. */
bool import_amounts(const struct option *row, const char *second, const char *text, struct str *out,
		    struct import_remark *remark);

#endif
