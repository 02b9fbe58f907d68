/* SPDX-License-Identifier: MIT */
/*
 * submits.h - submissions through the socket, for measurements
 */
#ifndef TESTS_BENCH_SUBMITS_H
#define TESTS_BENCH_SUBMITS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sched/host/door_packet.h"
#include "sched/host/driver.h"
#include "sched/rm/launch.h"
#include "tui/serve/request.h"

static _Noreturn inline void fail(const char *what)
{
	fprintf(stderr, "bench: %s\n", what);
	exit(1);
}

static inline void write_submission(struct str *out, uint64_t number)
{
	static const char *const words[] = {"/bin/true", NULL};
	const struct launch what = {.command = {words, 1}, .dir = "/tmp"};
	struct event ev = {.kind = EVENT_SUBMIT};
	struct request_text request = {.kind = ASK_CHANGE, .event = &ev, .count = 1};
	struct str launch = {0};

	launch_write(&what, &launch);
	ev.submit.launch = launch.data;
	ev.submit.launch_size = (uint32_t)launch.len;
	ev.submit.job = (struct job){.not_before_s = TIME_NONE,
				     .wall_limit_s = 600,
				     .true_run_s = -1,
				     .tasks = 1,
				     .task_procs = 1,
				     .real = JOB_REAL_LAUNCH};
	memcpy(request.cookie, &number, sizeof number);
	request.cookie[COOKIE_BYTES - 1] = 1;
	request_write(&request, out);
	str_free(&launch);
}

/* Sends a submission; number: different for each submission. */
static inline void submit_on(int connection, uint64_t number)
{
	struct str request = {0};

	write_submission(&request, number);
	if (!packet_send(connection, PACKET_DATA, true, request.data, request.len, -1))
		fail("a submission cannot be sent");
	str_free(&request);
}

/* Reads an answer; false if none has arrived yet. */
static inline bool hear_from(int connection)
{
	struct answer_text answer;
	struct packet p;
	struct err err;
	enum packet_got got = packet_receive(connection, &p, NULL);

	if (got == PACKET_LATER)
		return false;
	if (got != PACKET_WHOLE || p.kind != PACKET_DATA || !answer_read(p.bytes, p.size, &answer, &err))
		fail("no answer came");
	if (answer.outcome != DRIVER_DONE)
		fail(answer.err.text);
	free(answer.applied);
	free(answer.job_status);
	return true;
}

#endif
