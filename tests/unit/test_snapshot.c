/* SPDX-License-Identifier: MIT */
/*
 * test_snapshot.c - copying of snapshots, and lookup of jobs and names
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "sched/policy/priority.h"
#include "tests/scene.h"

static struct scene *three_jobs(void)
{
	struct scene *sc = scene_new(2, 4);

	scene_submit(sc, 8, 100);
	scene_add(sc, (struct scene_job){.procs = 1, .label = "eleven", .user = "eva", .qos = "hi"});
	scene_add(sc, (struct scene_job){.procs = 1, .partition = "night"});
	scene_pass(sc);
	return sc;
}

static void copy_is_equal_and_independent(void **state)
{
	struct scene *sc = three_jobs();
	struct snapshot *copy = snapshot_copy(scene_view(sc));
	uint64_t hash = state_hash(scene_view(sc));

	(void)state;
	assert_int_equal(copy->size, snapshot_copy_size(scene_view(sc)));
	for (int i = 0; i < TABLE_COUNT; i++)
		assert_int_equal(copy->table[i].room, copy->table[i].count);
	scene_free(sc);
	assert_true(state_hash(copy) == hash);
	free(copy);
}

static void reused_buffer_grows_with_the_snapshot(void **state)
{
	struct scene *sc = three_jobs();
	struct snapshot_buffer buffer = {.at = NULL};
	struct snapshot *kept = snapshot_copy_into(scene_view(sc), NULL, &buffer);
	size_t first = buffer.room;

	(void)state;
	assert_true(first >= kept->size);
	assert_ptr_equal(snapshot_copy_into(scene_view(sc), NULL, &buffer), kept);
	assert_int_equal(buffer.room, first);
	for (int i = 0; i < 200; i++)
		scene_submit(sc, 1, 100);
	kept = snapshot_copy_into(scene_view(sc), NULL, &buffer);
	assert_true(buffer.room > first);
	assert_true(state_hash(kept) == state_hash(scene_view(sc)));
	free(buffer.at);
	scene_free(sc);
}

static void buffer_far_too_large_shrinks(void **state)
{
	struct scene *sc = three_jobs();
	struct snapshot_buffer buffer = {.at = NULL};
	uint32_t room[TABLE_COUNT];
	struct snapshot *copy;

	(void)state;
	for (int i = 0; i < TABLE_COUNT; i++)
		room[i] = snapshot_count(scene_view(sc), (enum snapshot_table_id)i) + 1000;
	copy = snapshot_copy_into(scene_view(sc), room, &buffer);
	assert_int_equal(copy->table[TABLE_JOBS].room, room[TABLE_JOBS]);
	room[0] = (uint32_t)buffer.room;
	copy = snapshot_copy_into(scene_view(sc), NULL, &buffer);
	assert_true(buffer.room < room[0]);
	assert_true(state_hash(copy) == state_hash(scene_view(sc)));
	free(buffer.at);
	scene_free(sc);
}

/* Destination of a written snapshot: memory, and the number of pieces that it accepts. */
struct write_buffer {
	char *at;
	int pieces, most;
};

static bool put_piece(void *self, uint64_t offset, const void *piece, size_t len)
{
	struct write_buffer *write_buffer = self;

	if (write_buffer->pieces == write_buffer->most)
		return false;
	write_buffer->pieces++;
	memcpy(write_buffer->at + offset, piece, len);
	return true;
}

/* The snapshot is written piece by piece; a write that fails ends it. */
static void written_copy_is_equal_or_fails(void **state)
{
	struct scene *sc = three_jobs();
	const struct snapshot *s = scene_view(sc);
	struct write_buffer write_buffer = {.at = calloc(1, snapshot_copy_size(s)), .most = TABLE_COUNT + 1};
	int pieces;

	(void)state;
	assert_true(snapshot_write_copy(s, put_piece, &write_buffer));
	assert_true(state_hash((const struct snapshot *)(const void *)write_buffer.at) == state_hash(s));
	pieces = write_buffer.pieces;
	assert_in_range(pieces, 2, TABLE_COUNT); /* empty tables have no piece */
	for (int most = 0; most < pieces; most++) {
		write_buffer.pieces = 0;
		write_buffer.most = most;
		assert_false(snapshot_write_copy(s, put_piece, &write_buffer));
		assert_int_equal(write_buffer.pieces, most);
	}
	free(write_buffer.at);
	scene_free(sc);
}

