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

#define EVA        ((uid_t)701001)
#define STAFF      ((gid_t)701100) /* eva's primary group */
#define LAB        ((gid_t)701101) /* eva is a member */
#define OTHERS     ((gid_t)701102) /* exists, without eva */
#define LOST_GROUP ((gid_t)701103) /* a membership without a group */
#define SUB        ((gid_t)965536) /* a subordinate number         */
#define SECOND     ((int64_t)1000000000)
#define SLOTS      256 /* uids that differ by this number share a slot of the table */

static struct {
	int error;         /* error of each look-up, or 0 */
	int64_t lookup_ns; /* duration of a user look-up */
	int users, groups;
	int64_t now_ns;
} db;

/* NOLINTBEGIN(readability-inconsistent-declaration-parameter-name, readability-non-const-parameter): these
 * functions replace those of libc */
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
	db.now_ns += db.lookup_ns;
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
	const gid_t eva[] = {group, LAB, LOST_GROUP};
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

/* --- uids without an entry -------------------------------------------------------------------- */

static void a_uid_without_an_entry_is_refused_with_an_error(void **state)
{
	struct err err = {""};

	assert_true(users_admit(find(state, EVA, STAFF), &err));
	assert_int_equal(find(state, SUB, SUB)->account, ACCOUNT_NONE);
	check_refused(find(state, SUB, SUB),
		      "uid 965536 has no entry in the user database of this host; use an account that "
		      "'getent passwd' finds");
	db.error = ENOENT; /* the error of some databases for a missing entry */
	assert_int_equal(find(state, SUB + 1, SUB)->account, ACCOUNT_NONE);
}

static void root_and_the_scheduler_user_are_never_refused(void **state)
{
	assert_true(users_admit(find(state, 0, SUB), NULL));
	assert_int_equal(find(state, 0, SUB)->gid, SUB);
	db.error = EIO;
	assert_true(users_admit(find(state, geteuid(), SUB), NULL));
	assert_int_equal(find(state, geteuid(), SUB)->level, ADMIN_ALL);
}

static void a_failed_look_up_has_another_error_than_a_missing_entry(void **state)
{
	db.error = EIO;
	check_refused(find(state, EVA, STAFF),
		      "the user database of this host failed to look up uid 701001: Input/output error; try "
		      "again later, or tell an administrator");
	db.error = 0;
	db.now_ns += USERS_RETRY_S * SECOND;
	assert_true(users_admit(find(state, EVA, STAFF), NULL));
}

static void a_known_user_is_accepted_while_the_database_fails(void **state)
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

static void a_group_is_used_if_it_exists_and_the_user_is_a_member(void **state)
{
	check_group(find(state, EVA, STAFF), STAFF, "staff");
	check_group(find(state, EVA, LAB), LAB, "lab");
	check_group(find(state, EVA, OTHERS), STAFF, "staff");
	check_group(find(state, EVA, LOST_GROUP), STAFF, "staff");
	db.groups = 0;
	for (gid_t i = 0; i < 10; i++)
		check_group(find(state, EVA, SUB + i), STAFF, "staff");
	assert_int_equal(db.groups, 0);
	check_group(find(state, EVA + 1, LAB), STAFF, "staff");
	assert_int_equal(db.users, 2);
}

static void only_members_of_an_admin_group_are_administrators(void **state)
{
	struct fixture *scene = *state;
	struct err err = {""};

	assert_int_equal(find(state, EVA, STAFF)->level, ADMIN_NONE);
	if (!state_set_config(scene->st, "kahu.conf", "admin2 = \"@lab @others\"\n", &err))
		fail_msg("%s", err.text);
	assert_int_equal(find(state, EVA, STAFF)->level, ADMIN_ALL + 1);
	assert_int_equal(find(state, EVA + 1, OTHERS)->level, ADMIN_NONE);
}

/* --- cost of look-ups --------------------------------------------------------------------------- */

static void a_uid_without_an_entry_does_not_evict_a_known_user(void **state)
{
	find(state, EVA, STAFF);
	assert_int_equal(find(state, EVA + SLOTS, SUB)->account, ACCOUNT_NONE);
	assert_int_equal(db.users, 2);
	check_group(find(state, EVA, STAFF), STAFF, "staff");
	assert_int_equal(db.users, 2);
	find(state, SUB, SUB);
	find(state, SUB, SUB); /* a free slot keeps the failed look-up */
	assert_int_equal(db.users, 3);
}

