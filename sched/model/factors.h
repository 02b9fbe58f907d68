/* SPDX-License-Identifier: MIT */
/*
 * factors.h - the list of priority components and factors
 *
 * The only list of components and factors: policy.h expands it into the enums, policy.c into names and
 * default weights, config_rows.c into two options for each factor of the system and of a partition, and
 * priority.c into the calls of the function that measures each factor. A new factor is one row here and one
 * function measure_FACTOR in priority.c.
 *
 *     X(component, name, keyword, what)
 *     X(factor, component, name, keyword, column, unit, default weight, course, what)
 *
 * `what` completes the sentence "Measures ...". `course` tells how the value of an idle job changes without
 * an event:
 *
 *     STEADY     not at all
 *     FAIRSHARE  with the usage of the credential
 *     LINEAR     by the same amount each second of queue time
 *     CURVED     by an amount that grows with queue time
 */
#ifndef MODEL_FACTORS_H
#define MODEL_FACTORS_H

#define PRIO_COMPONENT_LIST(X)                                                                               \
	X(CRED, "cred", "cred", "the credentials: user, group, account, QOS and class")                      \
	X(FS, "fs", "fs", "fairshare: usage relative to the fairshare targets")                              \
	X(RES, "res", "res", "the requested resources")                                                      \
	X(SERV, "serv", "service", "the service level: how long the job has waited")                         \
	X(TARGET, "target", "target", "the service targets: how close the job is to its targets")            \
	X(USAGE, "usage", "usage", "the usage of a running job")

#define PRIO_CRED_FACTORS(X)                                                                                 \
	X(CRED_USER, CRED, "USER", "user", "User", "", 0, STEADY, "the priority set for the job's user")     \
	X(CRED_GROUP, CRED, "GROUP", "group", "Group", "", 0, STEADY,                                        \
	  "the priority set for the job's group")                                                            \
	X(CRED_ACCOUNT, CRED, "ACCOUNT", "account", "Accnt", "", 0, STEADY,                                  \
	  "the priority set for the job's account")                                                          \
	X(CRED_QOS, CRED, "QOS", "qos", "QOS", "", 0, STEADY, "the priority set for the job's QOS")          \
	X(CRED_CLASS, CRED, "CLASS", "class", "Class", "", 0, STEADY, "the priority set for the job's class")

#define PRIO_FS_FACTORS(X)                                                                                   \
	X(FS_USER, FS, "FSUSER", "fsuser", "FSUser", "%", 0, FAIRSHARE,                                      \
	  "how far the user is below its fairshare target")                                                  \
	X(FS_GROUP, FS, "FSGROUP", "fsgroup", "FSGrp", "%", 0, FAIRSHARE,                                    \
	  "how far the group is below its fairshare target")                                                 \
	X(FS_ACCOUNT, FS, "FSACCOUNT", "fsaccount", "FSAcct", "%", 0, FAIRSHARE,                             \
	  "how far the account is below its fairshare target")                                               \
	X(FS_QOS, FS, "FSQOS", "fsqos", "FSQOS", "%", 0, FAIRSHARE,                                          \
	  "how far the QOS is below its fairshare target")                                                   \
	X(FS_CLASS, FS, "FSCLASS", "fsclass", "FSClas", "%", 0, FAIRSHARE,                                   \
	  "how far the class is below its fairshare target")

#define PRIO_RES_FACTORS(X)                                                                                  \
	X(RES_NODE, RES, "NODE", "node", "Node", "nodes", 0, STEADY, "the number of requested nodes")        \
	X(RES_PROC, RES, "PROC", "proc", "Proc", "procs", 0, STEADY, "the number of requested processors")   \
	X(RES_MEM, RES, "MEM", "mem", "Mem", "MB", 0, STEADY, "the requested memory of all tasks")           \
	X(RES_SWAP, RES, "SWAP", "swap", "Swap", "MB", 0, STEADY,                                            \
	  "the requested virtual memory of all tasks")                                                       \
	X(RES_DISK, RES, "DISK", "disk", "Disk", "MB", 0, STEADY, "the requested local disk of all tasks")   \
	X(RES_PS, RES, "PS", "ps", "PS", "proc-s", 0, STEADY, "processors times wallclock limit")            \
	X(RES_PE, RES, "PE", "pe", "PE", "procs", 0, STEADY,                                                 \
	  "the largest requested share of any resource, in processors")                                      \
	X(RES_WALLTIME, RES, "WALLTIME", "walltime", "WallT", "s", 0, STEADY, "the wallclock limit")

#define PRIO_SERV_FACTORS(X)                                                                                 \
	X(SERV_QUEUETIME, SERV, "QUEUETIME", "queuetime", "QTime", "min", 1, LINEAR,                         \
	  "the effective queue time")                                                                        \
	X(SERV_XFACTOR, SERV, "XFACTOR", "xfactor", "XFctr", "", 0, LINEAR,                                  \
	  "the expansion factor, 1 + queue time / wallclock limit")                                          \
	X(SERV_BYPASS, SERV, "BYPASS", "bypass", "Bypass", "jobs", 0, STEADY,                                \
	  "the number of jobs that were backfilled past this job")

#define PRIO_TARGET_FACTORS(X)                                                                               \
	X(TARGET_QUEUETIME, TARGET, "TARGETQUEUETIME", "targetqueuetime", "TgtQT", "", 0, CURVED,            \
	  "how close the queue time is to qttarget: 1 at first, 1e8 at the target")                          \
	X(TARGET_XFACTOR, TARGET, "TARGETXFACTOR", "targetxfactor", "TgtXF", "", 0, CURVED,                  \
	  "how close the expansion factor is to xftarget: 1 at first, 1e8 at the target")

#define PRIO_USAGE_FACTORS(X)                                                                                \
	X(USAGE_CONSUMED, USAGE, "CONSUMED", "usageconsumed", "Used", "proc-s", 0, STEADY,                   \
	  "processor-seconds dedicated so far")                                                              \
	X(USAGE_REMAINING, USAGE, "REMAINING", "usageremaining", "Remain", "proc-s", 0, STEADY,              \
	  "processor-seconds outstanding")                                                                   \
	X(USAGE_PERCENT, USAGE, "PERCENT", "usagepercent", "Used%", "%", 0, STEADY,                          \
	  "the percentage of the wallclock limit that is used")                                              \
	X(USAGE_EXECUTION, USAGE, "EXECUTIONTIME", "usageexecutiontime", "Exec", "s", 0, STEADY,             \
	  "the time since the job started")

#define PRIO_FACTOR_LIST(X)                                                                                  \
	PRIO_CRED_FACTORS(X)                                                                                 \
	PRIO_FS_FACTORS(X)                                                                                   \
	PRIO_RES_FACTORS(X)                                                                                  \
	PRIO_SERV_FACTORS(X)                                                                                 \
	PRIO_TARGET_FACTORS(X)                                                                               \
	PRIO_USAGE_FACTORS(X)

#endif
