/* SPDX-License-Identifier: MIT */
/*
 * door_scene.h - a door (the scheduler's socket) and its clients, for tests
 *
 * The handler echoes each request, or keeps requests until the test answers them. Either the test itself
 * calls door_turn() between the actions of its clients (receive_packet), or a thread does, as in the
 * scheduler (scene_start_thread), for clients that wait in door_ask(). Include it after cmocka.h.
 */
#ifndef TESTS_DOOR_SCENE_H
#define TESTS_DOOR_SCENE_H

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sched/host/door.h"
#include "sched/host/door_inside.h"
#include "sched/host/door_packet.h"
#include "sched/rm/monotonic.h"
#include "tests/store_dir.h"

#define WAIT_MS 60000 /* limit of a wait for what must happen */
#define KEPT    8

struct door_scene {
	struct store_dir dir;
	struct door *door;
	pthread_t thread;
	atomic_bool runs, stop;
	int asked, gone;    /* calls of the handler */
	int with_fd;        /* passed with each answer; -1 = none */
	bool keep;          /* leave requests unanswered */
	int answers_kept;   /* the next request answers this kept one first; -1 = none */
	struct peer peer;   /* sender of the last request */
	size_t answer_size; /* bytes of the answer; 0 = echo */
	struct door_request *kept[KEPT];
	char kept_word[KEPT][16];
};

static inline void scene_answer(struct door_scene *s, struct door_request *request, const void *bytes,
				size_t size)
{
	struct door_answer answer = {.fd = s->with_fd >= 0 ? dup(s->with_fd) : -1};

	if (s->answer_size == 0)
		str_add_bytes(&answer.bytes, bytes, size);
	while (answer.bytes.len < s->answer_size)
		str_add_char(&answer.bytes, (char)answer.bytes.len);
	door_answer(request, &answer);
}

/* Answers a kept request; false if its client had disconnected. */
static inline bool scene_answer_kept(struct door_scene *s, int index)
{
	struct door_request *request = s->kept[index];

	s->kept[index] = NULL;
	if (request != NULL)
		scene_answer(s, request, s->kept_word[index], strlen(s->kept_word[index]));
	return request != NULL;
}

static inline void scene_handle(void *self, struct door_request *request, const struct peer *peer,
				const void *bytes, size_t size)
{
	struct door_scene *s = self;
	int index = s->asked++ % KEPT;

	s->peer = *peer;
	if (s->answers_kept >= 0)
		scene_answer_kept(s, s->answers_kept);
	if (s->keep) {
		s->kept[index] = request;
		snprintf(s->kept_word[index], sizeof s->kept_word[index], "%.*s", (int)size,
			 (const char *)bytes);
	} else {
		scene_answer(s, request, bytes, size);
	}
}

static inline void scene_gone(void *self, struct door_request *request)
{
	struct door_scene *s = self;

	for (int i = 0; i < KEPT; i++)
		if (s->kept[i] == request)
			s->kept[i] = NULL;
	s->gone++;
}

static inline struct door_handler scene_handler(struct door_scene *s)
{
	return (struct door_handler){.handle = scene_handle, .gone = scene_gone, .self = s};
}

static inline void scene_open(struct door_scene *s, bool everybody)
{
	struct err err;

	memset(s, 0, sizeof *s);
	s->with_fd = s->answers_kept = -1;
	make_store_dir(&s->dir);
	assert_int_equal(chmod(s->dir.path, everybody ? 0755 : 0700), 0);
	s->door = door_open(s->dir.path, everybody, scene_handler(s), &err);
	if (s->door == NULL)
		fail_msg("%s", err.text);
	door_set_turn(s->door, WAIT_MS); /* a turn does not end early on a slow machine */
}

/* Subjects the user of the test to the limits of other users. */
static inline void scene_distrust(struct door_scene *s)
{
	user_of(s->door, geteuid())->trusted = false;
}

static inline void *scene_turn(void *self)
{
	struct door_scene *s = self;

	while (!s->stop) {
		struct pollfd fd = {.fd = door_fd(s->door), .events = POLLIN};

		poll(&fd, 1, 5);
		door_turn(s->door);
	}
	return NULL;
}

static inline void scene_start_thread(struct door_scene *s)
{
	s->runs = true;
	assert_int_equal(pthread_create(&s->thread, NULL, scene_turn, s), 0);
}

static inline void scene_close(struct door_scene *s)
{
	s->stop = true;
	if (s->runs)
		pthread_join(s->thread, NULL);
	door_close(s->door);
	assert_int_equal(rmdir(s->dir.path), 0);
}

/* --- clients -------------------------------------------------------------------------------------- */

static inline int scene_knock(const struct door_scene *s)
{
	struct err err;
	int connection = door_knock(s->dir.path, &err);

	if (connection < 0)
		fail_msg("%s", err.text);
	return connection;
}

static inline void send_text(int connection, const char *words, bool last)
{
	assert_true(packet_send(connection, PACKET_DATA, last, words, strlen(words), -1));
}

/* Waits for the next packet, and ends its bytes with NUL if there is room. */
static inline enum packet_got receive_packet(struct door_scene *s, int connection, struct packet *p)
{
	int64_t until_ms = monotonic_ms() + WAIT_MS;
	enum packet_got got;

	while ((got = packet_receive(connection, p, NULL)) == PACKET_LATER) {
		struct pollfd fd[2] = {{.fd = connection, .events = POLLIN},
				       {.fd = s->runs ? -1 : door_fd(s->door), .events = POLLIN}};

		assert_true(monotonic_ms() < until_ms);
		poll(fd, 2, s->runs ? WAIT_MS : door_wait_ms(s->door));
		if (!s->runs)
			door_turn(s->door);
	}
	if (got == PACKET_WHOLE && p->size < sizeof p->bytes)
		p->bytes[p->size] = '\0';
	return got;
}

static inline void expect_answer(struct door_scene *s, int connection, const char *words)
{
	struct packet p;

	assert_int_equal(receive_packet(s, connection, &p), PACKET_WHOLE);
	assert_int_equal(p.kind, PACKET_DATA);
	assert_true(p.last);
	assert_string_equal((const char *)p.bytes, words);
}

/* Expects a refusal with this sentence, then the end of the connection. */
static inline void expect_refusal(struct door_scene *s, int connection, const char *sentence)
{
	struct packet p;

	assert_int_equal(receive_packet(s, connection, &p), PACKET_WHOLE);
	assert_int_equal(p.kind, PACKET_REFUSAL);
	assert_string_equal((const char *)p.bytes, sentence);
	assert_int_equal(receive_packet(s, connection, &p), PACKET_CLOSED);
}

static inline void expect_closed(struct door_scene *s, int connection)
{
	struct packet p;

	assert_int_equal(receive_packet(s, connection, &p), PACKET_CLOSED);
}

static inline void expect_echo(struct door_scene *s, int connection, const char *words)
{
	send_text(connection, words, true);
	expect_answer(s, connection, words);
}

#endif
