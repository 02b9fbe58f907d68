/* SPDX-License-Identifier: MIT */
/*
 * test_plan_query.c - plans of the queue and of a draft, and their lint findings
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "looking.h"
#include "tui/query/plan_query.h"

/* --- plans of the live queue and of a draft ----------------------------------------------------------- */

/* One node with two processors. Job 1 runs; jobs 2 and 3 are idle, in this order. */
static struct scene *scene_with_two_idle(void)
{
	struct scene *sc = scene_new(1, 2);

	scene_config(sc, "queuetimeweight = 1\n");
	scene_submit(sc, 2, 100);
	scene_pass(sc);
	scene_submit(sc, 2, 100);
	scene_submit(sc, 2, 100);
	return sc;
}

static int64_t planned_start(const struct forecast *f, uint64_t id)
{
	uint32_t slot;

	assert_non_null(forecast_job(f, id, &slot));
	return f->plan.start_s[slot];
}

static uint32_t place_of(const struct forecast *f, uint64_t id)
{
	uint32_t slot;

	assert_non_null(forecast_job(f, id, &slot));
	return f->place[slot];
}

static void without_a_draft_only_the_live_plan_is_built(void **state)
{
	struct scene *sc = scene_with_two_idle();
	struct looking l;
	const struct plan_query *o = looking_begin(&l, sc, NULL);

	(void)state;
	assert_null(o->draft.s);
	assert_false(o->refused);
	assert_int_equal(planned_start(&o->live, 2), 100);
	assert_int_equal(planned_start(&o->live, 3), 200);
	assert_int_equal(place_of(&o->live, 1), 0);
	assert_int_equal(place_of(&o->live, 2), 1);
	assert_int_equal(place_of(&o->live, 3), 2);
	looking_end(&l);
	scene_free(sc);
}

static void a_draft_has_its_own_plan_and_leaves_the_live_plan_unchanged(void **state)
{
	struct scene *sc = scene_with_two_idle();
	struct looking l;
	const struct plan_query *o = looking_begin(&l, sc, "set 3 priority=10");

	(void)state;
	assert_int_equal(place_of(&o->live, 3), 2);
	assert_int_equal(place_of(&o->draft, 3), 1);
	assert_int_equal(planned_start(&o->live, 3), 200);
	assert_int_equal(planned_start(&o->draft, 3), 100);
	assert_int_equal(o->change.reordered, 2);
	assert_int_equal(o->change.earlier, 1);
	assert_int_equal(o->change.later, 1);
	assert_int_equal(o->change.most_delayed, 2);
	assert_string_equal(str_text(&o->effect),
			    "2 jobs change order; 1 earlier; 1 later; worst: 2 +0:01:40");
	assert_int_equal(scene_job_of(sc, 3)->adjust, JOB_ADJUST_NONE);
	looking_end(&l);
	scene_free(sc);
}

static void a_refused_draft_has_an_error_and_no_plan(void **state)
{
	struct scene *sc = scene_with_two_idle();
	struct looking l = {.o = mem_zero(1, sizeof *l.o)};

	(void)state;
	looking_ask(&l, sc, "hold 3");
	scene_cancel(sc, 3); /* between the command and the plan */
	l.picture.s = scene_view(sc);
	plan_query_build(l.o);
	assert_true(l.o->refused);
	assert_null(l.o->draft.s);
	assert_string_not_equal(l.o->err.text, "");
	assert_int_equal(planned_start(&l.o->live, 2), 100);
	looking_end(&l);
	scene_free(sc);
}

static void a_query_can_be_reset_and_used_again(void **state)
{
	struct scene *sc = scene_with_two_idle();
	struct looking l;

	(void)state;
	(void)looking_begin(&l, sc, "set 3 priority=10");
	plan_query_reset(l.o);
	assert_null(l.o->picture);
	assert_null(l.o->draft.s);
	assert_int_equal(l.o->effect.len, 0);
	assert_null(forecast_job(&l.o->live, 2, NULL));
	looking_ask(&l, sc, NULL);
	plan_query_build(l.o);
	assert_null(l.o->draft.s);
	assert_int_equal(l.o->change.reordered, 0);
	assert_int_equal(planned_start(&l.o->live, 3), 200);
	looking_end(&l);
	scene_free(sc);
}

