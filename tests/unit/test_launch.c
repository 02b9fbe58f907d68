/* SPDX-License-Identifier: MIT */
/*
 * test_launch.c - writing and reading launches, and expansion of paths
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"
#include "sched/rm/launch.h"

static const char *const command[] = {"./work.sh", "", "two words", NULL};
static const char *const variables[] = {"PATH=/usr/bin", "EMPTY=", "A=b=c", NULL};
static const char script[] = "#!/bin/sh\nprintf 'a\0b'\n";

static const struct launch full = {.command = {command, 3},
				   .script = script,
				   .script_size = sizeof script,
				   .shell = "/bin/bash",
				   .environment = {variables, 3},
				   .dir = "/home/eva/run",
				   .input = "/dev/null",
				   .output = "/home/eva/out.%j",
				   .errors = "/home/eva/err.%j",
				   .waiter = "/tmp/w",
				   .waiter_key = "0123abcd",
				   .umask = 027,
				   .flags = LAUNCH_REQUEUE | LAUNCH_PTY,
				   .uid = 1001,
				   .gid = 100,
				   .job = UINT64_C(0x0102030405060708),
				   .attempt = 2,
				   .mail = "be",
				   .mail_to = "eva@host",
				   .label = "12[3]",
				   .name = "a name",
				   .user = "eva",
				   .group = "staff",
				   .account = "phys",
				   .class = "fast",
				   .qos = "hi",
				   .nodes = "n001*2 n003*1",
				   .cpus = "0-3,8",
				   .devices = "0,2",
				   .cgroup = "/sys/fs/cgroup/kahu",
				   .prolog = "/etc/kahu/prolog",
				   .epilog = "/etc/kahu/epilog",
				   .procs = 5,
				   .wall_limit_s = 3600,
				   .mem_mb = 4096,
				   .grace_s = 10,
				   .warn_s = 60,
				   .warn_signal = 10};

static void assert_words(const struct launch_words *a, const struct launch_words *b)
{
	assert_int_equal(a->count, b->count);
	for (uint32_t i = 0; i < a->count; i++)
		assert_string_equal(a->item[i], b->item[i]);
	assert_null(a->item[a->count]);
}

static void a_launch_is_read_as_it_was_written(void **state)
{
	struct str bytes = {0}, again = {0};
	struct launch out;
	struct err err;
	void *memory;

	(void)state;
	launch_write(&full, &bytes);
	assert_true(launch_read(bytes.data, bytes.len, &out, &memory, &err));
	assert_words(&out.command, &full.command);
	assert_words(&out.environment, &full.environment);
	assert_int_equal(out.script_size, sizeof script);
	assert_memory_equal(out.script, script, sizeof script);
	assert_string_equal(out.errors, "/home/eva/err.%j");
	assert_string_equal(out.waiter_key, "0123abcd");
	assert_string_equal(out.class, "fast");
	assert_string_equal(out.epilog, "/etc/kahu/epilog");
	assert_string_equal(out.mail, "be");
	assert_string_equal(out.mail_to, "eva@host");
	assert_true(out.job == full.job && out.attempt == 2 && out.umask == 027 && out.uid == 1001);
	assert_true(out.flags == full.flags && out.mem_mb == 4096 && out.warn_signal == 10);
	launch_write(&out, &again);
	assert_int_equal(again.len, bytes.len);
	assert_memory_equal(again.data, bytes.data, bytes.len);
	free(memory);
	str_free(&bytes);
	str_free(&again);
}

static void an_empty_launch_is_its_format_name_only(void **state)
{
	struct launch empty = {.uid = 0}, out;
	struct str bytes = {0};
	struct err err;
	void *memory;

	(void)state;
	launch_write(&empty, &bytes);
	assert_string_equal(str_text(&bytes), "KL1");
	assert_true(launch_read(bytes.data, bytes.len, &out, &memory, &err));
	assert_int_equal(out.command.count, 0);
	assert_null(out.command.item[0]);
	assert_null(out.output);
	free(memory);
	str_free(&bytes);
}

/* Every prefix of a launch that does not end after a field is refused with an error. */
static void a_truncated_launch_is_refused(void **state)
{
	struct launch small = {.dir = "/tmp", .wall_limit_s = 60}, out;
	struct str bytes = {0};
	size_t accepted = 0;

	(void)state;
	launch_write(&small, &bytes);
	for (size_t size = 0; size < bytes.len; size++) {
		unsigned char *copy = mem_alloc(size);
		struct err err = {""};
		void *memory = NULL;

		memcpy(copy, bytes.data, size);
		if (launch_read(copy, size, &out, &memory, &err))
			accepted++;
		else
			assert_true(err.text[0] != '\0' && memory == NULL && out.dir == NULL);
		free(memory);
		free(copy);
	}
	assert_int_equal(accepted, 2); /* without fields, and with dir only */
	str_free(&bytes);
}

