/* SPDX-License-Identifier: MIT */
/*
 * test_lint.c - lint rules for the live state, and new findings after a change (X11)
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "sched/lint/lint.h"
#include "tests/scene.h"

/* Runs lint on the state. The caller frees the list with lint_free(). */
static struct lint_list lint(const struct scene *sc)
{
	struct lint_list list = {0};
	struct plan plan = {0};

	plan_build(&plan, scene_view(sc), sc->now_s);
	lint_state(&list, scene_view(sc), &plan);
	plan_clear(&plan);
	return list;
}

static const struct config_finding *find(const struct lint_list *list, const char *id)
{
	for (size_t i = 0; i < list->count; i++)
		if (strcmp(list->item[i].id, id) == 0)
			return &list->item[i];
	return NULL;
}

/* Checks that the state has exactly one finding, with this ID, count and text. */
static void check_finding(const struct scene *sc, const char *id, int64_t count, const char *words)
{
	struct lint_list list = lint(sc);

	if (list.count != 1 || strcmp(list.item[0].id, id) != 0)
		fail_msg("%zu findings, %s: %s", list.count, list.count > 0 ? list.item[0].id : "none",
			 list.count > 0 ? list.item[0].text : "");
	assert_int_equal(list.item[0].count, count);
	if (!strstr(list.item[0].text, words))
		fail_msg("\"%s\" does not say \"%s\"", list.item[0].text, words);
	lint_free(&list);
}

static void check_no_findings(const struct scene *sc)
{
	struct lint_list list = lint(sc);

	if (list.count > 0)
		fail_msg("%s: %s", list.item[0].id, list.item[0].text);
	lint_free(&list);
}

/* Applies the fix, which must resolve the finding; it may result in L11. */
static void apply_fix(struct scene *sc, const char *id)
{
	struct lint_list list = lint(sc);
	const struct config_finding *finding = find(&list, id);
	char fix[sizeof finding->fix], *sign;

	assert_non_null(finding);
	snprintf(fix, sizeof fix, "%s", finding->fix);
	sign = strchr(fix, '=');
	assert_non_null(sign);
	*sign = '\0';
	scene_set(sc, fix, sign + 1);
	lint_free(&list);
	list = lint(sc);
	assert_null(find(&list, id));
	lint_free(&list);
}

/* --- the rules ------------------------------------------------------------------------------- */

static void P_06_W12_jobs_below_0_tie(void **state)
{
	struct scene *sc = scene_new(1, 2);

	(void)state;
	scene_config(sc, "userweight = 1\nuser eva { priority = -500 }\n");
	scene_add(sc, (struct scene_job){.user = "eva", .procs = 2});
	check_no_findings(sc);
	scene_add(sc, (struct scene_job){.user = "eva", .procs = 2});
	check_finding(sc, "W12", 2, "they all get priority 1 and tie");
	apply_fix(sc, "W12");
	scene_free(sc);
}

static void W12_jobs_below_0_are_blocked(void **state)
{
	struct scene *sc = scene_new(1, 2);

	(void)state;
	scene_config(sc, "rejectnegpriojobs = true\nuserweight = 1\nuser eva { priority = -500 }\n");
	scene_add(sc, (struct scene_job){.user = "eva"});
	check_finding(sc, "W12", 1, "cannot start, because rejectnegpriojobs is true");
	apply_fix(sc, "W12");
	scene_free(sc);
}

static void L1_setting_for_a_user_without_jobs(void **state)
{
	struct scene *sc = scene_new(1, 2);

	(void)state;
	scene_config(sc, "user eva { maxjob = 2 }\nuser evva { maxjob = 2 maxproc = 2 }\n");
	check_no_findings(sc);
	scene_add(sc, (struct scene_job){.user = "eva"});
	check_finding(sc, "L1", 1, "user evva");
	scene_config(sc, "user evva { maxjob = 2 }\nuser eva { maxjob = 2 }\n");
	check_finding(sc, "L1", 1, "user evva");
	scene_config(sc, "user eva { maxjob = 2 }\nuser u4 { maxjob = 2 }\nuser u5 { maxjob = 2 }\n"
			 "group u6 { maxjob = 2 }\nuser u7 { maxjob = 2 }\n");
	check_finding(sc, "L1", 4, "user u4, user u5, group u6 and 1 more;");
	scene_free(sc);
}

