/* SPDX-License-Identifier: MIT */
/*
 * maui_cfg_value.h - what is a value of maui.cfg in kahu.conf?
 *
 * What comes out is accepted by the option's row; what is not carried over has a remark.
 */
#ifndef TRACE_MAUI_CFG_VALUE_H
#define TRACE_MAUI_CFG_VALUE_H

#include "maui_cfg.h"
#include "sched/base/option.h"

/* What is to be said about a value; "" = nothing. */
struct import_remark {
	enum maui_severity severity;
	struct err says;
};

/*
 * Sets out to the value of an option that is no limit; names of a list have commas between
 * them. text may be cut up. False: it is not carried over, and remark says why.
 */
bool import_value(const struct option *row, char *text, struct str *out, struct import_remark *remark);

/* The same for [SOFT,]HARD of a limit. second: "USER:steve", "" = none. */
bool import_amounts(const struct option *row, const char *second, const char *text, struct str *out,
		    struct import_remark *remark);

#endif
