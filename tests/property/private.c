/* SPDX-License-Identifier: MIT */
/*
 * private.c - with hidden names, the answers to a user contain no name of another user
 *
 * X13. Random queues of three users with unique names, with limits, caps, holds, dependencies
 * and reservations. If names are hidden, no answer to the user alfa about any job contains a name of the
 * other users, and the answers about alfa's own jobs equal the answers to the operator after masking. Changes
 * to jobs of other users are not offered to alfa. Changes that alfa may make are offered, and changes to
 * request from the operator: limits of alfa, or of all users.
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

#define USERS 3

/* The first user asks the questions. */
static const char *const user[USERS] = {"alfa-user", "bravo-user", "carla-user"};
static const char *const group[USERS] = {"alfa-group", "bravo-group", "carla-group"};
static const char *const account[USERS] = {"alfa-account", "bravo-account", "carla-account"};
static const char *const name[USERS] = {"alfa-job", "bravo-job", "carla-job"};
static const char *const secret[] = {"bravo", "carla"};

static const char policy[] = "hidenames = true\nqueuetimeweight = 1\nfspolicy = dedicatedps\n"
			     "user alfa-user { maxps = {\"4000\"} maxijob = {\"3\"} }\n"
			     "user bravo-user { maxjob = {\"1,2\"} fstarget = \"40.0%\" }\n"
			     "group alfa-group { maxproc = {\"4\"} }\n"
			     "account carla-account { maxproc = {\"USER:bravo-user=3\", \"4\"} }\n"
			     "admin2 = \"carla-user\"\n";

static void reserve(struct rng *rng, struct scene *sc, unsigned of)
{
	char text[256], reservation[64];
	struct event ev = {.kind = EVENT_RESERVE, .who = user[of]};
	struct err err;

	snprintf(reservation, sizeof reservation, "%s-room%u", user[of], chance_below(rng, 1000));
	snprintf(text, sizeof text, "start=%lld end=%lld node=n00%u user=%s reason=for %s",
		 (long long)sc->now_s + chance_below(rng, 200),
		 (long long)sc->now_s + 300 + chance_below(rng, 900), 1 + chance_below(rng, 4), user[of],
		 user[of]);
	ev.reserve.name = reservation;
	ev.reserve.text = text;
	(void)scene_try(sc, &ev, &err);
}

static void submit(struct rng *rng, struct scene *sc)
{
	unsigned of = chance_below(rng, USERS);
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
		struct event ev = {.kind = EVENT_HOLD, .job = job, .who = user[chance_below(rng, USERS)]};

		ev.hold.bits = chance_below(rng, 2) ? JOB_HOLD_USER : JOB_HOLD_SYSTEM;
		ev.hold.on = true;
		ev.hold.reason = name[of];
		scene_apply(sc, &ev);
	}
}

static struct scene *queue_of_three_users(struct rng *rng)
{
	struct scene *sc = scene_new(4, 2);

	scene_config(sc, policy);
	for (unsigned i = 0; i < 20; i++) {
		submit(rng, sc);
		if (chance_below(rng, 6) == 0)
			reserve(rng, sc, chance_below(rng, USERS));
		while (chance_below(rng, 2) == 0 && scene_pass(sc) > 0)
			;
		if (chance_below(rng, 3) == 0)
			scene_go(sc, sc->now_s + chance_below(rng, 400));
	}
	while (scene_pass(sc) > 0)
		;
	return sc;
}

/* What a verb prints to user alfa, who sees the snapshot s, or the error message if it is refused. */
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
			fail_msg("'%s' reveals %s:\n%s", line, secret[i], text);
}

