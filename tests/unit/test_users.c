/* SPDX-License-Identifier: MIT */
/*
 * test_users.c - accounts behind uids and gids, and permissions
 *
 * The user database and the clock are those of the test: functions here stand in for those of the C library.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "sched/state/state.h"
#include "tests/scene.h"
#include "tui/command/cmd_list.h"
#include "tui/serve/authorization.h"
#include "tui/serve/users.h"

#define EVA     ((uid_t)701001)
#define STAFF   ((gid_t)701100) /* her primary group            */
#define LAB     ((gid_t)701101) /* she is a member              */
#define OTHERS  ((gid_t)701102) /* it exists, she is not        */
#define LOST    ((gid_t)701103) /* a membership without a group */
#define SUB     ((gid_t)965536) /* a subordinate number         */
#define SECOND  ((int64_t)1000000000)
#define A_PLACE 256 /* numbers that far apart share a place */

static struct {
	int error;       /* of each look-up; 0: it answers      */
	int64_t took_ns; /* each look-up of a user              */
	int users, groups;
	int64_t now_ns;
} db;

/* NOLINTBEGIN(readability-inconsistent-declaration-parameter-name, readability-non-const-parameter): what
 * stands in for functions of libc */
int clock_gettime(clockid_t clock, struct timespec *out)
{
	(void)clock;
	*out = (struct timespec){.tv_sec = (time_t)(db.now_ns / SECOND),
				 .tv_nsec = (long)(db.now_ns % SECOND)};
	return 0;
}

int getpwuid_r(uid_t uid, struct passwd *restrict out, char *restrict room, size_t size,
	       struct passwd **restrict found)
{
	(void)room;
	(void)size;
	db.users++;
	db.now_ns += db.took_ns;
	*found = NULL;
	if (db.error != 0)
		return db.error;
	if (uid == EVA || uid == EVA + 1) {
		static char eva[] = "eva", bob[] = "bob";

		*out = (struct passwd){.pw_name = uid == EVA ? eva : bob, .pw_uid = uid, .pw_gid = STAFF};
		*found = out;
	}
	return 0;
}

int getgrgid_r(gid_t gid, struct group *restrict out, char *restrict room, size_t size,
	       struct group **restrict found)
{
	(void)room;
	(void)size;
	db.groups++;
	*found = NULL;
	if (db.error != 0)
		return db.error;
	if (gid >= STAFF && gid <= OTHERS) {
		static char name[][8] = {"staff", "lab", "others"};

		*out = (struct group){.gr_name = name[gid - STAFF], .gr_gid = gid};
		*found = out;
	}
	return 0;
}

int getgrnam_r(const char *restrict name, struct group *restrict out, char *restrict room, size_t size,
	       struct group **restrict found)
{
	gid_t gid = strcmp(name, "lab") == 0 ? LAB : OTHERS;

	return getgrgid_r(gid, out, room, size, found);
}

int getgrouplist(const char *user, gid_t group, gid_t *out, int *count)
{
	const gid_t eva[] = {group, LAB, LOST};
	int has = strcmp(user, "eva") == 0 ? 3 : 1;

	assert_true(*count >= has);
	memcpy(out, eva, (size_t)has * sizeof *out);
	*count = has;
	return has;
}
/* NOLINTEND(readability-inconsistent-declaration-parameter-name, readability-non-const-parameter) */

struct fixture {
	struct users *users;
	struct state *st;
};

static int begin(void **state)
{
	struct fixture *scene = calloc(1, sizeof *scene);

	memset(&db, 0, sizeof db);
	db.now_ns = 1000 * SECOND;
	scene->users = users_new();
	scene->st = state_new();
	*state = scene;
	return 0;
}

static int end(void **state)
{
	struct fixture *scene = *state;

	users_free(scene->users);
	state_free(scene->st);
	free(scene);
	return 0;
}

static const struct person *find(void **state, uid_t uid, gid_t gid)
{
	struct fixture *scene = *state;

	return users_find(scene->users, state_view(scene->st), uid, gid);
}

static void check_group(const struct person *person, gid_t gid, const char *name)
{
	assert_int_equal(person->account, ACCOUNT_FOUND);
	assert_int_equal(person->gid, gid);
	assert_string_equal(person->group, name);
}

static void check_refused(const struct person *person, const char *sentence)
{
	struct err err = {""};

	assert_false(users_admit(person, &err));
	assert_string_equal(err.text, sentence);
}

/* --- numbers that are no users -------------------------------------------------------------------- */

static void a_number_without_an_entry_is_refused_with_a_sentence(void **state)
{
	struct err err = {""};

	assert_true(users_admit(find(state, EVA, STAFF), &err));
	assert_int_equal(find(state, SUB, SUB)->account, ACCOUNT_NONE);
	check_refused(find(state, SUB, SUB),
		      "uid 965536 has no entry in the user database of this host; use an account that "
		      "'getent passwd' finds");
	db.error = ENOENT; /* some databases say so */
	assert_int_equal(find(state, SUB + 1, SUB)->account, ACCOUNT_NONE);
}

static void root_and_the_user_of_this_program_are_never_refused(void **state)
{
	assert_true(users_admit(find(state, 0, SUB), NULL));
	assert_int_equal(find(state, 0, SUB)->gid, SUB);
	db.error = EIO;
	assert_true(users_admit(find(state, geteuid(), SUB), NULL));
	assert_int_equal(find(state, geteuid(), SUB)->level, ADMIN_ALL);
}