static void failed_look_ups_take_at_most_a_tenth_of_the_time(void **state)
{
	int64_t began_ns;
	uid_t uid = SUB;

	find(state, EVA, STAFF);
	db.lookup_ns = SECOND / 1000;
	db.users = 0;
	for (began_ns = db.now_ns; db.now_ns < began_ns + 10 * SECOND; db.now_ns += SECOND / 10000)
		find(state, uid++, SUB);
	assert_in_range(db.users, 900, 1150);
	check_refused(find(state, SUB - 1, SUB),
		      "uid 965535 was not looked up: look-ups of users without an entry in the user "
		      "database take too much time; try again in a second");
}

static void look_ups_are_skipped_after_a_slow_one_and_resumed_later(void **state)
{
	find(state, EVA, STAFF);
	db.lookup_ns = 30 * SECOND; /* as if the directory service did not answer */
	assert_int_equal(find(state, SUB, SUB)->account, ACCOUNT_NONE);
	assert_int_equal(find(state, EVA + 1, STAFF)->account, ACCOUNT_SKIPPED);
	db.now_ns += 9 * SECOND;
	assert_int_equal(find(state, EVA + 1, STAFF)->account, ACCOUNT_SKIPPED);
	db.now_ns += 2 * SECOND;
	db.lookup_ns = 0;
	check_group(find(state, EVA + 1, STAFF), STAFF, "staff");
}

/* --- permissions -------------------------------------------------------------------------------------- */

static const struct asker eva = {"eva", ADMIN_NONE}, bob = {"bob", ADMIN_NONE}, sees = {"ann", ADMIN_SEES},
			  jobs = {"ops", ADMIN_JOBS}, all = {"root", ADMIN_ALL};

/* Returns a scene with one waiting job of eva. */
static struct scene *scene_with_evas_job(uint64_t *job)
{
	struct scene *sc = scene_new(1, 4);
	struct event ev = {.kind = EVENT_SUBMIT, .submit = {.cred = {[CRED_USER] = "eva"}}};

	ev.submit.job = (struct job){
		.tasks = 1, .task_procs = 1, .wall_limit_s = 60, .not_before_s = TIME_NONE, .true_run_s = -1};
	scene_apply(sc, &ev);
	*job = ev.job;
	return sc;
}

static void assert_allowed(const struct asker *asker, struct scene *sc, const struct event *ev)
{
	struct err err;

	if (!permission_check(asker, sc->st, ev, &err))
		fail_msg("%s: %s", asker->user, err.text);
}

static void assert_denied(const struct asker *asker, struct scene *sc, const struct event *ev,
			  const char *sentence)
{
	struct err err;

	assert_false(permission_check(asker, sc->st, ev, &err));
	assert_string_equal(err.text, sentence);
}

static void only_the_owner_or_an_administrator_changes_a_job(void **state)
{
	static const enum event_kind owner_events[] = {EVENT_CANCEL, EVENT_MODIFY, EVENT_REQUEUE,
						       EVENT_SIGNAL};
	uint64_t job;
	struct scene *sc = scene_with_evas_job(&job);

	(void)state;
	for (size_t i = 0; i < sizeof owner_events / sizeof owner_events[0]; i++) {
		const struct event ev = {.kind = owner_events[i], .job = job};

		assert_allowed(&eva, sc, &ev);
		assert_allowed(&jobs, sc, &ev);
		assert_allowed(&all, sc, &ev);
		assert_denied(&bob, sc, &ev,
			      "job 1 does not belong to bob; only its owner or an administrator may do this");
		assert_denied(&sees, sc, &ev,
			      "job 1 does not belong to ann; only its owner or an administrator may do this");
	}
	scene_free(sc);
}

/* The scheduler undoes a temporary change: the job would get back a value that it may no longer request. */
static void users_make_only_holds_and_suspensions_temporary(void **state)
{
	uint64_t job;
	struct scene *sc = scene_with_evas_job(&job);
	const struct event modify = {.kind = EVENT_MODIFY, .job = job, .until_s = 100},
			   release = {.kind = EVENT_UNRESERVE, .until_s = 100, .reserve.name = "r"},
			   hold = {.kind = EVENT_HOLD,
				   .job = job,
				   .until_s = 100,
				   .hold = {.bits = JOB_HOLD_USER, .on = true}};

	(void)state;
	assert_allowed(&eva, sc, &hold);
	assert_denied(&eva, sc, &modify,
		      "eva may not make this change temporary; an administrator of level 2 may");
	assert_denied(&eva, sc, &release,
		      "eva may not make this change temporary; an administrator of level 2 may");
	assert_allowed(&jobs, sc, &modify);
	assert_allowed(&jobs, sc, &release);
	scene_free(sc);
}