static void reserve(struct scene *sc, const char *name, const char *text)
{
	struct event ev = {.kind = EVENT_RESERVE, .who = "root", .reserve = {.name = name, .text = text}};

	scene_apply(sc, &ev);
}

static void L12_reservation_for_a_user_without_jobs(void **state)
{
	struct scene *sc = scene_new(1, 2);

	(void)state;
	reserve(sc, "early", "start=500 end=600 nodes=ALL user=evva"); /* without jobs there is no finding */
	check_no_findings(sc);
	scene_add(sc, (struct scene_job){.user = "eva", .procs = 1});
	check_finding(sc, "L12", 0, "no guest of reservation early has jobs or fairshare usage");
	sc->now_s = 600;
	scene_set(sc, "queuetimeweight", "2");
	reserve(sc, "nobody", "start=700 end=900 node=n001*1");
	reserve(sc, "one", "start=700 end=900 node=n001*1 user=evva user=eva");
	reserve(sc, "job", "start=700 end=900 node=n001*1 user=evva job=1");
	check_no_findings(sc);
	reserve(sc, "gone", "start=700 end=900 node=n001*1 job=99");
	check_finding(sc, "L12", 0, "'kahu unreserve gone'");
	scene_free(sc);
}

static void L2_a_partition_without_nodes(void **state)
{
	struct scene *sc = scene_new(1, 2);

	(void)state;
	scene_config(sc, "partition big { queuetimeweight = 2 }\n");
	check_finding(sc, "L2", 0, "no node is in partition big");
	scene_node(sc, (struct node_record){.name = "b1", .procs = 2, .partition = "big"});
	check_no_findings(sc);
	scene_free(sc);
	/* Names are case-insensitive and keep their first spelling. */
	sc = scene_new(1, 2);
	scene_node(sc, (struct node_record){.name = "b1", .procs = 2, .partition = "big"});
	scene_config(sc, "partition BIG { queuetimeweight = 2 }\n");
	check_no_findings(sc);
	scene_free(sc);
}

static void L3_L4_classes_without_nodes(void **state)
{
	struct scene *sc = scene_new(0, 0);

	(void)state;
	scene_config(sc, "class fast { max.proc = 2 }\n");
	check_no_findings(sc);
	scene_node(sc, (struct node_record){.name = "b1", .procs = 2, .classes = "batch"});
	check_finding(sc, "L3", 0, "no node accepts class fast");
	scene_node(sc, (struct node_record){.name = "b2", .procs = 2, .classes = "fast"});
	check_no_findings(sc);
	scene_set(sc, "class[fast].default.features", "gpu");
	check_finding(sc, "L4", 0, "default.features of class fast");
	scene_node(sc, (struct node_record){.name = "b3", .procs = 2, .features = "gpu"});
	check_no_findings(sc);
	scene_free(sc);
}

static void L5_limits_above_the_machine(void **state)
{
	struct scene *sc = scene_new(2, 2);

	(void)state;
	scene_config(sc, "user DEFAULT { maxproc = {\"2,8\"} maxnode = 2 }\n");
	check_no_findings(sc);
	scene_set(sc, "user[bob].maxproc", "5");
	check_finding(sc, "L5", 0, "the whole machine has 4");
	apply_fix(sc, "L5");
	scene_free(sc);
}

static void L6_jobs_that_fit_nowhere(void **state)
{
	struct scene *sc = scene_new(2, 2);

	(void)state;
	scene_add(sc, (struct scene_job){.procs = 2, .features = "gpu"});
	check_finding(sc, "L6", 1, "can never fit on any nodes");
	scene_free(sc);
}

