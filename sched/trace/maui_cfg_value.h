/* SPDX-License-Identifier: MIT */
/*
 * maui_cfg_value.h - conversion of maui.cfg values
 *
 * A converted value is always valid for its option row. If a value is not imported, a remark says why.
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
 * Converts the value of an option that is not a limit and writes it to `out`; a list becomes names separated
 * by commas. Modifies `text`. Returns false, with the reason in `remark`, if the value is not imported.
 * `remark` can also be set if it is imported.
 */
bool import_value(const struct option *row, char *text, struct str *out, struct import_remark *remark);

/*
 * Like import_value, for the amounts [SOFT,]HARD of a limit. `second` is its second credential, "USER:steve";
 * "" = none.
 */
bool import_amounts(const struct option *row, const char *second, const char *text, struct str *out,
		    struct import_remark *remark);

#endif