static void users_may_not_remove_the_default_memory_request(void **state)
{
	static const char *const none[] = {"0", "0mb", "000"};
	uint64_t job;
	struct scene *sc = scene_with_evas_job(&job);
	struct event ev = {.kind = EVENT_MODIFY, .job = job, .modify = {.name = "MEM", .value = "0"}};

	(void)state;
	assert_allowed(&eva, sc, &ev); /* there is no default */
	scene_config(sc, "systemdefaultjobmemory = 2gb\n");
	for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
		ev.modify.value = none[i];
		assert_denied(
			&eva, sc, &ev,
			"eva may not remove the memory request of a job (systemdefaultjobmemory is 2048 MB); "
			"admin level 2 required");
		assert_allowed(&jobs, sc, &ev);
	}
	ev.modify.value = "1";
	assert_allowed(&eva, sc, &ev);
	ev.modify.name = "swap";
	ev.modify.value = "0";
	assert_allowed(&eva, sc, &ev);
	scene_free(sc);
}

static void suspend(struct scene *sc, uint64_t job, bool on, uint8_t how)
{
	struct event ev = {.kind = EVENT_SUSPEND, .job = job, .suspend = {.on = on, .how = how}};

	scene_apply(sc, &ev);
}

static void ownersuspend_allows_users_to_suspend_their_own_jobs(void **state)
{
	uint64_t job;
	struct scene *sc = scene_with_evas_job(&job);
	struct event on = {.kind = EVENT_SUSPEND, .job = job, .suspend.on = true}, off = on;

	(void)state;
	off.suspend.on = false;
	scene_start(sc, job, 0, 1, 1);
	assert_denied(
		&eva, sc, &on,
		"eva may not suspend or resume jobs (ownersuspend is no); an administrator of level 2 may");
	assert_denied(
		&eva, sc, &off,
		"eva may not suspend or resume jobs (ownersuspend is no); an administrator of level 2 may");
	assert_allowed(&jobs, sc, &on);
	assert_int_equal(permission_level(scene_view(sc), job, &on), ADMIN_JOBS);
	scene_config(sc, "ownersuspend = keep\n");
	assert_allowed(&eva, sc, &on);
	assert_denied(&bob, sc, &on,
		      "job 1 does not belong to bob; only its owner or an administrator may do this");
	assert_int_equal(permission_level(scene_view(sc), job, &on), ADMIN_NONE);
	scene_free(sc);
}

static void users_resume_only_jobs_that_an_owner_suspended(void **state)
{
	uint64_t job;
	struct scene *sc = scene_with_evas_job(&job);
	const struct event off = {.kind = EVENT_SUSPEND, .job = job};

	(void)state;
	scene_config(sc, "ownersuspend = keep\n");
	scene_start(sc, job, 0, 1, 1);
	suspend(sc, job, true, SUSPEND_BY_OWNER);
	assert_allowed(&eva, sc, &off);
	suspend(sc, job, false, 0);
	suspend(sc, job, true, 0);
	assert_denied(&eva, sc, &off,
		      "job 1 was suspended by an administrator; an administrator of level 2 may resume it");
	assert_allowed(&jobs, sc, &off);
	scene_free(sc);
}

