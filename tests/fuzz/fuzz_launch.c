/* SPDX-License-Identifier: MIT */
/*
 * fuzz_launch.c - launch records
 *
 * A refusal has a message and no effect; an accepted launch is complete (lists
 * end with NULL, variables of the environment are settings) and is equal after it is written and read again.
 */
#include <stdlib.h>
#include <string.h>

#include "sched/rm/launch.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool good)
{
	if (!good)
		abort();
}

static void require_complete(const struct launch *launch)
{
	struct str path = {0};
	struct err err;

	require(launch->command.item[launch->command.count] == NULL);
	require(launch->environment.item[launch->environment.count] == NULL);
	for (uint32_t i = 0; i < launch->environment.count; i++)
		require(strchr(launch->environment.item[i], '=') > launch->environment.item[i]);
	require(launch->script_size <= LAUNCH_SCRIPT_MAX);
	if (launch->output != NULL && launch_path(launch->output, launch, &path, &err))
		require(str_text(&path)[0] == '/');
	launch_array_id(launch, &path);
	launch_job_id(launch, &path);
	str_free(&path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str once = {0}, twice = {0};
	struct err err = {""};
	struct launch launch;
	void *room, *room_again;

	if (!launch_read(data, size, &launch, &room, &err)) {
		require(err.text[0] != '\0' && room == NULL);
		return 0;
	}
	require_complete(&launch);
	launch_write(&launch, &once);
	free(room);
	require(launch_read(once.data, once.len, &launch, &room_again, &err));
	launch_write(&launch, &twice);
	require(once.len == twice.len && memcmp(once.data, twice.data, once.len) == 0);
	free(room_again);
	str_free(&once);
	str_free(&twice);
	return 0;
}