static void a_database_that_fails_is_told_apart_from_one_without_the_entry(void **state)
{
	db.error = EIO;
	check_refused(find(state, EVA, STAFF),
		      "the user database of this host failed to look up uid 701001: Input/output error; try "
		      "again later, or tell an administrator");
	db.error = 0;
	db.now_ns += USERS_RETRY_S * SECOND;
	assert_true(users_admit(find(state, EVA, STAFF), NULL));
}

static void a_user_who_is_known_stays_so_while_the_database_fails(void **state)
{
	check_group(find(state, EVA, LAB), LAB, "lab");
	db.now_ns += USERS_KEPT_S * SECOND;
	db.error = EIO;
	check_group(find(state, EVA, LAB), LAB, "lab");
	assert_int_equal(find(state, EVA, STAFF)->account, ACCOUNT_UNKNOWN);
	check_group(find(state, EVA, LAB), LAB, "lab");
	assert_int_equal(db.users, 2);
	db.now_ns += USERS_RETRY_S * SECOND;
	find(state, EVA, LAB);
	assert_int_equal(db.users, 3);
}

/* --- groups --------------------------------------------------------------------------------------- */

static void a_group_counts_if_it_exists_and_the_user_is_a_member(void **state)
{
	check_group(find(state, EVA, STAFF), STAFF, "staff");
	check_group(find(state, EVA, LAB), LAB, "lab");
	check_group(find(state, EVA, OTHERS), STAFF, "staff");
	check_group(find(state, EVA, LOST), STAFF, "staff");
	db.groups = 0;
	for (gid_t i = 0; i < 10; i++)
		check_group(find(state, EVA, SUB + i), STAFF, "staff");
	assert_int_equal(db.groups, 0);
	check_group(find(state, EVA + 1, LAB), STAFF, "staff");
	assert_int_equal(db.users, 2);
}

static void a_group_that_the_user_is_no_member_of_makes_no_administrator(void **state)
{
	struct fixture *scene = *state;
	struct err err = {""};

	assert_int_equal(find(state, EVA, STAFF)->level, ADMIN_NONE);
	if (!state_set_config(scene->st, "kahu.conf", "admin2 = \"@lab @others\"\n", &err))
		fail_msg("%s", err.text);
	assert_int_equal(find(state, EVA, STAFF)->level, ADMIN_ALL + 1);
	assert_int_equal(find(state, EVA + 1, OTHERS)->level, ADMIN_NONE);
}

/* --- what look-ups cost --------------------------------------------------------------------------- */

static void a_number_without_an_entry_pushes_no_user_out(void **state)
{
	find(state, EVA, STAFF);
	assert_int_equal(find(state, EVA + A_PLACE, SUB)->account, ACCOUNT_NONE);
	assert_int_equal(db.users, 2);
	check_group(find(state, EVA, STAFF), STAFF, "staff");
	assert_int_equal(db.users, 2);
	find(state, SUB, SUB);
	find(state, SUB, SUB); /* where nobody is in the way the answer is kept */
	assert_int_equal(db.users, 3);
}

static void look_ups_that_find_nobody_take_a_tenth_of_the_time(void **state)
{
	int64_t began_ns;
	uid_t uid = SUB;

	find(state, EVA, STAFF);
	db.took_ns = SECOND / 1000;
	db.users = 0;
	for (began_ns = db.now_ns; db.now_ns < began_ns + 10 * SECOND; db.now_ns += SECOND / 10000)
		find(state, uid++, SUB);
	assert_in_range(db.users, 900, 1150);
	check_refused(find(state, SUB - 1, SUB),
		      "uid 965535 was not looked up: look-ups of users without an entry in the user "
		      "database take too much time; try again in a second");
}

static void a_user_who_is_known_stays_so_while_others_are_not_looked_up(void **state)
{
	find(state, EVA, STAFF);
	db.took_ns = 30 * SECOND; /* as a service that has gone */
	assert_int_equal(find(state, SUB, SUB)->account, ACCOUNT_NONE);
	assert_int_equal(find(state, EVA + 1, STAFF)->account, ACCOUNT_SKIPPED);
	db.now_ns += 9 * SECOND;
	assert_int_equal(find(state, EVA + 1, STAFF)->account, ACCOUNT_SKIPPED);
	db.now_ns += 2 * SECOND;
	db.took_ns = 0;
	check_group(find(state, EVA + 1, STAFF), STAFF, "staff");
}

/* --- permissions -------------------------------------------------------------------------------------- */

static const struct asker eva = {"eva", ADMIN_NONE}, bob = {"bob", ADMIN_NONE}, sees = {"ann", ADMIN_SEES},
			  jobs = {"ops", ADMIN_JOBS}, all = {"root", ADMIN_ALL};

/* One waiting job of eva's. */
static struct scene *evas_job(uint64_t *job)
{
	struct scene *sc = scene_new(1, 4);
	struct event ev = {.kind = EVENT_SUBMIT, .submit = {.cred = {[CRED_USER] = "eva"}}};

