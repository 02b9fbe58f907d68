/* SPDX-License-Identifier: MIT */
/*
 * factors.h - the list of priority components and factors
 *
 * policy.c expands it into the names of the factors, config_rows.c into two options per factor, so that both
 * always have the same factors. Private to these two files.
 *
 *     X(component, keyword, what)
 *     X(factor, component, name, keyword, column, unit, default weight, what)
 *
 * component and factor are those of policy.h without PRIO_; what completes "Measures ...".
 */
#ifndef MODEL_FACTORS_H
#define MODEL_FACTORS_H

#define PRIO_COMPONENT_LIST(X)                                                                               \
	X(CRED, "cred", "the credentials: user, group, account, QOS and class")                              \
	X(FS, "fs", "fairshare: usage relative to the fairshare targets")                                    \
	X(RES, "res", "the requested resources")                                                             \
	X(SERV, "service", "the service level: how long the job has waited")                                 \
	X(TARGET, "target", "the service targets: how close the job is to its targets")                      \
	X(USAGE, "usage", "the usage of a running job")

#define PRIO_FACTOR_LIST(X)                                                                                  \
	X(CRED_USER, CRED, "USER", "user", "User", "", "0", "the priority set for the job's user")           \
	X(CRED_GROUP, CRED, "GROUP", "group", "Group", "", "0", "the priority set for the job's group")      \
	X(CRED_ACCOUNT, CRED, "ACCOUNT", "account", "Accnt", "", "0",                                        \
	  "the priority set for the job's account")                                                          \
	X(CRED_QOS, CRED, "QOS", "qos", "QOS", "", "0", "the priority set for the job's QOS")                \
	X(CRED_CLASS, CRED, "CLASS", "class", "Class", "", "0", "the priority set for the job's class")      \
	X(FS_USER, FS, "FSUSER", "fsuser", "FSUser", "%", "0",                                               \
	  "how far the user is below its fairshare target")                                                  \
	X(FS_GROUP, FS, "FSGROUP", "fsgroup", "FSGrp", "%", "0",                                             \
	  "how far the group is below its fairshare target")                                                 \
	X(FS_ACCOUNT, FS, "FSACCOUNT", "fsaccount", "FSAcct", "%", "0",                                      \
	  "how far the account is below its fairshare target")                                               \
	X(FS_QOS, FS, "FSQOS", "fsqos", "FSQOS", "%", "0", "how far the QOS is below its fairshare target")  \
	X(FS_CLASS, FS, "FSCLASS", "fsclass", "FSClas", "%", "0",                                            \
	  "how far the class is below its fairshare target")                                                 \
	X(RES_NODE, RES, "NODE", "node", "Node", "nodes", "0", "the number of requested nodes")              \
	X(RES_PROC, RES, "PROC", "proc", "Proc", "procs", "0", "the number of requested processors")         \
	X(RES_MEM, RES, "MEM", "mem", "Mem", "MB", "0", "the requested memory of all tasks")                 \
	X(RES_SWAP, RES, "SWAP", "swap", "Swap", "MB", "0", "the requested virtual memory of all tasks")     \
	X(RES_DISK, RES, "DISK", "disk", "Disk", "MB", "0", "the requested local disk of all tasks")         \
	X(RES_PS, RES, "PS", "ps", "PS", "proc-s", "0", "processors times wallclock limit")                  \
	X(RES_PE, RES, "PE", "pe", "PE", "procs", "0",                                                       \
	  "the largest requested share of any resource, in processors")                                      \
	X(RES_WALLTIME, RES, "WALLTIME", "walltime", "WallT", "s", "0", "the wallclock limit")               \
	X(SERV_QUEUETIME, SERV, "QUEUETIME", "queuetime", "QTime", "min", "1", "the effective queue time")   \
	X(SERV_XFACTOR, SERV, "XFACTOR", "xfactor", "XFctr", "", "0",                                        \
	  "the expansion factor, 1 + queue time / wallclock limit")                                          \
	X(SERV_BYPASS, SERV, "BYPASS", "bypass", "Bypass", "jobs", "0",                                      \
	  "the number of jobs that were backfilled past this job")                                           \
	X(TARGET_QUEUETIME, TARGET, "TARGETQUEUETIME", "targetqueuetime", "TgtQT", "", "0",                  \
	  "how close the queue time is to qttarget: 1 at first, 1e8 at the target")                          \
	X(TARGET_XFACTOR, TARGET, "TARGETXFACTOR", "targetxfactor", "TgtXF", "", "0",                        \
	  "how close the expansion factor is to xftarget: 1 at first, 1e8 at the target")                    \
	X(USAGE_CONSUMED, USAGE, "CONSUMED", "usageconsumed", "Used", "proc-s", "0",                         \
	  "processor-seconds dedicated so far")                                                              \
	X(USAGE_REMAINING, USAGE, "REMAINING", "usageremaining", "Remain", "proc-s", "0",                    \
	  "processor-seconds outstanding")                                                                   \
	X(USAGE_PERCENT, USAGE, "PERCENT", "usagepercent", "Used%", "%", "0",                                \
	  "the percentage of the wallclock limit that is used")                                              \
	X(USAGE_EXECUTION, USAGE, "EXECUTIONTIME", "usageexecutiontime", "Exec", "s", "0",                   \
	  "the time since the job started")

#endif