static void the_time_of_a_plan_is_not_before_that_of_the_state(void **state)
{
	struct scene *sc = scene_with_two_idle();
	struct looking l = {.o = mem_zero(1, sizeof *l.o)};

	(void)state;
	scene_go(sc, 50);
	scene_submit(sc, 1, 10);
	looking_ask(&l, sc, NULL);
	l.o->now_s = 7;
	plan_query_build(l.o);
	assert_int_equal(l.o->now_s, 50);
	assert_int_equal(l.o->live.plan.now_s, 50);
	looking_end(&l);
	scene_free(sc);
}

static void a_job_is_found_by_its_id_unless_it_is_gone(void **state)
{
	struct scene *sc = scene_new(1, 1);
	struct looking l;
	const struct plan_query *o;
	uint32_t slot;

	(void)state;
	for (int i = 0; i < 300; i++)
		scene_submit(sc, 1, 100);
	for (uint64_t id = 3; id <= 300; id += 3)
		scene_cancel(sc, id);
	o = looking_begin(&l, sc, NULL);
	for (uint64_t id = 1; id <= 300; id++) {
		const struct job *job = forecast_job(&o->live, id, &slot);

		assert_true((job != NULL) == (id % 3 != 0));
		assert_int_equal(job ? job->id : id, id);
		assert_true(job || slot == INDEX_NONE);
	}
	assert_null(forecast_job(&o->live, 0, NULL));
	assert_null(forecast_job(&o->live, UINT64_MAX, NULL));
	looking_end(&l);
	scene_free(sc);
}

static void the_xfactor_is_wait_plus_limit_divided_by_limit(void **state)
{
	struct scene *sc = scene_with_two_idle();
	struct looking l;
	const struct plan_query *o;
	struct prio_result r;

	(void)state;
	scene_pass(sc); /* the idle jobs are eligible from now on */
	scene_go(sc, 60);
	scene_pass(sc);
	o = looking_begin(&l, sc, NULL);
	assert_true(forecast_xfactor(&o->live, forecast_job(&o->live, 2, NULL)) ==
		    1.5); /* XFMINWCLIMIT: 120 s */
	forecast_priority(&o->live, forecast_job(&o->live, 2, NULL), &r);
	assert_int_equal(r.rank, 1);
	looking_end(&l);
	scene_free(sc);
}

static void a_proposal_is_freed_with_its_last_reference(void **state)
{
	struct scene *sc = scene_with_two_idle();
	struct proposal *p = looking_proposal(sc, "hold 2");

	(void)state;
	assert_ptr_equal(proposal_hold(p), p);
	proposal_drop(p);
	assert_int_equal(p->changes.count, 1);
	proposal_drop(p);
	proposal_drop(NULL);
	picture_drop(NULL);
	plan_query_free(NULL);
	scene_free(sc);
}

static struct future_start estimated_start(const struct forecast *f, uint64_t id)
{
	uint32_t slot;

	assert_non_null(forecast_job(f, id, &slot));
	return forecast_start(f, slot);
}

/* Until a projection is available, all starts are those of the plan, and are placeholders. */
static void starts_are_placeholders_until_there_is_a_projection(void **state)
{
	struct scene *sc = scene_with_two_idle();
	const struct project_setup setup = {.from_s = sc->now_s, .until_s = TIME_NEVER};
	struct projection p = {0};
	struct looking l;

	(void)state;
	(void)looking_begin(&l, sc, NULL);
	assert_int_equal(l.o->live.tier, FUTURE_INSTANT);
	assert_true(estimated_start(&l.o->live, 2).placeholder);
	assert_int_equal(estimated_start(&l.o->live, 2).start_s, 100);
	assert_true(project_run(&p, l.o->live.s, &setup));
	forecast_take(&l.o->live, &p, &(struct never){.slots = 0});
	assert_int_equal(l.o->live.tier, FUTURE_FULL);
	assert_false(estimated_start(&l.o->live, 2).placeholder);
	assert_int_equal(estimated_start(&l.o->live, 3).start_s, p.start_s[2]);
	assert_int_equal(estimated_start(&l.o->live, 3).end_s, p.end_s[2]);
	project_clear(&p);
	looking_end(&l);
	scene_free(sc);
}

