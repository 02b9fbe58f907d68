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
	PACKET_DATA,    /* part of a request or of an answer */
	PACKET_REFUSAL, /* a refusal by the door; the bytes are a sentence */
	PACKET_KIND_COUNT
};

#define PACKET_HEADER 8

struct packet {
	enum packet_kind kind;
	bool last;
	unsigned char bytes[DOOR_PACKET];
	size_t size;
};

/*
 * Sends one packet of at most DOOR_PACKET bytes, with the descriptor fd unless it is negative. Returns false
 * with errno set on failure.
 */
bool packet_send(int connection, enum packet_kind kind, bool last, const void *bytes, size_t size, int fd);

enum packet_got {
	PACKET_WHOLE,
	PACKET_LATER,  /* no packet has arrived yet */
	PACKET_CLOSED, /* the peer has closed the connection */
	PACKET_WRONG /* an invalid packet: too long, without a valid header, or with an unexpected descriptor
		      */
};

/*
 * Receives one packet without waiting. *fd becomes the descriptor that came with the packet, which the
 * caller must close, or -1. If fd is NULL, a packet with a descriptor is PACKET_WRONG and stays unread; such
 * a connection must be closed with deferred_close.
 */
enum packet_got packet_receive(int connection, struct packet *out, int *fd);

#endif
