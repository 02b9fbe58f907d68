/* SPDX-License-Identifier: MIT */
/*
 * test_throttle.c - amounts, limits in force, and soft, hard and idle limits
 *
 * The worked examples of the guide's section on throttling, each with its ID; every limit on both sides of
 * its boundary; and clear times.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sched/base/rng.h"
#include "tests/seed.h"
#include "tests/unit/throttled.h"

/* --- amounts ----------------------------------------------------------------------------------- */

static int64_t in_use(struct scene *sc, enum limit_kind kind)
{
	const struct machine machine = snapshot_machine(scene_view(sc));
	int64_t sum = 0;

	for (uint32_t i = 0; i < snapshot_count(scene_view(sc), TABLE_RUNNING); i++)
		sum += throttle_amount(kind,
				       &snapshot_jobs(scene_view(sc))[snapshot_running(scene_view(sc))[i]],
				       &machine, scene_view(sc)->policy.site.grace_s, sc->now_s);
	return sum;
}

static void t10_outstanding_processor_seconds_decrease_while_jobs_run(void **state)
{
	struct scene *sc = site("user u1 { maxps = {\"57600\"} }\n");
	char text[96];

	(void)state;
	run(sc, (struct scene_job){.procs = 4, .wall_s = 3600});
	run(sc, (struct scene_job){.procs = 2, .wall_s = 6 * 3600});
	assert_int_equal(in_use(sc, LIMIT_PS), 57600);
	scene_add(sc, (struct scene_job){.procs = 1, .wall_s = 360});
	assert_string_equal(stopped(sc, 3, LEVEL_HARD, text), "MAXPS u1 57600+360>57600");
	scene_go(sc, 59);
	assert_string_equal(stopped(sc, 3, LEVEL_HARD, text), "MAXPS u1 57246+360>57600");
	scene_go(sc, 60);
	assert_int_equal(in_use(sc, LIMIT_PS), 57600 - 6 * 60);
	assert_string_equal(stopped(sc, 3, LEVEL_HARD, text), "");
	scene_free(sc);
}

static void t12_maxwc_counts_seconds_without_processors(void **state)
{
	struct scene *sc = site("user u1 { maxwc = {\"72:00:00\"} }\n");

	(void)state;
	run(sc, (struct scene_job){.procs = 50, .wall_s = 71 * 3600});
	assert_int_equal(in_use(sc, LIMIT_WC), 71 * 3600);
	assert_free(sc, .procs = 90, .wall_s = 3600);
	assert_stopped(sc, "MAXWC u1 255600+3601>259200", .procs = 1, .wall_s = 3601);
	scene_free(sc);
}

static void each_kind_is_counted_in_its_unit(void **state)
{
	struct scene *sc = site("user u1 { maxproc = {\"32\"} }\nuser u2 { maxpe = {\"128\"} }\n"
				"user u3 { maxnode = {\"3\"} }\nuser u4 { maxmem = {\"2048\"} }\n");

	(void)state;
	run(sc, (struct scene_job){.procs = 30});
	assert_free(sc, .procs = 2);
	assert_stopped(sc, "MAXPROC u1 30+3>32", .procs = 3);
	assert_free(sc, .user = "u2", .procs = 128);
	assert_stopped(sc, "MAXPE u2 0+129>128", .user = "u2", .procs = 129);
	/* A quarter of the cluster's memory equals a quarter of its thousand processors. */
	assert_stopped(sc, "MAXPE u2 0+250>128", .user = "u2", .procs = 10, .mem_mb = 1024);
	assert_free(sc, .user = "u3", .procs = 3, .nodes = 3);
	assert_stopped(sc, "MAXNODE u3 0+4>3", .user = "u3", .procs = 4, .nodes = 4);
	assert_free(sc, .user = "u4", .procs = 2, .mem_mb = 1024);
	assert_stopped(sc, "MAXMEM u4 0+2050>2048", .user = "u4", .procs = 2, .mem_mb = 1025);
	scene_free(sc);
}

