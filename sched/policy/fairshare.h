/* SPDX-License-Identifier: MIT */
/*
 * fairshare.h - usage and shares by credential, against their targets
 *
 * Usage is kept in windows of FSINTERVAL, aligned to multiples of FSINTERVAL since the epoch. A table
 * contains the usage of ended jobs and of imported FS files. The usage of running jobs is a function of time
 * and is added when shares are built, so that windows roll without an event and a restart loses no usage.
 *
 *     U(credential) = sum over i of  DECAY^i * U[i] / sum over i of DECAY^i * T[i]
 *
 * Window i = 0 is the current one; windows i < FSDEPTH count. U[i] is the usage of the credential and T[i]
 * that of all jobs in window i (F-22, F-24). Amounts are whole thousandths of a processor-second, so that
 * sums do not depend on the order of addition (F-21).
 *
 * Source: Maui Administrator's Guide 6.3.
 */
#ifndef POLICY_FAIRSHARE_H
#define POLICY_FAIRSHARE_H

#include <stdbool.h>
#include <stdint.h>

#include "sched/base/amount.h"
#include "sched/model/cred.h"
#include "sched/model/job.h"
#include "sched/model/policy.h"

#define FS_UNIT INT64_C(1000) /* number of thousandths in a processor-second */

/*
 * Bound of the fairshare factor under an FSPOLICY with a percent sign, where a small target gives large
 * factors.
 */
#define FS_DELTA_MOST 1e9

/* Adds two amounts of usage with saturation; see amount.h. */
static inline int64_t fs_add(int64_t a, int64_t b)
{
	return amount_add(a, b);
}

/* The window of one column of the usage table. Columns are in no particular order. */
struct fs_window {
	int64_t begin_s;  /* start of the window */
	int64_t length_s; /* FSINTERVAL when the window began; 0 = the column is empty */
	int64_t total;    /* usage of all jobs, in thousandths of a processor-second */
};

/* The usage of one credential by column, in thousandths of a processor-second. */
struct usage {
	int64_t amount[FS_DEPTH_MAX];
};

/* Returns the start of the window that contains at_s, a time that may be before 1970. */
int64_t fs_window_begin(int64_t at_s, int64_t interval_s);

/* Everything from which usage is computed. All pointers are borrowed. */
struct fs_world {
	const struct policy *policy;
	int64_t now_s;
	struct machine machine;         /* total resources, for processor equivalents */
	const struct fs_window *window; /* the windows of the FS_DEPTH_MAX columns */
	const struct usage *usage;      /* rows of the usage table, indexed by cred[].usage */
	const struct cred *cred;        /* all credentials; the first five are the DEFAULTs */
	uint32_t cred_count;
	const struct job *job;   /* jobs by slot */
	const uint32_t *running; /* job slots of the running jobs */
	uint32_t running_count;
};

/*
 * Returns the usage of a job in [from_s, to_s), in thousandths of a processor-second, under a metric (without
 * percent sign): processors held * seconds, or processor equivalents * seconds. With UTILIZEDPS, used_ps is
 * spread evenly over the time from the start to until_s; if the resource manager does not report it (used_ps
 * < 0), the metric is DEDICATEDPS. until_s is now for a running job and the end of an ended one. The usage of
 * a job whose processors are released is 0: what it used before was charged when they were released.
 */
int64_t fs_job_usage(enum fs_policy metric, const struct job *job, const struct machine *machine,
		     int64_t until_s, int64_t from_s, int64_t to_s);

/* Returns the usage of a job that runs for this many seconds, in processor-seconds. */
double fs_job_would_use(enum fs_policy metric, const struct job *job, const struct machine *machine,
			int64_t seconds);

/*
 * Returns the column for the window that begins at begin_s: the column that already has this window, else an
 * empty column, else the column of the oldest window. In the last case *forget is true, and the caller must
 * clear the amounts of the column. INDEX_NONE: the window is older than all columns.
 */
