/* SPDX-License-Identifier: MIT */
/*
 * hostile.c - a client that does not play by the rules. hostile DIR WHAT [ARGUMENT]
 *
 *     forge FILE    submits a job that says it is root's, which writes its uid to FILE; prints its id
 *     draw NAME     submits a job that is held, with that for every text of it; prints its id
 *     whisper TEXT  submits a job that is held, with that for the reasons of it; prints its id
 *     label TEXT    submits a job that is held and calls itself so; prints its id
 *     huge          a request that goes on for ever
 *     half          the beginning of a request, then nothing: until the door closes
 *     noise         packets of random bytes, one connection each
 *     idle COUNT    so many connections that say nothing, until standard input ends
 *
 * Prints what it was told. Status 0: it was answered as it should be.
 */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sched/base/rng.h"
#include "sched/base/vec.h"
#include "sched/host/door.h"
#include "sched/host/door_packet.h"
#include "sched/rm/launch.h"
#include "tui/serve/request.h"

#define WAIT_MS 20000

static int knock(const char *dir)
{
	struct err err = {""};
	int fd = door_knock(dir, &err);

	if (fd < 0)
		fprintf(stderr, "hostile: %s\n", err.text);
	return fd;
}

/* Waits for one packet and prints a refusal. True: the door said no, or closed. */
static bool is_refused(int fd)
{
	struct pollfd wait = {.fd = fd, .events = POLLIN};
	static struct packet p;

	if (poll(&wait, 1, WAIT_MS) <= 0)
		return false;
	switch (packet_receive(fd, &p, NULL)) {
	case PACKET_WHOLE:
		printf("%.*s\n", (int)p.size, (const char *)p.bytes);
		return p.kind == PACKET_REFUSAL;
	case PACKET_CLOSED:
		puts("closed");
		return true;
	case PACKET_LATER:
	case PACKET_WRONG:
		break;
	}
	return false;
}

/* All that a client may write of itself says root. */
static void write_forged(const char *file, struct str *out)
{
	char command[4200];
	const char *words[] = {"/bin/sh", "-c", command, NULL};
	struct launch launch = {.command = {words, 3}, .dir = "/", .user = "root", .group = "root"};
	struct event ev = {.kind = EVENT_SUBMIT, .who = "root"};
	struct request_text request = {.kind = ASK_CHANGE, .event = &ev, .count = 1};
	struct str bytes = {0};

	snprintf(command, sizeof command, "id -u >%s", file);
	launch_write(&launch, &bytes); /* uid and gid are 0 */
	ev.submit.job.not_before_s = TIME_NONE;
	ev.submit.job.wall_limit_s = 60;
	ev.submit.job.tasks = ev.submit.job.task_procs = 1;
	ev.submit.job.real = JOB_REAL_LAUNCH;
	ev.submit.cred[CRED_USER] = ev.submit.cred[CRED_GROUP] = "root";
	ev.submit.launch = bytes.data;
	ev.submit.launch_size = (uint32_t)bytes.len;
	request_write(&request, out);
	str_free(&bytes);
}

/* A job of one processor that is held; ev says the rest. */
static void write_held(struct event *ev, const struct launch *launch, struct str *out)
{
	struct request_text request = {.kind = ASK_CHANGE, .event = ev, .count = 1};
	struct str bytes = {0};

	launch_write(launch, &bytes);
	ev->kind = EVENT_SUBMIT;
	ev->submit.job.not_before_s = TIME_NONE;
	ev->submit.job.wall_limit_s = 60;
	ev->submit.job.tasks = ev->submit.job.task_procs = 1;
	ev->submit.job.real = JOB_REAL_LAUNCH;
	ev->submit.job.base_holds = ev->submit.job.holds = JOB_HOLD_USER;
	ev->submit.launch = bytes.data;
	ev->submit.launch_size = (uint32_t)bytes.len;
	request_write(&request, out);
	str_free(&bytes);
}

/* A job that would draw on the terminal of who looks at it. */
static void write_drawing(const char *name, struct str *out)
{
	char path[200];
	const char *words[] = {name, NULL};
	struct launch launch = {.command = {words, 1}, .dir = path, .output = path, .user = name};
	struct event ev = {.who = name};

	snprintf(path, sizeof path, "/%s", name);
	ev.submit.name = name;
	ev.submit.cred[CRED_ACCOUNT] = ev.submit.cred[CRED_CLASS] = name;
	write_held(&ev, &launch, out);
}

