/* SPDX-License-Identifier: MIT */
/*
 * test_state_usage.c - charging of usage to windows and credentials
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "tests/scene.h"

#define HOUR INT64_C(3600)

/* Returns the usage of a credential in the window that begins at begin_s, in processor-seconds. */
static int64_t used(const struct scene *sc, enum cred_type type, const char *name, int64_t begin_s)
{
	const struct snapshot *s = scene_view(sc);
	uint32_t cred = snapshot_find_cred(s, type, name);
	uint32_t row = cred == INDEX_NONE ? INDEX_NONE : snapshot_creds(s)[cred].usage;

	for (uint32_t c = 0; c < FS_DEPTH_MAX && row != INDEX_NONE; c++)
		if (s->fs_window[c].length_s > 0 && s->fs_window[c].begin_s == begin_s)
			return snapshot_usage(s)[row].amount[c] / FS_UNIT;
	return 0;
}

static int64_t total(const struct scene *sc, int64_t begin_s)
{
	const struct snapshot *s = scene_view(sc);

	for (uint32_t c = 0; c < FS_DEPTH_MAX; c++)
		if (s->fs_window[c].length_s > 0 && s->fs_window[c].begin_s == begin_s)
			return s->fs_window[c].total / FS_UNIT;
	return 0;
}

static uint32_t windows(const struct scene *sc)
{
	uint32_t count = 0;

	for (uint32_t c = 0; c < FS_DEPTH_MAX; c++)
		count += scene_view(sc)->fs_window[c].length_s > 0;
	return count;
}

/* Runs a job of four processors from from_s to to_s. */
static void run(struct scene *sc, struct scene_job asked, int64_t from_s, int64_t to_s)
{
	uint64_t job;

	sc->now_s = from_s;
	asked.procs = 4;
	asked.wall_s = 100 * HOUR;
	job = scene_add(sc, asked);
	scene_start(sc, job, 0, 1, 4);
	sc->now_s = to_s;
	scene_end(sc, job);
}

static const struct scene_job whole = {
	.user = "eva", .group = "staff", .account = "a", .qos = "hi", .class_name = "long"};

static void F_21_all_credentials_of_a_job_are_charged_equally(void **state)
{
	static const char *const name[CRED_TYPE_COUNT] = {"eva", "staff", "a", "hi", "long"};
	struct scene *sc = scene_new(1, 4);

	(void)state;
	scene_set(sc, "fspolicy", "dedicatedps");
	scene_set(sc, "fsinterval", "1:00:00");
	run(sc, whole, 3 * HOUR + 1800, 5 * HOUR + 600);
	for (int t = 0; t < CRED_TYPE_COUNT; t++) {
		assert_int_equal(used(sc, (enum cred_type)t, name[t], 3 * HOUR), 4 * 1800);
		assert_int_equal(used(sc, (enum cred_type)t, name[t], 4 * HOUR), 4 * 3600);
		assert_int_equal(used(sc, (enum cred_type)t, name[t], 5 * HOUR), 4 * 600);
	}
	assert_int_equal(total(sc, 4 * HOUR), 4 * 3600);
	assert_int_equal(windows(sc), 3);
	run(sc, (struct scene_job){.user = "john"}, 5 * HOUR + 700, 5 * HOUR + 800);
	assert_int_equal(total(sc, 5 * HOUR), 4 * 700);
	assert_int_equal(used(sc, CRED_GROUP, "staff", 5 * HOUR), 4 * 600);
	assert_int_equal(used(sc, CRED_USER, "john", 5 * HOUR), 400);
	scene_free(sc);
}

static void without_a_policy_dedicated_time_is_recorded(void **state)
{
	struct scene *sc = scene_new(1, 4);

	(void)state;
	run(sc, whole, 0, 50);
	assert_int_equal(used(sc, CRED_USER, "eva", 0), 200);
	scene_free(sc);
}

static void reported_usage_counts_for_utilizedps(void **state)
{
	struct scene *sc = scene_new(1, 4);
	struct event end = {.kind = EVENT_END, .end = {.has_used = true, .used_ps = 90}};

	(void)state;
	scene_set(sc, "fspolicy", "utilizedps");
	end.job = scene_add(sc, (struct scene_job){.procs = 4, .user = "eva"});
	scene_start(sc, end.job, 0, 1, 4);
	sc->now_s = 100;
	scene_apply(sc, &end);
	assert_int_equal(used(sc, CRED_USER, "eva", 0), 90);
	scene_free(sc);
}

