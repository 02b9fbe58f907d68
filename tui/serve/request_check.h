/* SPDX-License-Identifier: MIT */
/*
 * request_check.h - complete validation of a client's request
 *
 * Every event that arrives at the socket passes through request_check_event before anything is computed from
 * it: request_read calls it for each event as soon as its record is decoded, and no other code sees a
 * rejected event. These checks need no state; the checks that need it (does the job exist, is the user
 * permitted) follow in authorization.c, users.c and event_check().
 *
 * An accepted event has been rebuilt: it contains the fields listed here and nothing else. The scheduler owns
 * all other fields, and values that the client wrote there are dropped.
 *
 *     all kinds    why       none, or a reason
 *                  until_s   0; or a time from 1 to MOMENT_MAX_S in a suspend and in a temporary change of a
 *                            console: HOLD PRIORITY SETTING MODIFY UNDO HALT RESERVE UNRESERVE
 *     SUBMIT       see below
 *     CANCEL REQUEUE
 *                  job
 *     SUSPEND      job, on, how (release or keep)
 *     SIGNAL       job, number from 1 to EVENT_SIGNAL_MAX
 *     HOLD         job, bits from 1 to JOB_HOLD_ALL, on, reason
 *     PRIORITY     job, adjust, points within +-REQUEST_POINTS_MAX; the event's own check has stricter bounds
 *     MODIFY       job, name, value
 *     DEFER        job; only to clear a deferral: until_s is TIME_NONE, failed_start is false
 *     START        job, 1 to REQUEST_RUNS_MAX runs of at least one node and one processor, with all nodes
 *                  below 2^32; state_check_runs() then compares them with the existing nodes. Used by
 *                  'kahu start -n'.
 *     SETTING      name, value
 *     UNDO KEEP    seq, from 1
 *     HALT         on, after
 *     RESERVE      name, text that advance_read() accepts, with names of guests of at most CONFIG_TITLE - 1
 *                  bytes, and a reason
 *     UNRESERVE    name
 *     USAGE        begin_s, length_s, total and amounts within the bounds of fairshare windows, names
 *     all others   rejected: clients may not send them
 *
 *     job          from 1; 0 in a SUBMIT, and in kinds that do not concern a job
 *     name         1 to REQUEST_NAME_MAX bytes of printable UTF-8
 *     value        at most REQUEST_VALUE_MAX bytes of printable UTF-8
 *     reason       at most REQUEST_REASON_MAX bytes of printable UTF-8
 *
 * Fields of a submission:
 *
 *     tasks, task_procs, nodes, tasks_per_node, mem_mb, swap_mb, disk_mb, base_points, access, allocation
 *                              within state_check_size(): products and sums are far below 2^63
 *     wall_limit_s             0 (the default of class or site) to MOMENT_MAX_S
 *     not_before_s             TIME_NONE, or 0 to MOMENT_MAX_S
 *     base_holds               0 or JOB_HOLD_USER: other holds are set by administrators, with HOLD
 *     real                     LAUNCH, RERUN, FORCED and MAIL; LAUNCH if and only if there is launch data
 *     array_limit              0 to ARRAY_TASKS_MAX; 0 without ranges
 *     account, class, QOS, partition, name
 *                              none, or 1 to CONFIG_TITLE - 1 bytes of printable UTF-8
 *     features, prefer, gres, hosts
 *                              at most REQUEST_VALUE_MAX bytes of printable UTF-8
 *     depend                   at most ARRAY_DEPENDS_MAX; of known type, on a job from 1, open, with a task
 *                              number from 0 to ARRAY_INDEX_MAX
 *     ranges                   within array_check()
 *     runs                     none: the scheduler chooses nodes
 *     launch                   none, or bytes that launch_read() accepts, see check_launch()
 *     true_run_s               -1: the client's value is dropped, as are id, times, state, flags, counters,
 *                              label, user, group, order and reasons
 */
#ifndef SERVE_REQUEST_CHECK_H
#define SERVE_REQUEST_CHECK_H

#include <stdbool.h>

#include "ended_cache.h"
#include "past.h"
#include "sched/base/arena.h"
#include "sched/base/err.h"
#include "sched/state/event.h"

#define REQUEST_NAME_MAX   256             /* bytes: option name with its section */
#define REQUEST_VALUE_MAX  65536           /* bytes                                            */
#define REQUEST_REASON_MAX 4096            /* bytes                                            */
#define REQUEST_POINTS_MAX 1000000000      /* priority set by an operator */
#define REQUEST_RUNS_MAX   65536           /* allocation runs of one start                     */
#define REQUEST_USED_MAX   (INT64_MAX / 2) /* usage of one window, in FS_UNIT; sums saturate */

/*
 * Validates the event and drops the fields that a client may not set. Returns false with err set, and leaves
 * *ev unchanged, if the event is invalid.
 */
bool request_check_event(struct event *ev, struct err *err);

/*
 * Validates the name of a requested job: its ID, or a label of at most REQUEST_NAME_MAX bytes of printable
 * UTF-8.
 */
bool request_check_name(const struct job_ref *name, struct err *err);

/*
 * Validates the part of a request that concerns the past. Returns false with err set if a field is invalid.
 * Only a request for ended jobs (of_past, and not past->journal) may have a filter:
 *
 *     after, before    any position; the job ID in after is below 2^64 - 1
 *     user             none, or 1 to REQUEST_NAME_MAX bytes of printable UTF-8
 *     id               at most HISTORY_IDS_MAX ranges, each with first <= last and after the previous range
 */
bool request_check_past(const struct past_wish *past, bool of_past, struct err *err);

/* --- removal of duplicates from the lists of a request ------------------------------------------------ */

/*
 * These functions remove duplicates from the lists of nodes, features, resources and dependencies in a
 * request, so that a list that repeats items takes no more space than its distinct items. A list without
 * duplicates is returned unchanged.
 */

/*
 * Returns the distinct words of a text, which is split as by config_word(); words are compared without regard
 * to case. Of equal words the last one is kept. counted: words are compared up to the colon ("gpu:2" equals
 * "gpu:1"). The result is the text itself or is in the arena; NULL for NULL.
 */
const char *distinct_words(const char *text, bool counted, struct arena *arena);

/*
 * Returns the distinct dependencies of a list, in their order, and sets *count. The result is item itself or
 * is in the arena.
 */
const struct depend *distinct_depends(const struct depend *item, uint32_t *count, struct arena *arena);

/*
 * Returns the number of bytes of the lists in an event; for a changed attribute, the bytes of its value, list
 * or not.
 */
size_t lists_size(const struct event *ev);

/* Removes duplicates from all lists of an event. */
void distinct_lists(struct event *ev, struct arena *arena);

#endif
