/* SPDX-License-Identifier: MIT */
/*
 * test_codec_old.c - decoding of records of earlier versions
 *
 * The records are those that earlier versions wrote. Fields that these versions lack get defaults.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "store/codec.h"

static const struct key key = {.data = "a key", .size = 5};

static struct bytes from_hex(const char *hex, unsigned char *out)
{
	size_t size = strlen(hex) / 2;

	for (size_t i = 0; i < size; i++) {
		char digits[3] = {hex[2 * i], hex[2 * i + 1], '\0'};

		out[i] = (unsigned char)strtoul(digits, NULL, 16);
	}
	return (struct bytes){out, size};
}

static void old_job_reads_with_defaults(void **state)
{
	static const char hex[] = "04000100d10000009a5361b81100000000000000e803000000000000f2030000"
				  "000000000000000000000080100e0000000000003c000000000000004c040000"
				  "00000000ffffffffffffff7f0002000000000000010000000000000002000000"
				  "00000000fbffffffffffffff0500000002000000030000000400000002010001"
				  "0104000000657661000600000073746166660000000000030000006869000500"
				  "00006c6f6e6700060000006e696768740004000000782e310004000000636664"
				  "0002000000030000000200000004000000090000000100000002000000";
	struct codec_scratch scratch = {.bypassed = NULL};
	unsigned char memory[sizeof hex];
	struct bytes bytes = from_hex(hex, memory);
	struct job_record job;
	struct err err;

	(void)state;
	if (!get_job(&bytes, &key, &job, &scratch, &err))
		fail_msg("%s", err.text);
	assert_int_equal(job.job.id, 17);
	assert_int_equal(job.job.points, -5);
	assert_int_equal(job.job.flags, JOB_BACKFILLED);
	assert_string_equal(job.cred[CRED_USER], "eva");
	assert_null(job.cred[CRED_ACCOUNT]);
	assert_string_equal(job.cred[CRED_CLASS], "long");
	assert_string_equal(job.name, "cfd");
	assert_int_equal(job.run_count, 2);
	assert_int_equal(job.runs[0].procs, 4);
	assert_int_equal(job.runs[0].tasks, 0); /* not recorded: as many as fit on the processors */
	assert_string_equal(job.qos_asked, "hi");
	assert_null(job.features);
	assert_null(job.hold_reason);
	assert_int_equal(job.depend_count, 0);
	assert_true(job.job.defer_until_s == TIME_NONE);
	assert_int_equal(job.job.used_ps, -1);
	assert_int_equal(job.job.start_count, 1);
	assert_int_equal(job.job.access_held, ACCESS_SHARED);
	assert_int_equal(job.job.allocation, 0);
	codec_scratch_free(&scratch);
}

static void job_of_version_3_is_not_an_array_task(void **state)
{
	static const char hex[] = "04000300f80000005c325a511100000000000000e803000000000000f2030000"
				  "000000000000000000000080100e000000000000ffffffffffffffff00000000"
				  "00000080ffffffffffffff7f0002000000000000000000000000000000000000"
				  "0000000000000000000000000200000003000000000000000000000001000000"
				  "0004000000657661000000000000000000000000000000000000000000000000"
				  "000400000063666400000000000000000000000080ffffffffffffffff000000"
				  "0000000000000000000000000000000000000000050000006661737400000000"
				  "0000000000000000000000000000000000000000000100000003000000000000"
				  "00020103";
	struct codec_scratch scratch = {.bypassed = NULL};
	unsigned char memory[sizeof hex];
	struct bytes bytes = from_hex(hex, memory);
	struct job_record job;
	struct err err;

	(void)state;
	if (!get_job(&bytes, &key, &job, &scratch, &err))
		fail_msg("%s", err.text);
	assert_int_equal(job.job.id, 17);
	assert_string_equal(job.features, "fast");
	assert_int_equal(job.depend_count, 1);
	assert_int_equal(job.depend[0].on, 3);
	assert_int_equal(job.job.real, JOB_REAL_LAUNCH | JOB_REAL_RERUN);
	assert_true(job.job.array == 0 && job.job.array_index == 0 && job.job.array_limit == 0);
	assert_int_equal(job.job.base_points, 0);
	assert_int_equal(job.range_count, 0);
	assert_null(job.ranges);
	codec_scratch_free(&scratch);
}