/* The bytes are a string literal that contains NULs. */
#define REFUSED(bytes, sentence) check_refused(bytes, sizeof(bytes) - 1, sentence)

static void check_refused(const char *bytes, size_t size, const char *sentence)
{
	struct launch out;
	struct err err = {""};
	void *memory;

	assert_false(launch_read(bytes, size, &out, &memory, &err));
	assert_string_equal(err.text, sentence);
	assert_null(memory);
}

static void invalid_bytes_are_refused_with_the_field(void **state)
{
	(void)state;
	REFUSED("KL2", "the launch data have an unknown format");
	REFUSED("KL1\x63\x01\0\0\0a", "unknown field 99 in the launch data");
	REFUSED("KL1\0\x01\0\0\0a", "unknown field 0 in the launch data");
	REFUSED("KL1\x03\xff\xff\xff\xff/", "the launch data are truncated in field shell");
	REFUSED("KL1\x05\x02\0\0\0/\0\x05\x02\0\0\0/\0", "dir occurs twice in the launch data");
	REFUSED("KL1\x05\x02\0\0\0a\0", "dir in the launch data must begin with '/', got a");
	REFUSED("KL1\x05\x02\0\0\0/a", "dir in the launch data is not a string");
	REFUSED("KL1\x05\x04\0\0\0/\0a\0", "dir in the launch data is not a string");
	REFUSED("KL1\x05\0\0\0\0", "dir in the launch data is not a string");
	REFUSED("KL1\x04\x02\0\0\0A\0", "a variable in the launch data must be NAME=value, got A");
	REFUSED("KL1\x04\x03\0\0\0=a\0", "a variable in the launch data must be NAME=value, got =a");
	REFUSED("KL1\x0a\x04\0\0\0\1\0\0\0", "umask in the launch data is not a number");
	REFUSED("KL1\x0a\x08\0\0\0\0\2\0\0\0\0\0\0", "umask in the launch data is 512; the maximum is 511");
	REFUSED("KL1\x0c\x08\0\0\0\xff\xff\xff\xff\0\0\0\0",
		"uid in the launch data is 4294967295; the maximum is 4294967294");
	REFUSED("KL1\x1e\x08\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff",
		"wall_limit in the launch data is 18446744073709551615; the maximum is 9223372036854775807");
}

static void a_launch_that_is_too_large_is_refused(void **state)
{
	struct launch large = {.script_size = LAUNCH_SCRIPT_MAX + 1}, out;
	struct str bytes = {0};
	struct err err;
	void *memory, *zeros = mem_zero(LAUNCH_MAX + 1, 1);

	(void)state;
	large.script = zeros;
	launch_write(&large, &bytes);
	assert_false(launch_read(bytes.data, bytes.len, &out, &memory, &err));
	assert_string_equal(err.text, "the script has 2097153 bytes; the maximum is 2097152");
	assert_false(launch_read(zeros, LAUNCH_MAX + 1, &out, &memory, &err));
	assert_string_equal(err.text, "the launch data have 4194305 bytes; the maximum is 4194304");
	str_clear(&bytes);
	str_add(&bytes, "KL1");
	for (unsigned i = 0; i <= LAUNCH_WORDS_MAX; i++)
		str_add_bytes(&bytes, "\1\2\0\0\0a", 7);
	assert_false(launch_read(bytes.data, bytes.len, &out, &memory, &err));
	assert_string_equal(err.text, "command has more than 4096 words");
	str_free(&bytes);
	free(zeros);
}

static void assert_path(const char *pattern, const char *label, const char *user, const char *expected)
{
	struct launch launch = {.job = 12, .label = label, .user = user};
	struct str out = {0};
	struct err err = {""};

	assert_true(launch_path(pattern, &launch, &out, &err));
	assert_string_equal(str_text(&out), expected);
	str_free(&out);
}