/* A job with single-user access excludes others like a job that requests the whole node. */
static void a_node_reserved_for_its_user_counts_completely_and_once(void **state)
{
	const struct scene_job within_job_limits = {.procs = 10, .access = ACCESS_SINGLEUSER};
	struct scene *sc = site("user u1 { maxproc = {\"100\"} }\nuser u2 { maxproc = {\"19\"} }\n"
				"user u3 { maxps = {\"10000\"} }\n");

	(void)state;
	run(sc, (struct scene_job){.procs = 30});
	assert_free(sc, .procs = 70);
	scene_end(sc, 1);
	run(sc, within_job_limits);
	assert_stopped(sc, "MAXPROC u1 100+1>100", .procs = 1);
	run(sc, within_job_limits);
	run(sc, (struct scene_job){.procs = 5}); /* on the same node */
	assert_stopped(sc, "MAXPROC u1 100+1>100", .procs = 1);
	scene_end(sc, 3);
	assert_stopped(sc, "MAXPROC u1 100+1>100", .procs = 1);
	scene_start(sc,
		    scene_add(sc, (struct scene_job){.user = "u3", .procs = 10, .access = ACCESS_SINGLEUSER}),
		    1, 1, 10);
	assert_stopped(sc, "MAXPS u3 10000+100>10000", .user = "u3", .procs = 1);
	/* The policy of the site does not count: the job did not request single-user access. */
	scene_set(sc, "nodeaccesspolicy", "singleuser");
	scene_start(sc, scene_add(sc, (struct scene_job){.user = "u2", .procs = 10}), 2, 1, 10);
	assert_free(sc, .user = "u2", .procs = 9);
	scene_free(sc);
}

static void limits_are_64_bits_wide(void **state)
{
	struct scene *sc = site("user u1 { maxps = {\"900000000000\"} }\n");

	(void)state;
	run(sc, (struct scene_job){.procs = 90, .wall_s = 9000000000});
	assert_stopped(sc, "MAXPS u1 810000000000+90000000090>900000000000", .procs = 90,
		       .wall_s = 1000000001);
	assert_free(sc, .procs = 90, .wall_s = 1000000000);
	scene_free(sc);
}

/* --- credentials -----------------------------------------------------------------------------------------
 */

static void t15_default_applies_to_users_without_their_own_limit(void **state)
{
	struct scene *sc = site("user DEFAULT { maxjob = {\"4\"} }\nuser john { maxjob = {\"8\"} }\n");

	(void)state;
	run_many(sc, 3, (struct scene_job){.user = "eva"});
	assert_free(sc, .user = "eva");
	run_many(sc, 1, (struct scene_job){.user = "eva"});
	assert_stopped(sc, "MAXJOB eva 4+1>4", .user = "eva");
	run_many(sc, 7, (struct scene_job){.user = "john"});
	assert_free(sc, .user = "john");
	run_many(sc, 1, (struct scene_job){.user = "john"});
	assert_stopped(sc, "MAXJOB john 8+1>8", .user = "john");
	scene_free(sc);
}

static const char t16[] =
	"user steve { maxjob = {\"2\"} maxnode = {\"30\"} }\ngroup staff { maxjob = {\"5\"} }\n"
	"class DEFAULT { maxnode = {\"16\"} }\nclass batch { maxnode = {\"32\"} }\n";

