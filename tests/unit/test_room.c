/* SPDX-License-Identifier: MIT */
/*
 * test_room.c - is room for jobs found where and when the guide and the original have it?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "sched/base/str.h"
#include "sched/core/room.h"
#include "yard.h"

/* --- what was found, as text -------------------------------------------------------------------- */

/* "n003:2 n004:1" in the order found. */
static const char *shown(struct yard *y, const struct alloc_list *runs)
{
	static char text[512];
	size_t len = 0;

	text[0] = '\0';
	for (size_t i = 0; i < runs->count; i++)
		for (uint32_t n = 0; n < runs->item[i].nodes; n++) {
			const struct node *node = yard_node_at(y, runs->item[i].node + n);

			len += (size_t)snprintf(text + len, sizeof text - len, "%s%s:%u", len > 0 ? " " : "",
						snapshot_string(y->s, node->name), runs->item[i].tasks);
		}
	return text;
}

/* Starts a job now in the room, which must be possible; where. */
static const char *start(struct yard *y, struct room *r, uint32_t slot)
{
	const struct job *job = yard_job_at(y, slot);
	struct alloc_list runs = {0};
	const char *text;

	if (room_find(r, slot, 0, job->wall_limit_s, &runs))
		room_take(r, slot, 0, job->wall_limit_s, runs.item, (uint32_t)runs.count);
	text = shown(y, &runs);
	free(runs.item);
	return text;
}

/* --- case 11: where the original places five jobs on eight unequal nodes -------------------------- */

static const struct case11 {
	enum allocation_policy policy;
	bool has_speeds;
	const char *function;
	double n004_priority;
	const char *placed[5];
} case11[] = {
	{ALLOCATE_FIRSTAVAILABLE,
	 false,
	 NULL,
	 0,
	 {"n001:3", "n001:1 n002:2 n003:3", "n003:2", "n003:2 n004:1 n005:2", "n005:2 n006:2"}},
	{ALLOCATE_LASTAVAILABLE,
	 false,
	 NULL,
	 0,
	 {"n008:3", "n008:1 n007:5", "n006:2", "n007:3 n005:2", "n005:2 n003:2"}},
	{ALLOCATE_MINRESOURCE,
	 false,
	 NULL,
	 0,
	 {"n004:1 n007:2", "n007:6", "n005:1 n008:1", "n002:2 n005:3", "n008:2 n001:2"}},
	{ALLOCATE_CPULOAD, false, NULL, 0, {"n007:3", "n003:6", "n008:2", "n007:5", "n005:4"}},
	{ALLOCATE_FASTEST,
	 true,
	 NULL,
	 0,
	 {"n005:3", "n005:1 n002:2 n006:2 n003:1", "n003:2", "n003:4 n001:1", "n001:2 n007:2"}},
	{ALLOCATE_PRIORITY,
	 false,
	 NULL,
	 0,
	 {"n001:3", "n001:1 n002:2 n003:3", "n003:2", "n003:2 n004:1 n005:2", "n005:2 n006:2"}},
	{ALLOCATE_PRIORITY,
	 false,
	 "CMEM",
	 0,
	 {"n003:3", "n003:4 n006:2", "n001:2", "n001:2 n008:3", "n005:4"}},
	{ALLOCATE_PRIORITY, false, "APROCS", 0, {"n007:3", "n003:6", "n001:2", "n007:5", "n005:4"}},
	{ALLOCATE_PRIORITY,
	 true,
	 "-CPROCS+10*SPEED-5*JOBCOUNT+PRIORITY",
	 100,
	 {"n004:1 n005:2", "n005:2 n002:2 n006:2", "n001:2", "n003:5", "n007:4"}},
	/* The original goes through speeds from the slowest on; here equal speeds win where they suffice
	 * (N-08): k2 is not spread over n008 and n001, k5 not over n007 and n003. */
	{ALLOCATE_MAXBALANCE,
	 true,
	 NULL,
	 0,
	 {"n008:3", "n001:4 n004:1 n007:1", "n003:2", "n007:5", "n003:4"}},
	/* The original places nothing (N-07): here a block of neighbours, as short as can be. */
	{ALLOCATE_CONTIGUOUS, false, NULL, 0, {"n001:3", "n003:6", "n008:2", "n007:5", "n005:4"}},
	/* The original places nothing without a site's program (N-10): here as MINRESOURCE. */
	{ALLOCATE_LOCAL,
	 false,
	 NULL,
	 0,
	 {"n004:1 n007:2", "n007:6", "n005:1 n008:1", "n002:2 n005:3", "n008:2 n001:2"}},
};

static void build_case11(struct yard *y, const struct case11 *one)
{
	static const struct {
		uint32_t procs;
		int64_t mem_mb;
		double speed;
	} machine[] = {{4, 4096, 1}, {2, 1024, 2}, {8, 16384, 1.5}, {1, 512, 1},
		       {4, 2048, 3}, {2, 8192, 2}, {8, 1024, 1},    {4, 4096, .5}};

	yard_begin(y);
	y->s->policy.allocation = (uint8_t)one->policy;
	for (uint32_t i = 0; i < 8; i++) {
		char name[8];

		snprintf(name, sizeof name, "n%03u", i + 1);
		yard_node(y, name,
			  (struct node){.procs = machine[i].procs,
					.mem_mb = machine[i].mem_mb,
					.swap_mb = 2 * machine[i].mem_mb,
					.disk_mb = 1000 * machine[i].procs,
					.priority = i == 3 ? one->n004_priority : 0,
					.speed = one->has_speeds ? machine[i].speed : 1,
					.procspeed = one->has_speeds ? 1000 * machine[i].speed : 0});
	}
	if (one->function != NULL)
		y->s->priorityf = yard_string(y, one->function);
	yard_start(y, yard_job(y, (struct job){.wall_limit_s = 50000}),
		   (struct alloc_run){.node = 2, .nodes = 1, .procs = 1, .tasks = 1});
}

static void n_01_to_n_10_five_jobs_stand_where_the_original_places_them(void **state)
{
	static const struct job asked[] = {{.tasks = 3, .wall_limit_s = 3600},
					   {.tasks = 6, .wall_limit_s = 7200},
					   {.tasks = 2, .wall_limit_s = 1000, .mem_mb = 1500},
					   {.tasks = 5, .wall_limit_s = 3600, .tasks_per_node = 1},
					   {.tasks = 4, .wall_limit_s = 3600, .tasks_per_node = 2}};

	(void)state;
	for (size_t i = 0; i < sizeof case11 / sizeof case11[0]; i++) {
		struct room *r = room_new();
		uint32_t slot[5];
		struct yard y;

		build_case11(&y, &case11[i]);
		for (int k = 0; k < 5; k++)
			slot[k] = yard_job(&y, asked[k]);
		room_begin(r, y.s, 0);
		assert_false(room_is_plain(r));
		for (int k = 0; k < 5; k++) {
			const char *placed = start(&y, r, slot[k]);

			if (strcmp(placed, case11[i].placed[k]) != 0)
				fail_msg("policy %d %s, k%d: %s instead of %s", (int)case11[i].policy,
					 case11[i].function != NULL ? case11[i].function : "", k + 1, placed,
					 case11[i].placed[k]);
		}
		room_free(r);
		yard_end(&y);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(n_01_to_n_10_five_jobs_stand_where_the_original_places_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