/* Failed starts are charged because a user can make starts fail late and repeatedly. */
static void failed_start_is_charged_for_its_processors(void **state)
{
	struct scene *sc = scene_new(1, 4);
	struct event failed = {
		.kind = EVENT_DEFER,
		.defer = {.until_s = 200, .reason = "no memory", .failed_start = true, .retry = true}};

	(void)state;
	scene_set(sc, "fspolicy", "dedicatedps");
	failed.job = scene_add(sc, (struct scene_job){.procs = 4, .user = "eva"});
	scene_start(sc, failed.job, 0, 1, 4);
	scene_apply(sc, &failed);
	assert_int_equal(used(sc, CRED_USER, "eva", 0), 0);
	sc->now_s = 200;
	scene_start(sc, failed.job, 0, 1, 4);
	sc->now_s = 205;
	failed.defer.until_s = 300;
	scene_apply(sc, &failed);
	assert_int_equal(used(sc, CRED_USER, "eva", 0), 20);
	/* A fault of the host is charged too: a user may cause it, for example by a slow home directory. */
	sc->now_s = 300;
	scene_start(sc, failed.job, 0, 1, 4);
	sc->now_s = 310;
	failed.defer.until_s = 400;
	failed.defer.retry = false;
	scene_apply(sc, &failed);
	assert_int_equal(used(sc, CRED_USER, "eva", 0), 60);
	/* A job that waits again at once is not charged: it was never started, and the scheduler may have
	 * been stopped since. */
	sc->now_s = 400;
	scene_start(sc, failed.job, 0, 1, 4);
	sc->now_s = 410;
	failed.defer.until_s = TIME_NONE;
	scene_apply(sc, &failed);
	assert_int_equal(used(sc, CRED_USER, "eva", 0), 60);
	scene_free(sc);
}

static void F_17_windows_beyond_the_depth_are_discarded_everywhere(void **state)
{
	struct scene *sc = scene_new(1, 4);

	(void)state;
	scene_set(sc, "fsinterval", "1:00:00");
	for (int i = 0; i < FS_DEPTH_MAX + 3; i++)
		run(sc, whole, i * HOUR, i * HOUR + 10);
	assert_int_equal(windows(sc), FS_DEPTH_MAX);
	assert_int_equal(total(sc, 2 * HOUR), 0);
	assert_int_equal(used(sc, CRED_USER, "eva", 3 * HOUR), 40);
	assert_int_equal(used(sc, CRED_USER, "eva", (FS_DEPTH_MAX + 2) * HOUR), 40);
	scene_free(sc);
}

static void a_job_across_many_windows_is_charged_to_the_kept_ones(void **state)
{
	struct scene *sc = scene_new(1, 4);

	(void)state;
	scene_set(sc, "fsinterval", "0:00:10");
	run(sc, whole, 0, 90 * HOUR);
	assert_int_equal(windows(sc), FS_DEPTH_MAX);
	assert_int_equal(total(sc, 90 * HOUR - 10), 40);
	assert_int_equal(total(sc, 90 * HOUR - 320), 40);
	scene_free(sc);
}

static void a_job_that_did_not_run_is_not_charged(void **state)
{
	struct scene *sc = scene_new(1, 4);

	(void)state;
	scene_submit(sc, 4, 100);
	sc->now_s = 50;
	scene_cancel(sc, 1);
	assert_int_equal(windows(sc), 0);
	scene_free(sc);
}

/* --- short jobs and imported windows ------------------------------------------------------------------ */

static struct event window(int64_t begin_s, const struct used_by *item, uint32_t count, int64_t total_of)
{
	return (struct event){.kind = EVENT_USAGE,
			      .usage = {.begin_s = begin_s,
					.length_s = HOUR,
					.item = item,
					.count = count,
					.total = total_of}};
}

/* Otherwise a user who starts short jobs in turn would use the cluster without being charged. */
static void real_job_is_charged_at_least_one_second(void **state)
{
	struct scene *sc = scene_new(1, 4);
	struct event ev = {.kind = EVENT_END, .end = {.has_used = true}};

	(void)state;
	scene_set(sc, "fspolicy", "dedicatedps");
	scene_set(sc, "fsinterval", "1:00:00");
	sc->now_s = HOUR - 1;
	ev.job = scene_add(sc, (struct scene_job){.user = "eva", .procs = 4});
	scene_start(sc, ev.job, 0, 1, 4);
	scene_apply(sc, &ev);
	assert_int_equal(used(sc, CRED_USER, "eva", 0), 4);
	run(sc, (struct scene_job){.user = "eva"}, HOUR, HOUR); /* a job of a log */
	assert_int_equal(used(sc, CRED_USER, "eva", 0), 4);
	assert_int_equal(used(sc, CRED_USER, "eva", HOUR), 0);
	scene_free(sc);
}

/* Returns the charge for a job with timestamps one second apart, whose measured time may be almost two
 * seconds. */
static int64_t charged_for(int64_t held_s)
{
	struct scene *sc = scene_new(1, 4);
	struct event ev = {.kind = EVENT_END, .end = {.has_used = true, .held_s = held_s}};
	int64_t charged;

	scene_set(sc, "fspolicy", "dedicatedps");
	scene_set(sc, "fsinterval", "1:00:00");
	ev.job = scene_add(sc, (struct scene_job){.user = "eva", .procs = 4});
	scene_start(sc, ev.job, 0, 1, 4);
	sc->now_s++;
	scene_apply(sc, &ev);
	charged = used(sc, CRED_USER, "eva", 0);
	scene_free(sc);
	return charged;
}