/* Class interactive uses 14 nodes, so two more are allowed. */
static void t16_all_limits_of_all_credentials_apply(void **state)
{
	struct scene *sc = scene_new(40, 10);

	(void)state;
	scene_config(sc, t16);
	run(sc,
	    (struct scene_job){
		    .user = "ann", .class_name = "interactive", .procs = 140, .nodes = 14, .wall_s = 100});
	assert_free(sc, .user = "steve", .group = "staff", .class_name = "interactive", .procs = 2,
		    .nodes = 2);
	assert_stopped(sc, "MAXNODE interactive 14+3>16", .user = "steve", .group = "staff",
		       .class_name = "interactive", .procs = 3, .nodes = 3);
	assert_stopped(sc, "MAXNODE steve 0+31>30", .user = "steve", .class_name = "batch", .procs = 31,
		       .nodes = 31);
	assert_free(sc, .user = "ann", .class_name = "batch", .procs = 32, .nodes = 32);
	assert_stopped(sc, "MAXNODE batch 0+33>32", .user = "ann", .class_name = "batch", .procs = 33,
		       .nodes = 33);
	scene_free(sc);
}

static void t18_limits_with_a_second_credential(void **state)
{
	struct scene *sc = site("class fast { maxjob = {\"GROUP=12\"} maxproc = {\"USER:steve=50\"} }\n");

	(void)state;
	run_many(sc, 11, (struct scene_job){.user = "ann", .group = "staff", .class_name = "fast"});
	assert_free(sc, .user = "ann", .group = "staff", .class_name = "fast");
	run_many(sc, 1, (struct scene_job){.user = "ann", .group = "staff", .class_name = "fast"});
	assert_stopped(sc, "MAXJOB fast/staff 12+1>12", .user = "bob", .group = "staff",
		       .class_name = "fast");
	assert_free(sc, .user = "bob", .group = "guest", .class_name = "fast");
	assert_free(sc, .user = "bob", .group = "staff", .class_name = "slow");
	run(sc, (struct scene_job){.user = "steve", .group = "guest", .class_name = "fast", .procs = 48});
	assert_free(sc, .user = "steve", .group = "guest", .class_name = "fast", .procs = 2);
	assert_stopped(sc, "MAXPROC fast/steve 48+3>50", .user = "steve", .group = "guest",
		       .class_name = "fast", .procs = 3);
	assert_free(sc, .user = "ann", .group = "guest", .class_name = "fast", .procs = 90);
	scene_free(sc);
}

static void t19_limits_for_each_user_and_for_named_users(void **state)
{
	struct scene *sc = site("class batch { maxjob = {\"3\"} maxnode = {\"USER=8\"} }\n"
				"class fast { maxproc = {\"USER:steve=3\", \"USER:bob=4\"} }\n");

	(void)state;
	assert_free(sc, .user = "ann", .class_name = "batch", .procs = 8, .nodes = 8);
	assert_stopped(sc, "MAXNODE batch/ann 0+9>8", .user = "ann", .class_name = "batch", .procs = 9,
		       .nodes = 9);
	assert_stopped(sc, "MAXPROC fast/steve 0+4>3", .user = "steve", .class_name = "fast", .procs = 4);
	assert_free(sc, .user = "bob", .class_name = "fast", .procs = 4);
	assert_stopped(sc, "MAXPROC fast/bob 0+5>4", .user = "bob", .class_name = "fast", .procs = 5);
	assert_free(sc, .user = "ann", .class_name = "fast", .procs = 90);
	run_many(sc, 3, (struct scene_job){.user = "ann", .class_name = "batch"});
	assert_stopped(sc, "MAXJOB batch 3+1>3", .user = "bob", .class_name = "batch");
	scene_free(sc);
}

static void a_named_second_credential_overrides_its_type(void **state)
{
	struct scene *sc = site("class fast { maxproc = {\"USER=4\", \"USER:steve=50\"} }\n");

	(void)state;
	assert_free(sc, .user = "steve", .class_name = "fast", .procs = 50);
	assert_stopped(sc, "MAXPROC fast/ann 0+5>4", .user = "ann", .class_name = "fast", .procs = 5);
	scene_free(sc);
}

