/* SPDX-License-Identifier: MIT */
/*
 * blackbox.h - random scenes as files, and the program's answers about them from replays
 *
 * A scene is a cluster, a configuration, the jobs of a trace, what an operator does up to a moment, and that
 * moment, at which questions are asked. Later nothing else happens: no job arrives, and jobs run to their
 * limits. So what the rest of the replay does is the truth that answers are compared with. Parts of a scene
 * can be left out, to find the smallest one in which an answer is still wrong.
 */
#ifndef TESTS_BLACKBOX_H
#define TESTS_BLACKBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/base/arena.h"
#include "sched/base/str.h"
#include "tests/json_value.h"

#define BLACKBOX_LINES 64
#define BLACKBOX_JOBS  48
#define BLACKBOX_ACTS  16

/* A line of the configuration. */
struct blackbox_line {
	char text[200];
	bool out;
};

struct blackbox_job {
	const char *user, *group, *account, *class_name, *qos;
	unsigned tasks, task_procs, nodes, tasks_per_node, mem_mb;
	int64_t submit_s, wall_s, run_s, not_before_s;
	const char *feature;
	int64_t settled_run_s; /* as it turns out: the limit where it did not end before the questions */
	bool out;
};

/* An operator's command; each '@' in it is the id of the next of `job`. */
struct blackbox_act {
	int64_t at_s;
	char text[120];
	int job[2]; /* indices of jobs, -1 = none */
	bool out;
};

struct blackbox_scene {
	uint64_t seed;
	unsigned nodes, procs, poll_s;
	int64_t ask_s;
	struct blackbox_line line[BLACKBOX_LINES];
	struct blackbox_job job[BLACKBOX_JOBS];
	struct blackbox_act act[BLACKBOX_ACTS];
	size_t lines, jobs, acts;
};

/* What is asked or done in a replay beside the scene's own acts. */
struct blackbox_command {
	int64_t at_s;
	const char *text;
};

#define BLACKBOX_COMMANDS 600

struct blackbox_script {
	struct blackbox_command command[BLACKBOX_COMMANDS];
	size_t count;
	struct arena arena;
};

/* Adds a command; its answer will have the index that is returned. */
size_t blackbox_ask(struct blackbox_script *script, int64_t at_s, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void blackbox_script_clear(struct blackbox_script *script);

struct blackbox_answer {
	int status;                     /* of the verb; -1 when it was not run */
	const char *text;               /* what it printed                     */
	const struct json_value *value; /* the same as JSON, NULL if it is not */
};

/* What a replay says; blackbox_result_clear frees. */
struct blackbox_result {
	int status;       /* of the program; -1 = it did not end in time, -2 = it was killed */
	struct str words; /* its standard error */
	const struct json_value *summary;
	struct blackbox_answer answer[BLACKBOX_COMMANDS];
	int64_t start_s[BLACKBOX_JOBS], end_s[BLACKBOX_JOBS]; /* of the trace's jobs by id - 1; -1 = none */
	struct arena arena;
};

void blackbox_draw(struct blackbox_scene *scene, uint64_t seed);
/* Lets the jobs that have not ended before the questions run to their limits. False: the scene is not
 * accepted. */
bool blackbox_settle(struct blackbox_scene *scene);
/* Replays the scene with the script; script may be NULL. until_s = -1: to the end. poll_s < 0: that of the
 * scene. */
void blackbox_replay(const struct blackbox_scene *scene, const struct blackbox_script *script,
		     int64_t until_s, int poll_s, struct blackbox_result *out);
void blackbox_result_clear(struct blackbox_result *result);

/* Ids are given in the order of the trace, without the jobs that were left out. 0: it was left out. */
unsigned blackbox_id(const struct blackbox_scene *scene, int job);
/* The index of a job of the trace by its id, -1 when it is none. */
int blackbox_job_of(const struct blackbox_scene *scene, unsigned id);

/* The files of a scene, in a folder, and the options a replay of them needs. */
void blackbox_write(const struct blackbox_scene *scene, const struct blackbox_script *script,
		    const char *folder);
void blackbox_options(const struct blackbox_scene *scene, struct str *out);

#endif
