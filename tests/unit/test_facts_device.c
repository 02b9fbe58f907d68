/* SPDX-License-Identifier: MIT */
/*
 * test_facts_device.c - which graphics processors are here?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "sched/base/vec.h"
#include "sched/rm/facts_inside.h"
#include "tests/fake_root.h"

/* "nvidia GPU-1@0, amd 0@1". */
static void must_be(const struct store_dir *root, const char *list, const char *expected)
{
	struct facts *facts = mem_zero(1, sizeof *facts);
	struct str text = {0};
	struct err err = {""};

	if (!facts_read_devices(root->path, list, facts, &err))
		fail_msg("%s", err.text);
	for (uint32_t i = 0; i < facts->device_count; i++)
		str_addf(&text, "%s%s %s@%u", i > 0 ? ", " : "", facts->device[i].kind, facts->device[i].id,
			 facts->device[i].numa);
	assert_string_equal(str_text(&text), expected);
	str_free(&text);
	free(facts);
}

static void must_refuse(const char *list, const char *words)
{
	struct facts *facts = mem_zero(1, sizeof *facts);
	struct err err = {""};

	assert_false(facts_read_devices("/nowhere", list, facts, &err));
	if (strstr(err.text, words) == NULL)
		fail_msg("%s", err.text);
	free(facts);
}

static void nvidia(const struct store_dir *root, const char *bus, const char *uuid, const char *numa)
{
	char path[128];

	snprintf(path, sizeof path, "proc/driver/nvidia/gpus/%s/information", bus);
	fake_file(root, path,
		  "Model: \t\t NVIDIA A100\nIRQ:   \t\t 42\nGPU UUID: \t %s\nBus Location: \t %s\n", uuid,
		  bus);
	snprintf(path, sizeof path, "sys/bus/pci/devices/%s/numa_node", bus);
	fake_file(root, path, "%s\n", numa);
}

static void amd(const struct store_dir *root, unsigned node, int units, unsigned place)
{
	char path[128];

	snprintf(path, sizeof path, "sys/class/kfd/kfd/topology/nodes/%u/properties", node);
	fake_file(root, path, "cpu_cores_count 0\nsimd_count %d\nlocation_id %u\ndomain 0\n", units, place);
}

static void none_are_found_where_there_are_none(void **state)
{
	struct store_dir root;

	(void)state;
	make_store_dir(&root);
	must_be(&root, NULL, "");
	fake_folder(&root, "proc/driver/nvidia/gpus");
	fake_file(&root, "sys/class/kfd/kfd/topology/nodes", "no folder\n");
	must_be(&root, NULL, "");
	remove_store_dir(&root);
}

static void nvidias_stand_in_the_order_of_the_bus(void **state)
{
	struct store_dir root;

	(void)state;
	make_store_dir(&root);
	nvidia(&root, "0000:81:00.0", "GPU-bb-2", "1");
	nvidia(&root, "0000:01:00.0", "GPU-aa-1", "0");
	nvidia(&root, "10000:01:00.0", "GPU-cc-3", "-1");
	must_be(&root, NULL, "nvidia GPU-aa-1@0, nvidia GPU-bb-2@1, nvidia GPU-cc-3@0");
	remove_store_dir(&root);
}

static void numbers_name_them_all_when_one_has_no_uuid(void **state)
{
	struct store_dir root;

	(void)state;
	make_store_dir(&root);
	nvidia(&root, "0000:81:00.0", "GPU-\?\?\?\?-\?\?\?\?", "1");
	nvidia(&root, "0000:01:00.0", "GPU-aa-1", "0");
	must_be(&root, NULL, "nvidia 0@0, nvidia 1@1");
	nvidia(&root, "0000:81:00.0", "GPU-a,1", "1");
	must_be(&root, NULL, "nvidia 0@0, nvidia 1@1");
	nvidia(&root, "0000:01:00.0", "", "0");
	nvidia(&root, "0000:81:00.0", "GPU-bb-2", "1");
	must_be(&root, NULL, "nvidia 0@0, nvidia 1@1");
	fake_folder(&root, "proc/driver/nvidia/gpus/0000:82:00.0/information");
	must_be(&root, NULL, "nvidia 0@0, nvidia 1@1, nvidia 2@0");
	nvidia(&root, "0000:c1:00.0", "GPU-dd-4", "65535"); /* the largest that there is room for */
	nvidia(&root, "0000:c2:00.0", "GPU-ee-5", "65536");
	must_be(&root, NULL, "nvidia 0@0, nvidia 1@1, nvidia 2@0, nvidia 3@65535, nvidia 4@0");
	remove_store_dir(&root);
}

static void amds_are_nodes_with_vector_units(void **state)
{
	struct store_dir root;

	(void)state;
	make_store_dir(&root);
	amd(&root, 0, 0, 0);
	amd(&root, 1, 0, 0);
	amd(&root, 10, 416, 0xc100);
	amd(&root, 2, 416, 0x4300);
	fake_file(&root, "sys/class/kfd/kfd/topology/nodes/3/properties", "simd_count x\n");
	fake_folder(&root, "sys/class/kfd/kfd/topology/nodes/4/properties");
	fake_file(&root, "sys/bus/pci/devices/0000:43:00.0/numa_node", "0\n");
	fake_file(&root, "sys/bus/pci/devices/0000:c1:00.0/numa_node", "3\n");
	must_be(&root, NULL, "amd 0@0, amd 1@3");
	remove_store_dir(&root);
}