static void patterns_in_a_path_are_expanded(void **state)
{
	(void)state;
	assert_path("/a/o%j", NULL, NULL, "/a/o12");
	assert_path("/a/%u/100%%.%a", NULL, "eva", "/a/eva/100%.");
	assert_path("/a/o%j", "deep", NULL, "/a/odeep");
	assert_path("/a/o%j", "12[3]", NULL, "/a/o12-3");
	assert_path("/a/o%j_%a", "12[3]", NULL, "/a/o12_3");
	assert_path("/a/%%a%j", "12[3]", NULL, "/a/%a12-3");
	assert_path("/a/%u/%j", "../x[../y]", "../root", "/a/.._root/.._x-.._y");
	assert_path("/a/%j", "odd[]", NULL, "/a/odd[]");
}

static void assert_ids(const char *label, const char *id, const char *array_id)
{
	struct launch launch = {.job = 12, .label = label};
	struct str out = {0};

	launch_job_id(&launch, &out);
	assert_string_equal(str_text(&out), id);
	str_clear(&out);
	launch_array_id(&launch, &out);
	assert_string_equal(str_text(&out), array_id);
	str_free(&out);
}

static void ids_are_taken_from_the_label(void **state)
{
	(void)state;
	assert_ids(NULL, "12", "");
	assert_ids("deep", "deep", "");
	assert_ids("12[3]", "12[3]", "3");
	assert_ids("odd[", "odd[", "");
}

static void an_unknown_pattern_in_a_path_is_refused(void **state)
{
	struct launch launch = {.job = 12};
	struct str out = {0};
	struct err err = {""};

	(void)state;
	assert_false(launch_path("/a/%x", &launch, &out, &err));
	assert_string_equal(err.text, "unknown % sequence in /a/%x; %j is the job, %a the task number in an "
				      "array, %u the user, %% a percent sign");
	assert_false(launch_path("/a/%", &launch, &out, &err));
	str_free(&out);
}

/* A client may have set fields that only the scheduler may set, such as its user, or the prolog, which runs
 * as root. */
static void fields_set_at_the_start_are_cleared_in_a_submission(void **state)
{
	const struct launch empty = {.uid = 0};
	struct launch stored = full, submitted = full;

	(void)state;
	launch_forget_start(&stored);
	assert_true(stored.label == NULL && stored.user == NULL && stored.group == NULL &&
		    stored.account == NULL);
	assert_true(stored.prolog == NULL && stored.epilog == NULL && stored.cgroup == NULL &&
		    stored.cpus == NULL);
	assert_memory_equal(&stored.job, &empty.job, sizeof stored - offsetof(struct launch, job));
	memset(&submitted.job, 0, sizeof submitted - offsetof(struct launch, job));
	assert_memory_equal(&stored, &submitted, sizeof stored);
}

/* A uid may have been reused for another account. Launches of earlier versions contain no user name. */
static void a_launch_belongs_to_the_account_that_submitted_it(void **state)
{
	struct launch launch = {.uid = 1001, .user = "eva"};

	(void)state;
	assert_true(launch_is_of(&launch, 1001, "eva"));
	assert_false(launch_is_of(&launch, 1001, "bob"));
	assert_false(launch_is_of(&launch, 1002, "eva"));
	launch.user = NULL;
	assert_true(launch_is_of(&launch, 1001, "bob"));
	assert_false(launch_is_of(&launch, 1002, "bob"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_launch_is_read_as_it_was_written),
		cmocka_unit_test(fields_set_at_the_start_are_cleared_in_a_submission),
		cmocka_unit_test(a_launch_belongs_to_the_account_that_submitted_it),
		cmocka_unit_test(an_empty_launch_is_its_format_name_only),
		cmocka_unit_test(a_truncated_launch_is_refused),
		cmocka_unit_test(invalid_bytes_are_refused_with_the_field),
		cmocka_unit_test(a_launch_that_is_too_large_is_refused),
		cmocka_unit_test(patterns_in_a_path_are_expanded),
		cmocka_unit_test(an_unknown_pattern_in_a_path_is_refused),
		cmocka_unit_test(ids_are_taken_from_the_label),
	};

	return cmocka_run_group_tests_name("launch", tests, NULL, NULL);
}
