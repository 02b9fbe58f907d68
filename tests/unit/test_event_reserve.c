/* SPDX-License-Identifier: MIT */
/* test_event_reserve.c - unit tests of creation and release of advance reservations */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "tests/scene.h"

/* The number of the entry; 0 with err set if it was rejected. */
static uint64_t try_event(struct scene *sc, enum event_kind kind, const char *who, const char *name,
			  const char *text, struct err *err)
{
	struct event ev = {.kind = kind, .who = who, .reserve = {.name = name, .text = text}};

	err->text[0] = '\0';
	return scene_try(sc, &ev, err)[0] == '\0' ? ev.seq : 0;
}

static uint64_t reserve(struct scene *sc, const char *name, const char *text)
{
	struct err err;
	uint64_t seq = try_event(sc, EVENT_RESERVE, "root", name, text, &err);

	assert_string_equal(err.text, "");
	return seq;
}

static uint64_t release(struct scene *sc, const char *name)
{
	struct err err;
	uint64_t seq = try_event(sc, EVENT_UNRESERVE, "root", name, NULL, &err);

	assert_string_equal(err.text, "");
	return seq;
}

static void expect_refused(struct scene *sc, enum event_kind kind, const char *who, const char *name,
			   const char *text, const char *sentence)
{
	struct err err;

	assert_int_equal(try_event(sc, kind, who, name, text, &err), 0);
	assert_string_equal(err.text, sentence);
}

static void expect_refused_for_root(struct scene *sc, const char *name, const char *text,
				    const char *sentence)
{
	expect_refused(sc, EVENT_RESERVE, "root", name, text, sentence);
}

static uint32_t reservations_in_force(const struct scene *sc)
{
	return snapshot_count(scene_view(sc), TABLE_ADVANCES);
}

static void reservation_is_in_the_tables(void **state)
{
	struct scene *sc = scene_new(3, 4);
	const struct snapshot *s;
	const struct advance *a;

	(void)state;
	reserve(sc, "maint", "start=10 end=20 node=n002*3 node=n001 user=eva reason=disks");
	s = scene_view(sc);
	a = &snapshot_advances(s)[snapshot_find_advance(s, "MAINT")];
	assert_string_equal(snapshot_string(s, a->owner), "root");
	assert_string_equal(snapshot_string(s, a->reason), "disks");
	assert_int_equal(a->run_count, 2);
	assert_int_equal(snapshot_kept_runs(s)[a->first_run].node, 1);
	assert_int_equal(snapshot_kept_runs(s)[a->first_run].procs, 3);
	assert_int_equal(snapshot_kept_runs(s)[a->first_run + 1].procs, 0);
	assert_int_equal(a->guest_count, 1);
	assert_true(advance_is_over(a, 20) && !advance_is_over(a, 19));
	scene_free(sc);
}

static void invalid_reservations_are_rejected(void **state)
{
	struct scene *sc = scene_new(2, 4);

	(void)state;
	sc->now_s = 100;
	expect_refused_for_root(sc, "a", "start=1 end=100 nodes=ALL",
				"the end of the reservation is 0:00:00 in the past");
	expect_refused_for_root(sc, "a", "start=1 node=n009", "there is no node n009");
	expect_refused_for_root(sc, "a", "start=1 node=n001 node=n001*2",
				"node n001 is reserved twice in one reservation");
	expect_refused_for_root(sc, "a", "start=1 node=n001*5",
				"node n001 has 4 processors, so 5 cannot be reserved");
	expect_refused_for_root(
		sc, "a b", "start=1 nodes=ALL",
		"the name of a reservation may contain only letters, digits, '.', '_' and '-'");
	expect_refused_for_root(sc, NULL, "start=1 nodes=ALL", "the name of the reservation is missing");
	reserve(sc, "a", "start=1 nodes=ALL");
	expect_refused_for_root(sc, "A", "start=1 nodes=ALL",
				"reservation A already exists; choose another name with -n");
	expect_refused(sc, EVENT_UNRESERVE, "root", "b", NULL,
		       "there is no reservation b; 'kahu reservations' lists them");
	scene_free(sc);
}