static const char *const some_command[] = {"true", NULL};

/* In what nobody is asked to name: reasons, and paths. */
static void write_whisper(const char *text, struct str *out)
{
	char path[200];
	struct launch launch = {
		.command = {some_command, 1}, .dir = "/", .output = path, .errors = path, .shell = path};
	struct event ev = {.why = text, .submit.hold_reason = text, .submit.base_reason = text};

	snprintf(path, sizeof path, "/%s", text);
	write_held(&ev, &launch, out);
}

static void write_label(const char *text, struct str *out)
{
	struct launch launch = {.command = {some_command, 1}, .dir = "/"};
	struct event ev = {.submit.label = text};

	write_held(&ev, &launch, out);
}

static bool submit(int fd, void (*write_request)(const char *text, struct str *out), const char *text)
{
	struct str bytes = {0}, reply = {0};
	struct answer_text answer = {.applied = NULL};
	struct err err = {""};
	int passed = -1;
	bool done;

	write_request(text, &bytes);
	done = door_ask(fd, bytes.data, bytes.len, &reply, &passed, WAIT_MS, &err) &&
	       answer_read(reply.data, reply.len, &answer, &err) && answer.outcome == DRIVER_DONE;
	if (done)
		printf("%" PRIu64 "\n", answer.applied[0].job);
	else
		fprintf(stderr, "hostile: %s\n", err.text[0] != '\0' ? err.text : answer.err.text);
	free(answer.applied);
	free(answer.fate);
	str_free(&bytes);
	str_free(&reply);
	return done;
}

static bool huge(int fd)
{
	static const char block[DOOR_PACKET];

	for (int i = 0; i < 1000; i++)
		if (!packet_send(fd, PACKET_DATA, false, block, sizeof block, -1) && errno != EAGAIN)
			break;
	return is_refused(fd);
}

static bool noise(const char *dir)
{
	struct rng rng;
	unsigned char bytes[600];

	rng_seed(&rng, 7);
	for (int i = 0; i < 100; i++) {
		int fd = knock(dir);

		if (fd < 0)
			return false;
		for (size_t k = 0; k < sizeof bytes; k++)
			bytes[k] = (unsigned char)rng_u64(&rng);
		(void)!send(fd, bytes, 1 + rng_below(&rng, sizeof bytes), MSG_NOSIGNAL);
		close(fd);
	}
	return true;
}

static bool idle(const char *dir, int count)
{
	struct rlimit limit;
	int held = 0;
	char byte;

	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
	for (int i = 0; i < count; i++)
		held += knock(dir) >= 0;
	printf("%d\n", held);
	fflush(stdout);
	while (read(STDIN_FILENO, &byte, 1) > 0)
		continue;
	return held > 0;
}

static bool run(const char *dir, const char *what, const char *argument)
{
	int fd;

	if (strcmp(what, "noise") == 0)
		return noise(dir);
	if (strcmp(what, "idle") == 0)
		return idle(dir, (int)strtol(argument, NULL, 10));
	fd = knock(dir);
	if (fd < 0)
		return false;
	if (strcmp(what, "forge") == 0)
		return submit(fd, write_forged, argument);
	if (strcmp(what, "draw") == 0)
		return submit(fd, write_drawing, argument);
	if (strcmp(what, "whisper") == 0)
		return submit(fd, write_whisper, argument);
	if (strcmp(what, "label") == 0)
		return submit(fd, write_label, argument);
	if (strcmp(what, "half") == 0)
		return packet_send(fd, PACKET_DATA, false, "half", 4, -1) && is_refused(fd);
	return strcmp(what, "huge") == 0 && huge(fd);
}

int main(int argc, char **argv)
{
	if (argc < 3) {
		fprintf(stderr, "usage: hostile DIR forge FILE | draw NAME | whisper TEXT | label TEXT | "
				"huge | half | noise | idle COUNT\n");
		return 2;
	}
	return run(argv[1], argv[2], argc > 3 ? argv[3] : "") ? EXIT_SUCCESS : EXIT_FAILURE;
}
