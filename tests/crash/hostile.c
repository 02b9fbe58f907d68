/* SPDX-License-Identifier: MIT */
/*
 * hostile.c - a client that violates the protocol: hostile DIR WHAT [ARGUMENT]
 *
 *     forge FILE    submits a job that claims to be root's and writes its UID to FILE; prints its ID
 *     draw NAME     submits a held job with NAME for each of its strings; prints its ID
 *     whisper TEXT  submits a held job with TEXT for its reason; prints its ID
 *     path TEXT     submits a held job with TEXT for its paths; prints its ID
 *     step          submits an array whose step is 0; prints its ID
 *     label TEXT    submits a held job with a forged label; prints its ID
 *     huge          sends a request that does not end
 *     half          sends the beginning of a request, then waits until the connection is closed
 *     noise         sends packets of random bytes, each on its own connection
 *     linger        sends packets with a socket whose last close takes ten minutes, then closes the
 * connection queue COUNT   closes COUNT connections that wait for changes, each with 10000 epoll entries and
 * a full queue; prints "ready", and stays until standard input ends poll COUNT    COUNT times: sends an
 * invalid request on a connection that it polls with two million entries map COUNT     maps the received
 * state 60000 times in each of COUNT processes; prints "ready", then "withdrawn" when the state is withdrawn,
 * and stays until standard input ends script JOB    requests the script of any job; prints the number of
 * bytes received squat         listens in DIR as a client of `kahu run`, until a job connects and ends;
 * prints the messages idle COUNT    opens COUNT connections without a request, until standard input ends
 *     flood SECONDS[,SEED]
 *                   random requests at full speed on many connections: submissions and arrays, some invalid,
 *                   holds and releases of its jobs, modifications, states that are kept, ended jobs, history,
 *                   past states, incomplete requests, requests of the maximum size, unread answers
 *     measure COUNT submits and requests the state COUNT times, one after the other; prints the 99th
 *                   percentile of each in milliseconds: "submit MS queue MS"
 *
 * Prints the answers. Status 0: the scheduler reacted as expected.
 */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "sched/base/rng.h"
#include "sched/base/vec.h"
#include "sched/host/door.h"
#include "sched/host/door_packet.h"
#include "sched/rm/launch.h"
#include "sched/rm/waiter.h"
#include "tests/carrier.h"
#include "tui/serve/client.h"
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

/* Waits for one packet and prints a refusal. True: refused, or the connection was closed. */
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

/* A submission in which every field about the client has root's value. */
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

/* A held job of one processor; ev has the other fields. */
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

/* A job whose name has control sequences, which would affect a terminal. */
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

static void write_whisper(const char *text, struct str *out)
{
	struct launch launch = {.command = {some_command, 1}, .dir = "/"};
	struct event ev = {.why = text, .submit.hold_reason = text, .submit.base_reason = text};

	write_held(&ev, &launch, out);
}

static void write_path(const char *text, struct str *out)
{
	char path[200];
	struct launch launch = {
		.command = {some_command, 1}, .dir = "/", .output = path, .errors = path, .shell = path};
	struct event ev = {.who = text};

	snprintf(path, sizeof path, "/%s", text);
	write_held(&ev, &launch, out);
}

