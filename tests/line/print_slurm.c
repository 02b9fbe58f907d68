/* SPDX-License-Identifier: MIT */
/*
 * print_slurm.c - print_slurm WHAT VERSION NODES JOBS BUSY NOW: the answer of one of Slurm's commands
 *
 * WHAT is node, partition, reservation or job; the format of job is that of $SQUEUE_FORMAT2. See
 * slurm_output.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/slurm_output.h"

#define MARK_BEGIN "jobarrayid:0"

/* The mark is the suffix of the first field of the format. */
static void find_mark(char *mark, size_t room)
{
	const char *format = getenv("SQUEUE_FORMAT2");

	mark[0] = '\0';
	if (format != NULL && strncmp(format, MARK_BEGIN, strlen(MARK_BEGIN)) == 0)
		snprintf(mark, room, "%.*s", (int)strcspn(format + strlen(MARK_BEGIN), "^"),
			 format + strlen(MARK_BEGIN));
}

int main(int argc, char **argv)
{
	struct slurm_model m = {.seed = 1};
	struct str out = {0};
	char mark[64];

	if (argc != 7)
		return 2;
	m.version = (unsigned)strtoul(argv[2], NULL, 10);
	m.nodes = (uint32_t)strtoul(argv[3], NULL, 10);
	m.jobs = (uint32_t)strtoul(argv[4], NULL, 10);
	m.busy_pct = (uint32_t)strtoul(argv[5], NULL, 10);
	m.now_s = strtoll(argv[6], NULL, 10);
	find_mark(mark, sizeof mark);
	if (strcmp(argv[1], "node") == 0)
		slurm_output_nodes(&m, &out);
	else if (strcmp(argv[1], "partition") == 0)
		slurm_output_partitions(&m, &out);
	else if (strcmp(argv[1], "reservation") == 0)
		slurm_output_reservations(&m, &out);
	else
		slurm_output_jobs(&m, mark, &out);
	fwrite(out.data, 1, out.len, stdout);
	str_free(&out);
	return 0;
}
