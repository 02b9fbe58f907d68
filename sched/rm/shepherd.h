/* SPDX-License-Identifier: MIT */
/*
 * shepherd.h - protocol between the scheduler and the shepherd of a job
 *
 * kahu-shepherd is a separate program, linked only with libc. Each running job has a process of this program,
 * its shepherd, which outlives the scheduler. It is started as
 *
 *     kahu-shepherd JOB.ATTEMPT       (for `ps`); everything else comes through descriptors:
 *     3  the launch (launch.h), a memfd
 *     4  the folder of spool files
 *
 * in its own session, with all signals blocked, because a signal that arrives before the shepherd reads
 * signals would end it. The scheduler starts the program once, as a fork server (below), which creates the
 * shepherds. A shepherd records how the job ended in the spool file (spool.h) and never writes to a terminal.
 * The scheduler controls a shepherd only by signals, which are sent through a pidfd so that they cannot reach
 * another process; the value of the signal (SI_QUEUE) has the details. Signals from users other than root and
 * the scheduler's user are ignored.
 *
 * The pidfd tells the scheduler that the shepherd has exited; the spool file then tells how the job ended.
 */
#ifndef RM_SHEPHERD_H
#define RM_SHEPHERD_H

#include <stdint.h>

#define SHEPHERD_PROGRAM "kahu-shepherd"

#define SHEPHERD_LAUNCH_FD 3
#define SHEPHERD_FOLDER_FD 4

/*
 * Orders to a shepherd: the signal SIGRTMIN plus this number, with the value in brackets (sigval.sival_int).
 */
enum shepherd_order {
	SHEPHERD_CANCEL,  /* end the job: TERM to all processes, KILL after the grace period [0; 1: KILL at
			     once] */
	SHEPHERD_SIGNAL,  /* send a signal to all processes of the job [the signal] */
	SHEPHERD_SUSPEND, /* stop all processes and the wallclock limit [0; 1: the processors are released, so
			     if the job is to end, it is killed at once] */
	SHEPHERD_RESUME,  /* continue [0; 1: on the processors that spool_take_cpus() returns] */
	SHEPHERD_LIMIT    /* set a new wallclock limit [seconds] */
};

#define SHEPHERD_SAMPLE_S 5 /* interval of usage updates; shorter at the beginning, for screens */

/*
 * The same program in a second role, as the runner: kahu-shepherd SHEPHERD_AS USER DESCRIPTORS CGROUP PROGRAM
 * [WORD]... changes to USER and executes PROGRAM with the current environment, descriptors and directory. It
 * is a separate process, because a process with threads cannot safely look up users after fork().
 * DESCRIPTORS: the soft limit of open files, 0 = unchanged; CGROUP: the path of the cgroup to join, "" =
 * none. The exit status is 127 if any of this fails.
 */
#define SHEPHERD_AS "--as"

/*
 * The same program in a third role, as the fork server: kahu-shepherd SHEPHERD_FORK_SERVER SHEPHERD_NAME_ROOM
 * creates shepherds. Instead of a launch it has a socket (SOCK_SEQPACKET); only the scheduler has the other
 * end. Each message is JOB.ATTEMPT with a descriptor of the launch; the answer is a struct shepherd_reply
 * with a pidfd of the new shepherd. The fork server exits when the scheduler exits.
 *
 * The shepherds created by a fork server also have the write end of a pipe to the scheduler. A shepherd that
 * has recorded how its job ended (after the epilog, if there is one) may announce the end in the pipe with a
 * struct shepherd_end before it exits, so that the scheduler need not wait until the record is durable. A
 * shepherd that cannot begin reports the error in the pipe.
 */
#define SHEPHERD_FORK_SERVER "--fork-server"
#define SHEPHERD_NAME_ROOM                                                                                   \
	"                                " /* overwritten by the names of shepherds, which `ps` shows */
#define SHEPHERD_SOCKET_FD SHEPHERD_LAUNCH_FD
#define SHEPHERD_ENDS_FD   5

struct shepherd_reply {
	int32_t pid;    /* -1: no shepherd was created, see `failed` */
	int32_t failed; /* errno                              */
};

struct shepherd_end {
	uint64_t job;
	uint32_t attempt;
	int32_t failed; /* 0: the job has ended; otherwise errno of a shepherd that could not begin */
};

/* Exit statuses of the program, for the scheduler's log. */
#define SHEPHERD_DONE   0 /* the spool file says how the job ended */
#define SHEPHERD_NOT_IT 1 /* another shepherd handles this start; nothing was done */
#define SHEPHERD_FAILED 2 /* the launch or the folder cannot be used      */

#endif
