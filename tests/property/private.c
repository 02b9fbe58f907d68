/* SPDX-License-Identifier: MIT */
/*
 * private.c - does what a user is told about a job name nobody but himself?
 *
 * X13. Random queues of three people whose names stand nowhere else, with limits, caps, holds, dependencies
 * and reservations. What alfa sees where names are hidden has no byte of the names of the others, whatever he
 * asks about which job; and what he is told of his own is what the operator is told, after masking. Changes
 * that are done to others are not offered to him; what he may do himself is, and what he may ask for: a limit
 * of his own or of all.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/chance.h"
#include "tests/many.h"
#include "tests/said.h"
#include "tui/serve/mask.h"

#define PEOPLE 3

/* The first is who asks. */
static const char *const user[PEOPLE] = {"alfa-user", "bravo-user", "carla-user"};
static const char *const group[PEOPLE] = {"alfa-group", "bravo-group", "carla-group"};
static const char *const account[PEOPLE] = {"alfa-account", "bravo-account", "carla-account"};
static const char *const name[PEOPLE] = {"alfa-job", "bravo-job", "carla-job"};
static const char *const secret[] = {"bravo", "carla"};

static const char policy[] = "hidenames = true\nqueuetimeweight = 1\nfspolicy = dedicatedps\n"
			     "user alfa-user { maxps = {\"4000\"} maxijob = {\"3\"} }\n"
			     "user bravo-user { maxjob = {\"1,2\"} fstarget = \"40.0%\" }\n"
			     "group alfa-group { maxproc = {\"4\"} }\n"
			     "account carla-account { maxproc = {\"USER:bravo-user=3\", \"4\"} }\n"
			     "admin2 = \"carla-user\"\n";

static void reserve(struct rng *rng, struct scene *sc, unsigned of)
{
	char text[256], called[64];
	struct event ev = {.kind = EVENT_RESERVE, .who = user[of]};
	struct err err;

	snprintf(called, sizeof called, "%s-room%u", user[of], chance_below(rng, 1000));
	snprintf(text, sizeof text, "start=%lld end=%lld node=n00%u user=%s reason=for %s",
		 (long long)sc->now_s + chance_below(rng, 200),
		 (long long)sc->now_s + 300 + chance_below(rng, 900), 1 + chance_below(rng, 4), user[of],
		 user[of]);
	ev.reserve.name = called;
	ev.reserve.text = text;
	(void)scene_try(sc, &ev, &err);
}

static void submit(struct rng *rng, struct scene *sc)
{
	unsigned of = chance_below(rng, PEOPLE);
	char depend[32] = "";
	uint64_t other = chance_waiting(rng, sc), job;

	if (other != 0 && chance_below(rng, 4) == 0)
		snprintf(depend, sizeof depend, "after%s:%llu", chance_below(rng, 2) ? "ok" : "any",
			 (unsigned long long)other);
	job = scene_add(sc, (struct scene_job){.procs = 1 + chance_below(rng, 8),
					       .wall_s = 60 * (1 + (int64_t)chance_below(rng, 20)),
					       .user = user[of],
					       .group = group[of],
					       .account = account[of],
					       .name = name[of],
					       .depend = depend[0] ? depend : NULL});
	if (chance_below(rng, 5) == 0) {
		struct event ev = {.kind = EVENT_HOLD, .job = job, .who = user[chance_below(rng, PEOPLE)]};

		ev.hold.bits = chance_below(rng, 2) ? JOB_HOLD_USER : JOB_HOLD_SYSTEM;
		ev.hold.on = true;
		ev.hold.reason = name[of];
		scene_apply(sc, &ev);
	}
}

static struct scene *queue_of_three(struct rng *rng)
{
	struct scene *sc = scene_new(4, 2);

	scene_config(sc, policy);
	for (unsigned i = 0; i < 20; i++) {
		submit(rng, sc);
		if (chance_below(rng, 6) == 0)
			reserve(rng, sc, chance_below(rng, PEOPLE));
		while (chance_below(rng, 2) == 0 && scene_pass(sc) > 0)
			;
		if (chance_below(rng, 3) == 0)
			scene_go(sc, sc->now_s + chance_below(rng, 400));
	}
	while (scene_pass(sc) > 0)
		;
	return sc;
}

