/* SPDX-License-Identifier: MIT */
/*
 * throttled.h - a site with limits, and what stops a job there
 *
 * Read from configuration text as a site would write it.
 */
#ifndef TESTS_THROTTLED_H
#define TESTS_THROTTLED_H

#include <stdio.h>

#include "sched/pass/queue.h"
#include "tests/scene.h"

#define MACHINE 10 /* nodes of 100 processors */

static inline struct scene *site(const char *config)
{
	struct scene *sc = scene_new(MACHINE, 100);

	scene_config(sc, config);
	return sc;
}

/* Submits a job and starts it on what is free of the nodes, first to last. */
static inline uint64_t run(struct scene *sc, struct scene_job asked)
{
	const struct node *node;
	uint64_t id = scene_add(sc, asked);
	uint32_t procs = asked.procs ? asked.procs : 1, nodes = asked.nodes ? asked.nodes : 1, at = 0;

	node = snapshot_nodes(scene_view(sc));
	while (node_procs_free(&node[at]) < procs / nodes)
		at++;
	scene_start(sc, id, at, nodes, procs / nodes);
	return id;
}

/* The limit that stops a job at this level, as "MAXJOB user steve 2+1>2"; "" when it is within all. */
static inline const char *stopped(struct scene *sc, uint64_t job, enum limit_level level,
				  char text[static 96])
{
	const struct snapshot *s = scene_view(sc);
	struct limit_finding found;
	struct queue q = {0};
	bool within;

	queue_begin(&q, s, sc->now_s);
	within = throttle_active(q.throttle, scene_job_of(sc, job), level, &found);
	queue_clear(&q);
	text[0] = '\0';
	if (!within)
		snprintf(text, 96, "%s %s%s%s %lld+%lld>%lld", limit_name(found.scope, found.kind),
			 snapshot_string(s, snapshot_creds(s)[found.cred].name),
			 found.second == INDEX_NONE ? "" : "/",
			 found.second == INDEX_NONE
				 ? ""
				 : snapshot_string(s, snapshot_creds(s)[found.second].name),
			 (long long)found.used, (long long)found.asked, (long long)found.limit);
	return text;
}

/* A job that is submitted, asked about and taken away again. */
static inline const char *would_stop(struct scene *sc, struct scene_job asked, char text[static 96])
{
	uint64_t id = scene_add(sc, asked);

	stopped(sc, id, LEVEL_HARD, text);
	scene_cancel(sc, id);
	return text;
}

#define assert_free(sc, ...)                                                                                 \
	do {                                                                                                 \
		char text_[96];                                                                              \
		assert_string_equal(would_stop(sc, (struct scene_job){__VA_ARGS__}, text_), "");             \
	} while (0)
#define assert_stopped(sc, by, ...)                                                                          \
	do {                                                                                                 \
		char text_[96];                                                                              \
		assert_string_equal(would_stop(sc, (struct scene_job){__VA_ARGS__}, text_), by);             \
	} while (0)

static inline void run_many(struct scene *sc, int count, struct scene_job asked)
{
	for (int i = 0; i < count; i++)
		run(sc, asked);
}

#endif