static void number_of_reservations_is_limited(void **state)
{
	struct scene *sc = scene_new(1, 4);
	char name[16];

	(void)state;
	for (int i = 0; i < ADVANCES_MOST; i++) {
		snprintf(name, sizeof name, "r%d", i);
		reserve(sc, name, i == 0 ? "start=1 end=9 nodes=ALL" : "start=1 nodes=ALL");
	}
	expect_refused_for_root(sc, "more", "start=1 nodes=ALL",
				"there are already 256 reservations, the maximum");
	sc->now_s = 9; /* one reservation is over */
	reserve(sc, "more", "start=1 nodes=ALL");
	assert_int_equal(reservations_in_force(sc), ADVANCES_MOST);
	scene_free(sc);
}

static void releases_and_reservations_are_undone(void **state)
{
	struct scene *sc = scene_new(1, 4);
	uint64_t made = reserve(sc, "a", "start=1 nodes=ALL"), released, undone;

	(void)state;
	released = release(sc, "a");
	assert_int_equal(reservations_in_force(sc), 0);
	scene_undo(sc, released);
	assert_int_equal(reservations_in_force(sc), 1);
	undone = scene_undo(sc, made);
	assert_int_equal(reservations_in_force(sc), 0);
	scene_undo(sc, undone);
	assert_int_equal(reservations_in_force(sc), 1);
	scene_free(sc);
}

/* A new reservation removes entries of expired reservations that can no longer be undone. */
static void expired_reservations_are_removed_by_the_next(void **state)
{
	struct scene *sc = scene_new(1, 4);

	(void)state;
	scene_config(sc, "userreservations = 9\n");
	reserve(sc, "short", "start=1 end=50 nodes=ALL");
	reserve(sc, "kept", "start=1 end=999 nodes=ALL");
	release(sc, "kept");
	reserve(sc, "eva.1", "start=100 end=200 personal node=n001*1 user=root");
	release(sc, "eva.1");
	assert_int_equal(snapshot_count(scene_view(sc), TABLE_CHANGES), 5);
	sc->now_s = 50;
	reserve(sc, "other", "start=1 nodes=ALL");
	/* left: "kept", its release, which can still be undone, and "other" */
	assert_int_equal(snapshot_count(scene_view(sc), TABLE_CHANGES), 3);
	reserve(sc, "kept",
		"start=1 nodes=ALL"); /* the name is reused: earlier entries can still be undone */
	assert_int_equal(snapshot_count(scene_view(sc), TABLE_CHANGES), 4);
	assert_int_equal(reservations_in_force(sc), 2);
	sc->now_s = 999; /* the first reservation of that name is over; its release is kept as long as the
			    name exists */
	reserve(sc, "last", "start=1 nodes=ALL");
	assert_int_equal(snapshot_count(scene_view(sc), TABLE_CHANGES), 4);
	assert_int_equal(reservations_in_force(sc), 3);
	scene_free(sc);
}

static void expect_no_longer_undoable(struct scene *sc, uint64_t seq)
{
	struct event ev = {.kind = EVENT_UNDO, .undo.seq = seq};
	struct err err;

	assert_string_not_equal(scene_try(sc, &ev, &err), "");
	assert_non_null(strstr(err.text, "what it changed no longer exists"));
}

