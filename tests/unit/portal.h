/* SPDX-License-Identifier: MIT */
/*
 * portal.h - a scheduler in this process, and clients at its door
 *
 * Nothing is run: the cluster is simulated and refuses what really wants to run.
 */
#ifndef TESTS_PORTAL_H
#define TESTS_PORTAL_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sched/host/arrivals.h"
#include "sched/host/door.h"
#include "sched/rm/launch.h"
#include "tests/memory_ledger.h"
#include "tui/serve/client.h"
#include "tui/serve/ended_cache.h"
#include "tui/serve/request.h"
#include "tui/serve/request_server.h"

#define NOBODY 65534

struct portal {
	char dir[64];
	struct memory_ledger ledger;
	struct ended_cache *ended_cache;
	struct request_server *server;
	struct host *host;
};

static inline void portal_open(struct portal *s, bool everybody)
{
	const struct fake_cluster cluster = {.nodes = 2, .node_procs = 4};
	const struct sim_origin none = {.active = 0};
	struct host_setup setup = {.start_s = 1000, .speed = 1};
	struct err err;

	s->ended_cache = ended_cache_new(memory_ledger(&s->ledger));
	setup.driver =
		driver_new(fake_from_workload(&cluster, &none), ended_cache_ledger(s->ended_cache), &err);
	assert_non_null(setup.driver);
	s->server = request_server_open(&(struct request_server_setup){.dir = s->dir,
								       .ended_cache = s->ended_cache,
								       .everybody = everybody},
					&err);
	if (s->server == NULL)
		fail_msg("%s", err.text);
	setup.guest = request_server_guest(s->server);
	s->host = host_start(&setup, &err);
	assert_non_null(s->host);
}

static inline void portal_close(struct portal *s)
{
	host_stop(s->host);
	request_server_close(s->server);
	ended_cache_free(s->ended_cache);
}

static inline void portal_begin(struct portal *s, bool everybody)
{
	strcpy(s->dir, "/tmp/kahu-porter.XXXXXX");
	assert_non_null(mkdtemp(s->dir));
	if (everybody)
		assert_int_equal(chmod(s->dir, 0755), 0);
	memory_begin(&s->ledger);
	portal_open(s, everybody);
}

static inline void portal_end(struct portal *s)
{
	portal_close(s);
	assert_string_equal(s->ledger.fault.text, "");
	memory_end(&s->ledger);
	assert_int_equal(rmdir(s->dir), 0);
}

static inline struct client *portal_call(const struct portal *s)
{
	struct err err;
	struct client *c = client_open(s->dir, &err);

	if (c == NULL)
		fail_msg("%s", err.text);
	return c;
}

/* A submission by whomever it says, to be run as root. */
static inline struct event submission(struct str *launch, const char *user)
{
	const char *const words[] = {"true", NULL};
	struct launch what = {.command = {words, 1}, .output = "/tmp/o%j", .uid = 0, .gid = 0};
	struct event ev = {.kind = EVENT_SUBMIT, .who = "root"};

	launch_write(&what, launch);
	ev.submit.cred[CRED_USER] = user;
	ev.submit.launch = launch->data;
	ev.submit.launch_size = (uint32_t)launch->len;
	ev.submit.job = (struct job){.not_before_s = TIME_NONE,
				     .wall_limit_s = 60,
				     .true_run_s = -1,
				     .tasks = 1,
				     .task_procs = 1,
				     .base_holds = JOB_HOLD_USER,
				     .real = JOB_REAL_LAUNCH};
	return ev;
}

static inline uint64_t submit(struct client *c, const char *user)
{
	struct str launch = {0};
	struct event ev = submission(&launch, user);
	struct err err;

	if (client_post(c, &ev, 1, &err) != DRIVER_DONE)
		fail_msg("%s", err.text);
	str_free(&launch);
	return ev.job;
}

static inline const char *user_of(struct client *c, uint64_t id)
{
	static struct err err;
	int64_t now_s;
	const struct snapshot *s = client_state(c, &now_s, &err);
	uint32_t slot;

	if (s == NULL)
		return err.text;
	slot = snapshot_find_job(s, id);
	assert_int_not_equal(slot, INDEX_NONE);
	return snapshot_string(s, snapshot_creds(s)[snapshot_jobs(s)[slot].cred[CRED_USER]].name);
}

static inline uint32_t count_waiting(struct client *c)
{
	struct err err;
	int64_t now_s;
	const struct snapshot *s = client_state(c, &now_s, &err);

	if (s == NULL) {
		fail_msg("%s", err.text);
		return 0;
	}
	return snapshot_count(s, TABLE_WAITING);
}

#endif
