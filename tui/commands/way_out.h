/* SPDX-License-Identifier: MIT */
/*
 * way_out.h - which changes would start a job, as `why` says it?
 */
#ifndef TUI_WAY_OUT_H
#define TUI_WAY_OUT_H

#include "cmd.h"
#include "sched/core/unblock.h"

struct json;

/* What a person would type to make the change: "tune user[eva].maxps 98696,1080000", "hold -s 901023". */
void way_out_line(const struct snapshot *s, const struct event *ev, struct str *out);

/* The list, best first; what each costs others stands behind it. */
void way_out_print(const struct cmd_env *env, const struct unblock *u, int64_t by_s);
/* The field "changes" of the open object. */
void way_out_json(struct json *j, const struct snapshot *s, const struct unblock *u);

#endif
