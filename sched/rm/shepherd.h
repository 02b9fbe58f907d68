/* SPDX-License-Identifier: MIT */
/*
 * shepherd.h - protocol between the scheduler and the shepherd of a job
 *
 * kahu-shepherd is a separate program, linked with libc alone: one process for each running job, which
 * outlives the scheduler. It is started as
 *
 *     kahu-shepherd JOB.ATTEMPT       (for `ps`); everything else comes through descriptors:
 *     3  the launch (launch.h), a memfd
 *     4  the folder of spool files
 *
 * in its own session, with all signals blocked, because an order that arrives before it listens would end it.
 * The scheduler starts the program once, as a fork server (below), which creates the shepherds. A shepherd
 * records how the job ended in the spool file (spool.h) and never writes to a terminal. The scheduler
 * controls it by signals only, sent through a pidfd so that they cannot reach another process; the value that
 * comes with the signal (SI_QUEUE) has the details. Signals of users other than root and the scheduler's own
 * are ignored.
 *
 * The scheduler sees the end of a job by the pidfd: the shepherd has exited, and the file says how the job
 * ended.
 */
#ifndef RM_SHEPHERD_H
#define RM_SHEPHERD_H

#include <stdint.h>

#define SHEPHERD_PROGRAM "kahu-shepherd"

#define SHEPHERD_LAUNCH_FD 3
#define SHEPHERD_FOLDER_FD 4

/* Added to SIGRTMIN; in brackets the value that comes with it (sigval.sival_int). */
enum shepherd_order {
	SHEPHERD_CANCEL,  /* TERM to all processes, KILL after the grace period [0; 1: KILL at once] */
	SHEPHERD_SIGNAL,  /* to all processes of the job [the signal]                 */
	SHEPHERD_SUSPEND, /* stop all processes and the wallclock limit. [0; 1: other jobs may use its
			     processors, so a job that is being ended is killed at once] */
	SHEPHERD_RESUME,  /* [0; 1: on the processors that the spool names (spool.h)] */
	SHEPHERD_LIMIT    /* its new wallclock limit [seconds] */
};

#define SHEPHERD_SAMPLE_S 5 /* interval of usage updates; shorter at first, for screens */

/*
 * The same program in a second role: SHEPHERD_AS USER DESCRIPTORS CGROUP PROGRAM [WORD]... changes to that
 * user and executes the program, with its current environment, descriptors and directory. A process with
 * threads cannot look up users safely. DESCRIPTORS: the soft limit of open files, 0 = unchanged; CGROUP: the
 * path of the cgroup to join, "" = none. Exit status 127 if any of this fails.
 */
#define SHEPHERD_AS "--as"

/*
 * In a third role, SHEPHERD_FORK_SERVER SHEPHERD_NAME_ROOM creates shepherds. It has a socket
 * (SOCK_SEQPACKET) instead of a launch; only the scheduler has the other end. Each message is JOB.ATTEMPT
 * with its launch as a descriptor; the answer is a struct shepherd_reply with a pidfd of the new shepherd. It
 * exits when the scheduler does.
 *
 * Its shepherds also have the write end of a pipe. A shepherd that has recorded how its job ended, after an
 * epilog, may report that there with a struct shepherd_end before it exits, so that the scheduler need not
 * wait to make it durable. A shepherd that cannot begin reports the error there.
 */
#define SHEPHERD_FORK_SERVER "--fork-server"
#define SHEPHERD_NAME_ROOM                                                                                   \
	"                                " /* room for the names of shepherds, shown by `ps` */
#define SHEPHERD_SOCKET_FD SHEPHERD_LAUNCH_FD
#define SHEPHERD_ENDS_FD   5

struct shepherd_reply {
	int32_t pid;    /* -1: none was created, see failed */
	int32_t failed; /* errno                              */
};

struct shepherd_end {
	uint64_t job;
	uint32_t attempt;
	int32_t failed; /* 0: the job has ended; otherwise the errno of a shepherd that could not begin */
};

/* Exit statuses of the program, for the scheduler's log. */
#define SHEPHERD_DONE   0 /* the spool file says how the job ended */
#define SHEPHERD_NOT_IT 1 /* another shepherd has this start; nothing was done */
#define SHEPHERD_FAILED 2 /* the launch or the folder cannot be used      */

#endif