/* H-06: a limit per user for jobs without an account. */
static void h06_account_none_limits_jobs_without_an_account(void **state)
{
	struct scene *sc = site("account none { maxps = {\"USER=72000,1080000\"} }\n");
	char text[96];

	(void)state;
	run(sc, (struct scene_job){.user = "ann", .procs = 2, .wall_s = 34948});
	scene_add(sc, (struct scene_job){.user = "ann", .procs = 8, .wall_s = 3600});
	scene_add(sc, (struct scene_job){.user = "ann", .account = "snac1", .procs = 8, .wall_s = 3600});
	scene_add(sc, (struct scene_job){.user = "bob", .procs = 8, .wall_s = 3600});
	assert_string_equal(stopped(sc, 2, LEVEL_SOFT, text), "MAXPS none/ann 69896+28800>72000");
	assert_string_equal(stopped(sc, 2, LEVEL_HARD, text), "");
	assert_string_equal(stopped(sc, 3, LEVEL_SOFT, text), "");
	assert_string_equal(stopped(sc, 4, LEVEL_SOFT, text), "");
	scene_free(sc);
}

/* H-07: a project with 500 000 seconds a month; the soft limit is a fifth, the hard limit three times as
 * much. */
static void h07_a_project_with_a_monthly_amount(void **state)
{
	struct scene *sc = site("account snac1 { maxps = {\"100000,300000\"} }\n");
	char text[96];

	(void)state;
	run(sc, (struct scene_job){.account = "snac1", .procs = 10, .wall_s = 10000});
	scene_add(sc, (struct scene_job){.account = "snac1", .procs = 20, .wall_s = 10000});
	assert_string_equal(stopped(sc, 2, LEVEL_SOFT, text), "MAXPS snac1 100000+200000>100000");
	assert_string_equal(stopped(sc, 2, LEVEL_HARD, text), "");
	assert_stopped(sc, "MAXPS snac1 100000+200001>300000", .account = "snac1", .procs = 1,
		       .wall_s = 200001);
	scene_free(sc);
}

static void the_system_counts_all_jobs_together(void **state)
{
	struct scene *sc = site("system { maxjob = {\"3\"} }\n");
	struct limit_finding found;
	struct queue q = {0};

	(void)state;
	run_many(sc, 2, (struct scene_job){.user = "ann"});
	run_many(sc, 1, (struct scene_job){.user = "bob"});
	scene_add(sc, (struct scene_job){.user = "eva"});
	queue_begin(&q, scene_view(sc), sc->now_s);
	assert_false(throttle_active(q.throttle, scene_job_of(sc, 4), LEVEL_SOFT, &found));
	assert_true(found.cred == INDEX_NONE && found.used == 3 && found.limit == 3);
	queue_clear(&q);
	scene_free(sc);
}

/* --- overrides ---------------------------------------------------------------------------------------- */

static struct scene *t22(void)
{
	struct scene *sc = scene_new(100, 10);
	char config[600];

	snprintf(config, sizeof config, "%sqos hiprio { omaxjob = {\"3\"} omaxnode = {\"64\"} }\n", t16);
	scene_config(sc, config);
	return sc;
}

#define STEVE .user = "steve", .group = "staff", .class_name = "batch", .qos = "hiprio"

/* The five conditions of the guide that prevent a start, each at its boundary. */
static void t22_an_override_replaces_limits_of_other_credentials(void **state)
{
	struct scene *sc = t22();

	(void)state;
	/* nodes of steve, and of class batch, > 64: the override replaces 30 and 32 */
	assert_free(sc, STEVE, .procs = 64, .nodes = 64);
	assert_stopped(sc, "OMAXNODE steve 0+65>64", STEVE, .procs = 65, .nodes = 65);
	run(sc, (struct scene_job){
			.user = "ann", .group = "guest", .class_name = "batch", .procs = 310, .nodes = 31});
	assert_free(sc, STEVE, .procs = 33, .nodes = 33);
	assert_stopped(sc, "OMAXNODE batch 31+34>64", STEVE, .procs = 34, .nodes = 34);
	/* staff has no limit of nodes, so no override applies */
	run(sc, (struct scene_job){
			.user = "ann", .group = "staff", .class_name = "other", .procs = 160, .nodes = 16});
	assert_free(sc, STEVE, .procs = 33, .nodes = 33);
	scene_free(sc);
}

