/* SPDX-License-Identifier: MIT */
/*
 * fuzz_door.c - random packets, in random order, from clients that connect and disconnect
 *
 * The first byte chooses the limits of the door and whether answers are sent at once. Each further byte
 * chooses the next event: a client sends some bytes, with or without the end of a request, is answered, or
 * disconnects. The door's counters must be consistent after every event, and a well-behaved client must be
 * served at the end.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sched/host/door.h"
#include "sched/host/door_inside.h"
#include "sched/host/door_packet.h"

#define CLIENTS 4
#define STEPS   400

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char dir[] = "/tmp/kahu-fuzz-door.XXXXXX";
static struct door_request *kept[CLIENTS]; /* at most one for each connection */
static size_t kept_count;
static bool keep;
static const unsigned char many[DOOR_PACKET + 1];

static void answer(struct door_request *request, const void *bytes, size_t size)
{
	struct door_answer reply = {.fd = -1};

	str_add_bytes(&reply.bytes, bytes, size);
	door_answer(request, &reply);
}

static void handle(void *self, struct door_request *request, const struct peer *peer, const void *bytes,
		   size_t size)
{
	(void)self;
	if (peer->pid != getpid())
		abort();
	if (keep && kept_count < CLIENTS)
		kept[kept_count++] = request;
	else
		answer(request, bytes, size);
}

static void forget(size_t index)
{
	memmove(&kept[index], &kept[index + 1], (--kept_count - index) * sizeof(struct door_request *));
}

static void gone(void *self, struct door_request *request)
{
	size_t i = 0;

	(void)self;
	while (i < kept_count && kept[i] != request)
		i++;
	if (i == kept_count)
		abort();
	forget(i);
}

static void answer_kept(size_t index)
{
	struct door_request *request;

	if (kept_count == 0)
		return;
	request = kept[index % kept_count];
	forget(index % kept_count);
	answer(request, many, index % 2 == 0 ? 5 : sizeof many);
}

static void act(int client[static CLIENTS], uint8_t what, const uint8_t *rest, size_t left)
{
	int *c = &client[what % CLIENTS];
	size_t part = left < 64 ? left : 64;
	static struct packet p;

	if (*c < 0)
		*c = door_knock(dir, NULL);
	switch (what / CLIENTS % 8) {
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
		packet_send(*c, PACKET_DATA, (what & 1) != 0, rest, part, 0);
		break;
	case 5:
		packet_send(*c, PACKET_DATA, (what & 64) != 0, many, DOOR_PACKET, -1);
		break;
	case 6:
		answer_kept(what);
		break;
	default:
		close(*c);
		*c = -1;
		break;
	}
}

/* The counters of the user are the sums over the connections. */
static void check_counts(struct door *door)
{
	size_t connections = 0, held = 0;

	for (size_t i = 0; i < door->count; i++) {
		const struct connection *c = door->connection[i];

		connections += c->doing != GONE;
		held += c->in.len + c->out.len;
		if ((c->request != NULL) != (c->doing == WAITS))
			abort();
	}
	if (user_of(door, geteuid())->connections != connections || user_of(door, geteuid())->held != held)
		abort();
}

/* Sends a complete request, with steps of the door in between. */
static void must_serve(struct door *door)
{
	static struct packet p;
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

static void be_strict(struct door *door, uint8_t how)
{
	user_of(door, geteuid())->trusted = (how & 1) == 0;
	keep = (how & 2) != 0;
	if ((how & 4) != 0)
		door->most = 2;
	if ((how & 8) != 0)
		door->patience_ms = 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct door_handler handler = {.handle = handle, .gone = gone};
	int client[CLIENTS] = {-1, -1, -1, -1};
	struct door *door;

	make_folder();
	door = door_open(dir, false, handler, NULL);
	if (door == NULL)
		abort();
	be_strict(door, size > 0 ? data[0] : 0);
	for (size_t i = 1; i < size && i < STEPS; i++) {
		act(client, data[i], data + i, size - i);
		if ((data[i] & 128) == 0) {
			door_turn(door);
			check_counts(door);
		}
	}
	be_strict(door, 0);
	for (int i = 0; i < CLIENTS; i++)
		if (client[i] >= 0)
			close(client[i]);
	door->patience_ms = DOOR_PATIENCE_MS;
	door->most = DOOR_ALL;
	must_serve(door);
	door_close(door);
	if (kept_count > 0)
		abort();
	return 0;
}
