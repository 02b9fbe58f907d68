/* SPDX-License-Identifier: MIT */
/*
 * submit_many.c - submissions over several connections: submit_many DIR COUNT CONNECTIONS
 *
 * Each connection has one submission in progress, as a program that submits one job after the other. Prints
 * submissions per second, and the milliseconds from a request to its answer: median, 99th percentile,
 * maximum.
 */
#include <poll.h>
#include <unistd.h>

#include "sched/base/vec.h"
#include "sched/host/door.h"
#include "tests/bench/bench.h"
#include "tests/bench/submits.h"

#define CONNECTIONS_MAX 64

static int compare_s(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Measures the time of each submission; returns the total seconds. */
static double submit_all(const char *dir, size_t count, int connections, double *took_s)
{
	uint64_t number = (uint64_t)getpid() << 32; /* different from those of other runs */
	struct pollfd fd[CONNECTIONS_MAX];
	double sent_s[CONNECTIONS_MAX], began_s = bench_wall_s();
	size_t sent = 0, heard = 0;
	struct err err;

	for (int i = 0; i < connections; i++, sent++) {
		fd[i] = (struct pollfd){.fd = door_knock(dir, &err), .events = POLLIN};
		if (fd[i].fd < 0)
			fail(err.text);
		sent_s[i] = bench_wall_s();
		submit_on(fd[i].fd, number + sent);
	}
	while (heard < count) {
		poll(fd, (nfds_t)connections, -1);
		for (int i = 0; i < connections && heard < count; i++) {
			if (fd[i].revents == 0 || !hear_from(fd[i].fd))
				continue;
			took_s[heard++] = bench_wall_s() - sent_s[i];
			sent_s[i] = bench_wall_s();
			submit_on(fd[i].fd, number + sent++);
		}
	}
	return bench_wall_s() - began_s;
}

int main(int argc, char **argv)
{
	size_t count = argc == 4 ? strtoul(argv[2], NULL, 10) : 0;
	int connections = argc == 4 ? (int)strtol(argv[3], NULL, 10) : 0;
	double *took_s, all_s;

	if (count == 0 || connections < 1 || connections > CONNECTIONS_MAX)
		fail("usage: submit_many DIR COUNT CONNECTIONS");
	took_s = mem_zero(count, sizeof *took_s);
	all_s = submit_all(argv[1], count, connections, took_s);
	qsort(took_s, count, sizeof *took_s, compare_s);
	printf("%.6g %.4g %.4g %.4g\n", (double)count / all_s, took_s[count / 2] * 1e3,
	       took_s[count * 99 / 100] * 1e3, took_s[count - 1] * 1e3);
	free(took_s);
	return 0;
}