static void t22_omaxjob_limits_the_qos_and_raises_no_other_limit(void **state)
{
	struct scene *sc = t22();

	(void)state;
	run_many(sc, 1, (struct scene_job){.user = "steve", .class_name = "batch"});
	assert_free(sc, STEVE);
	run_many(sc, 1, (struct scene_job){.user = "steve", .class_name = "batch"});
	assert_stopped(sc, "MAXJOB steve 2+1>2", STEVE); /* active jobs of steve > 2 */
	scene_free(sc);
	sc = t22();
	run_many(sc, 4, (struct scene_job){.user = "ann", .group = "staff", .class_name = "batch"});
	assert_free(sc, STEVE);
	run_many(sc, 1, (struct scene_job){.user = "ann", .group = "staff", .class_name = "batch"});
	assert_stopped(sc, "MAXJOB staff 5+1>5", STEVE); /* active jobs of staff > 5 */
	scene_free(sc);
	sc = t22();
	run_many(sc, 2,
		 (struct scene_job){.user = "ann", .group = "guest", .class_name = "batch", .qos = "hiprio"});
	assert_free(sc, STEVE);
	run_many(sc, 1,
		 (struct scene_job){.user = "ann", .group = "guest", .class_name = "batch", .qos = "hiprio"});
	assert_stopped(sc, "OMAXJOB hiprio 3+1>3", STEVE); /* active hiprio jobs > 3 */
	scene_free(sc);
}

/* --- soft and hard ------------------------------------------------------------------------------------- */

static void t30_each_value_of_the_table_at_both_levels(void **state)
{
	struct scene *sc =
		site("user steve { maxjob = {\"2,4\"} maxnode = {\"15,30\"} }\n"
		     "group staff { maxjob = {\"2,5\"} }\nclass DEFAULT { maxnode = {\"16,32\"} }\n"
		     "class batch { maxnode = {\"12,32\"} }\n"
		     "qos hiprio { maxjob = {\"3,5\"} maxnode = {\"32,64\"} }\n");
	static const struct {
		struct scene_job asked;
		const char *soft, *hard;
	} rows[] = {
		{{.user = "steve", .procs = 15, .nodes = 15}, "", ""},
		{{.user = "steve", .procs = 16, .nodes = 16}, "MAXNODE steve 0+16>15", ""},
		{{.user = "steve", .procs = 31, .nodes = 31},
		 "MAXNODE steve 0+31>15",
		 "MAXNODE steve 0+31>30"},
		{{.class_name = "x", .procs = 17, .nodes = 17}, "MAXNODE x 0+17>16", ""},
		{{.class_name = "x", .procs = 33, .nodes = 33}, "MAXNODE x 0+33>16", "MAXNODE x 0+33>32"},
		{{.class_name = "batch", .procs = 13, .nodes = 13}, "MAXNODE batch 0+13>12", ""},
		{{.class_name = "batch", .procs = 33, .nodes = 33},
		 "MAXNODE batch 0+33>12",
		 "MAXNODE batch 0+33>32"},
		{{.qos = "hiprio", .procs = 33, .nodes = 33}, "MAXNODE hiprio 0+33>32", ""},
		{{.qos = "hiprio", .procs = 65, .nodes = 65},
		 "MAXNODE hiprio 0+65>32",
		 "MAXNODE hiprio 0+65>64"},
	};
	char text[96];

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		uint64_t id = scene_add(sc, rows[i].asked);

		assert_string_equal(stopped(sc, id, LEVEL_SOFT, text), rows[i].soft);
		assert_string_equal(stopped(sc, id, LEVEL_HARD, text), rows[i].hard);
	}
	scene_free(sc);
}