static void answers_contain_no_name_of_another_user(void **state)
{
	static const char *const verbs[] = {"why %llu", "why %llu --changes --by +1:00:00",
					    "job %llu", "when %llu",
					    "queue",    "reservations"};
	struct rng rng = seeded("private");
	struct str out = {0};
	unsigned answers = 0;

	(void)state;
	for (unsigned i = 0; i < many(6); i++) {
		struct scene *sc = queue_of_three_users(&rng);
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

/* Replaces the names that alfa does not see as the mask does. */
static void mask_text(const char *text, struct str *out)
{
	str_clear(out);
	while (*text != '\0') {
		size_t hidden = 0;

		for (size_t i = 1; i < USERS && hidden == 0; i++) {
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

/* Cuts off the list of changes, which is shorter for alfa. */
static void cut_changes(struct str *json, const char **changes)
{
	char *at = strstr(json->data, ",\"changes\":[");

	*changes = at == NULL ? "" : at + strlen(",\"changes\":[");
	if (at != NULL)
		*at = '\0';
}

/* Names of reservations contain the name of their owner. */
static bool names_a_reservation(const char *text)
{
	return strstr(text, "-room") != NULL;
}

static void answers_about_own_jobs_equal_the_masked_answers_to_the_operator(void **state)
{
	struct rng rng = seeded("private");
	struct str operator_answer = {0}, own_answer = {0}, masked = {0};
	unsigned same = 0, permitted = 0, requests = 0;

	(void)state;
	for (unsigned i = 0; i < many(6); i++) {
		struct scene *sc = queue_of_three_users(&rng);
		struct viewer alfa = {.user = user[0], .group = group[0]};
		const struct snapshot *s = scene_view(sc);
		struct snapshot *seen = mask_snapshot(s, &alfa, NULL);

		for (uint32_t w = 0; w < snapshot_count(s, TABLE_WAITING); w++) {
			const struct job *job = &snapshot_jobs(s)[snapshot_waiting(s)[w].slot];
			const char *own_changes, *all_changes;
			char line[64];

			if (strcmp(snapshot_job_cred(s, job, CRED_USER), user[0]) != 0)
				continue;
			snprintf(line, sizeof line, "why %llu", (unsigned long long)job->id);
			ask(s, sc->now_s, line, true, &operator_answer);
			ask(seen, sc->now_s, line, true, &own_answer);
			cut_changes(&operator_answer, &all_changes);
			cut_changes(&own_answer, &own_changes);
			mask_text(str_text(&operator_answer), &masked);
			if (!names_a_reservation(str_text(&operator_answer))) {
				assert_string_equal(str_text(&own_answer), str_text(&masked));
				same++;
			}
			assert_null(strstr(own_changes, "\"change\":\"hold"));
			assert_null(strstr(own_changes, "\"change\":\"cancel"));
			assert_null(strstr(own_changes, "\"change\":\"unreserve"));
			assert_null(strstr(own_changes, "[" MASK_NAME "]"));
			assert_null(strstr(own_changes, ":" MASK_NAME "]"));
			permitted += strstr(own_changes, "\"may\":\"its owner\"") != NULL;
			requests += strstr(own_changes, "\"change\":\"tune") != NULL;
		}
		free(seen);
		scene_free(sc);
	}
	print_message(
		"# %u equal answers; %u with changes that the user may make, %u with changes to request\n",
		same, permitted, requests);
	assert_true(same > 0 && permitted + requests > 0);
	str_free(&operator_answer);
	str_free(&own_answer);
	str_free(&masked);
}

/* A draft contains other users' reservations unchanged, and none can be made, released or restored in it. */
static void reservations_cannot_be_changed_if_names_are_hidden(void **state)
{
	struct rng rng = seeded("private");
	struct viewer alfa = {.user = user[0], .group = group[0]};

	(void)state;
	for (unsigned i = 0; i < many(6); i++) {
		struct scene *sc = queue_of_three_users(&rng);
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

/* A new node belongs to nodes=ALL, so all reservations are updated. */
static void a_new_node_removes_no_reservation_if_names_are_hidden(void **state)
{
	struct rng rng = seeded("private");
	struct viewer alfa = {.user = user[0], .group = group[0]};
	struct scene *sc = queue_of_three_users(&rng);
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
		cmocka_unit_test(answers_contain_no_name_of_another_user),
		cmocka_unit_test(answers_about_own_jobs_equal_the_masked_answers_to_the_operator),
		cmocka_unit_test(reservations_cannot_be_changed_if_names_are_hidden),
		cmocka_unit_test(a_new_node_removes_no_reservation_if_names_are_hidden),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
