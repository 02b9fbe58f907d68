/* SPDX-License-Identifier: MIT */
/*
 * fairshare.h - usage and shares by credential, against their targets
 *
 * Usage is kept in windows of FSINTERVAL, aligned to multiples of it since the epoch. A table holds the usage
 * of ended jobs and of imported FS files. The usage of running jobs follows from the time and is added when
 * shares are built, so that windows roll without an event and a restart loses no usage.
 *
 *     U(credential) = sum over i of  DECAY^i * U[i] / sum over i of DECAY^i * T[i]
 *
 * i = 0 is the current window, i < FSDEPTH; T[i] is the usage of all jobs (F-22, F-24). Amounts are whole
 * thousandths of a processor-second, so that sums do not depend on the order of addition (F-21).
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

#define FS_UNIT INT64_C(1000) /* thousandths in a processor-second */

/* Bound of the factor under FSPOLICY with a percent sign, where a small target gives large factors. */
#define FS_DELTA_MOST 1e9

/* Adds usage with saturation; see amount.h. */
static inline int64_t fs_add(int64_t a, int64_t b)
{
	return amount_add(a, b);
}

/* The window of one column of the usage table. Columns are in no particular order. */
struct fs_window {
	int64_t begin_s;  /* its first moment                                    */
	int64_t length_s; /* FSINTERVAL when it began; 0 = the column is empty   */
	int64_t total;    /* of all jobs                                         */
};

/* The usage of one credential, by column. */
struct usage {
	int64_t amount[FS_DEPTH_MAX];
};

/* The beginning of the window that contains at_s, which may be before 1970. */
int64_t fs_window_begin(int64_t at_s, int64_t interval_s);

/* Everything that usage is computed from. All borrowed. */
struct fs_world {
	const struct policy *policy;
	int64_t now_s;
	struct machine machine;         /* for processor equivalents           */
	const struct fs_window *window; /* FS_DEPTH_MAX columns                */
	const struct usage *usage;      /* rows named by cred[].usage          */
	const struct cred *cred;        /* the first five are the DEFAULTs     */
	uint32_t cred_count;
	const struct job *job;   /* slots              */
	const uint32_t *running; /* slots of running jobs */
	uint32_t running_count;
};

/*
 * The usage of a job in [from_s, to_s), in thousandths, under a metric (without percent sign): processors
 * held * seconds, processor equivalents * seconds, or, for UTILIZEDPS, used_ps spread evenly over [start,
 * until_s) if the resource manager reports it (>= 0), else as for DEDICATEDPS. until_s is now for a running
 * job and the end of an ended one. A job whose processors are released uses nothing; its usage before was
 * charged when they were released, and is not included.
 */
int64_t fs_job_usage(enum fs_policy metric, const struct job *job, const struct machine *machine,
		     int64_t until_s, int64_t from_s, int64_t to_s);

/* The usage of a run of this many seconds, in processor-seconds. */
double fs_job_would_use(enum fs_policy metric, const struct job *job, const struct machine *machine,
			int64_t seconds);

/*
 * The column for the window that begins at begin_s: the column that has it, else an empty one, else that of
 * the oldest window; *forget is then true, and the caller must clear its amounts. INDEX_NONE: the window is
 * older than all columns.
 */
uint32_t fs_column(const struct fs_window window[static FS_DEPTH_MAX], int64_t begin_s, bool *forget);

/* The share of one credential at a moment. */
struct fs_share {
	uint32_t cred;                /* index                                                       */
	double usage;                 /* decayed, processor-seconds                                  */
	double percent;               /* of the decayed total; 0 when that is 0                      */
	double target;                /* in force: its own, else that of DEFAULT unless it is a cap  */
	enum fs_mode mode;            /* FS_NO_TARGET: none                                          */
	double delta;                 /* the FS factor: points, or part of the target; 0 for caps     */
	bool missed;                  /* F-33: off target (more than 5 points for FS_TARGET)          */
	int64_t window[FS_DEPTH_MAX]; /* thousandths, [0] = current window                           */
};

/* All shares at a moment; memory is kept between builds. Zero is valid; fairshare_clear frees. */
struct fairshare {
	const struct policy *policy;
	int64_t now_s;
	int64_t begin_s;             /* of window 0                                                 */
	int64_t next_roll_s;         /* when window 0 closes                                        */
	uint32_t depth;              /* windows that count                                          */
	int64_t total[FS_DEPTH_MAX]; /* thousandths, as window[]                                    */
	double weight[FS_DEPTH_MAX]; /* DECAY^i                                                     */
	/* Another FSINTERVAL under which usage in window i was recorded (F-25); 0 = none. */
	int64_t other_length_s[FS_DEPTH_MAX];
	double total_usage;     /* decayed, processor-seconds                                  */
	struct fs_share *share; /* by credential index                                         */
	uint32_t share_count;
	bool off; /* FSPOLICY NONE: all values are 0                              */
	size_t share_room;
};
void fairshare_build(struct fairshare *f, const struct fs_world *world);
void fairshare_clear(struct fairshare *f);

/* The factors FSUSER .. FSCLASS of a job, by enum cred_type. A job without the credential has 0. */
void fairshare_deltas(const struct fairshare *f, const struct job *job, double delta[static CRED_TYPE_COUNT]);

/*
 * A cap that a job would break: usage has reached it (F-30), or would exceed it with the request of the job,
 * processors (or equivalents) times wallclock limit, as in Maui.
 */
struct fs_cap {
	uint32_t cred;
	enum fs_mode mode;
	double with_job; /* processor-seconds, or percent of the usage without the job: bounded by the cap */
	double counted;  /* the same, but percent of the usage with the job: at most 100 */
	double cap;      /* as with_job */
};
/* True if no cap is broken. A cap of DEFAULT does not apply to other credentials. */
bool fairshare_within_caps(const struct fairshare *f, const struct job *job, const struct machine *machine,
			   struct fs_cap *out);
/* As above, without reporting the cap. */
bool fairshare_keeps_caps(const struct fairshare *f, const struct job *job, const struct machine *machine);
/* True if a job that requests `asked` breaks this cap, given decayed sums. All in processor-seconds. */
bool fairshare_is_broken(const struct fs_share *share, double usage, double total, double asked);

/*
 * The share after each of the next `rolls` window rolls if the credential runs nothing and all others
 * together use window_total processor-seconds per window. percent[i] is the share after roll i + 1; negative
 * if there is no usage left at all.
 */
void fairshare_forecast(const struct fairshare *f, uint32_t cred, double window_total, uint32_t rolls,
			double percent[]);

/* The current share under another FSDECAY and FSDEPTH, for previews. */
double fairshare_percent_with(const struct fairshare *f, uint32_t cred, double decay, uint32_t depth);

#endif