static void no_more_are_taken_than_there_is_room_for(void **state)
{
	struct facts *facts = mem_zero(1, sizeof *facts);
	struct store_dir root;

	(void)state;
	make_store_dir(&root);
	for (unsigned node = 0; node < 70; node++)
		amd(&root, node, 1, 0);
	assert_true(facts_read_devices(root.path, NULL, facts, NULL));
	assert_int_equal(facts->device_count, FACTS_DEVICES_MAX);
	remove_store_dir(&root);
	free(facts);
}

/* In a folder of the driver, or said by it. */
static void what_is_no_name_is_no_device(void **state)
{
	struct store_dir root;

	(void)state;
	make_store_dir(&root);
	nvidia(&root, "0000:01:00.0", "GPU-1", "0");
	fake_file(&root, "proc/driver/nvidia/gpus/a name/information", "GPU UUID: \t GPU-2\n");
	fake_file(&root, "proc/driver/nvidia/gpus/.hidden/information", "GPU UUID: \t GPU-3\n");
	fake_file(&root, "proc/driver/nvidia/gpus/0000:01:00.0.0000:01:00.0.0000:01:00.0/information",
		  "GPU UUID: \t GPU-4\n");
	must_be(&root, NULL, "nvidia GPU-1@0");
	nvidia(&root, "0000:02:00.0", "GPU 5", "0");
	must_be(&root, NULL, "nvidia 0@0, nvidia 1@0");
	nvidia(&root, "0000:02:00.0", "", "0");
	must_be(&root, NULL, "nvidia 0@0, nvidia 1@0");
	remove_store_dir(&root);
}

/* Its file is found by a number, which has bounds. */
static void an_absurd_number_of_a_file_is_none(void **state)
{
	struct facts *facts = mem_zero(1, sizeof *facts);
	struct store_dir root;

	(void)state;
	make_store_dir(&root);
	fake_file(&root, "sys/class/kfd/kfd/topology/nodes/1/properties",
		  "simd_count 4\ndrm_render_minor 40000\n");
	fake_file(&root, "sys/class/kfd/kfd/topology/nodes/2/properties",
		  "simd_count 4\ndrm_render_minor 129\n");
	assert_true(facts_read_devices(root.path, NULL, facts, NULL));
	assert_int_equal(facts->device_count, 2);
	assert_int_equal(facts->device[0].node, -1);
	assert_int_equal(facts->device[1].node, 129);
	free(facts);
	remove_store_dir(&root);
}

static void a_list_takes_the_place_of_what_is_found(void **state)
{
	struct store_dir root;

	(void)state;
	make_store_dir(&root);
	nvidia(&root, "0000:01:00.0", "GPU-aa-1", "0");
	must_be(&root, "", "");
	must_be(&root, "0,1,3", "listed 0@0, listed 1@0, listed 3@0");
	must_be(&root, "GPU-aa-1", "listed GPU-aa-1@0");
	remove_store_dir(&root);
}

static void what_is_no_list_is_refused(void **state)
{
	static const char *const bad[] = {
		",",   "0,",   ",0",   "0,,1",    "0,1,0",
		"0 1", "0;rm", "a\nb", "\x1b[2J", "0123456789012345678901234567890123456789012345678"};
	struct str many = {0};

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		must_refuse(bad[i], "is not a list of devices");
	for (int i = 0; i < 65; i++)
		str_addf(&many, i > 0 ? ",%d" : "%d", i);
	must_refuse(str_text(&many), "names more than 64 devices");
	str_free(&many);
}

static void their_files_are_known_by_number(void **state)
{
	struct facts *facts = mem_zero(1, sizeof *facts);
	struct store_dir root;

	(void)state;
	make_store_dir(&root);
	nvidia(&root, "0000:01:00.0", "GPU-1", "0");
	nvidia(&root, "0000:02:00.0", "GPU-2", "0");
	fake_file(&root, "proc/driver/nvidia/gpus/0000:01:00.0/information",
		  "GPU UUID: \t GPU-1\nDevice Minor: \t 7\n");
	fake_file(&root, "sys/class/kfd/kfd/topology/nodes/1/properties",
		  "simd_count 64\ndrm_render_minor 128\n");
	assert_true(facts_read_devices(root.path, NULL, facts, NULL));
	assert_int_equal(facts->device_count, 3);
	assert_int_equal(facts->device[0].node, 7);
	assert_int_equal(facts->device[1].node, 1); /* the driver does not say: their order */
	assert_int_equal(facts->device[2].node, 128);
	assert_true(facts_read_devices(root.path, "3,GPU-x", facts, NULL));
	assert_int_equal(facts->device[0].node, 3);
	assert_int_equal(facts->device[1].node, -1);
	free(facts);
	remove_store_dir(&root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(none_are_found_where_there_are_none),
		cmocka_unit_test(nvidias_stand_in_the_order_of_the_bus),
		cmocka_unit_test(numbers_name_them_all_when_one_has_no_uuid),
		cmocka_unit_test(amds_are_nodes_with_vector_units),
		cmocka_unit_test(no_more_are_taken_than_there_is_room_for),
		cmocka_unit_test(what_is_no_name_is_no_device),
		cmocka_unit_test(an_absurd_number_of_a_file_is_none),
		cmocka_unit_test(a_list_takes_the_place_of_what_is_found),
		cmocka_unit_test(what_is_no_list_is_refused),
		cmocka_unit_test(their_files_are_known_by_number),
	};
	return cmocka_run_group_tests_name("facts_device", tests, NULL, NULL);
}