static void all_suspensions_of_a_run_count_against_suspendmax(void **state)
{
	uint64_t job;
	struct scene *sc = scene_with_evas_job(&job);
	const struct event on = {.kind = EVENT_SUSPEND, .job = job, .suspend.on = true};

	(void)state;
	scene_config(sc, "ownersuspend = keep\nsuspendmax = \"0:01:00\"\n");
	scene_start(sc, job, 0, 1, 1);
	assert_int_equal(permission_suspend_s(scene_view(sc), scene_job_of(sc, job)), 60);
	suspend(sc, job, true, SUSPEND_BY_OWNER);
	scene_go(sc, 40);
	suspend(sc, job, false, 0);
	assert_allowed(&eva, sc, &on);
	assert_int_equal(permission_suspend_s(scene_view(sc), scene_job_of(sc, job)), 20);
	suspend(sc, job, true, SUSPEND_BY_OWNER);
	scene_go(sc, 60);
	suspend(sc, job, false, 0);
	assert_denied(
		&eva, sc, &on,
		"job 1 has been suspended for 0:01:00 since its start, as long as suspendmax allows; an "
		"administrator of level 2 may suspend it again");
	assert_allowed(&jobs, sc, &on);
	scene_config(sc, "ownersuspend = keep\nsuspendmax = 0\n");
	assert_true(permission_suspend_s(scene_view(sc), scene_job_of(sc, job)) == TIME_NEVER);
	assert_allowed(&eva, sc, &on);
	scene_free(sc);
}

static void time_awaiting_a_resume_counts_against_suspendmax(void **state)
{
	uint64_t job, other;
	struct scene *sc = scene_with_evas_job(&job);
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
	assert_allowed(&eva, sc, &on);
	scene_free(sc);
}

static void users_may_not_choose_whether_processors_are_released(void **state)
{
	uint64_t job;
	struct scene *sc = scene_with_evas_job(&job);
	const struct event on = {
		.kind = EVENT_SUSPEND, .job = job, .suspend = {.on = true, .how = SUSPEND_KEEP}};

	(void)state;
	scene_config(sc, "ownersuspend = release\n");
	scene_start(sc, job, 0, 1, 1);
	assert_denied(&eva, sc, &on,
		      "eva may not choose what happens to the processors of a suspended job; ownersuspend "
		      "determines it, unless an administrator of level 2 chooses");
	assert_allowed(&jobs, sc, &on);
	scene_free(sc);
}

