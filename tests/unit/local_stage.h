/* SPDX-License-Identifier: MIT */
/*
 * local_stage.h - the manager of a made-up host of four processors, with real jobs, for tests of it
 *
 * A scene is the scheduler; the host is a folder. Whether jobs are bound is seen where the present machine
 * has the processors.
 */
#ifndef TESTS_UNIT_LOCAL_STAGE_H
#define TESTS_UNIT_LOCAL_STAGE_H

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sched/rm/local_inside.h"
#include "sched/rm/shepherd.h"
#include "tests/fake_root.h"
#include "tests/scene.h"
#include "tests/shepherd_run.h"

#define ROOM_MB INT64_C(8000)

static struct store_dir root;
static char spool_folder[700];
static struct host_info host;

struct stage {
	struct scene *sc;
	struct rm rm;
	int64_t job;                             /* the last one started                          */
	struct event end;                        /* of it, when told                              */
	char why[sizeof((struct err *)0)->text]; /* likewise                                      */
	unsigned ends, loads, defers;
	bool passes;           /* why the last start failed */
	struct node_used used; /* as told last, and by whom */
	char used_by[64];
	struct node_record node;
	char gres[64];
};

static inline void take(void *self, const struct event *ev)
{
	struct stage *st = self;
	struct event mine = *ev;

	if (ev->kind == EVENT_NODE) {
		st->node = ev->node;
		snprintf(st->gres, sizeof st->gres, "%s", ev->node.gres != NULL ? ev->node.gres : "");
	} else if (ev->kind == EVENT_LOAD) {
		st->used = ev->load.used;
		snprintf(st->used_by, sizeof st->used_by, "%s", ev->load.by != NULL ? ev->load.by : "");
		st->loads++;
	} else if (ev->kind == EVENT_DEFER) {
		st->defers++;
	} else if (ev->kind == EVENT_END) {
		st->end = *ev;
		snprintf(st->why, sizeof st->why, "%s", ev->end.why != NULL ? ev->end.why : "");
		st->ends++;
	}
	scene_apply(st->sc, &mine);
}

static inline void ask_nodes(struct stage *st)
{
	st->rm.ops->nodes(st->rm.self, scene_view(st->sc), take, st);
}

static inline void set(struct stage *st, const char *name, const char *value)
{
	scene_set(st->sc, name, value);
	ask_nodes(st);
}

static inline void put_uptime(double s)
{
	fake_file(&root, "proc/uptime", "%.2f 5.00\n", s);
}

/* The process that the folder `entry` of /proc tells of. */
static inline void a_process_at(int entry, int pid, int parent, double cpu_s)
{
	char file[64];

	snprintf(file, sizeof file, "proc/%d/stat", entry);
	fake_file(&root, file, "%d (hog) R %d 1 1 0 -1 0 9 9 9 9 %.0f 0 77 77 20 0 1 0 100 999 10 1 2\n", pid,
		  parent, cpu_s * (double)sysconf(_SC_CLK_TCK));
}

static inline void a_process(int pid, double cpu_s)
{
	a_process_at(pid, pid, 1, cpu_s);
}

static inline void begin(struct stage *st, const char *config)
{
	static char root_path[sizeof root.path],
		shepherd[sizeof program]; /* overwritten afterwards: the manager keeps its own */
	struct local_setup setup = {
		.spool = spool_folder, .shepherd = shepherd, .root = root_path, .host = &host};

	snprintf(root_path, sizeof root_path, "%s", root.path);
	snprintf(shepherd, sizeof shepherd, "%s", program);
	*st = (struct stage){.sc = scene_new(0, 0)};
	scene_go(st->sc, (int64_t)time(NULL));
	scene_config(st->sc, config);
	snprintf(spool_folder, sizeof spool_folder, "%s/spool", dir.path);
	st->rm = local_new(&setup, &err);
	if (st->rm.ops == NULL) {
		fail_msg("%s", err.text);
		exit(1); /* fail_msg has left, which analysers do not see */
	}
	memset(root_path, '?', sizeof root_path - 1);
	memset(shepherd, '?', sizeof shepherd - 1);
	assert_true(st->rm.ops->adopt(st->rm.self, scene_view(st->sc), &err));
	ask_nodes(st);
}

static inline void end(struct stage *st)
{
	st->rm.ops->close(st->rm.self);
	scene_free(st->sc);
}

/* The scheduler ends, and one of the same store and spool folder begins. */
static inline void another_scheduler(struct stage *st)
{
	struct local_setup setup = {
		.spool = spool_folder, .shepherd = program, .root = root.path, .host = &host};

	st->rm.ops->close(st->rm.self);
	st->rm = local_new(&setup, &err);
	assert_non_null(st->rm.ops);
	assert_true(st->rm.ops->adopt(st->rm.self, scene_view(st->sc), &err));
}

static inline bool start_submitted(struct stage *st, const struct launch *launch, uint32_t procs)
{
	const struct alloc_run run = {.nodes = 1, .procs = procs, .tasks = procs, .next = INDEX_NONE};
	struct rm_start order = {.runs = &run, .run_count = 1, .passes = &st->passes};
	struct str bytes = {0};
	bool good;

	scene_start(st->sc, (uint64_t)st->job, 0, 1, procs);
	launch_write(launch, &bytes);
	order.s = scene_view(st->sc);
	order.job = scene_job_of(st->sc, (uint64_t)st->job);
	order.launch = bytes.data;
	order.launch_size = bytes.len;
	good = st->rm.ops->start(st->rm.self, &order, (int64_t)time(NULL), &err);
	str_free(&bytes);
	return good;
}

static inline bool start_job(struct stage *st, const struct launch *launch, uint32_t procs, int64_t wall_s)
{
	st->job = (int64_t)scene_submit(st->sc, procs, wall_s);
	return start_submitted(st, launch, procs);
}

/* A job that waits, of one processor. */
static inline bool start_again(struct stage *st, uint64_t job, const struct launch *launch)
{
	st->job = (int64_t)job;
	return start_submitted(st, launch, 1);
}

static inline void poll_now(struct stage *st)
{
	st->rm.ops->poll(st->rm.self, (int64_t)time(NULL), take, st);
}

static inline bool has_ended(struct stage *st)
{
	poll_now(st);
	return st->ends > 0;
}

static inline void run_to_end(struct stage *st, const char *script, uint32_t procs)
{
	struct launch launch = launch_script(script);

	st->ends = 0;
	if (!start_job(st, &launch, procs, 60))
		fail_msg("%s", err.text);
	WAIT_UNTIL(has_ended(st));
}

static inline void cancel_job(struct stage *st)
{
	assert_true(st->rm.ops->cancel(st->rm.self, scene_job_of(st->sc, (uint64_t)st->job), 0, &err));
}

/* --- the host ---------------------------------------------------------------------------------------- */

static inline int make_host(void **state)
{
	make_store_dir(&root);
	fake_cpus(&root, "0-3", "0-3");
	fake_file(&root, "proc/meminfo", "MemTotal: %" PRId64 " kB\n", ROOM_MB * 1024);
	fake_file(&root, "proc/sys/kernel/hostname", "lab\n");
	put_uptime(1);
	host_info_read(root.path, NULL, &host, &err);
	return as_ourselves(state);
}

static inline int remove_host(void **state)
{
	remove_store_dir(&root);
	return remove_folder(state);
}

#define ON_A_HOST(test)                                                                                      \
	{                                                                                                    \
#test, test, make_host, remove_host, NULL                                                    \
	}

#endif