static void real_job_is_charged_for_the_rounded_second(void **state)
{
	(void)state;
	assert_int_equal(charged_for(0), 4);
	assert_int_equal(charged_for(1), 4);
	assert_int_equal(charged_for(2), 8);
	assert_int_equal(charged_for(1000), 8); /* a measurement so far from the timestamps is limited */
}

static void imported_window_replaces_the_old_one(void **state)
{
	static const struct used_by item[] = {{CRED_USER, "new", 7 * FS_UNIT}, {CRED_USER, "new", FS_UNIT}};
	struct scene *sc = scene_new(1, 4);
	struct event ev = window(0, item, 2, 9 * FS_UNIT);

	(void)state;
	scene_set(sc, "fsinterval", "1:00:00");
	run(sc, whole, 0, 50);
	scene_apply(sc, &ev);
	assert_int_equal(used(sc, CRED_USER, "eva", 0), 0);
	assert_int_equal(used(sc, CRED_USER, "new", 0), 8);
	assert_int_equal(total(sc, 0), 9);
	run(sc, whole, 60, 70);
	assert_int_equal(total(sc, 0), 49);
	scene_free(sc);
}

static void invalid_windows_are_rejected(void **state)
{
	struct used_by item = {CRED_USER, "eva", 1};
	struct scene *sc = scene_new(1, 4);
	struct event ev = window(0, &item, 1, 1);
	struct err err;

	(void)state;
	ev.usage.length_s = 0;
	assert_string_equal(scene_try(sc, &ev, &err),
			    "a window of fairshare usage must last at least one second, got 0");
	ev.usage.length_s = 1;
	ev.usage.total = -1;
	assert_string_equal(scene_try(sc, &ev, &err), "a window of fairshare usage has a total below 0");
	ev.usage.total = 0;
	item.amount = -1;
	assert_string_equal(scene_try(sc, &ev, &err), "the fairshare usage of user eva is below 0");
	item.type = CRED_TYPE_COUNT;
	assert_string_equal(scene_try(sc, &ev, &err), "fairshare usage without the name of a credential");
	item = (struct used_by){CRED_USER, "eva", 1};
	for (int i = 1; i <= FS_DEPTH_MAX; i++) {
		ev.usage.begin_s = i;
		assert_string_equal(scene_try(sc, &ev, &err), "");
	}
	ev.usage.begin_s = 0;
	assert_string_equal(scene_try(sc, &ev, &err),
			    "a window of fairshare usage is older than the 32 that are kept");
	scene_free(sc);
}

static void amounts_do_not_overflow(void **state)
{
	static const struct used_by item = {CRED_USER, "u1", INT64_MAX};
	struct scene *sc = scene_new(1, 4);
	struct event ev = window(0, &item, 1, INT64_MAX);

	(void)state;
	scene_set(sc, "fsinterval", "1:00:00");
	scene_apply(sc, &ev);
	run(sc, (struct scene_job){.user = "u1"}, 10, 20);
	assert_true(scene_view(sc)->fs_window[0].total == INT64_MAX);
	scene_free(sc);
}

static void window_lists_credentials_with_usage(void **state)
{
	struct scene *sc = scene_new(1, 4);
	struct used_by *items = NULL;
	size_t room = 0;
	struct usage_window window;

	(void)state;
	run(sc, (struct scene_job){.user = "eva", .qos = "hi"}, 0, 50);
	state_usage_window(scene_view(sc), 0, &window, &items, &room);
	assert_int_equal(window.count, 2);
	assert_string_equal(window.item[0].name, "eva");
	assert_int_equal(window.item[1].type, CRED_QOS);
	assert_int_equal(window.item[1].amount, 200 * FS_UNIT);
	assert_int_equal(window.total, 200 * FS_UNIT);
	state_usage_window(scene_view(sc), 1, &window, &items, &room);
	assert_int_equal(window.length_s, 0);
	free(items);
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(F_21_all_credentials_of_a_job_are_charged_equally),
		cmocka_unit_test(without_a_policy_dedicated_time_is_recorded),
		cmocka_unit_test(failed_start_is_charged_for_its_processors),
		cmocka_unit_test(reported_usage_counts_for_utilizedps),
		cmocka_unit_test(F_17_windows_beyond_the_depth_are_discarded_everywhere),
		cmocka_unit_test(a_job_across_many_windows_is_charged_to_the_kept_ones),
		cmocka_unit_test(a_job_that_did_not_run_is_not_charged),
		cmocka_unit_test(real_job_is_charged_at_least_one_second),
		cmocka_unit_test(real_job_is_charged_for_the_rounded_second),
		cmocka_unit_test(imported_window_replaces_the_old_one),
		cmocka_unit_test(invalid_windows_are_rejected),
		cmocka_unit_test(amounts_do_not_overflow),
		cmocka_unit_test(window_lists_credentials_with_usage),
	};

	return cmocka_run_group_tests_name("state_usage", tests, NULL, NULL);
}