/* Records of the layout before retries were added. */
static void failed_start_of_version_6_is_not_a_retry(void **state)
{
	static const char event_hex[] = "08000600410000004dae44a30900000000000000e80300000000000010110000"
					"00000000000600000073636865640000f811000000000000100000006e6f206e"
					"6f646520616e73776572730001";
	static const char job_hex[] = "040004002101000082dea38e1100000000000000e803000000000000e8030000"
				      "000000000000000000000080100e000000000000ffffffffffffffff00000000"
				      "00000080ffffffffffffff7f0000000000000000000000000000000000000000"
				      "0000000000000000000000000200000001000000000000000000000001000000"
				      "0004000000657661000000000000000000000000000000000000000000000000"
				      "00040000006366640000000000f811000000000000ffffffffffffffff000000"
				      "0000000000010000000200000000000000000000000000000000000000000000"
				      "0000000000000000100000006e6f206e6f646520616e73776572730010000000"
				      "6e6f206e6f646520616e73776572730000000000011000000000000000030000"
				      "00040000000000000000000000";
	struct codec_scratch scratch = {.bypassed = NULL};
	unsigned char memory[sizeof job_hex];
	struct bytes bytes = from_hex(event_hex, memory);
	struct job_record job;
	struct event ev;
	struct err err;

	(void)state;
	if (!get_event(&bytes, &key, &ev, &scratch, &err))
		fail_msg("%s", err.text);
	assert_int_equal(ev.kind, EVENT_DEFER);
	assert_true(ev.defer.failed_start);
	assert_false(ev.defer.retry);
	assert_true(ev.defer.until_s == 4600);
	assert_string_equal(ev.defer.reason, "no node answers");
	bytes = from_hex(job_hex, memory);
	if (!get_job(&bytes, &key, &job, &scratch, &err))
		fail_msg("%s", err.text);
	assert_int_equal(job.job.id, 17);
	assert_int_equal(job.job.array, 16);
	assert_int_equal(job.job.array_limit, 4);
	assert_int_equal(job.job.defer_count, 1);
	assert_int_equal(job.job.start_count, 2);
	assert_int_equal(job.job.retries, 0);
	assert_string_equal(job.base_reason, "no node answers");
	codec_scratch_free(&scratch);
}

/* Version 4 did not record when a job was suspended, so it has its whole limit left. */
static void suspended_job_of_version_4_has_its_whole_limit_left(void **state)
{
	static const char hex[] = "040004000d010000faf65bbb1100000000000000e803000000000000e8030000"
				  "000000000000000000000080100e000000000000ffffffffffffffff4c040000"
				  "00000000ffffffffffffff7f0000000000000000000000000000000000000000"
				  "0000000000000000000000000200000001000000000000000000000002000000"
				  "0004000000657661000000000000000000000000000000000000000000000000"
				  "0000000000010000000100000001000000020000000000000000000080ffffff"
				  "ffffffffff000000000200000000000000010000000000010000000000000000"
				  "0000000000000000000000000000000000000000000000000200000000000000"
				  "09000000000000000000000000000000000000000000000000";
	struct codec_scratch scratch = {.bypassed = NULL};
	unsigned char memory[sizeof hex];
	struct bytes bytes = from_hex(hex, memory);
	struct job_record job;
	struct err err;

	(void)state;
	if (!get_job(&bytes, &key, &job, &scratch, &err))
		fail_msg("%s", err.text);
	assert_int_equal(job.job.start_s, 1100);
	assert_int_equal(job.job.real, JOB_REAL_LAUNCH | JOB_REAL_SUSPENDED);
	assert_int_equal(job.job.suspended_s, 0);
	assert_int_equal(job_left_s(&job.job, 5000), 3600);
	assert_true(job_due_end_s(&job.job) == TIME_NEVER);
	codec_scratch_free(&scratch);
}

static void old_node_reads_with_defaults(void **state)
{
	static const char hex[] = "060001002d000000bca03421030000006e3100060000006e6967687400080000"
				  "00001000000000000005000000000000000600000000000000";
	unsigned char memory[sizeof hex];
	struct bytes bytes = from_hex(hex, memory);
	struct node_record node;

	(void)state;
	assert_true(get_node(&bytes, &key, &node, NULL));
	assert_string_equal(node.name, "n1");
	assert_string_equal(node.partition, "night");
	assert_int_equal(node.procs, 8);
	assert_int_equal(node.mem_mb, 4096);
	assert_int_equal(node.disk_mb, 6);
	assert_null(node.features);
	assert_null(node.classes);
	assert_true(node.speed == 0 && node.used.load == -1 && node.used.mem_mb == -1);
	assert_null(node.used_by);
	assert_true(node.active_s == 0 && node.active_from_s == TIME_NONE);
}

static void old_change_and_counters_read_with_defaults(void **state)
{
	static const char change_hex[] = "0700010036000000655966770800000000000000000000000000000000000000"
					 "000000000200000000010e00000078666163746f727765696768740002000000"
					 "3300";
	static const char tally_hex[] = "020001006800000041bbe239b0040000000000000c0000000000000013000000"
					"0000000001000000010000000000000002000000000000000300000000000000"
					"0400000000000000050000000000000001000000010000000000000002000000"
					"0000000003000000000000000400000000000000";
	unsigned char memory[sizeof tally_hex];
	struct bytes bytes = from_hex(change_hex, memory);
	struct change_record change;
	struct tally tally;

	(void)state;
	assert_true(get_change(&bytes, &key, &change, NULL));
	assert_int_equal(change.change.seq, 8);
	assert_int_equal(change.change.dead, 1);
	assert_string_equal(change.name, "xfactorweight");
	assert_string_equal(change.value, "3");
	assert_null(change.base);
	bytes = from_hex(tally_hex, memory);
	assert_true(get_tally(&bytes, &key, &tally, NULL));
	assert_int_equal(tally.counters.next_job_id, 19);
	assert_int_equal(tally.ended, 4);
	assert_int_equal(tally.windows, 0);
	assert_int_equal(tally.counters.stats_since_s, 1200);
}

