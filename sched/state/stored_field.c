/* SPDX-License-Identifier: MIT */
/*
 * stored_field.c - the stored fields of jobs, nodes and events
 */
#include "stored_field.h"

#include <assert.h>

#include "event.h"

#define JOB_FLAGS (JOB_BACKFILLED | JOB_ACCRUAL_PAUSED | JOB_CANCELLED | JOB_PARTICULAR | JOB_ELIGIBLE)

/* --- jobs, nodes and their parts ------------------------------------------------------------ */

#define ROW(member, like) STORED_ROW(job_record, member, like)
#define COUNT(member)     .count_offset = offsetof(struct job_record, member)

static const struct stored_field job_fields[] = {
	{ROW(job.id, U64)},
	{ROW(job.submit_s, I64)},
	{ROW(job.accrual_s, I64)},
	{ROW(job.not_before_s, I64)},
	{ROW(job.wall_limit_s, I64)},
	{ROW(job.true_run_s, I64)},
	{ROW(job.start_s, I64)},
	{ROW(job.planned_s, I64)},
	{ROW(job.mem_mb, I64)},
	{ROW(job.swap_mb, I64)},
	{ROW(job.disk_mb, I64)},
	{ROW(job.points, I64)},
	{ROW(job.tasks, U32)},
	{ROW(job.task_procs, U32)},
	{ROW(job.nodes, U32)},
	{ROW(job.bypass, U32)},
	{ROW(job.state, U8), .below = JOB_STATE_COUNT},
	{ROW(job.base_holds, U8), .below = JOB_HOLD_ALL + 1},
	{ROW(job.holds, U8), .below = JOB_HOLD_ALL + 1},
	{ROW(job.adjust, U8), .below = JOB_ADJUST_ABSOLUTE + 1},
	{ROW(job.flags, U8), .below = JOB_FLAGS + 1},
	{ROW(cred[0], TEXT)},
	{ROW(cred[1], TEXT)},
	{ROW(cred[2], TEXT)},
	{ROW(cred[3], TEXT)},
	{ROW(cred[4], TEXT)},
	{ROW(partition, TEXT)},
	{ROW(label, TEXT)},
	{ROW(name, TEXT)},
	{ROW(runs, RUNS), COUNT(run_count)},
	{ROW(job.defer_until_s, I64), .since = 2},
	{ROW(job.used_ps, I64), .since = 2},
	{ROW(job.tasks_per_node, U32), .since = 2},
	{ROW(job.procs_held, U32), .since = 2},
	{ROW(job.defer_count, U32), .since = 2},
	{ROW(job.start_count, U32), .since = 2},
	{ROW(job.access, U8), .below = ACCESS_SINGLETASK + 1, .since = 2},
	{ROW(job.allocation, U8), .below = ALLOCATION_POLICY_COUNT + 1, .since = 2},
	{ROW(job.access_held, U8), .below = ACCESS_SINGLETASK + 1, .since = 2},
	{ROW(qos_asked, TEXT), .since = 2},
	{ROW(features, TEXT), .since = 2},
	{ROW(prefer, TEXT), .since = 2},
	{ROW(gres, TEXT), .since = 2},
	{ROW(hosts, TEXT), .since = 2},
	{ROW(order, TEXT), .since = 2},
	{ROW(hold_reason, TEXT), .since = 2},
	{ROW(base_reason, TEXT), .since = 2},
	{ROW(runs, TASKS), COUNT(run_count), .since = 2},
	{ROW(depend, DEPENDS), COUNT(depend_count), .since = 2},
	{ROW(job.real, U8), .below = JOB_REAL_ALL + 1, .since = 3},
	{ROW(job.array, U64), .since = 4},
	{ROW(job.array_index, U32), .since = 4},
	{ROW(job.array_limit, U32), .since = 4},
	{ROW(job.base_points, I32), .since = 4},
	{ROW(ranges, RANGES), COUNT(range_count), .since = 4},
	{ROW(depend, DEPENDS_TASK), COUNT(depend_count), .since = 4},
	{ROW(job.retries, U8), .below = JOB_RETRIES_MAX + 1, .since = 7},
	{ROW(job.suspended_s, I64), .since = 7},
	{ROW(job.suspended_at_s, I64), .since = 7},
	{ROW(job.resume_s, I64), .since = 7},
	{ROW(launch_size, U32), .since = 7},
	{ROW(job.released_s, I64), .since = 7},
	{ROW(job.held_since_s, I64), .since = 7},
	{ROW(job.charged_ps, I64), .since = 7},
	{ROW(said, TEXT), .since = 11},
	{ROW(job.described, U64), .since = 11},
	{ROW(job.expected_s, I64), .since = 11},
	STORED_END,
};
static_assert(CRED_TYPE_COUNT == 5, "each credential of a job has a row");

