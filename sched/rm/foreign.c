/* SPDX-License-Identifier: MIT */
/*
 * foreign.c - what on this host is in use by processes that belong to no job?
 *
 * Processor time is what each process has used since the last look, by pid and start; one that is new
 * counts with all it has used when it began after that look. A process that comes and goes between two
 * looks is not seen. What has left our tree (a dead shepherd's job) counts from then on.
 */
#include "foreign.h"

#include <inttypes.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

#include "facts_inside.h"
#include "foreign_inside.h"
#include "sched/base/vec.h"

#define SHARE_SHOWN 0.05 /* of a processor: less is not worth a word */
#define OWNER_NAME  32

struct foreign_watch {
	char *prefix;
	struct process_table last, now; /* exchanged at each look; last.at_s < 0 = none yet */
	bool judged;                    /* now is complete, and its processes are searched for devices */
	struct foreign next;            /* then: what it says                                          */
	struct foreign answer;          /* what last said                                              */
	struct device_look devices;
	int64_t owner; /* whose name is known; -1 = nobody's */
	char owner_name[OWNER_NAME];
	double ticks_per_s;
	int64_t page_kb;
};

struct foreign_watch *foreign_watch_new(const char *root)
{
	struct foreign_watch *w = mem_zero(1, sizeof *w);

	w->prefix = mem_string(kernel_root(root));
	w->last.at_s = -1;
	w->owner = -1;
	w->ticks_per_s = (double)sysconf(_SC_CLK_TCK);
	w->page_kb = (int64_t)sysconf(_SC_PAGESIZE) / 1024;
	return w;
}

void foreign_watch_free(struct foreign_watch *w)
{
	if (w == NULL)
		return;
	if (w->now.folder != NULL)
		closedir(w->now.folder);
	device_look_end(&w->devices);
	free(w->prefix);
	free(w->last.item);
	free(w->now.item);
	free(w);
}

/* Asked again only when it is another's, since names may come from far away. */
static const char *name_of(struct foreign_watch *w, int64_t uid)
{
	char room[4096];
	struct passwd entry;
	struct passwd *found = NULL;

	if (uid == w->owner)
		return w->owner_name;
	w->owner = uid;
	if (getpwuid_r((uid_t)uid, &entry, room, sizeof room, &found) == 0 && found != NULL)
		name_safe(w->owner_name, sizeof w->owner_name, entry.pw_name);
	else
		snprintf(w->owner_name, sizeof w->owner_name, "%" PRId64, uid);
	return w->owner_name;
}

static void name_largest(struct foreign_watch *w, const struct process *p, struct foreign *out)
{
	struct str text = {0};
	int64_t uid;

	if (kernel_text(&text, "%s/proc/%" PRId64 "/status", w->prefix, p->pid) &&
	    kernel_line_number(str_text(&text), "Uid:", &uid) && uid >= 0 && uid <= UINT32_MAX)
		snprintf(out->largest, sizeof out->largest, "%s of %s", p->name, name_of(w, uid));
	else
		snprintf(out->largest, sizeof out->largest, "%s", p->name);
	str_free(&text);
}

/* Ticks since the last look. */
static int64_t ticks_since(const struct foreign_watch *w, const struct process *p)
{
	const struct process *before = process_find(&w->last, p->pid);

	if (before != NULL && before->start == p->start)
		return p->ticks > before->ticks ? p->ticks - before->ticks : 0;
	return (double)p->start >= w->last.at_s * w->ticks_per_s ? p->ticks : 0;
}

/* Pages that processes share count for each of them, so their sum can be more than there is. */
static int64_t at_most_in_use_mb(const struct foreign_watch *w, int64_t mem_mb)
{
	struct str text = {0};
	int64_t total_kb, available_kb;

	if (mem_mb > 0 && kernel_text(&text, "%s/proc/meminfo", w->prefix) &&
	    kernel_line_number(str_text(&text), "MemTotal:", &total_kb) &&
	    kernel_line_number(str_text(&text), "MemAvailable:", &available_kb) && available_kb >= 0 &&
	    available_kb <= total_kb && (total_kb - available_kb) / 1024 < mem_mb)
		mem_mb = (total_kb - available_kb) / 1024;
	str_free(&text);
	return mem_mb;
}