/* The mark and the latest end do not depend on the client. */
static void a_suspension_by_the_owner_is_marked_and_gets_an_end(void **state)
{
	const struct person user = {.uid = 1000, .user = "eva", .level = ADMIN_NONE},
			    operator= {.uid = 0, .user = "ops", .level = ADMIN_JOBS};
	uint64_t job;
	struct scene *sc = scene_with_evas_job(&job);
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

static void assert_suspend_denied(struct authorization *p, uint64_t job, const char *sentence)
{
	struct event ev = {.kind = EVENT_SUSPEND, .job = job, .suspend.on = true};
	struct arena arena = {0};
	struct err err = {{0}};

	assert_false(authorize_events(p, &ev, 1, &arena, &err));
	assert_string_equal(err.text, sentence);
	arena_free(&arena);
}

/* Its processors would be released while the job still runs for its grace period. */
static void users_may_not_suspend_a_job_that_is_being_ended(void **state)
{
	const struct person user = {.uid = 1000, .user = "eva", .level = ADMIN_NONE};
	struct event again = {.kind = EVENT_REQUEUE};
	uint64_t job;
	struct scene *sc = scene_with_evas_job(&job);
	struct authorization p = {.by = &user, .st = sc->st};

	(void)state;
	scene_config(sc, "ownersuspend = release\n");
	scene_start(sc, job, 0, 1, 1);
	p.now_s = job_due_end_s(scene_job_of(sc, job));
	assert_suspend_denied(&p, job, "job 1 has reached its wallclock limit; it cannot be suspended");
	p.now_s = sc->now_s + 20;
	again.job = job;
	scene_apply(sc, &again);
	assert_suspend_denied(&p, job, "job 1 is being requeued; it cannot be suspended");
	scene_cancel(sc, job);
	assert_suspend_denied(&p, job, "job 1 has been cancelled; it cannot be suspended");
	scene_free(sc);
}

/* Starts a job that runs for long enough to be suspended. */
static uint64_t start_running_job(struct scene *sc, const char *user, uint32_t procs, uint32_t node,
				  uint8_t access)
{
	uint64_t job = scene_add(
		sc, (struct scene_job){.user = user, .procs = procs, .wall_s = 1000, .access = access});

	scene_start(sc, job, node, 1, procs);
	scene_go(sc, sc->now_s + 20);
	return job;
}

static bool request_suspension(struct scene *sc, const uint64_t *job, size_t count, struct err *err)
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

static void assert_suspend_accepted(struct scene *sc, uint64_t job)
{
	struct err err;

	if (!request_suspension(sc, &job, 1, &err))
		fail_msg("%s", err.text);
}

static void assert_suspend_refused(struct scene *sc, const uint64_t *job, size_t count)
{
	struct err err;
	const char *bound =
		" cannot be suspended: it and the other suspended jobs of eva that have released their "
		"processors could not all run at the same time, because they need more than the 4 processors "
		"of node n001; wait until one of them runs again, or ask an administrator of level 2";

	assert_false(request_suspension(sc, job, count, &err));
	assert_int_equal(strncmp(err.text, "job ", 4), 0);
	assert_string_equal(strchr(err.text + 4, ' '), bound);
}

/* Otherwise a user could start and suspend jobs in turn, and all of them would resume before waiting jobs. */
static void released_jobs_of_a_user_must_fit_on_a_node_together(void **state)
{
	struct scene *sc = scene_new(2, 4);
	uint64_t first, next, other, both[2];

	(void)state;
	scene_config(sc, "ownersuspend = release\n");
	first = start_running_job(sc, "eva", 4, 0, 0);
	assert_suspend_accepted(sc, first);
	other = start_running_job(sc, "bob", 4, 0, 0);
	suspend(sc, other, true, SUSPEND_BY_OWNER);
	next = start_running_job(sc, "eva", 1, 0, 0);
	assert_suspend_refused(sc, &next, 1);
	assert_suspend_accepted(sc,
				start_running_job(sc, "eva", 4, 1, 0)); /* on the other node the job fits */
	/* A resumed job whose processors are in use still counts, once, also when it is suspended again. */
	suspend(sc, first, false, 0);
	assert_true(job_awaits_resume(scene_job_of(sc, first)));
	assert_suspend_refused(sc, &next, 1);
	assert_suspend_accepted(sc, first);
	scene_cancel(sc, first);
	scene_end(sc, first);
	assert_suspend_accepted(sc, next);
	/* Two jobs in one request count together; a job that is named twice counts once. */
	both[0] = start_running_job(sc, "eva", 2, 0, 0);
	both[1] = start_running_job(sc, "eva", 2, 0, 0);
	assert_suspend_refused(sc, both, 2);
	assert_suspend_accepted(sc, both[1]);
	assert_suspend_refused(sc, both, 1);
	scene_free(sc);
}

static void running_jobs_and_jobs_with_processors_are_not_counted(void **state)
{
	struct scene *sc = scene_new(1, 4);
	uint64_t first, alone;

	(void)state;
	scene_config(sc, "ownersuspend = release\n");
	first = start_running_job(sc, "eva", 4, 0, 0);
	assert_suspend_accepted(sc, first);
	suspend(sc, first, false, 0);
	scene_pass(sc);
	assert_false(job_is_suspended(scene_job_of(sc, first)));
	scene_go(sc, sc->now_s + 20);
	assert_suspend_accepted(sc, first);
	alone = start_running_job(sc, "eva", 4, 0, ACCESS_SINGLEUSER);
	assert_suspend_accepted(sc, alone);
	assert_false(job_is_released(scene_job_of(sc, alone)));
	scene_free(sc);
}

static void users_set_and_release_user_holds_only(void **state)
{
	uint64_t job;
	struct scene *sc = scene_with_evas_job(&job);
	struct event ev = {.kind = EVENT_HOLD, .job = job, .hold = {.bits = JOB_HOLD_USER, .on = true}};

	(void)state;
	assert_allowed(&eva, sc, &ev);
	ev.hold.bits = JOB_HOLD_SYSTEM;
	assert_denied(&eva, sc, &ev, "the owner of job 1 may not do this; an administrator of level 2 may");
	ev.hold.bits = JOB_HOLD_USER | JOB_HOLD_BATCH;
	ev.hold.on = false;
	assert_denied(&eva, sc, &ev, "the owner of job 1 may not do this; an administrator of level 2 may");
	assert_allowed(&jobs, sc, &ev);
	scene_free(sc);
}

static void priorities_and_starts_require_admin_level_2(void **state)
{
	uint64_t job;
	struct scene *sc = scene_with_evas_job(&job);
	struct event ev = {.kind = EVENT_PRIORITY, .job = job};

	(void)state;
	assert_denied(&eva, sc, &ev, "eva may not do this; an administrator of level 2 may");
	assert_allowed(&jobs, sc, &ev);
	ev.kind = EVENT_START;
	assert_denied(&eva, sc, &ev, "eva may not do this; an administrator of level 2 may");
	assert_allowed(&jobs, sc, &ev);
	scene_free(sc);
}

static void users_submit_with_lower_priority_but_not_higher(void **state)
{
	uint64_t job;
	struct scene *sc = scene_with_evas_job(&job);
	struct event ev = {.kind = EVENT_SUBMIT};

	(void)state;
	assert_allowed(&eva, sc, &ev);
	ev.submit.job.base_points = -1024;
	assert_allowed(&eva, sc, &ev);
	ev.submit.job.base_points = 1;
	assert_allowed(&jobs, sc, &ev);
	assert_denied(
		&eva, sc, &ev,
		"eva may lower the priority of a job (-p) but not raise it; an administrator of level 2 may");
	scene_free(sc);
}

static void settings_require_admin_level_1(void **state)
{
	uint64_t job;
	struct scene *sc = scene_with_evas_job(&job);
	struct event ev = {.kind = EVENT_SETTING};

	(void)state;
	assert_denied(&jobs, sc, &ev, "ops may not do this; an administrator of level 1 may");
	assert_allowed(&all, sc, &ev);
	scene_free(sc);
}

static void an_undo_requires_the_level_of_the_change(void **state)
{
	uint64_t job;
	struct scene *sc = scene_with_evas_job(&job);
	struct event ev = {.kind = EVENT_UNDO};

	(void)state;
	ev.undo.seq = scene_set(sc, "xfactorweight", "3");
	assert_denied(&jobs, sc, &ev, "ops may not do this; an administrator of level 1 may");
	assert_allowed(&all, sc, &ev);
	ev.undo.seq = scene_hold(sc, job, JOB_HOLD_SYSTEM);
	assert_allowed(&jobs, sc, &ev);
	assert_denied(&eva, sc, &ev, "eva may not do this; an administrator of level 2 may");
	scene_free(sc);
}

static void events_of_the_scheduler_cannot_be_requested(void **state)
{
	static const enum event_kind own[] = {EVENT_END,    EVENT_SIM,      EVENT_PLAN, EVENT_ACCRUAL,
					      EVENT_BYPASS, EVENT_PASS,     EVENT_USED, EVENT_LOAD,
					      EVENT_ORDER,  EVENT_ELIGIBLE, EVENT_DEFER};
	uint64_t job;
	struct scene *sc = scene_with_evas_job(&job);

	(void)state;
	for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
		const struct event ev = {.kind = own[i], .job = job};
		struct err err;

		assert_false(permission_check(&all, sc->st, &ev, &err));
	}
	assert_denied(&all, sc, &(struct event){.kind = EVENT_END, .job = job},
		      "'end' is an event of the scheduler and cannot be requested");
	scene_free(sc);
}