/* T-29: a soft value that is missing or looser than the hard one is the hard one. */
static void t29_a_soft_value_is_never_looser_than_the_hard_one(void **state)
{
	struct scene *sc = site("user u1 { maxproc = {\"8\"} }\nuser u2 { maxproc = {\"9,8\"} }\n");
	char text[96];

	(void)state;
	scene_add(sc, (struct scene_job){.procs = 9});
	scene_add(sc, (struct scene_job){.user = "u2", .procs = 9});
	assert_string_equal(stopped(sc, 1, LEVEL_SOFT, text), "MAXPROC u1 0+9>8");
	assert_string_equal(stopped(sc, 2, LEVEL_SOFT, text), "MAXPROC u2 0+9>8");
	scene_free(sc);
}

/* --- idle, queued and per-job limits ------------------------------------------------------------- */

static uint32_t count_eligible(struct scene *sc)
{
	struct queue q = {0};
	uint32_t count;

	queue_build(&q, scene_view(sc), sc->now_s);
	count = q.idle_count;
	queue_clear(&q);
	return count;
}

static void t25_idle_limits_of_every_credential(void **state)
{
	struct scene *sc = site(
		"user DEFAULT { maxijob = {\"20\"} }\nuser steve { maxijob = {\"2\"} maxiproc = {\"30\"} }\n"
		"group staff { maxijob = {\"5\"} }\nclass DEFAULT { maxiproc = {\"16\"} }\n"
		"class batch { maxiproc = {\"32\"} }\nqos hiprio { maxijob = {\"3\"} maxiproc = {\"64\"} }\n"
		"user ps { maxips = {\"3200\"} }\n");

	(void)state;
	for (int i = 0; i < 21; i++)
		scene_add(sc, (struct scene_job){.user = "eva"});
	assert_int_equal(count_eligible(sc), 20);
	for (int i = 0; i < 3; i++)
		scene_add(sc, (struct scene_job){.user = "steve"});
	assert_int_equal(count_eligible(sc), 22);
	for (int i = 0; i < 6; i++)
		scene_add(sc, (struct scene_job){.user = "a", .group = "staff"});
	assert_int_equal(count_eligible(sc), 27);
	for (int i = 0; i < 3; i++)
		scene_add(sc, (struct scene_job){.user = "b", .class_name = "x", .procs = 8});
	assert_int_equal(count_eligible(sc), 29);
	for (int i = 0; i < 3; i++)
		scene_add(sc, (struct scene_job){.user = "b", .class_name = "batch", .procs = 16});
	assert_int_equal(count_eligible(sc), 31);
	for (int i = 0; i < 4; i++)
		scene_add(sc, (struct scene_job){.user = "b", .qos = "hiprio", .procs = 16});
	assert_int_equal(count_eligible(sc), 34);
	for (int i = 0; i < 3; i++)
		scene_add(sc, (struct scene_job){.user = "ps", .procs = 8, .wall_s = 200});
	assert_int_equal(count_eligible(sc), 36);
	scene_free(sc);
}

/* T-26: the soft value of an idle limit is ignored. */
static void t26_idle_limits_are_hard(void **state)
{
	struct scene *sc = site("user u1 { maxijob = {\"1,3\"} }\n");

	(void)state;
	for (int i = 0; i < 5; i++)
		scene_submit(sc, 1, 100);
	assert_int_equal(count_eligible(sc), 3);
	scene_free(sc);
}

/* H-01: eight jobs are eligible, the others blocked. H-02: running and idle jobs are limited together. */
static void h02_maxqueued_counts_running_and_idle_jobs(void **state)
{
	struct scene *sc = site("user DEFAULT { maxijob = {\"8\"} maxqueued = {\"72\"} }\n");

	(void)state;
	for (int i = 0; i < 10; i++)
		scene_submit(sc, 1, 100);
	assert_int_equal(count_eligible(sc), 8);
	run_many(sc, 66, (struct scene_job){.user = "u1"});
	assert_int_equal(count_eligible(sc), 6);
	run_many(sc, 6, (struct scene_job){.user = "u1"});
	assert_int_equal(count_eligible(sc), 0);
	scene_free(sc);
}

