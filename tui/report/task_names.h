/* SPDX-License-Identifier: MIT */
/*
 * task_names.h - names of tasks of arrays, also of those that have ended
 */
#ifndef REPORT_TASK_NAMES_H
#define REPORT_TASK_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "annals.h"
#include "sched/state/event.h"

/* Zero is a valid empty one; task_names_clear frees. */
struct task_names {
	struct task_name {
		uint64_t job;
		char label[JOB_LABEL_TEXT]; /* "12[3]" */
	} * item;
	size_t count, room;
	uint64_t *wanted; /* numbers of jobs */
	size_t wanted_count, wanted_room;
};

/* The task that the event is about is to be among those that are read next. */
void task_names_want(struct task_names *names, const struct event *ev);

/* All tasks that are in the queue in s, and of those that have ended since since_s the wanted ones. False:
 * err says why not. */
bool task_names_read(struct task_names *names, const struct snapshot *s, const struct annals *annals,
		     int64_t since_s, struct err *err);
void task_names_clear(struct task_names *names);

/* event_describe with the name of the task that the event is about. A submission is of the whole array. */
void task_names_describe(const struct task_names *names, const struct event *ev, struct str *out);

#endif