static void users_may_not_change_a_job_that_is_not_in_the_queue(void **state)
{
	uint64_t job;
	struct scene *sc = scene_with_evas_job(&job);
	const struct event ev = {.kind = EVENT_CANCEL, .job = 99};

	(void)state;
	assert_denied(&eva, sc, &ev, "job 99 is not in the queue");
	assert_allowed(&jobs, sc, &ev); /* administrators are permitted; the event itself is refused */
	scene_free(sc);
}

static void users_make_personal_reservations_only(void **state)
{
	uint64_t job;
	struct scene *sc = scene_with_evas_job(&job);
	struct event own = {.kind = EVENT_RESERVE,
			    .who = "eva",
			    .reserve = {"eva.1", "start=10 end=20 personal node=n001*1 user=eva"}};
	const struct event others = {.kind = EVENT_RESERVE, .reserve = {"m", "start=10 node=n001*1"}},
			   release = {.kind = EVENT_UNRESERVE, .reserve = {.name = "eva.1"}},
			   unknown = {.kind = EVENT_UNRESERVE, .reserve = {.name = "x"}};

	(void)state;
	assert_allowed(&eva, sc, &own);
	assert_allowed(&jobs, sc, &own);
	assert_allowed(&jobs, sc, &others);
	assert_denied(
		&eva, sc, &others,
		"eva may only make personal reservations (-p), within the site's limits; other reservations "
		"require admin level 2");
	scene_config(sc, "userreservations = 1\n");
	scene_apply(sc, &own);
	assert_allowed(&eva, sc, &release);
	assert_allowed(&jobs, sc, &release);
	assert_denied(&bob, sc, &release, "bob has no personal reservation eva.1 to release");
	assert_denied(&sees, sc, &release, "ann has no personal reservation eva.1 to release");
	assert_denied(&eva, sc, &unknown, "eva has no personal reservation x to release");
	/* An undo of the reservation, and an undo of that undo, require level 2. */
	for (int i = 0; i < 2; i++) {
		struct event undo = {.kind = EVENT_UNDO, .undo = {scene_view(sc)->seq}};

		assert_allowed(&jobs, sc, &undo);
		assert_denied(&eva, sc, &undo, "eva may not do this; an administrator of level 2 may");
		scene_apply(sc, &undo);
	}
	scene_free(sc);
}