/* What a verb prints to who sees s; empty where it is refused, which is what it says then. */
static void ask(const struct snapshot *s, int64_t now_s, const char *line, bool json, struct str *out)
{
	struct cmd_changes changes = {0};
	struct cmd_env env = {.verbs = &cmd_verbs,
			      .s = s,
			      .now_s = now_s,
			      .who = user[0],
			      .json = json,
			      .out = out,
			      .changes = &changes};

	str_clear(out);
	if (cmd_run_line(&env, line) != CMD_DONE)
		str_add(out, env.err.text);
	cmd_changes_clear(&changes);
}

static void check_no_name(const char *line, const char *text)
{
	for (size_t i = 0; i < sizeof secret / sizeof secret[0]; i++)
		if (strstr(text, secret[i]) != NULL)
			fail_msg("'%s' tells of %s:\n%s", line, secret[i], text);
}

static void no_name_of_others_is_told(void **state)
{
	static const char *const verbs[] = {"why %llu", "why %llu --changes --by +1:00:00",
					    "job %llu", "when %llu",
					    "queue",    "reservations"};
	struct rng rng = seeded("private");
	struct str out = {0};
	unsigned answers = 0;

	(void)state;
	for (unsigned i = 0; i < many(6); i++) {
		struct scene *sc = queue_of_three(&rng);
		struct viewer alfa = {.user = user[0], .group = group[0]};
		struct snapshot *seen = mask_snapshot(scene_view(sc), &alfa, NULL);

		for (uint32_t slot = 0; slot < snapshot_count(seen, TABLE_JOBS); slot++)
			for (size_t v = 0; v < 2 * sizeof verbs / sizeof verbs[0]; v++) {
				char line[64];

				if (snapshot_jobs(seen)[slot].state == JOB_NONE)
					continue;
				snprintf(line, sizeof line, verbs[v / 2],
					 (unsigned long long)snapshot_jobs(seen)[slot].id);
				ask(seen, sc->now_s, line, v % 2 == 1, &out);
				check_no_name(line, str_text(&out));
				answers++;
			}
		free(seen);
		scene_free(sc);
	}
	print_message("# %u answers\n", answers);
	str_free(&out);
}

/* Names that alfa does not see become what the mask has for them. */
static void mask_text(const char *text, struct str *out)
{
	str_clear(out);
	while (*text != '\0') {
		size_t hidden = 0;

		for (size_t i = 1; i < PEOPLE && hidden == 0; i++) {
			const char *const all[] = {user[i], group[i], account[i], name[i]};

			for (size_t n = 0; n < sizeof all / sizeof all[0] && hidden == 0; n++)
				if (strncmp(text, all[n], strlen(all[n])) == 0)
					hidden = strlen(all[n]);
		}
		if (hidden > 0)
			str_add(out, MASK_NAME);
		else
			str_add_bytes(out, text, 1);
		text += hidden > 0 ? hidden : 1;
	}
}

/* Up to the list of changes: that is shorter for alfa. */
static void cut_changes(struct str *json, const char **changes)
{
	char *at = strstr(json->data, ",\"changes\":[");

	*changes = at == NULL ? "" : at + strlen(",\"changes\":[");
	if (at != NULL)
		*at = '\0';
}

/* Reservations of others have their owner's name within their own. */
static bool names_a_reservation(const char *text)
{
	return strstr(text, "-room") != NULL;
}