static void add_up(struct foreign_watch *w, struct foreign *out)
{
	const struct process *largest = NULL;
	double elapsed_s = w->last.at_s < 0 ? 0 : w->now.at_s - w->last.at_s;
	double most = SHARE_SHOWN;
	int64_t mem_kb = 0, stuck_kb = 0;

	for (size_t i = 0; i < w->now.count; i++) {
		const struct process *p = &w->now.item[i];

		if (p->whose != WHOSE_FOREIGN)
			continue;
		mem_kb += p->pages * w->page_kb;
		stuck_kb += p->ending ? p->pages * w->page_kb : 0;
		double share = elapsed_s > 0 ? (double)ticks_since(w, p) / w->ticks_per_s / elapsed_s : 0;
		out->load += share;
		out->processes += share > SHARE_SHOWN;
		if (share > most) {
			most = share;
			largest = p;
		}
	}
	out->over_s = elapsed_s;
	out->mem_mb = mem_kb / 1024;
	out->stuck_mb = at_most_in_use_mb(w, stuck_kb / 1024);
	if (largest == NULL)
		return;
	out->largest_load = most;
	name_largest(w, largest, out);
}

/* All processes are known. */
static void judge_all(struct foreign_watch *w, const int64_t *job_pid, size_t count)
{
	if (w->now.at_s < w->last.at_s)
		w->last.at_s = -1;
	process_table_judge(&w->now, job_pid, count);
	w->next = (struct foreign){0};
	add_up(w, &w->next);
	device_look_begin(&w->devices, &w->now);
	w->judged = true;
}

static bool is_too_soon(const struct foreign_watch *w)
{
	double apart_s = w->now.at_s - w->last.at_s;

	return w->last.at_s >= 0 && apart_s >= 0 && apart_s < FOREIGN_APART_S;
}

static void complete(struct foreign_watch *w)
{
	struct process_table before = w->last;

	w->last = w->now;
	w->now = before;
	w->answer = w->next;
	w->judged = false;
}

enum look foreign_look_some(struct foreign_watch *w, size_t most, const int64_t *job_pid, size_t count,
			    struct foreign *out, struct err *err)
{
	size_t links = most < SIZE_MAX / FOREIGN_OPEN_EACH ? most * FOREIGN_OPEN_EACH : SIZE_MAX;
	enum look look;

	*out = (struct foreign){0};
	if (!w->judged) {
		look = process_table_read(&w->now, w->prefix, most, err);
		if (look != LOOK_DONE)
			return look;
		if (is_too_soon(w)) {
			*out = w->answer;
			return LOOK_DONE;
		}
		judge_all(w, job_pid, count);
		/* This call has had its share of processes. */
		if (device_look_wanted(&w->devices))
			return LOOK_ON;
	} else if (device_look_some(&w->devices, w->prefix, &w->now, most, links) == LOOK_ON) {
		return LOOK_ON;
	}
	complete(w);
	*out = w->answer;
	return LOOK_DONE;
}

bool foreign_look(struct foreign_watch *w, const int64_t *job_pid, size_t count, struct foreign *out,
		  struct err *err)
{
	enum look look;

	do
		look = foreign_look_some(w, SIZE_MAX, job_pid, count, out, err);
	while (look == LOOK_ON);
	return look == LOOK_DONE;
}

void foreign_watch_devices(struct foreign_watch *w, const struct device *device, uint32_t count)
{
	device_look_for(&w->devices, device, count);
}

uint64_t foreign_devices(const struct foreign_watch *w)
{
	return w->devices.used;
}