static const struct stored_field node_fields[] = {
	{STORED_ROW(node_record, name, TEXT), .missing = "a node has no name"},
	{STORED_ROW(node_record, partition, TEXT)},
	{STORED_ROW(node_record, procs, U32)},
	{STORED_ROW(node_record, mem_mb, I64)},
	{STORED_ROW(node_record, swap_mb, I64)},
	{STORED_ROW(node_record, disk_mb, I64)},
	{STORED_ROW(node_record, features, TEXT), .since = 2},
	{STORED_ROW(node_record, classes, TEXT), .since = 2},
	{STORED_ROW(node_record, gres, TEXT), .since = 2},
	{STORED_ROW(node_record, speed, REAL), .since = 2},
	{STORED_ROW(node_record, procspeed, REAL), .since = 2},
	{STORED_ROW(node_record, rack, U32), .since = 2},
	{STORED_ROW(node_record, index, U32), .since = 2},
	{STORED_ROW(node_record, access, U8), .below = ACCESS_SINGLETASK + 1, .since = 2},
	{STORED_ROW(node_record, used, USED), .since = 2},
	{STORED_ROW(node_record, active_s, I64), .since = 2},
	{STORED_ROW(node_record, active_from_s, I64), .since = 2},
	{STORED_ROW(node_record, shut, U8), .below = 2, .since = 11},
	{STORED_ROW(node_record, said, TEXT), .since = 11},
	STORED_END,
};

static const struct stored_field sim_fields[] = {
	{STORED_ROW(sim_origin, seed, U64)},
	{STORED_ROW(sim_origin, next_index, U64)},
	{STORED_ROW(sim_origin, job_limit, U64)},
	{STORED_ROW(sim_origin, load_pct, I64)},
	{STORED_ROW(sim_origin, last_s, I64)},
	{STORED_ROW(sim_origin, active, U32)},
	STORED_END,
};

static const struct stored_field window_fields[] = {
	{STORED_ROW(usage_window, begin_s, I64)},
	{STORED_ROW(usage_window, length_s, I64)},
	{STORED_ROW(usage_window, total, I64)},
	{STORED_ROW(usage_window, item, USED_BY), .count_offset = offsetof(struct usage_window, count)},
	STORED_END,
};

static const struct stored_field used_fields[] = {
	{STORED_ROW(node_used, load, REAL)},   {STORED_ROW(node_used, procs, REAL)},
	{STORED_ROW(node_used, mem_mb, I64)},  {STORED_ROW(node_used, swap_mb, I64)},
	{STORED_ROW(node_used, disk_mb, I64)}, STORED_END,
};

const struct stored_field *stored_fields(enum stored_type type)
{
	switch (type) {
	case STORED_JOB:
		return job_fields;
	case STORED_NODE:
		return node_fields;
	case STORED_SIM:
		return sim_fields;
	case STORED_WINDOW:
		return window_fields;
	case STORED_USED:
		return used_fields;
	default:
		return NULL;
	}
}

/* --- events ---------------------------------------------------------------------------------- */