	ev.submit.job = (struct job){
		.tasks = 1, .task_procs = 1, .wall_limit_s = 60, .not_before_s = TIME_NONE, .true_run_s = -1};
	scene_apply(sc, &ev);
	*job = ev.job;
	return sc;
}

static void must(const struct asker *asker, struct scene *sc, const struct event *ev)
{
	struct err err;

	if (!permission_check(asker, sc->st, ev, &err))
		fail_msg("%s: %s", asker->user, err.text);
}

static void must_not(const struct asker *asker, struct scene *sc, const struct event *ev,
		     const char *sentence)
{
	struct err err;

	assert_false(permission_check(asker, sc->st, ev, &err));
	assert_string_equal(err.text, sentence);
}

static void everybody_acts_on_their_own_jobs_only(void **state)
{
	static const enum event_kind theirs[] = {EVENT_CANCEL, EVENT_MODIFY, EVENT_REQUEUE, EVENT_SIGNAL};
	uint64_t job;
	struct scene *sc = evas_job(&job);

	(void)state;
	for (size_t i = 0; i < sizeof theirs / sizeof theirs[0]; i++) {
		const struct event ev = {.kind = theirs[i], .job = job};

		must(&eva, sc, &ev);
		must(&jobs, sc, &ev);
		must(&all, sc, &ev);
		must_not(&bob, sc, &ev,
			 "job 1 does not belong to bob; only its owner or an administrator may do this");
		must_not(&sees, sc, &ev,
			 "job 1 does not belong to ann; only its owner or an administrator may do this");
	}
	scene_free(sc);
}

/* What ends is undone by the scheduler: a job would get back what it may no longer ask for. */
static void users_hold_and_suspend_for_a_while_and_nothing_else(void **state)
{
	uint64_t job;
	struct scene *sc = evas_job(&job);
	const struct event modify = {.kind = EVENT_MODIFY, .job = job, .until_s = 100},
			   release = {.kind = EVENT_UNRESERVE, .until_s = 100, .reserve.name = "r"},
			   hold = {.kind = EVENT_HOLD,
				   .job = job,
				   .until_s = 100,
				   .hold = {.bits = JOB_HOLD_USER, .on = true}};

	(void)state;
	must(&eva, sc, &hold);
	must_not(&eva, sc, &modify,
		 "eva may not make this change temporary; an administrator of level 2 may");
	must_not(&eva, sc, &release,
		 "eva may not make this change temporary; an administrator of level 2 may");
	must(&jobs, sc, &modify);
	must(&jobs, sc, &release);
	scene_free(sc);
}

static void a_user_does_not_take_the_default_of_memory_away(void **state)
{
	static const char *const none[] = {"0", "0mb", "000"};
	uint64_t job;
	struct scene *sc = evas_job(&job);
	struct event ev = {.kind = EVENT_MODIFY, .job = job, .modify = {.name = "MEM", .value = "0"}};

	(void)state;
	must(&eva, sc, &ev); /* there is none */
	scene_config(sc, "systemdefaultjobmemory = 2gb\n");
	for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
		ev.modify.value = none[i];
		must_not(
			&eva, sc, &ev,
			"eva may not remove the memory request of a job (systemdefaultjobmemory is 2048 MB); "
			"admin level 2 required");
		must(&jobs, sc, &ev);
	}
	ev.modify.value = "1";
	must(&eva, sc, &ev);
	ev.modify.name = "swap";
	ev.modify.value = "0";
	must(&eva, sc, &ev);
	scene_free(sc);
}

static void suspend(struct scene *sc, uint64_t job, bool on, uint8_t how)
{
	struct event ev = {.kind = EVENT_SUSPEND, .job = job, .suspend = {.on = on, .how = how}};

	scene_apply(sc, &ev);
}

static void users_suspend_their_own_jobs_only_where_the_site_lets_them(void **state)
{
	uint64_t job;
	struct scene *sc = evas_job(&job);
	struct event on = {.kind = EVENT_SUSPEND, .job = job, .suspend.on = true}, off = on;

	(void)state;
	off.suspend.on = false;
	scene_start(sc, job, 0, 1, 1);
	must_not(&eva, sc, &on,
		 "eva may not suspend or resume jobs (ownersuspend is no); an administrator of level 2 may");
	must_not(&eva, sc, &off,
		 "eva may not suspend or resume jobs (ownersuspend is no); an administrator of level 2 may");
	must(&jobs, sc, &on);
	assert_int_equal(permission_level(scene_view(sc), job, &on), ADMIN_JOBS);
	scene_config(sc, "ownersuspend = keep\n");
	must(&eva, sc, &on);
	must_not(&bob, sc, &on,
		 "job 1 does not belong to bob; only its owner or an administrator may do this");
	assert_int_equal(permission_level(scene_view(sc), job, &on), ADMIN_NONE);
	scene_free(sc);
}

static void a_user_resumes_only_what_he_suspended(void **state)
{
	uint64_t job;
	struct scene *sc = evas_job(&job);
	const struct event off = {.kind = EVENT_SUSPEND, .job = job};

	(void)state;
	scene_config(sc, "ownersuspend = keep\n");
	scene_start(sc, job, 0, 1, 1);
	suspend(sc, job, true, SUSPEND_BY_OWNER);
	must(&eva, sc, &off);
	suspend(sc, job, false, 0);
	suspend(sc, job, true, 0);
	must_not(&eva, sc, &off,
		 "job 1 was suspended by an administrator; an administrator of level 2 may resume it");
	must(&jobs, sc, &off);
	scene_free(sc);
}

