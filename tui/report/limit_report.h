/* SPDX-License-Identifier: MIT */
/*
 * limit_report.h - throttling limits with their current usage
 *
 * A row for each limit and each credential, or pair of credentials, that it looks at: those that
 * hold most jobs back first. Among them the limits on a single job, against the largest one
 * here. What the verb prints and the screen shows.
 */
#ifndef REPORT_LIMIT_REPORT_H
#define REPORT_LIMIT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "field.h"
#include "forecast.h"
#include "sched/forecast/plan.h"

struct str; /* sched/base/str.h */

/* One limit, and whose usage counts against it. */
struct limit_row {
	uint8_t kind, scope; /* enum limit_kind, enum limit_scope      */
	uint8_t second_type; /* CRED_TYPE_COUNT = no second credential */
	uint32_t cred;       /* INDEX_NONE = the system                */
	uint32_t second;     /* INDEX_NONE = none                      */
	int64_t used, soft, hard;
	uint32_t holds_back; /* jobs whose reason it is */
	uint32_t order;      /* as configured           */
};

struct limit_list {
	const struct snapshot *s;
	int64_t now_s;
	struct limit_row *row; /* most harmful first */
	size_t count, room;

	const struct limit *of; /* private: of the rows from here on */
	size_t first;
};

/* plan was built for s. Memory is kept between builds; limit_list_free gives it back. */
void limit_list_build(struct limit_list *l, const struct snapshot *s, const struct plan *plan);
void limit_list_free(struct limit_list *l);

/* The position of the same limit in a list; l->count when it is not there. */
size_t limit_list_find_row(const struct limit_list *l, const struct limit_row *row);

/* Of the soft limit; 0 where there is none. */
double limit_row_percent(const struct limit_row *row);

/* Does it set what one job may ask for, and not what jobs may have together? */
bool limit_row_is_per_job(const struct limit_row *row);

/* Does a QOS's limit take the place of others' here? */
bool limit_row_is_override(const struct limit_row *row);

/* "user", "system"; the name is NULL for the system. */
const char *limit_row_owner_type(const struct snapshot *s, const struct limit_row *row);
const char *limit_row_owner(const struct snapshot *s, const struct limit_row *row);

/* "MAXPS", "MAXPS[USER:eva]"; of a class "MAX.WCLIMIT". */
void limit_row_add_name(const struct snapshot *s, const struct limit_row *row, struct str *out);

/* What sets it for this owner: "user[eva].maxps", "class[fast].maxproc[user:eva]"; and to what: "2,8". */
void limit_row_add_option(const struct snapshot *s, const struct limit_row *row, struct str *out);
void limit_row_add_value(const struct limit_row *row, struct str *out);

/*
 * What to call the limit of a reason, or of a row, where jobs are chosen by it:
 * "MAXPS/user:eva", "MAXNODE/class:fast/user:bob". Nothing for a reason that is no limit.
 */
void limit_add_label(const struct snapshot *s, const struct job *job, const struct reason *reason,
		     struct str *out);

void limit_row_add_label(const struct snapshot *s, const struct limit_row *row, struct str *out);

/* Is it the limit that a waiting job's reason speaks of? */
bool limit_row_holds(const struct snapshot *s, const struct limit_row *row, const struct job *job,
		     const struct reason *reason);

/* Does a job count against it while it runs (active) or is eligible (not)? */
bool limit_row_counts(const struct snapshot *s, const struct limit_row *row, const struct job *job,
		      bool active);

/* --- fields ------------------------------------------------------------------------------------------- */

/* A row with its list. */
struct limit_item {
	const struct limit_list *list;
	const struct limit_row *row;
};

extern const struct field limit_fields[];          /* items are struct limit_item */
extern const struct field limit_document_fields[]; /* items are struct limit_list */

/* --- jobs that count against a limit ------------------------------------------------------------------ */

/*
 * A forecast's running jobs, those that the next pass starts, and, against limits on eligible jobs,
 * those that wait for nothing but their turn.
 */

typedef void limit_use_visit(void *self, uint32_t slot, const struct job *job);

/* Running ones by due end, then waiting ones by submit time. job: as it counts. */
void limit_use_each(const struct forecast *f, const struct limit_row *row, limit_use_visit *visit,
		    void *self);

/* What one of them counts at a moment, running to its limit. */
int64_t limit_use_amount(const struct forecast *f, const struct limit_row *row, uint32_t slot,
			 const struct job *job, int64_t at_s);

/* The processors that it counts with. */
int64_t limit_use_procs(const struct forecast *f, uint32_t slot, const struct job *job);

/* Does what is outstanding fall all the time, and not only at the ends of jobs? */
bool limit_use_falls(const struct limit_row *row);

/* All of them at a moment: who has ended by then is left out. */
struct limit_use {
	const struct forecast *f;
	const struct limit_row *row;
	int64_t at_s;
	int64_t amount, procs; /* processors: of those that run */
	uint32_t jobs, running;
	int64_t next_end_s; /* the first due end of a job that counts, after at_s */
};

struct limit_use limit_use_at(const struct forecast *f, const struct limit_row *row, int64_t at_s);

#endif