static void his_own_is_what_the_operator_is_told(void **state)
{
	struct rng rng = seeded("private");
	struct str told = {0}, his = {0}, masked = {0};
	unsigned same = 0, himself = 0, asks = 0;

	(void)state;
	for (unsigned i = 0; i < many(6); i++) {
		struct scene *sc = queue_of_three(&rng);
		struct viewer alfa = {.user = user[0], .group = group[0]};
		const struct snapshot *s = scene_view(sc);
		struct snapshot *seen = mask_snapshot(s, &alfa, NULL);

		for (uint32_t w = 0; w < snapshot_count(s, TABLE_WAITING); w++) {
			const struct job *job = &snapshot_jobs(s)[snapshot_waiting(s)[w].slot];
			const char *his_changes, *all_changes;
			char line[64];

			if (strcmp(snapshot_job_cred(s, job, CRED_USER), user[0]) != 0)
				continue;
			snprintf(line, sizeof line, "why %llu", (unsigned long long)job->id);
			ask(s, sc->now_s, line, true, &told);
			ask(seen, sc->now_s, line, true, &his);
			cut_changes(&told, &all_changes);
			cut_changes(&his, &his_changes);
			mask_text(str_text(&told), &masked);
			if (!names_a_reservation(str_text(&told))) {
				assert_string_equal(str_text(&his), str_text(&masked));
				same++;
			}
			assert_null(strstr(his_changes, "\"change\":\"hold"));
			assert_null(strstr(his_changes, "\"change\":\"cancel"));
			assert_null(strstr(his_changes, "\"change\":\"unreserve"));
			assert_null(strstr(his_changes, "[" MASK_NAME "]"));
			assert_null(strstr(his_changes, ":" MASK_NAME "]"));
			himself += strstr(his_changes, "\"may\":\"its owner\"") != NULL;
			asks += strstr(his_changes, "\"change\":\"tune") != NULL;
		}
		free(seen);
		scene_free(sc);
	}
	print_message("# %u times the same; %u times there is something he may do, %u times to ask for\n",
		      same, himself, asks);
	assert_true(same > 0 && himself + asks > 0);
	str_free(&told);
	str_free(&his);
	str_free(&masked);
}

/* A draft: others' reservations stand in it as they are, and none is made, released or brought back. */
static void no_reservation_is_moved_where_names_are_hidden(void **state)
{
	struct rng rng = seeded("private");
	struct viewer alfa = {.user = user[0], .group = group[0]};

	(void)state;
	for (unsigned i = 0; i < many(6); i++) {
		struct scene *sc = queue_of_three(&rng);
		struct event made = {.kind = EVENT_RESERVE,
				     .who = user[0],
				     .reserve = {"of-alfa", "start=1 nodes=ALL user=alfa-user"}};
		struct snapshot *seen;
		struct state *draft;
		struct event ev[3];
		uint64_t hash;

		scene_apply(sc, &made);
		seen = mask_snapshot(scene_view(sc), &alfa, NULL);
		draft = state_from_snapshot(seen);
		hash = state_hash(state_view(draft));
		ev[0] = made;
		ev[0].reserve.name = "another";
		ev[1] = (struct event){.kind = EVENT_UNRESERVE, .reserve.name = "of-alfa"};
		ev[2] = (struct event){.kind = EVENT_UNDO, .undo.seq = made.seq};
		for (size_t n = 0; n < sizeof ev / sizeof ev[0]; n++) {
			struct err err;

			ev[n].who = user[0];
			ev[n].time_s = sc->now_s;
			assert_false(event_apply(draft, &ev[n], &err));
			assert_non_null(strstr(err.text, "the reservations of others are hidden"));
		}
		assert_true(snapshot_count(seen, TABLE_ADVANCES) > 0);
		assert_true(state_hash(state_view(draft)) == hash);
		state_free(draft);
		free(seen);
		scene_free(sc);
	}
}

/* A new node is one of all nodes: what is reserved is looked through again. */
static void reservations_stand_on_where_names_are_hidden(void **state)
{
	struct rng rng = seeded("private");
	struct viewer alfa = {.user = user[0], .group = group[0]};
	struct scene *sc = queue_of_three(&rng);
	struct event made = {.kind = EVENT_RESERVE,
			     .who = user[1],
			     .reserve = {"of-bravo", "start=1 nodes=ALL user=bravo-user"}};
	struct event ev = {.kind = EVENT_NODE, .node = {.name = "n005", .procs = 2}};
	struct snapshot *seen;
	struct state *draft;
	struct err err;

	(void)state;
	scene_apply(sc, &made);
	seen = mask_snapshot(scene_view(sc), &alfa, NULL);
	draft = state_from_snapshot(seen);
	ev.time_s = sc->now_s;
	assert_true(event_apply(draft, &ev, &err));
	assert_int_equal(snapshot_count(state_view(draft), TABLE_ADVANCES),
			 snapshot_count(seen, TABLE_ADVANCES));
	state_free(draft);
	free(seen);
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_name_of_others_is_told),
		cmocka_unit_test(his_own_is_what_the_operator_is_told),
		cmocka_unit_test(no_reservation_is_moved_where_names_are_hidden),
		cmocka_unit_test(reservations_stand_on_where_names_are_hidden),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