static void copy_with_room_has_spare_capacity(void **state)
{
	struct scene *sc = three_jobs();
	uint32_t room[TABLE_COUNT];
	struct snapshot *copy;

	(void)state;
	for (int i = 0; i < TABLE_COUNT; i++)
		room[i] = snapshot_count(scene_view(sc), (enum snapshot_table_id)i) + 7;
	copy = snapshot_copy_with_room(scene_view(sc), room);
	for (int i = 0; i < TABLE_COUNT; i++) {
		assert_int_equal(copy->table[i].room, room[i]);
		assert_int_equal(copy->table[i].offset % 8, 0);
	}
	assert_true(state_hash(copy) == state_hash(scene_view(sc)));
	free(copy);
	scene_free(sc);
}

static void lookup_finds_jobs_in_other_slots(void **state)
{
	struct scene *sc = three_jobs();
	const struct snapshot *s = scene_view(sc);
	uint32_t slot = snapshot_find_job(s, 2), slots = snapshot_count(s, TABLE_JOBS);
	struct job_lookup lookup = {.s = s};

	(void)state;
	assert_int_equal(job_lookup(&lookup, 2, slot), slot);
	assert_null(lookup.by_id);
	assert_int_equal(job_lookup(&lookup, 2, slots + 7), slot);
	assert_non_null(lookup.by_id);
	for (uint64_t id = 1; id <= 3; id++)
		assert_int_equal(job_lookup(&lookup, id, 0), snapshot_find_job(s, id));
	assert_int_equal(job_lookup(&lookup, 9, 0), INDEX_NONE);
	assert_int_equal(job_lookup(&lookup, 0, slots), INDEX_NONE);
	free(lookup.by_id);
	scene_free(sc);
}

static void jobs_are_found_by_id_and_by_label(void **state)
{
	struct scene *sc = three_jobs();
	const struct snapshot *s = scene_view(sc);
	char buf[JOB_LABEL_TEXT];

	(void)state;
	assert_int_equal(snapshot_jobs(s)[snapshot_find_job(s, 2)].id, 2);
	assert_int_equal(snapshot_find_job(s, 9), INDEX_NONE);
	assert_int_equal(snapshot_find_label(s, "eleven"), snapshot_find_job(s, 2));
	assert_int_equal(snapshot_find_label(s, "3"), snapshot_find_job(s, 3));
	assert_int_equal(snapshot_find_label(s, "2"), INDEX_NONE);
	assert_int_equal(snapshot_find_label(s, "03"), INDEX_NONE);
	assert_int_equal(snapshot_find_label(s, "3x"), INDEX_NONE);
	assert_int_equal(snapshot_find_label(s, "0"), INDEX_NONE);
	assert_int_equal(snapshot_find_label(s, ":"), INDEX_NONE);
	assert_int_equal(snapshot_find_label(s, "18446744073709551619"),
			 INDEX_NONE); /* equals 3 modulo 2^64 */
	assert_string_equal(snapshot_job_label(s, scene_job_of(sc, 2), buf), "eleven");
	assert_string_equal(snapshot_job_label(s, scene_job_of(sc, 3), buf), "3");
	scene_end(sc, 1);
	assert_int_equal(snapshot_find_job(scene_view(sc), 1), INDEX_NONE);
	assert_int_equal(snapshot_find_label(scene_view(sc), "1"), INDEX_NONE);
	assert_int_equal(snapshot_find_label(scene_view(sc), "eleven"), snapshot_find_job(scene_view(sc), 2));
	scene_free(sc);
}