/* For one name and for many: releases do not accumulate, and undoing a removed one is an error. */
static void newest_released_reservations_are_kept(void **state)
{
	(void)state;
	for (int names = 1; names <= 7; names += 6) {
		struct scene *sc = scene_new(1, 4);
		uint64_t first = 0, made = 0, released = 0, stays = reserve(sc, "stays", "start=1 nodes=ALL");

		for (int i = 0; i < ADVANCES_RELEASED_MOST + 50; i++) {
			char name[16];

			snprintf(name, sizeof name, "r%d", i % names);
			made = reserve(sc, name, "start=1 nodes=ALL");
			released = release(sc, name);
			first = i == 0 ? made : first;
		}
		assert_int_equal(snapshot_count(scene_view(sc), TABLE_CHANGES),
				 1 + 2 * (ADVANCES_RELEASED_MOST + 1));
		expect_no_longer_undoable(sc, first);
		expect_no_longer_undoable(sc, first + 1);
		expect_no_longer_undoable(sc, made - 2 * ADVANCES_RELEASED_MOST - 1);
		assert_int_equal(reservations_in_force(sc), 1);
		/* The oldest kept release: after its undo, the next release applies to its reservation. */
		scene_undo(sc, made - 2 * ADVANCES_RELEASED_MOST + 1);
		assert_int_equal(reservations_in_force(sc), 1);
		scene_undo(sc, released);
		assert_int_equal(reservations_in_force(sc), 2);
		scene_undo(sc, stays);
		assert_int_equal(reservations_in_force(sc), 1);
		scene_free(sc);
	}
}

/* A temporary release will be undone automatically, so it is kept. */
static void temporary_release_is_kept(void **state)
{
	struct scene *sc = scene_new(1, 4);
	struct event ev = {.kind = EVENT_UNRESERVE, .until_s = 60, .reserve.name = "back"};

	(void)state;
	reserve(sc, "back", "start=1 nodes=ALL");
	scene_apply(sc, &ev);
	for (int i = 0; i <= ADVANCES_RELEASED_MOST; i++) {
		reserve(sc, "a", "start=1 nodes=ALL");
		release(sc, "a");
	}
	reserve(sc, "a", "start=1 nodes=ALL");
	scene_undo(sc, ev.seq);
	assert_int_equal(reservations_in_force(sc), 2);
	scene_free(sc);
}

static int64_t begin_of(const struct scene *sc, const char *name)
{
	uint32_t i = snapshot_find_advance(scene_view(sc), name);

	return i == INDEX_NONE ? TIME_NONE : snapshot_advances(scene_view(sc))[i].begin_s;
}

static void undo_of_a_release_restores_the_first_reservation_of_a_name(void **state)
{
	struct scene *sc = scene_new(1, 4);
	uint64_t released, second;

	(void)state;
	reserve(sc, "a", "start=1 end=999 nodes=ALL");
	released = release(sc, "a");
	second = reserve(sc, "a", "start=2 end=999 nodes=ALL");
	assert_int_equal(begin_of(sc, "a"), 2);
	scene_undo(sc, released); /* without the release, the second reservation would have been rejected */
	assert_int_equal(begin_of(sc, "a"), 1);
	assert_int_equal(reservations_in_force(sc), 1);
	scene_undo(sc, second);
	assert_int_equal(begin_of(sc, "a"), 1);
	scene_free(sc);
}

/* A reservation that the first one prevented does not come into force when the first is over. */
static void rejected_duplicate_is_never_in_force(void **state)
{
	struct scene *sc = scene_new(1, 4);
	uint64_t released;

	(void)state;
	reserve(sc, "a", "start=1 end=50 nodes=ALL");
	released = release(sc, "a");
	reserve(sc, "a", "start=2 end=999 nodes=ALL");
	scene_undo(sc, released);
	sc->now_s = 50;
	reserve(sc, "b", "start=1 end=999 nodes=ALL");
	assert_int_equal(begin_of(sc, "a"), TIME_NONE);
	assert_int_equal(reservations_in_force(sc), 1);
	reserve(sc, "a", "start=3 end=999 nodes=ALL");
	assert_int_equal(begin_of(sc, "a"), 3);
	scene_free(sc);
}

static void reservation_of_all_nodes_includes_new_nodes(void **state)
{
	struct scene *sc = scene_new(1, 4);

	(void)state;
	reserve(sc, "a", "start=1 nodes=ALL");
	assert_int_equal(snapshot_kept_runs(scene_view(sc))[0].nodes, 1);
	scene_node(sc, (struct node_record){.name = "new", .procs = 2});
	assert_int_equal(snapshot_kept_runs(scene_view(sc))[0].nodes, 2);
	scene_free(sc);
}

