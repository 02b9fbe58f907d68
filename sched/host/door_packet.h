/* SPDX-License-Identifier: MIT */
/*
 * door_packet.h - packets of the socket protocol
 */
#ifndef HOST_DOOR_PACKET_H
#define HOST_DOOR_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "door.h"

enum packet_kind {
	PACKET_DATA,    /* of a request or an answer                          */
	PACKET_REFUSAL, /* the door itself will not: the bytes are a sentence */
	PACKET_KIND_COUNT
};

#define PACKET_HEADER 8

struct packet {
	enum packet_kind kind;
	bool last;
	unsigned char bytes[DOOR_PACKET];
	size_t size;
};

/* One packet of at most DOOR_PACKET bytes; fd < 0: none goes along. False with errno. */
bool packet_send(int connection, enum packet_kind kind, bool last, const void *bytes, size_t size, int fd);

enum packet_got {
	PACKET_WHOLE,
	PACKET_LATER,  /* there is none yet                            */
	PACKET_CLOSED, /* the other side is gone                       */
	PACKET_WRONG   /* it is no packet of ours: too long, no header, a descriptor that is not wanted */
};

/*
 * Receives one without waiting. *fd becomes a descriptor that came along, the caller's to close, or -1. With
 * fd NULL a packet that carries one is wrong, and stays unread: such a connection is closed by
 * deferred_close.
 */
enum packet_got packet_receive(int connection, struct packet *out, int *fd);

#endif