static void all_suspensions_of_a_run_count_against_suspendmax(void **state)
{
	uint64_t job;
	struct scene *sc = evas_job(&job);
	const struct event on = {.kind = EVENT_SUSPEND, .job = job, .suspend.on = true};

	(void)state;
	scene_config(sc, "ownersuspend = keep\nsuspendmax = \"0:01:00\"\n");
	scene_start(sc, job, 0, 1, 1);
	assert_int_equal(permission_suspend_s(scene_view(sc), scene_job_of(sc, job)), 60);
	suspend(sc, job, true, SUSPEND_BY_OWNER);
	scene_go(sc, 40);
	suspend(sc, job, false, 0);
	must(&eva, sc, &on);
	assert_int_equal(permission_suspend_s(scene_view(sc), scene_job_of(sc, job)), 20);
	suspend(sc, job, true, SUSPEND_BY_OWNER);
	scene_go(sc, 60);
	suspend(sc, job, false, 0);
	must_not(&eva, sc, &on,
		 "job 1 has been suspended for 0:01:00 since its start, as long as suspendmax allows; an "
		 "administrator of level 2 may suspend it again");
	must(&jobs, sc, &on);
	scene_config(sc, "ownersuspend = keep\nsuspendmax = 0\n");
	assert_true(permission_suspend_s(scene_view(sc), scene_job_of(sc, job)) == TIME_NEVER);
	must(&eva, sc, &on);
	scene_free(sc);
}

static void a_user_does_not_suspend_for_longer_by_resuming_while_others_have_the_processors(void **state)
{
	uint64_t job, other;
	struct scene *sc = evas_job(&job);
	const struct event on = {.kind = EVENT_SUSPEND, .job = job, .suspend.on = true};

	(void)state;
	scene_config(sc, "ownersuspend = release\nsuspendmax = \"0:01:00\"\n");
	scene_start(sc, job, 0, 1, 1);
	suspend(sc, job, true, SUSPEND_BY_OWNER);
	other = scene_submit(sc, 1, 1000);
	scene_start(sc, other, 0, 1, 1);
	scene_go(sc, sc->now_s + 40);
	suspend(sc, job, false, 0);
	assert_true(job_awaits_resume(scene_job_of(sc, job)));
	assert_int_equal(permission_suspend_s(scene_view(sc), scene_job_of(sc, job)), 20);
	must(&eva, sc, &on);
	scene_free(sc);
}

static void a_user_does_not_choose_what_becomes_of_the_processors(void **state)
{
	uint64_t job;
	struct scene *sc = evas_job(&job);
	const struct event on = {
		.kind = EVENT_SUSPEND, .job = job, .suspend = {.on = true, .how = SUSPEND_KEEP}};

	(void)state;
	scene_config(sc, "ownersuspend = release\n");
	scene_start(sc, job, 0, 1, 1);
	must_not(&eva, sc, &on,
		 "eva may not choose what happens to the processors of a suspended job; ownersuspend "
		 "determines it, unless an administrator of level 2 chooses");
	must(&jobs, sc, &on);
	scene_free(sc);
}

/* What a client says of how it suspends counts for nothing. */
static void a_users_suspension_is_signed_with_its_end(void **state)
{
	const struct person user = {.uid = 1000, .user = "eva", .level = ADMIN_NONE},
			    operator= {.uid = 0, .user = "ops", .level = ADMIN_JOBS};
	uint64_t job;
	struct scene *sc = evas_job(&job);
	struct authorization p = {.by = &user, .st = sc->st};
	struct event ev = {.kind = EVENT_SUSPEND, .job = job, .suspend.on = true};
	struct arena arena = {0};
	struct err err;

	(void)state;
	scene_config(sc, "ownersuspend = keep\nsuspendmax = \"0:01:00\"\n");
	scene_start(sc, job, 0, 1, 1);
	p.now_s = sc->now_s = 5;
	assert_true(authorize_events(&p, &ev, 1, &arena, &err));
	assert_int_equal(ev.suspend.how, SUSPEND_BY_OWNER);
	assert_int_equal(ev.until_s, 65);
	ev.until_s = 20;
	assert_true(authorize_events(&p, &ev, 1, &arena, &err));
	assert_int_equal(ev.until_s, 20);
	p.by = &operator;
	ev.until_s = 0;
	assert_true(authorize_events(&p, &ev, 1, &arena, &err));
	assert_int_equal(ev.suspend.how, 0);
	assert_int_equal(ev.until_s, 0);
	arena_free(&arena);
	scene_free(sc);
}

static void may_not_suspend(struct authorization *p, uint64_t job, const char *sentence)
{
	struct event ev = {.kind = EVENT_SUSPEND, .job = job, .suspend.on = true};
	struct arena arena = {0};
	struct err err = {{0}};

	assert_false(authorize_events(p, &ev, 1, &arena, &err));
	assert_string_equal(err.text, sentence);
	arena_free(&arena);
}