static void user_reservation_respects_site_limits(void **state)
{
	static const char own[] = "start=1000 end=1060 personal node=n001*2 user=eva";
	struct scene *sc = scene_new(2, 4);

	(void)state;
	expect_refused(sc, EVENT_RESERVE, "eva", "e", own,
		       "users may not make reservations at this site (userreservations is 0)");
	scene_config(sc, "userreservations = 2\nuserreservationtime = 60\nuserreservationprocs = 2\n");
	expect_refused(sc, EVENT_RESERVE, "bob", "e", own, "a user's reservation must include that user");
	expect_refused(sc, EVENT_RESERVE, "eva", "e", "start=1000 personal node=n001*2 user=eva",
		       "a user's reservation needs an end");
	expect_refused(sc, EVENT_RESERVE, "eva", "e", "start=1000 end=1061 personal node=n001*2 user=eva",
		       "a user's reservation lasts at most 0:01:00, not 0:01:01");
	expect_refused(sc, EVENT_RESERVE, "eva", "e", "start=1000 end=1060 personal node=n001*3 user=eva",
		       "a user's reservation has at most 2 processors, not 3");
	for (int i = 0; i < 2; i++) {
		struct err err;

		assert_int_not_equal(try_event(sc, EVENT_RESERVE, "eva", i ? "e1" : "e0", own, &err), 0);
	}
	expect_refused(sc, EVENT_RESERVE, "bob", "b", "start=1010 end=1020 personal node=n001*1 user=bob",
		       "node n001 will have only 0 processors free in this period, not 1");
	expect_refused(sc, EVENT_RESERVE, "eva", "e2", own,
		       "eva already has 2 reservations, the maximum for a user");
	sc->now_s = 1060; /* both reservations are over */
	assert_int_not_equal(try_event(sc, EVENT_RESERVE, "eva", "e2",
				       "start=1070 end=1080 personal node=n001*2 user=eva",
				       &(struct err){""}),
			     0);
	scene_free(sc);
}

/* Without site limits, only the nodes limit a reservation. */
static void user_reservation_counts_only_those_of_the_user(void **state)
{
	struct scene *sc = scene_new(2, 4);
	struct err err;

	(void)state;
	scene_config(sc, "userreservations = 1\n");
	reserve(sc, "maint", "start=90000 nodes=ALL user=eva");
	assert_int_not_equal(try_event(sc, EVENT_RESERVE, "bob", "bob.1",
				       "start=1 end=86401 personal node=n001 user=bob", &err),
			     0);
	expect_refused(sc, EVENT_RESERVE, NULL, "e", "start=1 end=2 personal node=n002 user=eva",
		       "a user's reservation must include that user");
	expect_refused(sc, EVENT_RESERVE, "eva", "e", "start=1 end=2 personal node=n002 group=eva",
		       "a user's reservation must include that user");
	/* eva has made neither root's reservation for her nor bob's */
	assert_int_not_equal(try_event(sc, EVENT_RESERVE, "eva", "eva.1",
				       "start=1 end=86401 personal node=n002 group=eva user=eva", &err),
			     0);
	expect_refused(sc, EVENT_RESERVE, "eva", "eva.2", "start=1 end=2 personal node=n002 user=eva",
		       "eva already has 1 reservation, the maximum for a user");
	scene_free(sc);
}

/* The maximum duration counts from now, even if the reservation began earlier. */
static void only_the_remaining_duration_counts(void **state)
{
	struct scene *sc = scene_new(1, 4);

	(void)state;
	sc->now_s = 100;
	scene_config(sc, "userreservations = 9\nuserreservationtime = 60\n");
	expect_refused(sc, EVENT_RESERVE, "eva", "e", "start=10 end=161 personal node=n001*1 user=eva",
		       "a user's reservation lasts at most 0:01:00, not 0:01:01");
	assert_int_not_equal(try_event(sc, EVENT_RESERVE, "eva", "e",
				       "start=10 end=160 personal node=n001*1 user=eva", &(struct err){""}),
			     0);
	scene_free(sc);
}

