/* SPDX-License-Identifier: MIT */
/*
 * local.h - the resource manager of this host: real jobs, each with a shepherd
 *
 * One node, this host. A start makes a shepherd (shepherd.h) that runs the job and outlives us; what it
 * leaves in its spool file (spool.h) is the truth about the job. So there is nothing to save here: whoever
 * opens the same spool folder with the same state adopts what runs, reports what has ended meanwhile, and
 * knows of every start whether it happened:
 *
 *     the scheduler commits the start, then the shepherd is made; if either dies in between, the
 *     start is barred (its spool file is made by us) before the job is given back to the queue, so that a
 *     shepherd which was only late cannot run it as well.
 */
#ifndef RM_LOCAL_H
#define RM_LOCAL_H

#include "host_info.h"
#include "rm.h"

/* What the site may say otherwise while it runs (grace, prolog, devices ...) is read from the snapshot at
 * each use. */
struct local_setup {
	const char *spool;            /* folder for spool files: ours, nobody else's; is made */
	const char *shepherd;         /* path of the program                                  */
	const char *root;             /* of /proc and /sys: "/" but in tests                  */
	int64_t now_s;                /* until the first poll; 0 = as the system's clock shows */
	int64_t soft_files;           /* the soft limit of descriptors that jobs get; 0 = ours */
	const struct host_info *host; /* as host_info_read finds them there without a list of devices */
};

/* Everything is copied. ops is NULL with a sentence when the folder or the shepherd cannot be used. */
struct rm local_new(const struct local_setup *setup, struct err *err);

#define LOCAL_SAMPLE_S INT64_C(60) /* how often what jobs have used is reported */

#endif