/* Its processors would be released while it runs for its grace. */
static void a_user_does_not_suspend_a_job_that_is_being_ended(void **state)
{
	const struct person user = {.uid = 1000, .user = "eva", .level = ADMIN_NONE};
	struct event again = {.kind = EVENT_REQUEUE};
	uint64_t job;
	struct scene *sc = evas_job(&job);
	struct authorization p = {.by = &user, .st = sc->st};

	(void)state;
	scene_config(sc, "ownersuspend = release\n");
	scene_start(sc, job, 0, 1, 1);
	p.now_s = job_due_end_s(scene_job_of(sc, job));
	may_not_suspend(&p, job, "job 1 has reached its wallclock limit; it cannot be suspended");
	p.now_s = sc->now_s + 20;
	again.job = job;
	scene_apply(sc, &again);
	may_not_suspend(&p, job, "job 1 is being requeued; it cannot be suspended");
	scene_cancel(sc, job);
	may_not_suspend(&p, job, "job 1 has been cancelled; it cannot be suspended");
	scene_free(sc);
}

/* A job that has been running for long enough to be suspended. */
static uint64_t running(struct scene *sc, const char *user, uint32_t procs, uint32_t node, uint8_t access)
{
	uint64_t job = scene_add(
		sc, (struct scene_job){.user = user, .procs = procs, .wall_s = 1000, .access = access});

	scene_start(sc, job, node, 1, procs);
	scene_go(sc, sc->now_s + 20);
	return job;
}

static bool suspends(struct scene *sc, const uint64_t *job, size_t count, struct err *err)
{
	const struct person user = {.uid = 1000, .user = "eva", .level = ADMIN_NONE};
	struct authorization p = {.by = &user, .st = sc->st, .now_s = sc->now_s};
	struct event ev[3] = {{.kind = EVENT_SUSPEND}};
	struct arena arena = {0};
	bool good;

	for (size_t i = 0; i < count; i++)
		ev[i] = (struct event){.kind = EVENT_SUSPEND, .job = job[i], .suspend.on = true};
	good = authorize_events(&p, ev, count, &arena, err);
	for (size_t i = 0; good && i < count; i++)
		scene_apply(sc, &ev[i]);
	arena_free(&arena);
	return good;
}

static void must_suspend(struct scene *sc, uint64_t job)
{
	struct err err;

	if (!suspends(sc, &job, 1, &err))
		fail_msg("%s", err.text);
}

static void must_not_suspend(struct scene *sc, const uint64_t *job, size_t count)
{
	struct err err;
	const char *bound =
		" cannot be suspended: with it the suspended jobs of eva that have released their "
		"processors would need more than the 4 processors of node n001 to run at the same "
		"time; wait until one of them runs again, or ask an administrator of level 2";

	assert_false(suspends(sc, job, count, &err));
	assert_int_equal(strncmp(err.text, "job ", 4), 0);
	assert_string_equal(strchr(err.text + 4, ' '), bound);
}

/* Else jobs that are started and suspended one after the other all come before everybody who waits. */
static void released_jobs_of_a_user_have_room_on_their_nodes_at_the_same_time(void **state)
{
	struct scene *sc = scene_new(2, 4);
	uint64_t first, next, other, both[2];

	(void)state;
	scene_config(sc, "ownersuspend = release\n");
	first = running(sc, "eva", 4, 0, 0);
	must_suspend(sc, first);
	other = running(sc, "bob", 4, 0, 0);
	suspend(sc, other, true, SUSPEND_BY_OWNER);
	next = running(sc, "eva", 1, 0, 0);
	must_not_suspend(sc, &next, 1);
	must_suspend(sc, running(sc, "eva", 4, 1, 0)); /* on the other node it takes nobody's place twice */
	/* Resumed while others have its processors, it still waits before all; that it can be suspended
	 * again adds nothing. */
	suspend(sc, first, false, 0);
	assert_true(job_awaits_resume(scene_job_of(sc, first)));
	must_not_suspend(sc, &next, 1);
	must_suspend(sc, first);
	scene_cancel(sc, first);
	scene_end(sc, first);
	must_suspend(sc, next);
	/* Two jobs in one request count together, and one that is named twice counts once. */
	both[0] = running(sc, "eva", 2, 0, 0);
	both[1] = running(sc, "eva", 2, 0, 0);
	must_not_suspend(sc, both, 2);
	must_suspend(sc, both[1]);
	must_not_suspend(sc, both, 1);
	scene_free(sc);
}

static void a_job_that_runs_again_or_keeps_its_processors_is_not_counted(void **state)
{
	struct scene *sc = scene_new(1, 4);
	uint64_t first, alone;

	(void)state;
	scene_config(sc, "ownersuspend = release\n");
	first = running(sc, "eva", 4, 0, 0);
	must_suspend(sc, first);
	suspend(sc, first, false, 0);
	scene_pass(sc);
	assert_false(job_is_suspended(scene_job_of(sc, first)));
	scene_go(sc, sc->now_s + 20);
	must_suspend(sc, first);
	alone = running(sc, "eva", 4, 0, ACCESS_SINGLEUSER);
	must_suspend(sc, alone);
	assert_false(job_is_released(scene_job_of(sc, alone)));
	scene_free(sc);
}