static void without_nodes_or_with_hidden_names_nothing_is_reserved(void **state)
{
	struct scene *sc = scene_new(0, 0);
	static const char hidden[] =
		"the reservations of others are hidden here (hidenames), so making, releasing or "
		"restoring one cannot be tried; an administrator can try it";
	uint64_t made;

	(void)state;
	expect_refused_for_root(sc, "a", "start=1 nodes=ALL", "there are no nodes that could be reserved");
	scene_node(sc, (struct node_record){.name = "n001", .procs = 4});
	expect_refused_for_root(sc, "a", "start", "'start' in a reservation is not KEY=VALUE");
	expect_refused(sc, EVENT_UNRESERVE, "root", NULL, NULL,
		       "there is no reservation ; 'kahu reservations' lists them");
	made = reserve(sc, "a", "start=1 end=50 nodes=ALL");
	sc->now_s = 50;
	expect_refused(sc, EVENT_UNRESERVE, "root", "a", NULL,
		       "there is no reservation a; 'kahu reservations' lists them");
	state_header(sc->st)->masked = 1;
	expect_refused_for_root(sc, "b", "start=60 nodes=ALL", hidden);
	expect_refused(sc, EVENT_UNRESERVE, "root", "a", NULL, hidden);
	assert_string_equal(
		scene_try(sc, &(struct event){.kind = EVENT_UNDO, .undo.seq = made}, &(struct err){""}),
		hidden);
	state_header(sc->st)->masked = 0;
	scene_free(sc);
}

static void user_reservation_avoids_running_jobs(void **state)
{
	struct scene *sc = scene_new(1, 4);

	(void)state;
	scene_config(sc, "userreservations = 2\n");
	scene_submit(sc, 3, 100);
	scene_pass(sc);
	expect_refused(sc, EVENT_RESERVE, "eva", "e", "start=50 end=120 personal node=n001*2 user=eva",
		       "node n001 will have only 1 processors free in this period, not 2");
	expect_refused(sc, EVENT_RESERVE, "eva", "e", "start=50 end=120 personal nodes=ALL user=eva",
		       "node n001 will have only 1 processors free in this period, not 4");
	assert_int_not_equal(try_event(sc, EVENT_RESERVE, "eva", "e",
				       "start=100 end=120 personal nodes=ALL user=eva", &(struct err){""}),
			     0);
	scene_free(sc);
}

static void expect_accepted(struct scene *sc, const char *who, const char *name, const char *text)
{
	struct err err;

	if (try_event(sc, EVENT_RESERVE, who, name, text, &err) == 0)
		fail_msg("%s", err.text);
}

static const char delays_2[] = "the reservation would delay job 2, whose reserved start is 00:01:40; reserve "
			       "other processors, or another time";

/* Two nodes of 4 processors, all of which job 1 has until 100; job 2 has a reservation of 5 of them from
 * then, for 100 s. */
static struct scene *planned_start(const char *job_2_hosts)
{
	struct scene *sc = scene_new(2, 4);

	scene_config(sc, "userreservations = 9\n");
	scene_submit(sc, 8, 100);
	scene_pass(sc);
	scene_add(sc, (struct scene_job){.procs = 5, .user = "bob", .hosts = job_2_hosts});
	scene_pass(sc);
	assert_int_equal(scene_job_of(sc, 2)->planned_s, 100);
	return sc;
}

/* The accepted reservations did not move the planned start. */
static void expect_unchanged_plan(struct scene *sc)
{
	scene_pass(sc);
	assert_int_equal(scene_job_of(sc, 2)->planned_s, 100);
	scene_free(sc);
}

static void user_reservation_does_not_delay_planned_starts(void **state)
{
	struct scene *sc = planned_start(NULL);

	(void)state;
	assert_int_equal(scene_job_of(sc, 2)->run, INDEX_NONE);
	expect_refused(sc, EVENT_RESERVE, "eva", "e", "start=100 end=120 personal nodes=ALL user=eva",
		       delays_2);
	expect_refused(sc, EVENT_RESERVE, "eva", "e", "start=199 end=220 personal node=n001 user=eva",
		       delays_2);
	expect_accepted(sc, "eva", "e", "start=100 end=300 personal node=n001*3 user=eva");
	expect_accepted(sc, "eva", "e2", "start=200 end=300 personal node=n002 user=eva");
	expect_unchanged_plan(sc);
}