uint32_t fs_column(const struct fs_window window[static FS_DEPTH_MAX], int64_t begin_s, bool *forget);

/* The usage of one credential and its share of all usage. */
struct fs_share {
	uint32_t cred;     /* index of the credential */
	double usage;      /* decayed usage in processor-seconds */
	double percent;    /* usage as a percentage of the decayed total; 0 if the total is 0 */
	double target;     /* target in force: its own, else that of DEFAULT unless it is a cap */
	enum fs_mode mode; /* FS_NO_TARGET: there is no target */
	double delta; /* the FS factor, in percentage points or as a fraction of the target; 0 for caps */
	bool missed;  /* F-33: the share misses its target (FS_TARGET: by more than 5 points) */
	int64_t window[FS_DEPTH_MAX]; /* usage by window in thousandths; [0] is the current window */
};

/*
 * The shares of all credentials at a time. Memory is kept between builds. A zeroed struct is a valid empty
 * one; fairshare_clear frees it.
 */
struct fairshare {
	const struct policy *policy;
	int64_t now_s;
	int64_t begin_s;             /* start of window 0 */
	int64_t next_roll_s;         /* time at which window 0 ends */
	uint32_t depth;              /* number of windows that count */
	int64_t total[FS_DEPTH_MAX]; /* usage of all jobs by window, in thousandths */
	double weight[FS_DEPTH_MAX]; /* weight of each window: DECAY^i */
	/* By window: another FSINTERVAL under which usage in this window was recorded (F-25); 0 = none. */
	int64_t other_length_s[FS_DEPTH_MAX];
	double total_usage;     /* decayed usage of all jobs in processor-seconds */
	struct fs_share *share; /* shares of the credentials, by index */
	uint32_t share_count;
	bool off; /* FSPOLICY is NONE: all values are 0 */
	size_t share_room;
};
void fairshare_build(struct fairshare *f, const struct fs_world *world);
void fairshare_clear(struct fairshare *f);

/*
 * Sets delta to the factors FSUSER .. FSCLASS of a job, by enum cred_type; 0 where the job has no credential.
 */
void fairshare_deltas(const struct fairshare *f, const struct job *job, double delta[static CRED_TYPE_COUNT]);

/*
 * A cap that a job would break: usage has reached the cap (F-30), or usage plus the job's request would
 * exceed it. The request is processors (or processor equivalents) times wallclock limit, as in Maui.
 */
struct fs_cap {
	uint32_t cred;
	enum fs_mode mode;
	/*
	 * The usage including the job, which is compared with the cap: in processor-seconds, or as a
	 * percentage of the usage of all jobs without this job.
	 */
	double with_job;
	double counted; /* like with_job, but percent of all usage including the job: at most 100 */
	double cap;     /* in the unit of with_job */
};
/*
 * Returns true if the job breaks no cap; otherwise sets *out. A cap of DEFAULT does not apply to other
 * credentials.
 */
bool fairshare_within_caps(const struct fairshare *f, const struct job *job, const struct machine *machine,
			   struct fs_cap *out);
/* Returns true if the job breaks no cap: fairshare_within_caps without a report. */
bool fairshare_keeps_caps(const struct fairshare *f, const struct job *job, const struct machine *machine);
/*
 * Returns true if a job that requests `asked` would break the cap of a share, given the decayed usage of the
 * credential and of all jobs. All in processor-seconds.
 */
bool fairshare_is_broken(const struct fs_share *share, double usage, double total, double asked);

/*
 * Computes the share after each of the next `rolls` window rolls if the credential runs no jobs and all other
 * jobs together use window_total processor-seconds per window. percent[i] is the share after roll i + 1;
 * negative if no usage is left at all.
 */
void fairshare_forecast(const struct fairshare *f, uint32_t cred, double window_total, uint32_t rolls,
			double percent[]);

/* Returns the current share of a credential under another FSDECAY and FSDEPTH, for previews. */
double fairshare_percent_with(const struct fairshare *f, uint32_t cred, double decay, uint32_t depth);

#endif