/* The projection ran out of its budget after the start of job 2. Job 3 has the start of the plan. */
static void jobs_that_a_projection_did_not_reach_have_placeholders(void **state)
{
	struct scene *sc = scene_with_two_idle();
	const struct project_setup setup = {.from_s = sc->now_s, .until_s = TIME_NEVER};
	struct projection p = {0};
	struct looking l;

	(void)state;
	(void)looking_begin(&l, sc, NULL);
	assert_true(project_run(&p, l.o->live.s, &setup));
	p.stopped = true;
	p.last_s = 150;
	p.start_s[2] = TIME_NEVER;
	forecast_take(&l.o->live, &p, &(struct never){.slots = 0});
	assert_int_equal(l.o->live.tier, FUTURE_PARTIAL);
	assert_false(estimated_start(&l.o->live, 2).placeholder);
	assert_true(estimated_start(&l.o->live, 3).placeholder);
	assert_int_equal(estimated_start(&l.o->live, 3).start_s, 200);
	project_clear(&p);
	looking_end(&l);
	scene_free(sc);
}

/* A later query has the starts of the previous projection, except those of new or changed jobs. */
static void unchanged_jobs_keep_the_starts_of_the_previous_projection(void **state)
{
	struct scene *sc = scene_with_two_idle(), *later = scene_with_two_idle();
	const struct project_setup setup = {.from_s = sc->now_s, .until_s = TIME_NEVER};
	struct projection p = {0};
	struct looking before, after;

	(void)state;
	(void)looking_begin(&before, sc, NULL);
	assert_true(project_run(&p, before.o->live.s, &setup));
	forecast_take(&before.o->live, &p, &(struct never){.slots = 0});
	scene_submit(later, 2, 100);
	(void)looking_begin(&after, later, "hold 3");
	forecast_follow(&after.o->live, &before.o->live);
	forecast_follow(&after.o->draft, &before.o->live);
	assert_false(estimated_start(&after.o->live, 2).placeholder);
	assert_int_equal(estimated_start(&after.o->live, 3).start_s, p.start_s[2]);
	assert_true(estimated_start(&after.o->live, 4).placeholder);
	assert_int_equal(estimated_start(&after.o->draft, 3).start_s, TIME_NEVER);
	project_clear(&p);
	looking_end(&before);
	looking_end(&after);
	scene_free(sc);
	scene_free(later);
}

/* --- lint findings -------------------------------------------------------------------------------------- */

static const char misconfigured[] = "fspolicy = \"dedicatedps\"\nfsuserweight = 1\nfsweight = 1\n"
				    "user eva { fstarget = 150  maxjob = {\"8,4\"} }\n";

/* A number of findings that lint does not return in these tests. If it changes, lint has run. */
#define MARK 77

/* Does lint_cache_take() run lint? */
static bool runs_lint(struct lint_cache *lint_cache, const struct plan_query *o)
{
	lint_cache->live.count = MARK;
	lint_cache_take(lint_cache, o);
	return lint_cache->live.count != MARK;
}

static void lint_runs_again_only_for_another_version(void **state)
{
	struct scene *sc = scene_new(2, 4);
	struct lint_cache lint_cache = {.known = false};
	struct looking l;
	const struct plan_query *o;

	(void)state;
	scene_config(sc, misconfigured);
	o = looking_begin(&l, sc, NULL);
	l.picture.version = 7;
	lint_cache_take(&lint_cache, o);
	assert_true(lint_cache.live.count >= 2);
	assert_false(runs_lint(&lint_cache, o));
	l.o->now_s += 5;
	assert_false(runs_lint(&lint_cache, o));
	l.picture.version = 8;
	assert_true(runs_lint(&lint_cache, o));
	assert_false(runs_lint(&lint_cache, o));
	looking_end(&l);
	lint_cache_free(&lint_cache);
	assert_false(lint_cache.known);
	scene_free(sc);
}

static void lint_runs_again_for_another_draft_and_without_a_draft(void **state)
{
	struct scene *sc = scene_new(2, 4);
	struct lint_cache lint_cache = {.known = false};
	struct looking l;
	const struct plan_query *o;

	(void)state;
	scene_config(sc, misconfigured);
	o = looking_begin(&l, sc, "tune fsdecay 0");
	l.o->proposal->number = 1;
	lint_cache_take(&lint_cache, o);
	assert_ptr_equal(lint_cache_shown(&lint_cache), &lint_cache.draft);
	assert_false(runs_lint(&lint_cache, o));
	l.o->proposal->number = 2;
	assert_true(runs_lint(&lint_cache, o));
	looking_end(&l);
	o = looking_begin(&l, sc, NULL);
	assert_true(runs_lint(&lint_cache, o));
	assert_ptr_equal(lint_cache_shown(&lint_cache), &lint_cache.live);
	assert_int_equal(lint_cache.brought.count, 0);
	looking_end(&l);
	lint_cache_free(&lint_cache);
	scene_free(sc);
}