static void a_users_hold_is_theirs_and_the_systems_is_not(void **state)
{
	uint64_t job;
	struct scene *sc = evas_job(&job);
	struct event ev = {.kind = EVENT_HOLD, .job = job, .hold = {.bits = JOB_HOLD_USER, .on = true}};

	(void)state;
	must(&eva, sc, &ev);
	ev.hold.bits = JOB_HOLD_SYSTEM;
	must_not(&eva, sc, &ev, "the owner of job 1 may not do this; an administrator of level 2 may");
	ev.hold.bits = JOB_HOLD_USER | JOB_HOLD_BATCH;
	ev.hold.on = false;
	must_not(&eva, sc, &ev, "the owner of job 1 may not do this; an administrator of level 2 may");
	must(&jobs, sc, &ev);
	scene_free(sc);
}

static void priorities_and_starts_are_the_operators(void **state)
{
	uint64_t job;
	struct scene *sc = evas_job(&job);
	struct event ev = {.kind = EVENT_PRIORITY, .job = job};

	(void)state;
	must_not(&eva, sc, &ev, "eva may not do this; an administrator of level 2 may");
	must(&jobs, sc, &ev);
	ev.kind = EVENT_START;
	must_not(&eva, sc, &ev, "eva may not do this; an administrator of level 2 may");
	must(&jobs, sc, &ev);
	scene_free(sc);
}

static void a_job_is_handed_in_behind_others_not_before_them(void **state)
{
	uint64_t job;
	struct scene *sc = evas_job(&job);
	struct event ev = {.kind = EVENT_SUBMIT};

	(void)state;
	must(&eva, sc, &ev);
	ev.submit.job.base_points = -1024;
	must(&eva, sc, &ev);
	ev.submit.job.base_points = 1;
	must(&jobs, sc, &ev);
	must_not(
		&eva, sc, &ev,
		"eva may lower the priority of a job (-p) but not raise it; an administrator of level 2 may");
	scene_free(sc);
}

static void the_policy_is_level_ones(void **state)
{
	uint64_t job;
	struct scene *sc = evas_job(&job);
	struct event ev = {.kind = EVENT_SETTING};

	(void)state;
	must_not(&jobs, sc, &ev, "ops may not do this; an administrator of level 1 may");
	must(&all, sc, &ev);
	scene_free(sc);
}

static void to_undo_a_setting_takes_as_much_as_to_make_it(void **state)
{
	uint64_t job;
	struct scene *sc = evas_job(&job);
	struct event ev = {.kind = EVENT_UNDO};

	(void)state;
	ev.undo.seq = scene_set(sc, "xfactorweight", "3");
	must_not(&jobs, sc, &ev, "ops may not do this; an administrator of level 1 may");
	must(&all, sc, &ev);
	ev.undo.seq = scene_hold(sc, job, JOB_HOLD_SYSTEM);
	must(&jobs, sc, &ev);
	must_not(&eva, sc, &ev, "eva may not do this; an administrator of level 2 may");
	scene_free(sc);
}

static void what_the_scheduler_does_itself_nobody_asks_for(void **state)
{
	static const enum event_kind own[] = {EVENT_END,    EVENT_SIM,      EVENT_PLAN, EVENT_ACCRUAL,
					      EVENT_BYPASS, EVENT_PASS,     EVENT_USED, EVENT_LOAD,
					      EVENT_ORDER,  EVENT_ELIGIBLE, EVENT_DEFER};
	uint64_t job;
	struct scene *sc = evas_job(&job);

	(void)state;
	for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
		const struct event ev = {.kind = own[i], .job = job};
		struct err err;

		assert_false(permission_check(&all, sc->st, &ev, &err));
	}
	must_not(&all, sc, &(struct event){.kind = EVENT_END, .job = job},
		 "'end' is an event of the scheduler and cannot be requested");
	scene_free(sc);
}

static void a_job_that_has_left_is_not_in_the_queue(void **state)
{
	uint64_t job;
	struct scene *sc = evas_job(&job);
	const struct event ev = {.kind = EVENT_CANCEL, .job = 99};

	(void)state;
	must_not(&eva, sc, &ev, "job 99 is not in the queue");
	must(&jobs, sc, &ev); /* and the event itself is refused */
	scene_free(sc);
}

static void users_reserve_for_themselves_alone(void **state)
{
	uint64_t job;
	struct scene *sc = evas_job(&job);
	struct event own = {.kind = EVENT_RESERVE,
			    .who = "eva",
			    .reserve = {"eva.1", "start=10 end=20 personal node=n001*1 user=eva"}};
	const struct event others = {.kind = EVENT_RESERVE, .reserve = {"m", "start=10 node=n001*1"}},
			   release = {.kind = EVENT_UNRESERVE, .reserve = {.name = "eva.1"}},
			   unknown = {.kind = EVENT_UNRESERVE, .reserve = {.name = "x"}};

	(void)state;
	must(&eva, sc, &own);
	must(&jobs, sc, &own);
	must(&jobs, sc, &others);
	must_not(&eva, sc, &others,
		 "eva may only make personal reservations (-p), within the site's limits; other reservations "
		 "require admin level 2");
	scene_config(sc, "userreservations = 1\n");
	scene_apply(sc, &own);
	must(&eva, sc, &release);
	must(&jobs, sc, &release);
	must_not(&bob, sc, &release, "bob has no personal reservation eva.1 to release");
	must_not(&sees, sc, &release, "ann has no personal reservation eva.1 to release");
	must_not(&eva, sc, &unknown, "eva has no personal reservation x to release");
	/* To undo it, or to undo that, is no more than to make it. */
	for (int i = 0; i < 2; i++) {
		struct event undo = {.kind = EVENT_UNDO, .undo = {scene_view(sc)->seq}};

		must(&jobs, sc, &undo);
		must_not(&eva, sc, &undo, "eva may not do this; an administrator of level 2 may");
		scene_apply(sc, &undo);
	}
	scene_free(sc);
}