#define EVENT_AT(member)        offsetof(struct event, member)
#define EVENT_ROW(member, like) STORED_ROW(event, member, like)

#define SETTING_MISSING "a setting has no name or no value"
#define MODIFY_MISSING  "a changed attribute has no name or no value"
#define RESERVE_MISSING "a reservation has no name or no text"

static const struct stored_field none[] = {STORED_END};

static const struct stored_field config[] = {
	{EVENT_ROW(config.file, TEXT)}, {EVENT_ROW(config.text, TEXT)}, STORED_END};

static const struct stored_field node[] = {{EVENT_ROW(node, NODE)}, STORED_END};

static const struct stored_field sim[] = {{EVENT_ROW(sim, SIM)}, STORED_END};

static const struct stored_field submit[] = {{EVENT_ROW(submit, JOB)}, STORED_END};

static const struct stored_field start[] = {
	{EVENT_ROW(start.runs, RUNS), .count_offset = EVENT_AT(start.count)},
	{EVENT_ROW(start.backfilled, BOOL)},
	{EVENT_ROW(start.runs, TASKS), .count_offset = EVENT_AT(start.count), .since = 2},
	{EVENT_ROW(start.reported, BOOL), .since = 11},
	{EVENT_ROW(start.since_s, I64), .since = 11},
	STORED_END,
};

static const struct stored_field end[] = {
	{EVENT_ROW(end.status, I32)},
	{EVENT_ROW(end.at_limit, BOOL)},
	{EVENT_ROW(end.has_used, BOOL), .since = 2},
	{EVENT_ROW(end.used_ps, I64), .since = 2},
	{EVENT_ROW(end.lost, BOOL), .since = 3},
	{EVENT_ROW(end.mem_mb, I64), .since = 3},
	{EVENT_ROW(end.why, TEXT), .since = 3},
	{EVENT_ROW(end.held_s, I64), .since = 10},
	STORED_END,
};

static const struct stored_field hold[] = {
	{EVENT_ROW(hold.bits, U8), .below = JOB_HOLD_ALL + 1},
	{EVENT_ROW(hold.on, BOOL)},
	{EVENT_ROW(hold.reason, TEXT), .since = 2},
	STORED_END,
};

static const struct stored_field priority[] = {
	{EVENT_ROW(priority.adjust, U8), .below = JOB_ADJUST_ABSOLUTE + 1},
	{EVENT_ROW(priority.points, I64)},
	STORED_END,
};

static const struct stored_field setting[] = {
	{EVENT_ROW(setting.name, TEXT), .missing = SETTING_MISSING},
	{EVENT_ROW(setting.value, TEXT), .missing = SETTING_MISSING},
	{EVENT_ROW(until_s, I64), .since = 5, .until = 6}, /* since 6 every event may have it */
	STORED_END,
};

static const struct stored_field undo[] = {{EVENT_ROW(undo.seq, U64)}, STORED_END};

static const struct stored_field plan[] = {
	{EVENT_ROW(plan.start_s, I64)},
	{EVENT_ROW(plan.runs, RUNS), .count_offset = EVENT_AT(plan.count), .since = 2},
	{EVENT_ROW(plan.runs, TASKS), .count_offset = EVENT_AT(plan.count), .since = 2},
	STORED_END,
};

static const struct stored_field accrual[] = {{EVENT_ROW(accrual, SWITCHED)}, STORED_END};

static const struct stored_field eligible[] = {{EVENT_ROW(eligible, SWITCHED)}, STORED_END};

static const struct stored_field bypass[] = {
	{EVENT_ROW(bypass.item, BYPASSED), .count_offset = EVENT_AT(bypass.count)},
	STORED_END,
};

static const struct stored_field defer[] = {
	{EVENT_ROW(defer.until_s, I64)},
	{EVENT_ROW(defer.reason, TEXT)},
	{EVENT_ROW(defer.failed_start, BOOL)},
	{EVENT_ROW(defer.retry, BOOL), .since = 7},
	STORED_END,
};

