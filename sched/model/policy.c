/* SPDX-License-Identifier: MIT */
/*
 * policy.c - names of priority factors, and the default policy
 *
 * The defaults are those of the Maui Administrator's Guide: 5.1.1 (first come, first served by queue time
 * alone), 5.1.4 (accrual), 7.1.4 (one reservation, for the highest job) and 8.2 (backfill). The default of
 * XFMINWCLIMIT is the one observed in Maui.
 */
#include "policy.h"

const struct prio_factor_info *policy_factor_info(enum prio_factor f)
{
#define INFO(FACTOR, COMPONENT, NAME, KEYWORD, COLUMN, UNIT, WEIGHT, COURSE, WHAT)                           \
	[PRIO_##FACTOR] = {PRIO_##COMPONENT,    COURSE_##COURSE, NAME, COLUMN, KEYWORD, UNIT,                \
			   "Measures " WHAT "."},
	static const struct prio_factor_info info[PRIO_FACTOR_COUNT] = {PRIO_FACTOR_LIST(INFO)};
#undef INFO

	return &info[f];
}

const char *policy_component_name(enum prio_component c)
{
#define NAME(COMPONENT, NAME, KEYWORD, WHAT) [PRIO_##COMPONENT] = NAME,
	static const char *const names[PRIO_COMPONENT_COUNT] = {PRIO_COMPONENT_LIST(NAME)};
#undef NAME

	return names[c];
}

void prio_weights_default(struct prio_weights *w)
{
#define DEFAULT(FACTOR, COMPONENT, NAME, KEYWORD, COLUMN, UNIT, WEIGHT, COURSE, WHAT)                        \
	[PRIO_##FACTOR] = WEIGHT,
	*w = (struct prio_weights){.factor = {PRIO_FACTOR_LIST(DEFAULT)}};
#undef DEFAULT
	for (int c = 0; c < PRIO_COMPONENT_COUNT; c++)
		w->component[c] = 1;
}

void policy_default(struct policy *policy)
{
	*policy = (struct policy){
		.accrual = ACCRUAL_QUEUE,
		.backfill = BACKFILL_FIRSTFIT,
		.reservation = RESERVE_CURRENTHIGHEST,
		.xfactor_min_wall_s = 120,
		.reservation_depth = {1, -1, -1, -1, -1, -1, -1, -1},
		.default_wall_s = 3600,
		.allocation = ALLOCATE_LASTAVAILABLE,
		.access = ACCESS_SHARED,
		.fs_interval_s = 86400,
		.fs_depth = 7,
		.fs_decay = 1,
		.defer_time_s = 3600,
		.defer_count = 24,
		.defer_start_count = 1,
		.local_timeout_s = 5,
		.poll_interval_s = 60,
		.user_reservation_s = 86400,
		.site = {.grace_s = 30,
			 .warn_s = 60,
			 .keep_mem_mb = 512,
			 .metrics_interval_s = 60,
			 .bind_cpus = true,
			 .allow_root = true,
			 .suspend_max_s = 3600,
			 .user_jobs = 10000,
			 .journal_keep_s = 30 * INT64_C(86400),
			 .history_keep_s = 365 * INT64_C(86400),
			 .journal_max_mb = 2048,
			 .history_max_mb = 2048,
			 .disk_reserve_mb = 64,
			 .job_processes = SITE_JOB_PROCESSES_DEFAULT,
			 .request_events = 1000,
			 .job_changes = 200,
			 .user_changes = 20000,
			 .user_names = 100,
			 .user_stored_mb = 256,
			 .user_text_mb = 2,
			 .user_journal_mb = 256,
			 .user_connections = 64,
			 .user_requests = 200,
			 .user_request_mb = 5,
			 .user_answer_mb = 2,
			 .user_cpu_pct = 10},
	};
	prio_weights_default(&policy->weights);
}
