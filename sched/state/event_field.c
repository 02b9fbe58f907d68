/* SPDX-License-Identifier: MIT */
/*
 * event_field.c - the fields of each kind of event
 */
#include "event_field.h"

#define AT(member)      offsetof(struct event, member)
#define ROW(what, like) .name = #what, .type = EVENT_FIELD_##like, .offset = AT(what)
#define END                                                                                                  \
	{                                                                                                    \
		.name = NULL                                                                                 \
	}

#define SETTING_MISSING "a setting has no name or no value"
#define MODIFY_MISSING  "a changed attribute has no name or no value"
#define RESERVE_MISSING "a reservation has no name or no text"

static const struct event_field none[] = {END};

static const struct event_field config[] = {{ROW(config.file, TEXT)}, {ROW(config.text, TEXT)}, END};

static const struct event_field node[] = {{ROW(node, NODE)}, END};

static const struct event_field sim[] = {{ROW(sim, SIM)}, END};

static const struct event_field submit[] = {{ROW(submit, JOB)}, END};

static const struct event_field start[] = {
	{ROW(start.runs, RUNS), .count_offset = AT(start.count)},
	{ROW(start.backfilled, BOOL)},
	{ROW(start.runs, TASKS), .count_offset = AT(start.count), .since = 2},
	END,
};

static const struct event_field end[] = {
	{ROW(end.status, I32)},
	{ROW(end.at_limit, BOOL)},
	{ROW(end.has_used, BOOL), .since = 2},
	{ROW(end.used_ps, I64), .since = 2},
	{ROW(end.lost, BOOL), .since = 3},
	{ROW(end.mem_mb, I64), .since = 3},
	{ROW(end.why, TEXT), .since = 3},
	{ROW(end.held_s, I64), .since = 10},
	END,
};

static const struct event_field hold[] = {
	{ROW(hold.bits, U8), .below = JOB_HOLD_ALL + 1},
	{ROW(hold.on, BOOL)},
	{ROW(hold.reason, TEXT), .since = 2},
	END,
};

static const struct event_field priority[] = {
	{ROW(priority.adjust, U8), .below = JOB_ADJUST_ABSOLUTE + 1},
	{ROW(priority.points, I64)},
	END,
};

static const struct event_field setting[] = {
	{ROW(setting.name, TEXT), .missing = SETTING_MISSING},
	{ROW(setting.value, TEXT), .missing = SETTING_MISSING},
	{ROW(until_s, I64), .since = 5, .until = 6}, /* since then every event may have it */
	END,
};

static const struct event_field undo[] = {{ROW(undo.seq, U64)}, END};

static const struct event_field plan[] = {
	{ROW(plan.start_s, I64)},
	{ROW(plan.runs, RUNS), .count_offset = AT(plan.count), .since = 2},
	{ROW(plan.runs, TASKS), .count_offset = AT(plan.count), .since = 2},
	END,
};

static const struct event_field accrual[] = {{ROW(accrual, SWITCHED)}, END};

static const struct event_field eligible[] = {{ROW(eligible, SWITCHED)}, END};

static const struct event_field bypass[] = {
	{ROW(bypass.item, BYPASSED), .count_offset = AT(bypass.count)},
	END,
};

static const struct event_field defer[] = {
	{ROW(defer.until_s, I64)},
	{ROW(defer.reason, TEXT)},
	{ROW(defer.failed_start, BOOL)},
	{ROW(defer.retry, BOOL), .since = 7},
	END,
};

static const struct event_field modify[] = {
	{ROW(modify.name, TEXT), .missing = MODIFY_MISSING},
	{ROW(modify.value, TEXT), .missing = MODIFY_MISSING},
	END,
};

static const struct event_field usage[] = {{ROW(usage, WINDOW)}, END};

static const struct event_field used[] = {{ROW(used.ps, I64)}, END};

static const struct event_field load[] = {
	{ROW(load.node, TEXT)},
	{ROW(load.used, USED)},
	{ROW(load.by, TEXT), .since = 8},
	END,
};

static const struct event_field order[] = {{ROW(order.nodes, TEXT)}, END};

static const struct event_field suspend[] = {
	{ROW(suspend.on, BOOL)},
	{ROW(suspend.how, U8), .below = SUSPEND_HOW_ALL + 1, .since = 7},
	END,
};

static const struct event_field signal[] = {{ROW(signal.number, U8)}, END};

static const struct event_field reserve[] = {
	{ROW(reserve.name, TEXT), .missing = RESERVE_MISSING},
	{ROW(reserve.text, TEXT), .missing = RESERVE_MISSING},
	END,
};

static const struct event_field unreserve[] = {
	{ROW(reserve.name, TEXT), .missing = RESERVE_MISSING},
	{ROW(reserve.text, TEXT)},
	END,
};

static const struct event_field halt[] = {{ROW(halt.on, BOOL)}, {ROW(halt.after, U32)}, END};

static const struct event_field clock[] = {{ROW(clock.by_s, I64)}, {ROW(clock.before, U64)}, END};

static const struct event_field cancel[] = {
	{ROW(cancel.depends, BOOL), .since = 10},
	{ROW(cancel.cause, TEXT), .since = 10},
	END,
};

const struct event_field *event_fields(enum event_kind kind)
{
	static const struct event_field *const rows[EVENT_KIND_COUNT] = {
		[EVENT_CONFIG] = config,   [EVENT_NODE] = node,           [EVENT_SIM] = sim,
		[EVENT_SUBMIT] = submit,   [EVENT_START] = start,         [EVENT_END] = end,
		[EVENT_HOLD] = hold,       [EVENT_PRIORITY] = priority,   [EVENT_SETTING] = setting,
		[EVENT_UNDO] = undo,       [EVENT_PLAN] = plan,           [EVENT_ACCRUAL] = accrual,
		[EVENT_BYPASS] = bypass,   [EVENT_CANCEL] = cancel,       [EVENT_DEFER] = defer,
		[EVENT_MODIFY] = modify,   [EVENT_USAGE] = usage,         [EVENT_USED] = used,
		[EVENT_LOAD] = load,       [EVENT_ORDER] = order,         [EVENT_ELIGIBLE] = eligible,
		[EVENT_SUSPEND] = suspend, [EVENT_HALT] = halt,           [EVENT_SIGNAL] = signal,
		[EVENT_RESERVE] = reserve, [EVENT_UNRESERVE] = unreserve, [EVENT_KEEP] = undo,
		[EVENT_CLOCK] = clock,
	};

	return kind < EVENT_KIND_COUNT && rows[kind] != NULL ? rows[kind] : none;
}