/* --- verbs ------------------------------------------------------------------------------------- */

/* The event that each changing verb requests; a verb that is missing here fails the test. */
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

static bool is_permitted(const struct asker *asker, struct scene *sc, enum event_kind kind, uint64_t job)
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

/* Returns the lowest authority that is permitted, by trying each level. */
static enum cmd_authority required_authority(struct scene *sc, enum event_kind kind, uint64_t job)
{
	if (is_permitted(&bob, sc, kind, job))
		return CMD_ANYONE;
	if (is_permitted(&eva, sc, kind, job))
		return CMD_OWNER;
	if (is_permitted(&sees, sc, kind, job))
		return CMD_ADMIN3;
	return is_permitted(&jobs, sc, kind, job) ? CMD_ADMIN2 : CMD_ADMIN1;
}

static void check_authority_of_verb(const struct cmd *cmd, struct scene *sc, uint64_t job)
{
	for (size_t i = 0; i < sizeof asks / sizeof asks[0]; i++) {
		if (strcmp(asks[i].verb, cmd->name) != 0)
			continue;
		/* Permission for a reservation depends on its text, which is tested above. */
		if (asks[i].kind == EVENT_RESERVE || asks[i].kind == EVENT_UNRESERVE)
			assert_int_equal(cmd->authority, CMD_OWNER);
		else if (required_authority(sc, asks[i].kind, job) != cmd->authority)
			fail_msg("%s says %d and is %d", cmd->name, cmd->authority,
				 required_authority(sc, asks[i].kind, job));
		assert_true(is_permitted(&all, sc, asks[i].kind, job));
		return;
	}
	fail_msg("who may %s?", cmd->name);
}

static void authority_of_each_verb_equals_that_of_its_event(void **state)
{
	uint64_t job;
	struct scene *sc = scene_with_evas_job(&job);

	(void)state;
	for (size_t i = 0; i < cmd_verbs.count; i++)
		if ((cmd_verbs.item[i]->flags & CMD_CHANGES) != 0)
			check_authority_of_verb(cmd_verbs.item[i], sc, job);
	scene_free(sc);
}

/* Kinds that no table names are events of the scheduler. */
static void a_higher_level_may_do_whatever_a_lower_level_may(void **state)
{
	static const struct asker *const levels[] = {&all, &jobs, &sees, &bob};
	uint64_t job;
	struct scene *sc = scene_with_evas_job(&job);

	(void)state;
	for (int kind = 1; kind < EVENT_KIND_COUNT; kind++) {
		bool more = true; /* permitted to all higher levels */

		for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
			bool now;

			if (kind == EVENT_RESERVE || kind == EVENT_UNRESERVE)
				continue;
			now = is_permitted(levels[i], sc, (enum event_kind)kind, job);
			assert_true(more || !now);
			more = now;
		}
	}
	scene_free(sc);
}

static void a_personal_reservation_has_at_most_a_hundred_guests(void **state)
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
	assert_allowed(&eva, sc, &ev);
	str_add(&text, " user=u100");
	ev.reserve.text = str_text(&text);
	assert_denied(
		&eva, sc, &ev,
		"the reservation has 101 guests (users, groups, jobs and so on), but a user's reservation "
		"may have at most 100; use a group or an account, or ask an administrator of level 2");
	str_free(&text);
	scene_free(sc);
}

/* --- names of guests -------------------------------------------------------------------------------- */

static bool request_reservation(struct authorization *p, const char *text, struct err *err)
{
	struct event ev[2] = {{.kind = EVENT_RESERVE, .reserve = {"eva.1", text}}};
	struct arena arena = {0};
	bool good;

	ev[1] = ev[0];
	good = authorize_events(p, ev, 2, &arena, err);
	arena_free(&arena);
	return good;
}

