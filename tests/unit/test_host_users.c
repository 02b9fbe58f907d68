/* SPDX-License-Identifier: MIT */
/*
 * test_host_users.c - users and groups of this host
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "sched/rm/host_users.h"
#include "tests/fake_root.h"

static const struct host_users *find(const struct store_dir *root)
{
	static struct host_users users;

	host_users_find(root->path, &users);
	return &users;
}

static void users_with_a_login_shell_are_counted_with_their_groups(void **state)
{
	struct store_dir root;
	const struct host_users *p;

	(void)state;
	make_store_dir(&root);
	fake_file(&root, "etc/passwd",
		  "root:x:0:0::/root:/bin/bash\n"
		  "daemon:x:2:2::/:/usr/sbin/nologin\n"
		  "eva:x:1000:1000::/home/eva:/bin/bash\n"
		  "kim:x:1001:2000::/home/kim:/bin/zsh\n"
		  "gone:x:1002:2000::/home/gone:/bin/false\n"
		  "nobody:x:65534:65534::/:/bin/sh\n");
	fake_file(&root, "etc/group",
		  "root:x:0:\nsudo:x:27:eva\neva:x:1000:\nvision:x:2000:eva\nempty:x:2001:gone\n"
		  "domain users:x:2002:eva,kim,who\n");
	p = find(&root);
	assert_int_equal(p->users, 2);
	assert_int_equal(p->groups, 2);
	assert_string_equal(p->group[0].name, "vision");
	assert_int_equal(p->group[0].members, 2);
	assert_int_equal(p->group[0].gid, 2000);
	assert_string_equal(p->group[1].name, "domain users");
	assert_int_equal(p->group[1].members, 2);
	remove_store_dir(&root);
}

static void names_that_are_too_long_are_left_out(void **state)
{
	struct store_dir root;
	char name[USERS_NAME + 1];

	(void)state;
	memset(name, 'x', USERS_NAME);
	name[USERS_NAME] = '\0';
	make_store_dir(&root);
	fake_file(&root, "etc/passwd",
		  "eva:x:1000:100::/home/eva:sh\nsync:x:1001:100::/:sync\n%s:x:1002:100::/:/bin/sh\n"
		  "off:x:1003:100::/:nologin\n",
		  name);
	fake_file(&root, "etc/group", "%s:x:2000:eva\nlab:x:2001:eva\n", name);
	assert_int_equal(find(&root)->users, 1);
	assert_int_equal(find(&root)->groups, 1);
	assert_string_equal(find(&root)->group[0].name, "lab");
	remove_store_dir(&root);
}

static void a_host_without_passwd_and_group_has_no_users(void **state)
{
	struct store_dir root;

	(void)state;
	make_store_dir(&root);
	assert_int_equal(find(&root)->users, 0);
	assert_int_equal(find(&root)->groups, 0);
	remove_store_dir(&root);
}

static void groups_beyond_the_maximum_are_left_out(void **state)
{
	struct store_dir root;
	struct str groups = {0};

	(void)state;
	make_store_dir(&root);
	fake_file(&root, "etc/passwd", "eva:x:1000:100::/home/eva:\n");
	for (int i = 0; i < 2 * USERS_GROUPS_MAX; i++)
		str_addf(&groups, "g%d:x:%d:eva\n", i, 2000 + i);
	fake_file(&root, "etc/group", "%s", str_text(&groups));
	assert_int_equal(find(&root)->users, 1); /* an empty shell field means /bin/sh */
	assert_int_equal(find(&root)->groups, USERS_GROUPS_MAX);
	str_free(&groups);
	remove_store_dir(&root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(users_with_a_login_shell_are_counted_with_their_groups),
		cmocka_unit_test(names_that_are_too_long_are_left_out),
		cmocka_unit_test(a_host_without_passwd_and_group_has_no_users),
		cmocka_unit_test(groups_beyond_the_maximum_are_left_out),
	};

	return cmocka_run_group_tests_name("host_users", tests, NULL, NULL);
}
