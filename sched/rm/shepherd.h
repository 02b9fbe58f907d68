/* SPDX-License-Identifier: MIT */
/*
 * shepherd.h - how do the scheduler and the shepherd of a job speak with each other?
 *
 * kahu-shepherd is a program of its own, linked with libc alone: one process for each running
 * job, which outlives the scheduler. It is
 *
 *     kahu-shepherd JOB.ATTEMPT       for `ps`; everything else comes by descriptors:
 *     3  the launch (launch.h), a file in memory
 *     4  the folder of spool files
 *
 * in a session of its own, with all signals blocked: an order that came before it listens would end
 * it. The scheduler starts the program once, as a fork server (below), which makes them. It leaves how the
 * job ended in the spool file (spool.h) and never writes to a terminal. After that the scheduler reaches it
 * by signals alone, sent through a pidfd, so that no other process can be meant; the number that comes along
 * (SI_QUEUE) says the rest. Signals of anyone but root and the scheduler's own user are ignored.
 *
 * That a job has ended is seen by the pidfd: the shepherd is gone, and the file says how.
 */
#ifndef RM_SHEPHERD_H
#define RM_SHEPHERD_H

#include <stdint.h>

#define SHEPHERD_PROGRAM "kahu-shepherd"

#define SHEPHERD_LAUNCH_FD 3
#define SHEPHERD_FOLDER_FD 4

/* Added to SIGRTMIN; the number that comes along (sigval.sival_int) in brackets. */
enum shepherd_order {
	SHEPHERD_CANCEL,  /* TERM to all, after the grace KILL [0; 1: KILL at once]   */
	SHEPHERD_SIGNAL,  /* to all processes of the job [the signal]                 */
	SHEPHERD_SUSPEND, /* stop all of them; its wallclock limit stands still. [0; 1: other jobs may have
			   * its processors, so a job that is being ended is killed at once] */
	SHEPHERD_RESUME,  /* [0; 1: on the processors that the spool names (spool.h)] */
	SHEPHERD_LIMIT    /* its wallclock limit from now on [seconds]                */
};

#define SHEPHERD_SAMPLE_S 5 /* how often it writes usage; twice in the first seconds, for a screen */

/*
 * The same program in another part: SHEPHERD_AS USER DESCRIPTORS CGROUP PROGRAM [WORD]... becomes that user
 * and then that program, with the environment, the descriptors and the folder it was given. A process
 * with threads cannot look up users safely. DESCRIPTORS: the soft limit of open files, 0 = unchanged; CGROUP:
 * the path of the cgroup to join, "" = none. Exit status 127 if any of this fails.
 */
#define SHEPHERD_AS "--as"

/*
 * And in a third part: SHEPHERD_FORK_SERVER SHEPHERD_NAME_ROOM makes shepherds. It has a socket
 * (SOCK_SEQPACKET) instead of a launch; the other end is the scheduler's alone. Each message is JOB.ATTEMPT
 * with its launch as a descriptor; it is answered with a struct shepherd_birth, and a pidfd of the
 * shepherd that was made. It ends when the scheduler does.
 *
 * Its shepherds have the writing end of a pipe as well. Who has written how its job ended may say so there,
 * with a struct shepherd_end, before it has gone, and after an epilog: for one who makes that durable, there
 * is nothing to wait for. A shepherd that cannot begin reports the error there.
 */
#define SHEPHERD_FORK_SERVER "--nursery"
#define SHEPHERD_NAME_ROOM                                                                                   \
	"                                " /* for `ps`, where the names of shepherds stand */
#define SHEPHERD_SOCKET_FD SHEPHERD_LAUNCH_FD
#define SHEPHERD_ENDS_FD   5

struct shepherd_birth {
	int32_t pid;    /* -1: there is none, failed says why */
	int32_t failed; /* errno                              */
};

struct shepherd_end {
	uint64_t job;
	uint32_t attempt;
	int32_t failed; /* 0: the job has ended; otherwise the shepherd could not begin, errno says why */
};

/* Exit status of the program itself; for the scheduler's log. */
#define SHEPHERD_DONE   0 /* the spool file says how it ended             */
#define SHEPHERD_NOT_IT 1 /* another one has this start: nothing was done */
#define SHEPHERD_FAILED 2 /* the launch or the folder cannot be used      */

#endif
