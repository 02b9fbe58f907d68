/* SPDX-License-Identifier: MIT */
/*
 * test_users.c - who is behind a uid and a gid, when the user database knows them, does not, or fails
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
#include <unistd.h>

#include "sched/rm/monotonic.h"
#include "sched/state/state.h"
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

int64_t monotonic_ns(void)
{
	return db.now_ns;
}

/* NOLINTBEGIN(readability-inconsistent-declaration-parameter-name, readability-non-const-parameter): what
 * stands in for functions of libc */
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

struct scene {
	struct people *people;
	struct state *st;
};

static int begin(void **state)
{
	struct scene *scene = calloc(1, sizeof *scene);

	memset(&db, 0, sizeof db);
	db.now_ns = 1000 * SECOND;
	scene->people = people_new();
	scene->st = state_new();
	*state = scene;
	return 0;
}

static int end(void **state)
{
	struct scene *scene = *state;

	people_free(scene->people);
	state_free(scene->st);
	free(scene);
	return 0;
}

static const struct person *find(void **state, uid_t uid, gid_t gid)
{
	struct scene *scene = *state;

	return people_find(scene->people, state_view(scene->st), uid, gid);
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

	assert_false(people_admit(person, &err));
	assert_string_equal(err.text, sentence);
}

/* --- numbers that are no users -------------------------------------------------------------------- */

static void a_number_without_an_entry_is_refused_with_a_sentence(void **state)
{
	struct err err = {""};

	assert_true(people_admit(find(state, EVA, STAFF), &err));
	assert_int_equal(find(state, SUB, SUB)->account, ACCOUNT_NONE);
	check_refused(find(state, SUB, SUB),
		      "uid 965536 has no entry in the user database of this host; use an account that "
		      "'getent passwd' finds");
	db.error = ENOENT; /* some databases say so */
	assert_int_equal(find(state, SUB + 1, SUB)->account, ACCOUNT_NONE);
}

static void root_and_the_user_of_this_program_are_never_refused(void **state)
{
	assert_true(people_admit(find(state, 0, SUB), NULL));
	assert_int_equal(find(state, 0, SUB)->gid, SUB);
	db.error = EIO;
	assert_true(people_admit(find(state, geteuid(), SUB), NULL));
	assert_int_equal(find(state, geteuid(), SUB)->level, ADMIN_ALL);
}

static void a_database_that_fails_is_told_apart_from_one_without_the_entry(void **state)
{
	db.error = EIO;
	check_refused(find(state, EVA, STAFF),
		      "the user database of this host failed to look up uid 701001: Input/output error; try "
		      "again later, or tell an administrator");
	db.error = 0;
	db.now_ns += PEOPLE_RETRY_S * SECOND;
	assert_true(people_admit(find(state, EVA, STAFF), NULL));
}

static void a_user_who_is_known_stays_so_while_the_database_fails(void **state)
{
	check_group(find(state, EVA, LAB), LAB, "lab");
	db.now_ns += PEOPLE_KEPT_S * SECOND;
	db.error = EIO;
	check_group(find(state, EVA, LAB), LAB, "lab");
	assert_int_equal(find(state, EVA, STAFF)->account, ACCOUNT_UNKNOWN);
	check_group(find(state, EVA, LAB), LAB, "lab");
	assert_int_equal(db.users, 2);
	db.now_ns += PEOPLE_RETRY_S * SECOND;
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
	struct scene *scene = *state;
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
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