static void names_of_guests_count_as_new_names(void **state)
{
	const struct person user = {.uid = 1000, .user = "ina", .group = "staff", .level = ADMIN_NONE},
			    root = {.uid = 0, .user = "root", .level = ADMIN_ALL};
	uint64_t job;
	struct scene *sc = scene_with_evas_job(&job);
	struct authorization p = {.by = &user, .st = sc->st, .now_s = 1};
	struct err err;

	(void)state;
	scene_config(sc, "userreservations = 1\nmaxusernames = 2\n");
	/* The requesting user, known names, jobs and repeated names do not count as new. */
	assert_true(request_reservation(
		&p,
		"start=10 end=20 personal node=n001*1 user=ina group=staff user=eva job=1 "
		"user=bob user=bob account=bob",
		&err));
	assert_int_equal(p.new_names, 2);
	p.names = 1;
	assert_false(request_reservation(&p, "start=10 end=20 personal node=n001*1 user=ina qos=x group=ina",
					 &err));
	assert_string_equal(err.text, "group ina is new, and ina has introduced the 2 new names that "
				      "maxusernames allows; use an existing name");
	p.by = &root;
	assert_true(request_reservation(&p, "start=10 node=n001*1 user=a user=b user=c user=d", &err));
	scene_free(sc);
}

int main(void)
{
#define TEST(test) cmocka_unit_test_setup_teardown(test, begin, end)
	const struct CMUnitTest tests[] = {
		TEST(a_uid_without_an_entry_is_refused_with_an_error),
		TEST(root_and_the_scheduler_user_are_never_refused),
		TEST(a_failed_look_up_has_another_error_than_a_missing_entry),
		TEST(a_known_user_is_accepted_while_the_database_fails),
		TEST(a_group_is_used_if_it_exists_and_the_user_is_a_member),
		TEST(only_members_of_an_admin_group_are_administrators),
		TEST(a_uid_without_an_entry_does_not_evict_a_known_user),
		TEST(failed_look_ups_take_at_most_a_tenth_of_the_time),
		TEST(look_ups_are_skipped_after_a_slow_one_and_resumed_later),
		cmocka_unit_test(authority_of_each_verb_equals_that_of_its_event),
		cmocka_unit_test(a_higher_level_may_do_whatever_a_lower_level_may),
		cmocka_unit_test(users_make_personal_reservations_only),
		cmocka_unit_test(a_personal_reservation_has_at_most_a_hundred_guests),
		cmocka_unit_test(only_the_owner_or_an_administrator_changes_a_job),
		cmocka_unit_test(ownersuspend_allows_users_to_suspend_their_own_jobs),
		cmocka_unit_test(users_resume_only_jobs_that_an_owner_suspended),
		cmocka_unit_test(users_make_only_holds_and_suspensions_temporary),
		cmocka_unit_test(users_may_not_remove_the_default_memory_request),
		cmocka_unit_test(all_suspensions_of_a_run_count_against_suspendmax),
		cmocka_unit_test(time_awaiting_a_resume_counts_against_suspendmax),
		cmocka_unit_test(users_may_not_choose_whether_processors_are_released),
		cmocka_unit_test(a_suspension_by_the_owner_is_marked_and_gets_an_end),
		cmocka_unit_test(users_may_not_suspend_a_job_that_is_being_ended),
		cmocka_unit_test(released_jobs_of_a_user_must_fit_on_a_node_together),
		cmocka_unit_test(running_jobs_and_jobs_with_processors_are_not_counted),
		cmocka_unit_test(names_of_guests_count_as_new_names),
		cmocka_unit_test(users_set_and_release_user_holds_only),
		cmocka_unit_test(priorities_and_starts_require_admin_level_2),
		cmocka_unit_test(users_submit_with_lower_priority_but_not_higher),
		cmocka_unit_test(settings_require_admin_level_1),
		cmocka_unit_test(an_undo_requires_the_level_of_the_change),
		cmocka_unit_test(events_of_the_scheduler_cannot_be_requested),
		cmocka_unit_test(users_may_not_change_a_job_that_is_not_in_the_queue),
	};

	return cmocka_run_group_tests_name("users", tests, NULL, NULL);
}
