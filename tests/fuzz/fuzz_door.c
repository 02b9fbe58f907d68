/* SPDX-License-Identifier: MIT */
/*
 * fuzz_door.c - any packets, in any order, from clients that come and go
 *
 * Each byte of the input says what happens next: who speaks, how much, with or without an end. The handler
 * answers with what it got. Whatever happens, a well-behaved client is served afterwards.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sched/host/door.h"
#include "sched/host/door_packet.h"

#define CLIENTS 4

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char dir[] = "/tmp/kahu-fuzz-door.XXXXXX";

static void handle(void *self, struct door_request *request, const struct peer *peer, const void *bytes,
		   size_t size)
{
	struct door_answer answer = {.fd = -1};

	(void)self;
	(void)peer;
	str_add_bytes(&answer.bytes, bytes, size);
	door_answer(request, &answer);
	str_free(&answer.bytes);
}

static void gone(void *self, struct door_request *request)
{
	(void)self;
	(void)request;
}

static void act(int client[static CLIENTS], uint8_t what, const uint8_t *rest, size_t left)
{
	int *c = &client[what % CLIENTS];
	size_t part = left < 64 ? left : 64;
	struct packet p;

	if (*c < 0)
		*c = door_knock(dir, NULL);
	switch (what / CLIENTS % 6) {
	case 0:
		packet_send(*c, PACKET_DATA, true, rest, part, -1);
		break;
	case 1:
		packet_send(*c, PACKET_DATA, false, rest, part, -1);
		break;
	case 2:
		(void)!send(*c, rest, part, MSG_NOSIGNAL | MSG_DONTWAIT);
		break;
	case 3:
		packet_receive(*c, &p, NULL);
		break;
	case 4:
		packet_send(*c, PACKET_DATA, what & 1, rest, part, 0);
		break;
	default:
		close(*c);
		*c = -1;
		break;
	}
}

/* One whole request, with the door turned in between. */
static void must_serve(struct door *door)
{
	struct packet p;
	int c = door_knock(dir, NULL);

	if (c < 0 || !packet_send(c, PACKET_DATA, true, "ping", 4, -1))
		abort();
	for (int i = 0; packet_receive(c, &p, NULL) != PACKET_WHOLE; i++) {
		if (i == 100)
			abort();
		door_turn(door);
	}
	if (p.kind != PACKET_DATA || p.size != 4 || memcmp(p.bytes, "ping", 4) != 0)
		abort();
	close(c);
}

static void take_away(void)
{
	rmdir(dir);
}

static void make_folder(void)
{
	static bool made;

	if (!made && (mkdtemp(dir) == NULL || atexit(take_away) != 0))
		abort();
	made = true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct door_handler handler = {handle, gone, NULL};
	int client[CLIENTS] = {-1, -1, -1, -1};
	struct door *door;

	make_folder();
	door = door_open(dir, false, handler, NULL);
	if (door == NULL)
		abort();
	for (size_t i = 0; i < size && i < 400; i++) {
		act(client, data[i], data + i, size - i);
		if (data[i] & 1)
			door_turn(door);
	}
	must_serve(door);
	for (int i = 0; i < CLIENTS; i++)
		if (client[i] >= 0)
			close(client[i]);
	door_close(door);
	return 0;
}