static void L7_unequal_ratios_of_hard_limits(void **state)
{
	struct scene *sc = scene_new(2, 2);

	(void)state;
	scene_config(sc, "account a { maxps = \"72000,1080000\" }\naccount b { maxps = \"72000,216000\" }\n");
	check_finding(sc, "L7", 0, "15.0 times the soft limit for account a, but 3.0 times for b");
	scene_config(sc, "account a { maxps = \"72000,216000\" }\naccount b { maxps = \"72000,1080000\" }\n"
			 "account c { maxps = \"72000,360000\" }\n");
	check_finding(sc, "L7", 0, "15.0 times the soft limit for account b, but 3.0 times for a");
	scene_config(sc, "account a { maxps = \"72000,unlimited\" }\naccount b { maxps = \"72000,216000\" }\n"
			 "account c { maxps = \"72000\" }\naccount d { maxjob = \"2,30\" }\n");
	check_no_findings(sc);
	scene_free(sc);
}

static void L8_jobs_whose_request_exceeds_a_limit(void **state)
{
	struct scene *sc = scene_new(2, 2);

	(void)state;
	scene_config(sc, "systemdefaultjobwalltime = 10\nuser eva { maxps = \"300\" }\n");
	scene_add(sc, (struct scene_job){.user = "eva", .procs = 2, .wall_s = 100});
	check_no_findings(sc);
	scene_add(sc, (struct scene_job){.user = "eva", .procs = 4, .wall_s = 100});
	check_finding(sc, "L8", 1, "user[eva].maxps permanently blocks 1 job, whose request exceeds it");
	apply_fix(sc, "L8");
	scene_free(sc);
}

/* The finding names the option of the exceeded limit, whatever its scope, and the value that lets the job
 * pass. */
static void L8_names_the_option_of_each_limit(void **state)
{
	static const struct {
		const char *config, *words;
		struct scene_job job;
	} row[] = {
		{"systemmaxprocperjob = 3\n", "systemmaxprocperjob permanently blocks 1 job", {.procs = 4}},
		{"systemdefaultjobwalltime = 10\nsystemmaxprocsecondperjob = 300\n",
		 "systemmaxprocsecondperjob permanently blocks 1 job",
		 {.procs = 4, .wall_s = 100}},
		{"class a { max.proc = 3 }\n", "class[a].max.proc permanently blocks 1 job", {.procs = 4}},
		{"class a { max.node = 1 }\n",
		 "class[a].max.node permanently blocks 1 job",
		 {.procs = 4, .nodes = 2}},
		{"class DEFAULT { max.proc = 3 }\n",
		 "class[DEFAULT].max.proc permanently blocks 1 job",
		 {.procs = 4}},
		{"system { maxproc = 3 }\n", "system.maxproc permanently blocks 1 job", {.procs = 4}},
		{"user eva { maxproc = 3 }\n", "user[eva].maxproc permanently blocks 1 job", {.procs = 4}},
		{"user DEFAULT { maxproc = 3 }\n",
		 "user[DEFAULT].maxproc permanently blocks 1 job",
		 {.procs = 4}},
		{"user eva { maxproc = {\"CLASS:a=3\"} }\n",
		 "user[eva].maxproc[class:a] permanently blocks 1 job",
		 {.procs = 4}},
		{"user eva { maxproc = {\"CLASS=3\"} }\n",
		 "user[eva].maxproc[class] permanently blocks 1 job",
		 {.procs = 4}},
		{"user DEFAULT { maxproc = {\"CLASS=3\"} }\n",
		 "user[DEFAULT].maxproc[class] permanently blocks 1 job",
		 {.procs = 4}},
	};

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
		struct scene *sc = scene_new(2, 2);
		struct scene_job job = row[i].job;

		job.user = "eva";
		job.class_name = "a";
		scene_config(sc, row[i].config);
		scene_add(sc, job);
		check_finding(sc, "L8", 1, row[i].words);
		apply_fix(sc, "L8");
		scene_free(sc);
	}
}

/* Jobs blocked by the same limit are one finding with the first job and the largest request. */
static void L8_counts_the_jobs_of_each_limit(void **state)
{
	struct scene *sc = scene_new(2, 4);
	struct lint_list list;

	(void)state;
	scene_config(sc, "user eva { maxproc = 2 }\nuser bob { maxproc = 1 }\n");
	scene_add(sc, (struct scene_job){.user = "eva", .procs = 4});
	scene_add(sc, (struct scene_job){.user = "eva", .procs = 6});
	scene_add(sc, (struct scene_job){.user = "eva", .procs = 5});
	scene_add(sc, (struct scene_job){.user = "bob", .procs = 2});
	list = lint(sc);
	assert_int_equal(list.count, 2);
	assert_int_equal(list.item[0].count, 3);
	assert_non_null(strstr(list.item[0].text, "user[eva].maxproc permanently blocks 3 jobs"));
	assert_non_null(strstr(list.item[0].text, "(the first is 1): 6 requested, 2 allowed"));
	assert_int_equal(list.item[1].count, 1);
	assert_non_null(strstr(list.item[1].text, "(the first is 4): 2 requested, 1 allowed"));
	lint_free(&list);
	scene_free(sc);
}