/* --- verbs ------------------------------------------------------------------------------------- */

/* What each verb that changes something asks for; one that is not here fails the test. */
static const struct {
	const char *verb;
	enum event_kind kind;
} asks[] = {{"submit", EVENT_SUBMIT},   {"run", EVENT_SUBMIT},      {"cancel", EVENT_CANCEL},
	    {"hold", EVENT_HOLD},       {"release", EVENT_HOLD},    {"start", EVENT_START},
	    {"set", EVENT_MODIFY},      {"setqos", EVENT_MODIFY},   {"setspri", EVENT_PRIORITY},
	    {"suspend", EVENT_SUSPEND}, {"resume", EVENT_SUSPEND},  {"requeue", EVENT_REQUEUE},
	    {"signal", EVENT_SIGNAL},   {"tune", EVENT_SETTING},    {"undo", EVENT_UNDO},
	    {"keep", EVENT_KEEP},       {"reserve", EVENT_RESERVE}, {"unreserve", EVENT_UNRESERVE},
	    {"qdel", EVENT_CANCEL},     {"scancel", EVENT_CANCEL},  {"qhold", EVENT_HOLD},
	    {"qrls", EVENT_HOLD},       {"qalter", EVENT_MODIFY},   {"sbatch", EVENT_SUBMIT},
	    {"srun", EVENT_SUBMIT},     {"resubmit", EVENT_SUBMIT}};

static bool may(const struct asker *asker, struct scene *sc, enum event_kind kind, uint64_t job)
{
	struct event ev = {.kind = kind, .job = kind == EVENT_SUBMIT ? 0 : job};
	struct err err = {""};

	if (kind == EVENT_HOLD)
		ev.hold.bits = JOB_HOLD_USER;
	if (permission_check(asker, sc->st, &ev, &err))
		return true;
	assert_true(err.text[0] != '\0');
	return false;
}

/* The least that is needed, by asking as everybody. */
static enum cmd_authority needed(struct scene *sc, enum event_kind kind, uint64_t job)
{
	if (may(&bob, sc, kind, job))
		return CMD_ANYONE;
	if (may(&eva, sc, kind, job))
		return CMD_OWNER;
	if (may(&sees, sc, kind, job))
		return CMD_ADMIN3;
	return may(&jobs, sc, kind, job) ? CMD_ADMIN2 : CMD_ADMIN1;
}

static void a_verb_says_of_itself_who_may(const struct cmd *cmd, struct scene *sc, uint64_t job)
{
	for (size_t i = 0; i < sizeof asks / sizeof asks[0]; i++) {
		if (strcmp(asks[i].verb, cmd->name) != 0)
			continue;
		/* Of reservations one's own is what the text says: tested above. */
		if (asks[i].kind == EVENT_RESERVE || asks[i].kind == EVENT_UNRESERVE)
			assert_int_equal(cmd->authority, CMD_OWNER);
		else if (needed(sc, asks[i].kind, job) != cmd->authority)
			fail_msg("%s says %d and is %d", cmd->name, cmd->authority,
				 needed(sc, asks[i].kind, job));
		assert_true(may(&all, sc, asks[i].kind, job));
		return;
	}
	fail_msg("who may %s?", cmd->name);
}

static void verbs_and_what_they_ask_for_agree_on_who_may(void **state)
{
	uint64_t job;
	struct scene *sc = evas_job(&job);

	(void)state;
	for (size_t i = 0; i < cmd_verbs.count; i++)
		if ((cmd_verbs.item[i]->flags & CMD_CHANGES) != 0)
			a_verb_says_of_itself_who_may(cmd_verbs.item[i], sc, job);
	scene_free(sc);
}

/* Every kind is decided: what no table names is the scheduler's own. */
static void every_kind_of_event_is_decided_for_every_level(void **state)
{
	static const struct asker *const levels[] = {&all, &jobs, &sees, &bob};
	uint64_t job;
	struct scene *sc = evas_job(&job);

	(void)state;
	for (int kind = 1; kind < EVENT_KIND_COUNT; kind++) {
		bool more = true; /* a lower level may never do what a higher may not */

		for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
			bool now;

			if (kind == EVENT_RESERVE || kind == EVENT_UNRESERVE)
				continue;
			now = may(levels[i], sc, (enum event_kind)kind, job);
			assert_true(more || !now);
			more = now;
		}
	}
	scene_free(sc);
}