static void write_step(const char *text, struct str *out)
{
	const struct array_range range = {0, 3, 0};
	struct launch launch = {.command = {some_command, 1}, .dir = "/"};
	struct event ev = {.who = text, .submit.ranges = &range, .submit.range_count = 1};

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
	free(answer.job_status);
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

/* If the kernel refuses to send the socket, this process must not wait for its close. */
static bool linger(const char *dir)
{
	const struct linger at_once = {.l_onoff = 0};

	for (int i = 0; i < 10; i++) {
		int peer = -1, fd = knock(dir), socket = carrier_lingering(600, &peer);

		if (fd < 0 || socket < 0)
			return false;
		if (!carrier_send(fd, "KHD1", socket))
			setsockopt(socket, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
		close(socket);
		close(fd);
	}
	return true;
}

/* --- sockets and files that make system calls slow ----------------------------------------------------- */

static void raise_limit(void)
{
	struct rlimit limit;

	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

/* The journal entry of the newest state. */
static bool find_seq(const char *dir, uint64_t *seq)
{
	struct err err = {""};
	struct client *c = client_open(dir, &err);
	const struct snapshot *s;
	int64_t now_s;

	s = c != NULL ? client_state(c, &now_s, &err) : NULL;
	if (s != NULL)
		*seq = s->seq;
	else
		fprintf(stderr, "hostile: %s\n", err.text);
	client_close(c);
	return s != NULL;
}

static void await_end(void)
{
	char byte;

	while (read(STDIN_FILENO, &byte, 1) > 0)
		continue;
}

#define EPOLLS 10
#define COPIES 1000

static void lengthen_queue(int fd, const int epoll[static EPOLLS])
{
	for (int i = 0; i < COPIES; i++) {
		struct epoll_event never = {.events = EPOLLPRI};
		int copy = dup(fd);

		for (int k = 0; k < EPOLLS && copy >= 0; k++)
			epoll_ctl(epoll[k], EPOLL_CTL_ADD, copy, &never);
	}
}

static bool fill_queues(const char *dir, int count)
{
	const int large = 1 << 30;
	int line[64], epoll[EPOLLS];
	struct request_text wait = {.kind = ASK_STATE};
	struct str bytes = {0};
	uint64_t seq = 0;
	bool good = count <= 64 && find_seq(dir, &seq);

	raise_limit();
	for (int k = 0; k < EPOLLS; k++)
		epoll[k] = epoll_create1(EPOLL_CLOEXEC);
	wait.past.from = seq;
	request_write(&wait, &bytes);
	for (int i = 0; i < count && good; i++) {
		line[i] = knock(dir);
		setsockopt(line[i], SOL_SOCKET, SO_SNDBUF, &large, sizeof large);
		good = line[i] >= 0 && packet_send(line[i], PACKET_DATA, true, bytes.data, bytes.len, -1);
	}
	poll(NULL, 0, 300); /* until they wait */
	for (int i = 0; i < count && good; i++) {
		lengthen_queue(line[i], epoll);
		while (send(line[i], "x", 1, MSG_DONTWAIT | MSG_NOSIGNAL) == 1)
			continue;
	}
	for (int i = 0; i < count && good; i++)
		shutdown(line[i], SHUT_RDWR);
	puts(good ? "ready" : "failed");
	fflush(stdout);
	await_end();
	str_free(&bytes);
	return good;
}

#define POLLERS 100
#define ENTRIES 20000

struct pollers {
	struct pollfd *entry;
	pthread_t thread[POLLERS];
	atomic_int asleep;
};

static void *poll_all(void *self)
{
	struct pollers *p = self;

	p->asleep++;
	poll(p->entry, ENTRIES, WAIT_MS);
	return NULL;
}

static bool poll_once(const char *dir, struct pollers *p, const pthread_attr_t *small)
{
	int fd = knock(dir);
	bool good = fd >= 0;

	for (int i = 0; i < ENTRIES; i++)
		p->entry[i] = (struct pollfd){.fd = fd, .events = POLLPRI};
	p->asleep = 0;
	for (int i = 0; i < POLLERS && good; i++)
		good = pthread_create(&p->thread[i], small, poll_all, p) == 0;
	while (p->asleep < POLLERS && good)
		poll(NULL, 0, 1);
	poll(NULL, 0, 100);
	good = good && send(fd, "nonsense", 8, MSG_NOSIGNAL) == 8;
	for (int i = 0; i < POLLERS && good; i++)
		pthread_join(p->thread[i], NULL);
	close(fd);
	return good;
}

static bool poll_often(const char *dir, int count)
{
	struct pollers p = {.entry = calloc(ENTRIES, sizeof *p.entry)};
	pthread_attr_t small;
	bool good = p.entry != NULL;

	raise_limit();
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 65536);
	for (int i = 0; i < count && good; i++)
		good = poll_once(dir, &p, &small);
	free(p.entry);
	return good;
}

#define MAPS 60000

static bool map_often(const char *dir, int count)
{
	struct request_text request = {.kind = ASK_STATE};
	struct str bytes = {0}, reply = {0};
	struct err err = {""};
	int fd = knock(dir), state = -1;
	struct stat st;
	bool good;

	request_write(&request, &bytes);
	good = fd >= 0 && door_ask(fd, bytes.data, bytes.len, &reply, &state, WAIT_MS, &err) && state >= 0;
	for (int i = 0; i < MAPS && good; i++)
		if (mmap(NULL, 4096, PROT_READ, MAP_SHARED | MAP_POPULATE, state, 0) == MAP_FAILED)
			break;
	for (int i = 1; i < count && good; i++)
		if (fork() == 0) {
			await_end();
			_exit(0);
		}
	printf(good ? "ready\n" : "%s\n", err.text);
	fflush(stdout);
	while (good && fstat(state, &st) == 0 && st.st_size > 0)
		poll(NULL, 0, 20);
	puts("withdrawn");
	fflush(stdout);
	await_end();
	str_free(&bytes);
	str_free(&reply);
	return good;
}

static bool script(const char *dir, const char *job)
{
	struct err err = {""};
	struct client *c = client_open(dir, &err);
	struct str bytes = {0};
	bool good = c != NULL && client_script(c, strtoull(job, NULL, 10), &bytes, &err);

	if (good)
		printf("%zu\n", bytes.len);
	else
		fprintf(stderr, "hostile: %s\n", err.text);
	str_free(&bytes);
	client_close(c);
	return good;
}

/* Creates a socket for all users at the path of a removed one. */
static bool squat(const char *dir)
{
	char path[100], word[300];
	struct err err = {""};
	int listening, fd;
	ssize_t n;

	snprintf(path, sizeof path, "%s/w", dir);
	listening = waiter_listen(path, &err);
	if (listening < 0 || chmod(path, 0777) != 0) {
		fprintf(stderr, "hostile: %s\n", err.text);
		return false;
	}
	printf("listens\n");
	fflush(stdout);
	fd = accept(listening, NULL, NULL);
	while ((n = recv(fd, word, sizeof word, 0)) > 0)
		printf("%.*s\n", (int)n, word);
	close(fd);
	close(listening);
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

/* --- a flood ------------------------------------------------------------------------------------- */

#define LINES 24
#define HOARD 256 /* descriptors that are kept */

struct flood {
	const char *dir;
	struct rng rng;
	int line[LINES];
	bool waits[LINES];
	int hoard[HOARD];
	unsigned kept;
	uint64_t job[64]; /* recently submitted jobs */
	unsigned jobs;
	uint64_t sent, done, refused, closed, states;
};

static uint64_t some_job(struct flood *f)
{
	return f->jobs == 0 ? 1 : f->job[rng_below(&f->rng, f->jobs < 64 ? f->jobs : 64)];
}

static void add_submission(struct event *ev, struct array_range *range, struct str *launch, uint32_t tasks,
			   size_t script)
{
	const char *words[] = {"true", NULL};
	char *text = script > 0 ? malloc(script) : NULL;
	struct launch what = {.command = {words, 1}, .dir = "/"};

	if (text != NULL) {
		memset(text, 'x', script);
		what.script = text;
		what.script_size = (uint32_t)script;
	}
	launch_write(&what, launch);
	free(text);
	*range = (struct array_range){.first = 0, .last = tasks - 1, .step = 1};
	*ev = (struct event){.kind = EVENT_SUBMIT};
	ev->submit.job.not_before_s = TIME_NONE;
	ev->submit.job.wall_limit_s = 60;
	ev->submit.job.tasks = ev->submit.job.task_procs = 1;
	ev->submit.job.real = JOB_REAL_LAUNCH;
	ev->submit.job.base_holds = ev->submit.job.holds = JOB_HOLD_USER;
	ev->submit.launch = launch->data;
	ev->submit.launch_size = (uint32_t)launch->len;
	if (tasks > 1) {
		ev->submit.ranges = range;
		ev->submit.range_count = 1;
	}
}

static void write_submissions(struct str *out, size_t count, uint32_t tasks, size_t script,
			      const char *account)
{
	struct event *ev = mem_zero(count, sizeof *ev);
	struct request_text request = {.kind = ASK_CHANGE, .event = ev, .count = count};
	struct array_range range;
	struct str launch = {0};

	for (size_t i = 0; i < count; i++) {
		str_clear(&launch);
		add_submission(&ev[i], &range, &launch, tasks, script);
		ev[i].submit.cred[CRED_ACCOUNT] = account;
	}
	for (size_t i = 0; i < count; i++)
		ev[i].submit.launch = launch.data;
	request_write(&request, out);
	str_free(&launch);
	free(ev);
}

static void write_changes(struct flood *f, struct str *out, size_t count)
{
	struct event *ev = mem_zero(count, sizeof *ev);
	struct request_text request = {.kind = ASK_CHANGE, .event = ev, .count = count};
	uint64_t job = some_job(f);

	for (size_t i = 0; i < count; i++) {
		ev[i].job = job;
		if (rng_below(&f->rng, 3) == 0) {
			ev[i].kind = EVENT_MODIFY;
			ev[i].modify.name = "mem";
			ev[i].modify.value = i % 2 == 0 ? "1" : "2";
		} else {
			ev[i].kind = EVENT_HOLD;
			ev[i].hold.bits = JOB_HOLD_USER;
			ev[i].hold.on = i % 2 != 0;
		}
	}
	request_write(&request, out);
	free(ev);
}

static void write_cancel(struct flood *f, struct str *out)
{
	struct event ev = {.kind = EVENT_CANCEL, .job = some_job(f)};
	struct request_text request = {.kind = ASK_CHANGE, .event = &ev, .count = 1};

	request_write(&request, out);
}

static void write_statuses(struct str *out)
{
	static struct job_ref name[JOB_REF_LABELS_MAX];
	struct request_text request = {.kind = ASK_JOBS, .name = name, .name_count = JOB_REF_LABELS_MAX};

	for (int i = 0; i < JOB_REF_LABELS_MAX; i++)
		name[i].label = i % 2 == 0 ? "no such label" : "12[]";
	request_write(&request, out);
}

static void write_question(struct flood *f, struct str *out)
{
	static const enum request_kind_of kinds[] = {ASK_STATE, ASK_STATE,  ASK_STATE,
						     ASK_PAST,  ASK_MOMENT, ASK_LIMITS};
	struct request_text request = {.kind = kinds[rng_below(&f->rng, sizeof kinds / sizeof kinds[0])]};

	request.past.journal = request.kind == ASK_PAST && rng_below(&f->rng, 2) == 0;
	if (request.kind == ASK_PAST && !request.past.journal)
		request.past.jobs =
			(struct history_filter){.after = {.end_s = (int64_t)rng_below(&f->rng, 2000000000)},
						.before = {.end_s = INT64_MAX, .job = rng_below(&f->rng, 2)},
						.backward = rng_below(&f->rng, 2) == 0,
						.ran = rng_below(&f->rng, 2) == 0,
						.user = rng_below(&f->rng, 2) == 0 ? "daemon" : NULL,
						.id = {{1, rng_below(&f->rng, 3)}},
						.id_count = (uint32_t)rng_below(&f->rng, 2)};
	request.past.from = request.kind == ASK_STATE ? 0 : 1 + rng_below(&f->rng, 100);
	request_write(&request, out);
}

static void write_something(struct flood *f, struct str *out)
{
	char account[32];

	switch (rng_below(&f->rng, 12)) {
	case 0:
		write_submissions(out, 1, 1 + (uint32_t)rng_below(&f->rng, 1500), 0, NULL);
		break;
	case 1:
		write_submissions(out, 1 + rng_below(&f->rng, 3000), 1, 0, NULL);
		break;
	case 2:
		write_submissions(out, 1, 1, rng_below(&f->rng, 4) == 0 ? 2000000 : LAUNCH_NEW_SCRIPT_MAX,
				  NULL);
		break;
	case 3:
		snprintf(account, sizeof account, "a%" PRIu64, rng_u64(&f->rng));
		write_submissions(out, 1, 1, 0, account);
		break;
	case 4:
	case 5:
		write_changes(f, out, 1);
		break;
	case 6:
		write_changes(f, out, 1 + rng_below(&f->rng, 400));
		break;
	case 7:
		write_cancel(f, out);
		break;
	case 8:
		write_statuses(out);
		break;
	default:
		write_question(f, out);
		break;
	}
}

/* Sends a request, sometimes only half of it; gives up if it cannot be sent at once. */
static void send_something(struct flood *f, int i)
{
	struct str out = {0};
	bool half = rng_below(&f->rng, 50) == 0;

	write_something(f, &out);
	f->sent++;
	for (size_t at = 0; at < out.len; at += DOOR_PACKET) {
		size_t part = out.len - at < DOOR_PACKET ? out.len - at : DOOR_PACKET;
		bool last = at + part == out.len && !half;
		struct pollfd wait = {.fd = f->line[i], .events = POLLOUT};

		if (!packet_send(f->line[i], PACKET_DATA, last, out.data + at, part, -1) &&
		    (poll(&wait, 1, 100) <= 0 ||
		     !packet_send(f->line[i], PACKET_DATA, last, out.data + at, part, -1)))
			break;
	}
	f->waits[i] = true;
	str_free(&out);
}

static void hoard(struct flood *f, int fd)
{
	int *place = &f->hoard[f->kept++ % HOARD];

	if (*place > 0)
		close(*place);
	*place = fd;
	f->states++;
}

static void hear_answer(struct flood *f, const struct packet *p)
{
	struct answer_text answer;
	struct err err;

	if (p->kind != PACKET_DATA || !p->last || !answer_read(p->bytes, p->size, &answer, &err)) {
		f->refused++;
		return;
	}
	f->done += answer.outcome == DRIVER_DONE;
	f->refused += answer.outcome != DRIVER_DONE;
	for (size_t i = 0; i < answer.count; i++)
		if (answer.applied[i].job != 0)
			f->job[f->jobs++ % 64] = answer.applied[i].job;
	free(answer.applied);
	free(answer.job_status);
}

/* One in eight answers is not read for some time. */
static void hear_something(struct flood *f, int i)
{
	static struct packet p;
	int fd = -1;

	if (rng_below(&f->rng, 8) == 0)
		return;
	switch (packet_receive(f->line[i], &p, &fd)) {
	case PACKET_WHOLE:
		hear_answer(f, &p);
		f->waits[i] = !p.last;
		break;
	case PACKET_CLOSED:
	case PACKET_WRONG:
		close(f->line[i]);
		f->line[i] = -1;
		f->closed++;
		break;
	case PACKET_LATER:
		break;
	}
	if (fd >= 0)
		hoard(f, fd);
}

static bool flood(const char *dir, const char *argument)
{
	char *rest = NULL;
	long seconds = strtol(argument, &rest, 10);
	static struct flood f;
	time_t until = time(NULL) + seconds;

	f.dir = dir;
	rng_seed(&f.rng, *rest == ',' ? strtoull(rest + 1, NULL, 10) : 1);
	for (int i = 0; i < LINES; i++)
		f.line[i] = -1;
	while (time(NULL) < until) {
		struct pollfd fd[LINES];

		for (int i = 0; i < LINES; i++) {
			if (f.line[i] < 0) {
				f.line[i] = door_knock(dir, NULL);
				f.waits[i] = false;
			}
			if (f.line[i] >= 0 && !f.waits[i])
				send_something(&f, i);
			fd[i] = (struct pollfd){.fd = f.line[i], .events = POLLIN};
		}
		if (poll(fd, LINES, 10) <= 0)
			continue;
		for (int i = 0; i < LINES; i++)
			if (f.line[i] >= 0 && fd[i].revents != 0)
				hear_something(&f, i);
	}
	printf("sent %" PRIu64 " done %" PRIu64 " refused %" PRIu64 " closed %" PRIu64 " states %" PRIu64
	       "\n",
	       f.sent, f.done, f.refused, f.closed, f.states);
	return f.done > 0;
}

/* --- a well-behaved user --------------------------------------------------------------------- */

static double now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int by_size(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static bool submit_once(int fd)
{
	struct launch launch = {.command = {some_command, 1}, .dir = "/"};
	struct event ev = {.who = ""};
	struct str bytes = {0}, reply = {0};
	struct answer_text answer = {.applied = NULL};
	struct err err = {""};
	int passed = -1;
	bool done;

	write_held(&ev, &launch, &bytes);
	done = door_ask(fd, bytes.data, bytes.len, &reply, &passed, WAIT_MS, &err) &&
	       answer_read(reply.data, reply.len, &answer, &err) && answer.outcome == DRIVER_DONE;
	if (!done)
		fprintf(stderr, "hostile: %s\n", err.text[0] != '\0' ? err.text : answer.err.text);
	free(answer.applied);
	free(answer.job_status);
	str_free(&bytes);
	str_free(&reply);
	return done;
}

static bool measure(const char *dir, int count)
{
	double *submit_ms = mem_zero((size_t)count, sizeof *submit_ms);
	double *queue_ms = mem_zero((size_t)count, sizeof *queue_ms);
	struct err err = {""};
	struct client *c = client_open(dir, &err);
	int fd = knock(dir);
	bool good = c != NULL && fd >= 0;

	for (int i = 0; i < count && good; i++) {
		int64_t now_s;
		double began_ms = now_ms();

		good = submit_once(fd);
		submit_ms[i] = now_ms() - began_ms;
		began_ms = now_ms();
		good = good && client_state(c, &now_s, &err) != NULL;
		queue_ms[i] = now_ms() - began_ms;
		poll(NULL, 0, 20);
	}
	if (good) {
		qsort(submit_ms, (size_t)count, sizeof *submit_ms, by_size);
		qsort(queue_ms, (size_t)count, sizeof *queue_ms, by_size);
		printf("submit %.1f queue %.1f\n", submit_ms[(count * 99 + 99) / 100 - 1],
		       queue_ms[(count * 99 + 99) / 100 - 1]);
	} else {
		fprintf(stderr, "hostile: %s\n", err.text);
	}
	client_close(c);
	free(submit_ms);
	free(queue_ms);
	return good;
}

static bool run(const char *dir, const char *what, const char *argument)
{
	int fd;

	if (strcmp(what, "noise") == 0)
		return noise(dir);
	if (strcmp(what, "linger") == 0)
		return linger(dir);
	if (strcmp(what, "queue") == 0)
		return fill_queues(dir, (int)strtol(argument, NULL, 10));
	if (strcmp(what, "poll") == 0)
		return poll_often(dir, (int)strtol(argument, NULL, 10));
	if (strcmp(what, "map") == 0)
		return map_often(dir, (int)strtol(argument, NULL, 10));
	if (strcmp(what, "script") == 0)
		return script(dir, argument);
	if (strcmp(what, "squat") == 0)
		return squat(dir);
	if (strcmp(what, "idle") == 0)
		return idle(dir, (int)strtol(argument, NULL, 10));
	if (strcmp(what, "flood") == 0)
		return flood(dir, argument);
	if (strcmp(what, "measure") == 0)
		return measure(dir, (int)strtol(argument, NULL, 10));
	fd = knock(dir);
	if (fd < 0)
		return false;
	if (strcmp(what, "forge") == 0)
		return submit(fd, write_forged, argument);
	if (strcmp(what, "draw") == 0)
		return submit(fd, write_drawing, argument);
	if (strcmp(what, "whisper") == 0)
		return submit(fd, write_whisper, argument);
	if (strcmp(what, "path") == 0)
		return submit(fd, write_path, argument);
	if (strcmp(what, "step") == 0)
		return submit(fd, write_step, argument);
	if (strcmp(what, "label") == 0)
		return submit(fd, write_label, argument);
	if (strcmp(what, "half") == 0)
		return packet_send(fd, PACKET_DATA, false, "half", 4, -1) && is_refused(fd);
	return strcmp(what, "huge") == 0 && huge(fd);
}

int main(int argc, char **argv)
{
	if (argc < 3) {
		fprintf(stderr,
			"usage: hostile DIR forge FILE | draw NAME | whisper TEXT | path TEXT | "
			"step | label TEXT | huge | half | noise | linger | queue COUNT | poll COUNT | "
			"map COUNT | script JOB | squat | idle COUNT | "
			"flood SECONDS[,SEED] "
			"| measure COUNT\n");
		return 2;
	}
	return run(argv[1], argv[2], argc > 3 ? argv[3] : "") ? EXIT_SUCCESS : EXIT_FAILURE;
}