static void L9_jobs_hidden_from_accrual(void **state)
{
	struct scene *sc = scene_new(1, 1);

	(void)state;
	scene_config(sc, "user eva { maxijob = 1 }\n");
	for (int i = 0; i < 3; i++)
		scene_add(sc, (struct scene_job){.user = "eva"});
	check_finding(sc, "L9", 2, "MAXIJOB keeps 2 jobs from gaining priority (QUEUEPOLICY)");
	apply_fix(sc, "L9");
	scene_free(sc);
}

static void L10_every_node_drained(void **state)
{
	struct scene *sc = scene_new(2, 2);

	(void)state;
	scene_set(sc, "node[n001].drained", "true");
	check_no_findings(sc);
	scene_set(sc, "node[n002].drained", "true");
	check_finding(sc, "L10", 2, "all 2 nodes are drained");
	apply_fix(sc, "L10");
	scene_free(sc);
}

static void L11_live_change_overrides_a_line(void **state)
{
	struct scene *sc = scene_new(1, 2);
	struct lint_list list;

	(void)state;
	scene_config(sc, "queuetimeweight = 1\nqueuetimecap = 100\n");
	scene_set(sc, "queuetimeweight", "5");
	check_finding(sc, "L11", 0, "overriding 1 in line 1");
	list = lint(sc);
	assert_int_equal(list.item[0].line, 1);
	lint_free(&list);
	apply_fix(sc, "L11");
	scene_free(sc);
}

/* Only the last live change is reported, unless it sets the same value or is a list. */
static void L11_is_about_the_value_in_force(void **state)
{
	struct scene *sc = scene_new(4, 8);
	uint64_t last;

	(void)state;
	scene_config(sc, "queuetimeweight = 1\nuser eva { qlist = \"lo hi\" maxjob = 4 }\n");
	scene_submit(sc, 1, 100);
	scene_add(sc, (struct scene_job){.user = "eva"});
	scene_set(sc, "user[eva].qlist", "lo");
	scene_set(sc, "queuetimeweight", "5");
	scene_priority(sc, 1, JOB_ADJUST_RELATIVE, 5);
	last = scene_set(sc, "QUEUETIMEWEIGHT", "1");
	check_no_findings(sc);
	scene_undo(sc, last);
	check_finding(sc, "L11", 0, "queuetimeweight has been 5 since entry");
	scene_set(sc, "queuetimeweight", "1");
	scene_set(sc, "user[eva].maxjob", "3");
	check_finding(sc, "L11", 0, "user[eva].maxjob has been 3 since entry");
	scene_free(sc);
}

static void L13_cap_while_processors_are_free(void **state)
{
	struct scene *sc = scene_new(2, 2);

	(void)state;
	scene_config(sc, "fspolicy = dedicatedps\nuser eva { fstarget = \"150^\" }\n");
	scene_add(sc, (struct scene_job){.user = "eva", .procs = 1, .wall_s = 100});
	scene_play(sc, sc->now_s + 100);
	scene_add(sc, (struct scene_job){.user = "eva", .procs = 2, .wall_s = 100});
	check_finding(sc, "L13", 1, "the cap of user eva keeps 1 job waiting while 4 processors are free");
	apply_fix(sc, "L13");
	scene_free(sc);
}