static void a_users_reservation_is_for_a_hundred_guests_at_most(void **state)
{
	struct scene *sc = scene_new(1, 4);
	struct event ev = {.kind = EVENT_RESERVE, .reserve.name = "eva.1"};
	struct str text = {0};

	(void)state;
	scene_config(sc, "userreservations = 1\n");
	str_add(&text, "start=10 end=20 personal node=n001*1 user=eva");
	for (int i = 1; i < 100; i++)
		str_addf(&text, " user=u%d", i);
	ev.reserve.text = str_text(&text);
	must(&eva, sc, &ev);
	str_add(&text, " user=u100");
	ev.reserve.text = str_text(&text);
	must_not(&eva, sc, &ev,
		 "the reservation has 101 guests (users, groups, jobs and so on), and a user's reservation "
		 "may have 100; use a group or an account, or ask an administrator of level 2");
	str_free(&text);
	scene_free(sc);
}

/* --- names of guests -------------------------------------------------------------------------------- */

static bool reserves(struct authorization *p, const char *text, struct err *err)
{
	struct event ev[2] = {{.kind = EVENT_RESERVE, .reserve = {"eva.1", text}}};
	struct arena arena = {0};
	bool good;

	ev[1] = ev[0];
	good = authorize_events(p, ev, 2, &arena, err);
	arena_free(&arena);
	return good;
}

static void names_of_guests_are_new_names_as_those_of_submissions_are(void **state)
{
	const struct person user = {.uid = 1000, .user = "ina", .group = "staff", .level = ADMIN_NONE},
			    root = {.uid = 0, .user = "root", .level = ADMIN_ALL};
	uint64_t job;
	struct scene *sc = evas_job(&job);
	struct authorization p = {.by = &user, .st = sc->st, .now_s = 1};
	struct err err;

	(void)state;
	scene_config(sc, "userreservations = 1\nmaxusernames = 2\n");
	/* Who asks, those that are known, jobs, and the same name again are nothing new. */
	assert_true(reserves(&p,
			     "start=10 end=20 personal node=n001*1 user=ina group=staff user=eva job=1 "
			     "user=bob user=bob account=bob",
			     &err));
	assert_int_equal(p.new_names, 2);
	p.names = 1;
	assert_false(reserves(&p, "start=10 end=20 personal node=n001*1 user=ina qos=x group=ina", &err));
	assert_string_equal(err.text, "group ina is new, and ina has introduced the 2 new names that "
				      "maxusernames allows; use an existing name");
	p.by = &root;
	assert_true(reserves(&p, "start=10 node=n001*1 user=a user=b user=c user=d", &err));
	scene_free(sc);
}

int main(void)
{
#define TEST(test) cmocka_unit_test_setup_teardown(test, begin, end)
	const struct CMUnitTest tests[] = {
		TEST(a_number_without_an_entry_is_refused_with_a_sentence),
		TEST(root_and_the_user_of_this_program_are_never_refused),
		TEST(a_database_that_fails_is_told_apart_from_one_without_the_entry),
		TEST(a_user_who_is_known_stays_so_while_the_database_fails),
		TEST(a_group_counts_if_it_exists_and_the_user_is_a_member),
		TEST(a_group_that_the_user_is_no_member_of_makes_no_administrator),
		TEST(a_number_without_an_entry_pushes_no_user_out),
		TEST(look_ups_that_find_nobody_take_a_tenth_of_the_time),
		TEST(a_user_who_is_known_stays_so_while_others_are_not_looked_up),
		cmocka_unit_test(verbs_and_what_they_ask_for_agree_on_who_may),
		cmocka_unit_test(every_kind_of_event_is_decided_for_every_level),
		cmocka_unit_test(users_reserve_for_themselves_alone),
		cmocka_unit_test(a_users_reservation_is_for_a_hundred_guests_at_most),
		cmocka_unit_test(everybody_acts_on_their_own_jobs_only),
		cmocka_unit_test(users_suspend_their_own_jobs_only_where_the_site_lets_them),
		cmocka_unit_test(a_user_resumes_only_what_he_suspended),
		cmocka_unit_test(users_hold_and_suspend_for_a_while_and_nothing_else),
		cmocka_unit_test(a_user_does_not_take_the_default_of_memory_away),
		cmocka_unit_test(all_suspensions_of_a_run_count_against_suspendmax),
		cmocka_unit_test(
			a_user_does_not_suspend_for_longer_by_resuming_while_others_have_the_processors),
		cmocka_unit_test(a_user_does_not_choose_what_becomes_of_the_processors),
		cmocka_unit_test(a_users_suspension_is_signed_with_its_end),
		cmocka_unit_test(a_user_does_not_suspend_a_job_that_is_being_ended),
		cmocka_unit_test(released_jobs_of_a_user_have_room_on_their_nodes_at_the_same_time),
		cmocka_unit_test(a_job_that_runs_again_or_keeps_its_processors_is_not_counted),
		cmocka_unit_test(names_of_guests_are_new_names_as_those_of_submissions_are),
		cmocka_unit_test(a_users_hold_is_theirs_and_the_systems_is_not),
		cmocka_unit_test(priorities_and_starts_are_the_operators),
		cmocka_unit_test(a_job_is_handed_in_behind_others_not_before_them),
		cmocka_unit_test(the_policy_is_level_ones),
		cmocka_unit_test(to_undo_a_setting_takes_as_much_as_to_make_it),
		cmocka_unit_test(what_the_scheduler_does_itself_nobody_asks_for),
		cmocka_unit_test(a_job_that_has_left_is_not_in_the_queue),
	};

	return cmocka_run_group_tests_name("users", tests, NULL, NULL);
}