static void user_reservation_does_not_delay_planned_starts_on_named_nodes(void **state)
{
	struct scene *sc = planned_start("n001 n002");

	(void)state;
	assert_true(scene_job_of(sc, 2)->run != INDEX_NONE);
	expect_refused(sc, EVENT_RESERVE, "eva", "e", "start=150 end=160 personal nodes=ALL user=eva",
		       delays_2);
	expect_accepted(sc, "eva", "e", "start=200 end=300 personal nodes=ALL user=eva");
	expect_unchanged_plan(sc);
}

static void planned_job_that_is_a_guest_is_not_delayed(void **state)
{
	struct scene *sc = planned_start(NULL);

	(void)state;
	expect_accepted(sc, "bob", "b", "start=100 end=300 personal nodes=ALL user=bob");
	expect_accepted(sc, "eva", "e", "start=300 end=400 personal nodes=ALL user=eva job=2");
	expect_unchanged_plan(sc);
}

static void administrator_may_delay_a_planned_start(void **state)
{
	struct scene *sc = planned_start(NULL);

	(void)state;
	reserve(sc, "maint", "start=100 end=300 nodes=ALL");
	scene_pass(sc);
	assert_int_equal(scene_job_of(sc, 2)->planned_s, 300);
	scene_free(sc);
}

static void journal_describes_reservations(void **state)
{
	const struct event ev[] = {
		{.kind = EVENT_RESERVE,
		 .reserve = {"m", "start=0 end=60 node=n1*2 node=n2 user=eva qos=hi reason=disks"}},
		{.kind = EVENT_RESERVE, .reserve = {"m", "start=0 nodes=ALL"}},
		{.kind = EVENT_RESERVE, .reserve = {"m", "damaged"}},
		{.kind = EVENT_UNRESERVE, .reserve = {"m", NULL}},
	};
	static const char *const line[] = {
		("reserve m: n1*2 n2 for user eva, qos hi from 1970-01-01T00:00:00 to 1970-01-01T00:01:00: "
		 "disks"),
		"reserve m: all nodes for nobody from 1970-01-01T00:00:00",
		"reserve m",
		"release reservation m",
	};

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct str described = {0};

		event_describe(&ev[i], NULL, &described);
		assert_string_equal(str_text(&described), line[i]);
		str_free(&described);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reservation_is_in_the_tables),
		cmocka_unit_test(invalid_reservations_are_rejected),
		cmocka_unit_test(number_of_reservations_is_limited),
		cmocka_unit_test(releases_and_reservations_are_undone),
		cmocka_unit_test(expired_reservations_are_removed_by_the_next),
		cmocka_unit_test(newest_released_reservations_are_kept),
		cmocka_unit_test(temporary_release_is_kept),
		cmocka_unit_test(undo_of_a_release_restores_the_first_reservation_of_a_name),
		cmocka_unit_test(rejected_duplicate_is_never_in_force),
		cmocka_unit_test(reservation_of_all_nodes_includes_new_nodes),
		cmocka_unit_test(user_reservation_respects_site_limits),
		cmocka_unit_test(user_reservation_counts_only_those_of_the_user),
		cmocka_unit_test(only_the_remaining_duration_counts),
		cmocka_unit_test(without_nodes_or_with_hidden_names_nothing_is_reserved),
		cmocka_unit_test(user_reservation_avoids_running_jobs),
		cmocka_unit_test(user_reservation_does_not_delay_planned_starts),
		cmocka_unit_test(user_reservation_does_not_delay_planned_starts_on_named_nodes),
		cmocka_unit_test(planned_job_that_is_a_guest_is_not_delayed),
		cmocka_unit_test(administrator_may_delay_a_planned_start),
		cmocka_unit_test(journal_describes_reservations),
	};

	return cmocka_run_group_tests_name("event_reserve", tests, NULL, NULL);
}