static const struct stored_field modify[] = {
	{EVENT_ROW(modify.name, TEXT), .missing = MODIFY_MISSING},
	{EVENT_ROW(modify.value, TEXT), .missing = MODIFY_MISSING},
	STORED_END,
};

static const struct stored_field usage[] = {{EVENT_ROW(usage, WINDOW)}, STORED_END};

static const struct stored_field used[] = {{EVENT_ROW(used.ps, I64)}, STORED_END};

static const struct stored_field load[] = {
	{EVENT_ROW(load.node, TEXT)},
	{EVENT_ROW(load.used, USED)},
	{EVENT_ROW(load.by, TEXT), .since = 8},
	STORED_END,
};

static const struct stored_field order[] = {{EVENT_ROW(order.nodes, TEXT)}, STORED_END};

static const struct stored_field suspend[] = {
	{EVENT_ROW(suspend.on, BOOL)},
	{EVENT_ROW(suspend.how, U8), .below = SUSPEND_HOW_ALL + 1, .since = 7},
	STORED_END,
};

static const struct stored_field signal[] = {{EVENT_ROW(signal.number, U8)}, STORED_END};

static const struct stored_field reserve[] = {
	{EVENT_ROW(reserve.name, TEXT), .missing = RESERVE_MISSING},
	{EVENT_ROW(reserve.text, TEXT), .missing = RESERVE_MISSING},
	STORED_END,
};

static const struct stored_field unreserve[] = {
	{EVENT_ROW(reserve.name, TEXT), .missing = RESERVE_MISSING},
	{EVENT_ROW(reserve.text, TEXT)},
	STORED_END,
};

static const struct stored_field halt[] = {
	{EVENT_ROW(halt.on, BOOL)}, {EVENT_ROW(halt.after, U32)}, STORED_END};

static const struct stored_field clock[] = {
	{EVENT_ROW(clock.by_s, I64)}, {EVENT_ROW(clock.before, U64)}, STORED_END};

static const struct stored_field fault[] = {{EVENT_ROW(fault.text, TEXT)}, STORED_END};

static const struct stored_field cancel[] = {
	{EVENT_ROW(cancel.depends, BOOL), .since = 10},
	{EVENT_ROW(cancel.cause, TEXT), .since = 10},
	STORED_END,
};

const struct stored_field *event_fields(enum event_kind kind)
{
	static const struct stored_field *const rows[EVENT_KIND_COUNT] = {
		[EVENT_CONFIG] = config,   [EVENT_NODE] = node,           [EVENT_SIM] = sim,
		[EVENT_SUBMIT] = submit,   [EVENT_START] = start,         [EVENT_END] = end,
		[EVENT_HOLD] = hold,       [EVENT_PRIORITY] = priority,   [EVENT_SETTING] = setting,
		[EVENT_UNDO] = undo,       [EVENT_PLAN] = plan,           [EVENT_ACCRUAL] = accrual,
		[EVENT_BYPASS] = bypass,   [EVENT_CANCEL] = cancel,       [EVENT_DEFER] = defer,
		[EVENT_MODIFY] = modify,   [EVENT_USAGE] = usage,         [EVENT_USED] = used,
		[EVENT_LOAD] = load,       [EVENT_ORDER] = order,         [EVENT_ELIGIBLE] = eligible,
		[EVENT_SUSPEND] = suspend, [EVENT_HALT] = halt,           [EVENT_SIGNAL] = signal,
		[EVENT_RESERVE] = reserve, [EVENT_UNRESERVE] = unreserve, [EVENT_KEEP] = undo,
		[EVENT_CLOCK] = clock,     [EVENT_DESCRIBE] = submit,     [EVENT_FAULT] = fault,
	};

	return kind < EVENT_KIND_COUNT && rows[kind] != NULL ? rows[kind] : none;
}