static bool within_job_limits(struct scene *sc, struct scene_job asked, struct limit_finding *found)
{
	uint64_t id = scene_add(sc, asked);
	struct queue q = {0};
	bool system, class;

	queue_begin(&q, scene_view(sc), sc->now_s);
	system = throttle_system(q.throttle, scene_job_of(sc, id), found);
	class = !system || throttle_class(q.throttle, scene_job_of(sc, id), found);
	queue_clear(&q);
	return system && class;
}

static void m24_system_limits_apply_to_each_job(void **state)
{
	struct scene *sc = site("systemmaxprocsecondperjob = 86400\nsystemmaxprocperjob = 100\n"
				"systemmaxjobwalltime = \"5:00:00:00\"\n");
	struct limit_finding found;

	(void)state;
	assert_false(within_job_limits(sc, (struct scene_job){.procs = 64, .wall_s = 1800}, &found));
	assert_true(found.kind == LIMIT_PS && found.asked == 115200 && found.limit == 86400);
	assert_true(within_job_limits(sc, (struct scene_job){.procs = 2, .wall_s = 12 * 3600}, &found));
	assert_false(within_job_limits(sc, (struct scene_job){.procs = 101, .wall_s = 10}, &found));
	assert_int_equal(found.kind, LIMIT_PROC);
	assert_false(
		within_job_limits(sc, (struct scene_job){.procs = 1, .wall_s = 432001}, &found)); /* H-04 */
	assert_true(found.kind == LIMIT_WC && found.limit == 432000);
	scene_free(sc);
}

static void m16_a_class_limits_the_size_of_its_jobs(void **state)
{
	struct scene *sc =
		site("class fast { max.wclimit = 3600 min.wclimit = 60 max.proc = 16 min.proc = 2 }\n");
	struct limit_finding found;

	(void)state;
	assert_true(within_job_limits(
		sc, (struct scene_job){.class_name = "fast", .procs = 2, .wall_s = 3600}, &found));
	assert_false(within_job_limits(
		sc, (struct scene_job){.class_name = "fast", .procs = 2, .wall_s = 3601}, &found));
	assert_true(found.scope == LIMIT_CLASS && found.asked == 3601 && found.limit == 3600);
	assert_false(within_job_limits(
		sc, (struct scene_job){.class_name = "fast", .procs = 1, .wall_s = 100}, &found));
	assert_true(found.kind == LIMIT_PROC && found.asked == 1 && found.limit == 2);
	assert_false(within_job_limits(sc, (struct scene_job){.class_name = "fast", .procs = 2, .wall_s = 59},
				       &found));
	assert_true(within_job_limits(
		sc, (struct scene_job){.class_name = "slow", .procs = 90, .wall_s = 9999}, &found));
	scene_free(sc);
}

/* --- clear times --------------------------------------------------------------------------------- */

static int64_t clears_s(struct scene *sc, uint64_t job)
{
	struct limit_finding found;
	struct queue q = {0};

	queue_begin(&q, scene_view(sc), sc->now_s);
	throttle_active(q.throttle, scene_job_of(sc, job), LEVEL_HARD, &found);
	queue_clear(&q);
	return found.clears_s;
}

/* The reported time is the first at which the job is within the limit, as checked second by second. */
static void a_limit_clears_at_the_reported_time(void **state)
{
	static const char *const limits[] = {"maxps = {\"2000\"}", "maxwc = {\"300\"}", "maxproc = {\"20\"}",
					     "maxjob = {\"3\"}"};
	struct rng rng = seeded("clearing");

	(void)state;
	for (int i = 0; i < 60; i++) {
		char config[80], text[96];
		struct scene *sc;
		uint64_t job;
		int64_t reported_s;

		snprintf(config, sizeof config, "user u1 { %s }\n", limits[i % 4]);
		sc = site(config);
		for (int n = 0; n < 6; n++)
			run(sc, (struct scene_job){.procs = 1 + (uint32_t)rng_below(&rng, 9),
						   .wall_s = 20 + (int64_t)rng_below(&rng, 150)});
		job = scene_add(sc,
				(struct scene_job){.procs = 1 + (uint32_t)rng_below(&rng, 9), .wall_s = 40});
		reported_s = clears_s(sc, job);
		assert_true(reported_s != TIME_NEVER);
		while (stopped(sc, job, LEVEL_HARD, text)[0] != '\0')
			scene_go(sc, sc->now_s + 1);
		assert_int_equal(sc->now_s, reported_s);
		scene_free(sc);
	}
}

