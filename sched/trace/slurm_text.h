/* SPDX-License-Identifier: MIT */
/*
 * slurm_text.h - times, sizes, lists of nodes and generic resources as Slurm's commands print them
 *
 * The commands run with TZ=UTC0, so times are in UTC. All functions read a NUL-terminated text of any content
 * in bounded time and memory.
 */
#ifndef TRACE_SLURM_TEXT_H
#define TRACE_SLURM_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/base/str.h"

#define SLURM_UNLIMITED INT64_MAX /* a duration without a limit */

#define SLURM_HOSTS_MAX 65536 /* maximum number of nodes in a list */
#define SLURM_NAME      64    /* maximum size of the name of a node, including the NUL */

/* Is it one of the words that stand for no value: "", "(null)", "N/A", "None", "NONE", "Unknown"? */
bool slurm_is_none(const char *text);

/*
 * Parses a time such as "2026-11-29T02:51:39"; *out is 0 for no value. Returns false if the text is not a
 * time.
 */
bool slurm_time(const char *text, int64_t *out);

/*
 * Parses a duration such as "1-02:03:04", "02:03:04" or "03:04". *out_s is SLURM_UNLIMITED for "UNLIMITED"
 * and "INFINITE", and 0 for no value, "NOT_SET", "INVALID" and "Partition_Limit". Returns false if the text
 * is not a duration.
 */
bool slurm_duration(const char *text, int64_t *out_s);

/*
 * Parses a size such as "4000M" or "1.50T", in MB or with the unit K, M, G, T or P. Returns false if the text
 * is not a size.
 */
bool slurm_size_mb(const char *text, int64_t *out_mb);

/* Parses a number of at most UINT32_MAX. Returns false if the text contains anything but digits. */
bool slurm_count(const char *text, uint32_t *out);

/*
 * Calls visit for each node of a list such as "n[1-3,07],gpu2", in the order of the list. Returns false if
 * the list is malformed or names more than SLURM_HOSTS_MAX nodes, or if visit returns false.
 */
typedef bool slurm_visit_host(void *self, const char *name);
bool slurm_hosts(const char *list, slurm_visit_host *visit, void *self);

/*
 * Calls visit for each generic resource in a list, with its name ("gpu"), its type ("a100", "" = none) and
 * its count: "gpu:a100:2(S:0-1),gpu:v100:1", as nodes and older versions print it, "gres:gpu:2" and
 * "gres/gpu:2", as jobs print it, and "cpu=4,mem=16G,gres/gpu=2,gres/gpu:a100=2". Other items are skipped.
 * Returns false if a resource is malformed or its count has a suffix.
 */
typedef void slurm_visit_gres(void *self, const char *name, const char *type, uint32_t count);
bool slurm_gres(const char *list, slurm_visit_gres *visit, void *self);

/*
 * Appends the value of a TRES, such as that of "mem" in "cpu=4,mem=16G,node=1". Returns false if it is not in
 * the list.
 */
bool slurm_tres(const char *list, const char *name, struct str *out);

/*
 * Finds the first " KEY=" in a line that scontrol -o has printed and returns a pointer to its value; NULL if
 * there is none. The value ends at the next blank; *len is its length.
 */
const char *slurm_value(const char *line, const char *key, size_t *len);

#endif
