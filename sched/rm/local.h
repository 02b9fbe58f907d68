/* SPDX-License-Identifier: MIT */
/*
 * local.h - the resource manager of this host: real jobs, each with a shepherd
 *
 * The cluster is one node, this host. A start creates a shepherd (shepherd.h), which runs the job and
 * outlives the scheduler; its spool file (spool.h) is the authoritative record of the job. So this manager
 * stores nothing itself: a scheduler that opens the same spool folder with the same state adopts the running
 * jobs, reports the jobs that have ended in the meantime, and knows for every start whether it happened.
 *
 * The scheduler first commits the start, then creates the shepherd. If the scheduler or the shepherd dies
 * before the shepherd has created the spool file, the next scheduler bars the start by creating this file,
 * and then returns the job to the queue; a shepherd that is only late finds the file and does not run the
 * job.
 */
#ifndef RM_LOCAL_H
#define RM_LOCAL_H

#include "host_info.h"
#include "rm.h"

/*
 * Settings for local_new(). Options that may change at run time (grace, prolog, devices ...) are read from
 * the snapshot at each use.
 */
struct local_setup {
	const char *spool;    /* folder for spool files, used by this scheduler only; created if missing */
	const char *shepherd; /* path of kahu-shepherd */
	const char *root;     /* folder that contains /proc and /sys: "/" except in tests */
	int64_t now_s;        /* current time until the first poll; 0 = that of the system clock */
	int64_t soft_files;   /* soft limit of descriptors for jobs; 0 = that of this process */
	const struct host_info *host; /* this host, as read by host_info_read() without a list of devices */
};

/*
 * Creates the resource manager; copies the settings. If the folder or the shepherd cannot be used, ops is
 * NULL and err says why.
 */
struct rm local_new(const struct local_setup *setup, struct err *err);

#define LOCAL_SAMPLE_S INT64_C(60) /* interval of usage reports */

#endif