static void a_limit_exceeded_by_a_job_alone_never_clears(void **state)
{
	struct scene *sc = site("user u1 { maxps = {\"1000\"} }\n");

	(void)state;
	scene_add(sc, (struct scene_job){.procs = 11, .wall_s = 100});
	assert_true(clears_s(sc, 1) == TIME_NEVER);
	scene_free(sc);
}

/* The first limit in the guide's order clears at the end of a job; the second one never clears by itself. */
static void of_several_exceeded_limits_the_last_to_clear_is_named(void **state)
{
	struct scene *sc = site("user u { maxjob = 1 }\ngroup g { maxproc = 20 }\n");
	uint64_t job;
	char text[96];

	(void)state;
	run(sc, (struct scene_job){.user = "u", .group = "g", .wall_s = 100});
	job = scene_add(sc, (struct scene_job){.user = "u", .group = "g", .procs = 30});
	assert_string_equal(stopped(sc, job, LEVEL_HARD, text), "MAXPROC g 1+30>20");
	job = scene_add(sc, (struct scene_job){.user = "u", .group = "g", .procs = 5});
	assert_string_equal(stopped(sc, job, LEVEL_HARD, text), "MAXJOB u 1+1>1");
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(t10_outstanding_processor_seconds_decrease_while_jobs_run),
		cmocka_unit_test(t12_maxwc_counts_seconds_without_processors),
		cmocka_unit_test(each_kind_is_counted_in_its_unit),
		cmocka_unit_test(a_node_reserved_for_its_user_counts_completely_and_once),
		cmocka_unit_test(limits_are_64_bits_wide),
		cmocka_unit_test(t15_default_applies_to_users_without_their_own_limit),
		cmocka_unit_test(t16_all_limits_of_all_credentials_apply),
		cmocka_unit_test(t18_limits_with_a_second_credential),
		cmocka_unit_test(t19_limits_for_each_user_and_for_named_users),
		cmocka_unit_test(a_named_second_credential_overrides_its_type),
		cmocka_unit_test(h06_account_none_limits_jobs_without_an_account),
		cmocka_unit_test(h07_a_project_with_a_monthly_amount),
		cmocka_unit_test(the_system_counts_all_jobs_together),
		cmocka_unit_test(t22_an_override_replaces_limits_of_other_credentials),
		cmocka_unit_test(t22_omaxjob_limits_the_qos_and_raises_no_other_limit),
		cmocka_unit_test(t30_each_value_of_the_table_at_both_levels),
		cmocka_unit_test(t29_a_soft_value_is_never_looser_than_the_hard_one),
		cmocka_unit_test(t25_idle_limits_of_every_credential),
		cmocka_unit_test(t26_idle_limits_are_hard),
		cmocka_unit_test(h02_maxqueued_counts_running_and_idle_jobs),
		cmocka_unit_test(m24_system_limits_apply_to_each_job),
		cmocka_unit_test(m16_a_class_limits_the_size_of_its_jobs),
		cmocka_unit_test(a_limit_clears_at_the_reported_time),
		cmocka_unit_test(a_limit_exceeded_by_a_job_alone_never_clears),
		cmocka_unit_test(of_several_exceeded_limits_the_last_to_clear_is_named),
	};

	return cmocka_run_group_tests_name("throttle", tests, NULL, NULL);
}