/* Decodes one event. */
static struct event old_event(const char *hex, unsigned char *memory, struct codec_scratch *scratch)
{
	struct bytes bytes = from_hex(hex, memory);
	struct event ev;
	struct err err;

	if (!get_event(&bytes, &key, &ev, scratch, &err))
		fail_msg("%s", err.text);
	assert_int_equal(bytes.size, 0);
	return ev;
}

/* The layout is unchanged; the number of earlier versions is no longer used, and is ignored. */
static void number_of_a_released_reservation_is_ignored(void **state)
{
	const struct change_record old_change = {.change = {.seq = 8, .number = 5, .kind = CHANGE_UNRESERVE},
						 .name = "maint"};
	struct change_record new_change;
	struct str out = {0};
	struct bytes bytes;

	(void)state;
	put_change(&out, &key, &old_change);
	bytes = (struct bytes){out.data, out.len};
	assert_true(get_change(&bytes, &key, &new_change, NULL));
	assert_int_equal(new_change.change.seq, 8);
	assert_int_equal(new_change.change.number, 0);
	assert_string_equal(new_change.name, "maint");
	str_free(&out);
}

static void suspend_of_version_6_has_no_flags(void **state)
{
	static const char hex[] = "080006002f000000a35ad2e10900000000000000b00400000000000017110000"
				  "0000000000040000006576610001dc050000000000000000000001";
	struct codec_scratch scratch = {.bypassed = NULL};
	unsigned char memory[sizeof hex];
	struct event ev = old_event(hex, memory, &scratch);

	(void)state;
	assert_int_equal(ev.kind, EVENT_SUSPEND);
	assert_int_equal(ev.until_s, 1500);
	assert_true(ev.suspend.on);
	assert_int_equal(ev.suspend.how, 0);
	codec_scratch_free(&scratch);
}

static void old_events_read_with_defaults(void **state)
{
	struct codec_scratch scratch = {.bypassed = NULL};
	unsigned char memory[200];
	struct event ev;

	(void)state;
	ev = old_event("0800010040000000f4c20c7209000000000000004c0400000000000005110000"
		       "0000000000060000007363686564000200000003000000020000000400000009"
		       "000000010000000200000001",
		       memory, &scratch);
	assert_int_equal(ev.kind, EVENT_START);
	assert_int_equal(ev.start.count, 2);
	assert_int_equal(ev.start.runs[1].procs, 2);
	assert_int_equal(ev.start.runs[1].tasks, 0);
	assert_true(ev.start.backfilled);
	ev = old_event("08000100280000004635f69b0a00000000000000b00400000000000006110000"
		       "0000000000060000007363686564000300000001",
		       memory, &scratch);
	assert_int_equal(ev.kind, EVENT_END);
	assert_int_equal(ev.end.status, 3);
	assert_true(ev.end.at_limit && !ev.end.has_used);
	ev = old_event("080001002300000033d1266e0b00000000000000b00400000000000007120000"
		       "000000000004000000657661000201",
		       memory, &scratch);
	assert_int_equal(ev.kind, EVENT_HOLD);
	assert_int_equal(ev.hold.bits, JOB_HOLD_SYSTEM);
	assert_null(ev.hold.reason);
	ev = old_event("080001002b000000b491aba10c00000000000000b0040000000000000b120000"
		       "000000000006000000736368656400dc05000000000000",
		       memory, &scratch);
	assert_int_equal(ev.kind, EVENT_PLAN);
	assert_int_equal(ev.plan.start_s, 1500);
	assert_int_equal(ev.plan.count, 0);
	codec_scratch_free(&scratch);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(old_job_reads_with_defaults),
		cmocka_unit_test(job_of_version_3_is_not_an_array_task),
		cmocka_unit_test(failed_start_of_version_6_is_not_a_retry),
		cmocka_unit_test(suspended_job_of_version_4_has_its_whole_limit_left),
		cmocka_unit_test(suspend_of_version_6_has_no_flags),
		cmocka_unit_test(old_node_reads_with_defaults),
		cmocka_unit_test(old_change_and_counters_read_with_defaults),
		cmocka_unit_test(number_of_a_released_reservation_is_ignored),
		cmocka_unit_test(old_events_read_with_defaults),
	};

	return cmocka_run_group_tests_name("codec old", tests, NULL, NULL);
}
