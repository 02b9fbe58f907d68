/* SPDX-License-Identifier: MIT */
/*
 * crowd.h - who comes to the door and is not nice?
 *
 * A thousand connections of one process: most say nothing, others send halves of requests, requests without
 * end, nonsense, or ask for much and do not read it, or come and go. It lives as long as who made it.
 */
#ifndef TESTS_CROWD_H
#define TESTS_CROWD_H

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "sched/host/door.h"
#include "sched/host/door_packet.h"
#include "tui/serve/request.h"

#define CROWD 1000

static inline void crowd_send(int connection, const void *bytes, size_t size, bool last)
{
	(void)packet_send(connection, PACKET_DATA, last, bytes, size, -1);
}

/* What the one at this place does now. */
static inline void crowd_act(int connection[static CROWD], int at, const struct str *question)
{
	static char much[DOOR_PACKET];

	if (at % 10 == 1)
		crowd_send(connection[at], "half a mess", 11, false);
	else if (at % 10 == 2)
		for (int k = 0; k < 8; k++)
			crowd_send(connection[at], much, sizeof much, false);
	else if (at % 10 == 3)
		crowd_send(connection[at], question->data, question->len, true);
	else if (at % 10 == 4)
		crowd_send(connection[at], "nonsense", 8, true);
	if (at % 10 == 5) {
		close(connection[at]);
		connection[at] = -1;
	}
}

/* In a process of its own; a byte goes to ready when all are there. Does not return. */
static inline void be_a_crowd(const char *dir, int ready)
{
	const struct request_text state = {.kind = ASK_STATE};
	static int connection[CROWD];
	struct str question = {0};

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	request_write(&state, &question);
	for (int i = 0; i < CROWD; i++)
		connection[i] = door_knock(dir, NULL);
	if (write(ready, "", 1) != 1)
		_exit(1);
	for (unsigned turn = 0;; turn++) {
		int at = (int)(turn % CROWD);

		if (connection[at] < 0)
			connection[at] = door_knock(dir, NULL);
		else
			crowd_act(connection, at, &question);
		if (turn % 50 == 49)
			poll(NULL, 0, 1);
	}
}

#endif
