/* SPDX-License-Identifier: MIT */
/*
 * fairshare.h - who has used how much of the machine lately, against which target?
 *
 * Usage is kept in windows of FSINTERVAL, aligned to multiples of it since the epoch. A
 * table holds what jobs that have ended (and imported FS files) used; what running jobs
 * have used so far follows from time alone and is added when it is asked for. So windows
 * roll without anybody doing anything, and a restart in the middle loses nothing.
 *
 *     U(credential) = sum over i of  DECAY^i * U[i] / sum over i of DECAY^i * T[i]
 *
 * i = 0 is the window of now, i < FSDEPTH; T[i] is the usage of all jobs (F-22, F-24).
 * Amounts are whole thousandths of a processor-second, so sums are equal whichever way
 * they are added up (F-21).
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

/* As a part of a target the factor stays finite, however small the target is. */
#define FS_DELTA_MOST 1e9

/* The sum of what was used; see amount.h. */
static inline int64_t fs_add(int64_t a, int64_t b)
{
	return amount_add(a, b);
}

/* One column of the table of usage: which window it holds. Columns are in no order. */
struct fs_window {
	int64_t begin_s;  /* moment it became active                             */
	int64_t length_s; /* FSINTERVAL at that time; 0 = the column is empty    */
	int64_t total;    /* of all jobs                                         */
};

/* What one credential used in each column. */
struct usage {
	int64_t amount[FS_DEPTH_MAX];
};

/* The beginning of the window that a moment lies in (also before 1970). */
int64_t fs_window_begin(int64_t at_s, int64_t interval_s);

/* What counts as usage. All borrowed. */
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
 * How much a job has used in [from_s, to_s), in thousandths, under a metric (without percent
 * sign): processors held * seconds, processor equivalents * seconds, or, for UTILIZEDPS, its
 * used_ps spread evenly over [start, until_s) when its manager says (>= 0), else as dedicated.
 * until_s is now for a running job and the end for one that has ended. While its processors are released it
 * uses nothing; what it used before was charged then, and is left out here.
 */
int64_t fs_job_usage(enum fs_policy metric, const struct job *job, const struct machine *machine,
		     int64_t until_s, int64_t from_s, int64_t to_s);

/* What it would use, in processor-seconds, in a run of so many seconds. */
double fs_job_would_use(enum fs_policy metric, const struct job *job, const struct machine *machine,
			int64_t seconds);

/*
 * The column for the window that begins at begin_s: the one that holds it, else an empty one,
 * else that of the oldest window, which is forgotten: *forget says that all its amounts
 * must become 0. INDEX_NONE: the window is older than all that are kept.
 */
uint32_t fs_column(const struct fs_window window[static FS_DEPTH_MAX], int64_t begin_s, bool *forget);

/* One credential's account at a moment. */
struct fs_share {
	uint32_t cred;                /* index                                                       */
	double usage;                 /* decayed, processor-seconds                                  */
	double percent;               /* of the decayed total; 0 when that is 0                      */
	double target;                /* in force: its own, else DEFAULT's if no cap; see cred_attr  */
	enum fs_mode mode;            /* FS_NO_TARGET: none                                          */
	double delta;                 /* points or part of the target: the FS factor; 0 for caps      */
	bool missed;                  /* F-33: off target (more than 5 points for FS_TARGET)          */
	int64_t window[FS_DEPTH_MAX]; /* thousandths, [0] = now's                                    */
};

/* All accounts at a moment; memory is kept between builds. Zero is valid; fairshare_clear frees. */
struct fairshare {
	const struct policy *policy;
	int64_t now_s;
	int64_t begin_s;             /* of window 0                                                 */
	int64_t next_roll_s;         /* when window 0 closes                                        */
	uint32_t depth;              /* windows that count                                          */
	int64_t total[FS_DEPTH_MAX]; /* thousandths, as window[]                                    */
	double weight[FS_DEPTH_MAX]; /* DECAY^i                                                     */
	/* Window i holds usage that was recorded under this other FSINTERVAL (F-25); 0 = it does not. */
	int64_t other_length_s[FS_DEPTH_MAX];
	double total_usage;     /* decayed, processor-seconds                                  */
	struct fs_share *share; /* by credential index                                         */
	uint32_t share_count;
	bool off; /* FSPOLICY NONE: everything is 0                               */
	size_t share_room;
};
void fairshare_build(struct fairshare *f, const struct fs_world *world);
void fairshare_clear(struct fairshare *f);

/* The factors FSUSER .. FSCLASS of a job, by enum cred_type. A job without the credential has 0. */
void fairshare_deltas(const struct fairshare *f, const struct job *job, double delta[static CRED_TYPE_COUNT]);

/*
 * A cap that a job would break: usage has reached it (F-30), or would exceed it with all that
 * the job asks for, processors (or equivalents) times wallclock limit, as in the original.
 */
struct fs_cap {
	uint32_t cred;
	enum fs_mode mode;
	double with_job; /* proc-seconds, or percent of what was used without the job: what the cap bounds */
	double counted;  /* the same, but a percentage of what was used with the job: never above 100 */
	double cap;      /* as with_job */
};
/* True if none is broken. Only a credential's own target is a cap, not DEFAULT's. */
bool fairshare_within_caps(const struct fairshare *f, const struct job *job, const struct machine *machine,
			   struct fs_cap *out);
/* The same without a word about which. */
bool fairshare_keeps_caps(const struct fairshare *f, const struct job *job, const struct machine *machine);
/* Would a job that asks for so much break this cap, with these decayed sums? In processor-seconds. */
bool fairshare_is_broken(const struct fs_share *share, double usage, double total, double asked);

/*
 * What a share becomes at the next `rolls` window rolls if the credential runs nothing: while the
 * machine is as busy as window_total processor-seconds a window, or idle with 0. percent[i] is after
 * roll i + 1; negative when there is no usage left at all (mock-up 4).
 */
void fairshare_forecast(const struct fairshare *f, uint32_t cred, double window_total, uint32_t rolls,
			double percent[]);

/* The same share under other parameters, from the windows at hand: for previews (mock-up 4). */
double fairshare_percent_with(const struct fairshare *f, uint32_t cred, double decay, uint32_t depth);

#endif