static void credentials_are_found_by_type_and_name(void **state)
{
	struct scene *sc = three_jobs();
	const struct snapshot *s = scene_view(sc);

	(void)state;
	assert_string_equal(snapshot_job_cred(s, scene_job_of(sc, 2), CRED_USER), "eva");
	assert_null(snapshot_job_cred(s, scene_job_of(sc, 2), CRED_GROUP));
	assert_true(snapshot_find_cred(s, CRED_USER, "eva") >= CRED_TYPE_COUNT);
	assert_int_equal(snapshot_find_cred(s, CRED_GROUP, "eva"), INDEX_NONE);
	assert_int_equal(snapshot_find_cred(s, CRED_CLASS, CRED_DEFAULT), CRED_CLASS);
	scene_free(sc);
}

static void unset_credential_settings_are_inherited(void **state)
{
	struct scene *sc = three_jobs();
	struct prio_creds creds;

	(void)state;
	scene_config(sc, "user DEFAULT { priority = 7 qttarget = 100 }\nuser eva { priority = 3 }\n"
			 "qos DEFAULT { priority = 9 }\ngroup DEFAULT { priority = 5 }\n"
			 "qos hi { qtweight = 2 xftarget = 4 }\n");
	snapshot_job_creds(scene_view(sc), scene_job_of(sc, 2), &creds);
	assert_true(creds.priority[CRED_USER] == 3);
	assert_true(creds.priority[CRED_GROUP] == 5);
	assert_true(creds.priority[CRED_QOS] == 0);
	assert_true(creds.qt_weight == 2 && creds.xf_target == 4);
	assert_int_equal(creds.qt_target_s, 100);
	snapshot_job_creds(scene_view(sc), scene_job_of(sc, 3), &creds);
	assert_true(creds.priority[CRED_USER] == 7 && creds.qt_weight == 0 && creds.xf_target == 0);
	scene_free(sc);
}

static void job_without_qos_uses_qos_default(void **state)
{
	struct scene *sc = three_jobs();
	struct prio_creds creds;

	(void)state;
	scene_config(sc, "qos DEFAULT { priority = 9 qtweight = 2 xfweight = 4 qttarget = 300 }\n"
			 "qos hi { xfweight = 1 }\n");
	snapshot_job_creds(scene_view(sc), scene_job_of(sc, 3), &creds);
	assert_true(creds.priority[CRED_QOS] == 9);
	assert_true(creds.qt_weight == 2 && creds.xf_weight == 4);
	assert_int_equal(creds.qt_target_s, 300);
	snapshot_job_creds(scene_view(sc), scene_job_of(sc, 2), &creds);
	assert_true(creds.qt_weight == 0 && creds.xf_weight == 1);
	assert_int_equal(creds.qt_target_s, 0);
	scene_free(sc);
}

static void weights_come_from_the_partition(void **state)
{
	struct scene *sc = three_jobs();
	const struct snapshot *s;
	struct prio_world world;

	(void)state;
	scene_config(sc, "xfactorweight = 2\npartition night { xfactorweight = 9 }\n");
	s = scene_view(sc);
	assert_true(snapshot_job_weights(s, scene_job_of(sc, 2))->factor[PRIO_SERV_XFACTOR] == 2);
	assert_true(snapshot_job_weights(s, scene_job_of(sc, 3))->factor[PRIO_SERV_XFACTOR] == 9);
	snapshot_world(s, 55, &world);
	assert_int_equal(world.now_s, 55);
	assert_int_equal(world.procs, 8);
	assert_int_equal(world.mem_mb, 8192);
	assert_int_equal(world.xfactor_min_wall_s, 120);
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(copy_is_equal_and_independent),
		cmocka_unit_test(reused_buffer_grows_with_the_snapshot),
		cmocka_unit_test(buffer_far_too_large_shrinks),
		cmocka_unit_test(written_copy_is_equal_or_fails),
		cmocka_unit_test(copy_with_room_has_spare_capacity),
		cmocka_unit_test(jobs_are_found_by_id_and_by_label),
		cmocka_unit_test(lookup_finds_jobs_in_other_slots),
		cmocka_unit_test(credentials_are_found_by_type_and_name),
		cmocka_unit_test(unset_credential_settings_are_inherited),
		cmocka_unit_test(job_without_qos_uses_qos_default),
		cmocka_unit_test(weights_come_from_the_partition),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