static void L13_job_larger_than_the_free_processors_is_not_counted(void **state)
{
	struct scene *sc = scene_new(2, 2);
	struct lint_list found;

	(void)state;
	scene_config(sc, "fspolicy = dedicatedps\nuser eva { fstarget = \"150^\" }\n");
	scene_add(sc, (struct scene_job){.user = "eva", .procs = 1, .wall_s = 100});
	scene_play(sc, sc->now_s + 100);
	scene_add(sc, (struct scene_job){.user = "bob", .procs = 3, .wall_s = 100});
	scene_pass(sc);
	scene_add(sc, (struct scene_job){.user = "eva", .procs = 2, .wall_s = 100});
	found = lint(sc);
	assert_null(find(&found, "L13"));
	lint_free(&found);
	scene_add(sc, (struct scene_job){.user = "eva", .procs = 1, .wall_s = 100});
	check_finding(sc, "L13", 1, "the cap of user eva keeps 1 job waiting while 1 processor is free");
	scene_free(sc);
}

/* --- lists of findings ------------------------------------------------------------------------- */

static void lint_new_reports_only_new_findings(void **state)
{
	struct scene *sc = scene_new(1, 2);
	struct lint_list before, after, new_findings = {0};

	(void)state;
	scene_config(sc, "queuetimeweight = 1\nxfactorcap = 5\nuser eva { maxijob = 1 }\n");
	for (int i = 0; i < 3; i++)
		scene_add(sc, (struct scene_job){.user = "eva"});
	before = lint(sc);
	assert_non_null(find(&before, "W3"));
	assert_int_equal(find(&before, "L9")->count, 2);
	scene_set(sc, "userweight", "1");
	after = lint(sc);
	lint_new(&new_findings, &before, &after);
	assert_int_equal(new_findings.count, 1);
	assert_string_equal(new_findings.item[0].id, "W4");
	assert_int_equal(lint_count(&new_findings, SEVERITY_WARNING), 1);
	lint_new(&new_findings, &after, &before);
	assert_int_equal(new_findings.count, 0);
	lint_free(&after);
	scene_add(sc, (struct scene_job){.user = "eva"});
	scene_set(sc, "userweight", "0");
	after = lint(sc);
	lint_new(&new_findings, &before, &after);
	assert_int_equal(new_findings.count, 1);
	assert_string_equal(new_findings.item[0].id, "L9");
	assert_int_equal(new_findings.item[0].count, 3);
	lint_free(&before);
	lint_free(&after);
	lint_free(&new_findings);
	scene_free(sc);
}

static void most_severe_findings_come_first(void **state)
{
	struct scene *sc = scene_new(1, 1);
	struct lint_list list;

	(void)state;
	scene_config(sc, "xfactorcap = 5\nuser eva { maxijob = 1 }\nclass a { min.proc = 2 max.proc = 1 }\n");
	for (int i = 0; i < 2; i++)
		scene_add(sc, (struct scene_job){.user = "eva"});
	list = lint(sc);
	assert_int_equal(list.count, 3);
	assert_string_equal(list.item[0].id, "W21");
	assert_string_equal(list.item[1].id, "W3");
	assert_string_equal(list.item[2].id, "L9");
	lint_free(&list);
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(P_06_W12_jobs_below_0_tie),
		cmocka_unit_test(W12_jobs_below_0_are_blocked),
		cmocka_unit_test(L1_setting_for_a_user_without_jobs),
		cmocka_unit_test(L12_reservation_for_a_user_without_jobs),
		cmocka_unit_test(L2_a_partition_without_nodes),
		cmocka_unit_test(L3_L4_classes_without_nodes),
		cmocka_unit_test(L5_limits_above_the_machine),
		cmocka_unit_test(L6_jobs_that_fit_nowhere),
		cmocka_unit_test(L7_unequal_ratios_of_hard_limits),
		cmocka_unit_test(L8_jobs_whose_request_exceeds_a_limit),
		cmocka_unit_test(L8_names_the_option_of_each_limit),
		cmocka_unit_test(L8_counts_the_jobs_of_each_limit),
		cmocka_unit_test(L9_jobs_hidden_from_accrual),
		cmocka_unit_test(L10_every_node_drained),
		cmocka_unit_test(L11_live_change_overrides_a_line),
		cmocka_unit_test(L11_is_about_the_value_in_force),
		cmocka_unit_test(L13_cap_while_processors_are_free),
		cmocka_unit_test(L13_job_larger_than_the_free_processors_is_not_counted),
		cmocka_unit_test(lint_new_reports_only_new_findings),
		cmocka_unit_test(most_severe_findings_come_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