static void lint_runs_again_for_another_past_moment(void **state)
{
	struct scene *sc = scene_new(2, 4);
	struct lint_cache lint_cache = {.known = false};
	struct looking l;
	const struct plan_query *o;

	(void)state;
	o = looking_begin(&l, sc, NULL);
	lint_cache_take(&lint_cache, o);
	l.picture.is_past = true;
	l.picture.moment.seq = 3;
	assert_true(runs_lint(&lint_cache, o));
	assert_false(runs_lint(&lint_cache, o));
	l.picture.moment.seq = 4;
	assert_true(runs_lint(&lint_cache, o));
	l.picture.is_past = false;
	looking_end(&l);
	lint_cache_free(&lint_cache);
	scene_free(sc);
}

static void findings_that_are_new_in_a_draft_are_known(void **state)
{
	struct scene *sc = scene_new(2, 4);
	struct lint_cache lint_cache = {.known = false};
	struct looking l;
	size_t new_count = 0;

	(void)state;
	scene_config(sc, misconfigured);
	looking_begin(&l, sc, "tune user[bob].fstarget 120");
	l.o->proposal->number = 1;
	lint_cache_take(&lint_cache, l.o);
	for (size_t i = 0; i < lint_cache.draft.count; i++) {
		const struct config_finding *finding = &lint_cache.draft.item[i];

		if (!lint_cache_is_new(&lint_cache, finding))
			continue;
		new_count++;
		if (strcmp(finding->id, "W16") == 0)
			assert_string_equal(finding->option, "user[bob].fstarget");
	}
	assert_true(new_count > 0 && new_count < lint_cache.draft.count);
	looking_end(&l);
	lint_cache_free(&lint_cache);
	scene_free(sc);
}

static void findings_are_counted_by_subject_and_severity(void **state)
{
	struct scene *sc = scene_new(2, 4);
	struct lint_cache lint_cache = {.known = false};
	struct looking l;
	size_t count = 0;

	(void)state;
	scene_config(sc, misconfigured);
	looking_begin(&l, sc, NULL);
	lint_cache_take(&lint_cache, l.o);
	assert_int_equal(lint_cache_count(&lint_cache, SUBJECT_SHARES, SEVERITY_WARNING),
			 1); /* 150 percent */
	assert_int_equal(lint_cache_count(&lint_cache, SUBJECT_LIMITS, SEVERITY_WARNING), 1); /* 8 above 4 */
	assert_int_equal(lint_cache_count(&lint_cache, SUBJECT_LIMITS, SEVERITY_ERROR), 0);
	for (enum config_subject subject = SUBJECT_SHARES; subject <= SUBJECT_OTHER; subject++)
		for (int severity = SEVERITY_NOTE; severity <= SEVERITY_ERROR; severity++)
			count += lint_cache_count(&lint_cache, subject, (enum config_severity)severity);
	assert_int_equal(count, lint_cache.live.count);
	looking_end(&l);
	lint_cache_free(&lint_cache);
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(starts_are_placeholders_until_there_is_a_projection),
		cmocka_unit_test(jobs_that_a_projection_did_not_reach_have_placeholders),
		cmocka_unit_test(unchanged_jobs_keep_the_starts_of_the_previous_projection),
		cmocka_unit_test(without_a_draft_only_the_live_plan_is_built),
		cmocka_unit_test(a_draft_has_its_own_plan_and_leaves_the_live_plan_unchanged),
		cmocka_unit_test(a_refused_draft_has_an_error_and_no_plan),
		cmocka_unit_test(a_query_can_be_reset_and_used_again),
		cmocka_unit_test(the_time_of_a_plan_is_not_before_that_of_the_state),
		cmocka_unit_test(a_job_is_found_by_its_id_unless_it_is_gone),
		cmocka_unit_test(the_xfactor_is_wait_plus_limit_divided_by_limit),
		cmocka_unit_test(a_proposal_is_freed_with_its_last_reference),
		cmocka_unit_test(lint_runs_again_only_for_another_version),
		cmocka_unit_test(lint_runs_again_for_another_draft_and_without_a_draft),
		cmocka_unit_test(lint_runs_again_for_another_past_moment),
		cmocka_unit_test(findings_that_are_new_in_a_draft_are_known),
		cmocka_unit_test(findings_are_counted_by_subject_and_severity),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
