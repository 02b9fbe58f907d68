/* SPDX-License-Identifier: MIT */
/*
 * launch.h - what is to be run for a job, and how does it travel?
 *
 * A launch is written down once, at submission, and kept with the job as bytes that nobody but
 * a manager reads: the scheduler decides by the job's record alone. At its start the manager
 * adds what was decided (processors, devices, limits) and hands the bytes to the shepherd. So
 * one form serves the socket, the store and the shepherd.
 *
 * The form is a row of fields {u8 tag, u32 length, bytes}, little-endian, behind the word "KL1";
 * lists are fields of one tag repeated. A text is there with its NUL. A tag that is not known is refused, so
 * is one that comes twice and is no list. Numbers are u64. Nothing in it is trusted: whoever submits may have
 * written any bytes. uid and gid count only where the door has set them.
 */
#ifndef RM_LAUNCH_H
#define RM_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/base/err.h"
#include "sched/base/str.h"

#define LAUNCH_MAX        ((size_t)4 << 20) /* bytes of one launch, script and environment included */
#define LAUNCH_SCRIPT_MAX ((size_t)2 << 20)
#define LAUNCH_WORDS_MAX  4096u /* words of the command line; variables of the environment */

enum launch_flag {
	LAUNCH_REQUEUE = 1, /* may be run again when its end is not known or its machine went down (-r y) */
	LAUNCH_JOIN = 2,    /* errors go where the output goes (-j oe)                       */
	LAUNCH_APPEND = 4,  /* output files that are there are added to, not emptied         */
	LAUNCH_PTY = 8      /* someone waits at `waiter` with a terminal                     */
};

/* A list of strings: count of them, then NULL. */
struct launch_words {
	const char *const *item;
	uint32_t count;
};

/* Zero is a valid empty one. Strings are borrowed; NULL = not said. */
struct launch {
	/* Said at submission. */
	struct launch_words command; /* run as it is; the arguments of a script, where there is one */
	const void *script;          /* any bytes; begins with "#!" or is the shell's           */
	uint32_t script_size;
	const char *shell;               /* for a script without "#!"; NULL = the user's          */
	struct launch_words environment; /* "NAME=value"; what the shepherd sets itself wins      */
	const char *dir;                 /* absolute; NULL = the user's home                      */
	const char *input;               /* absolute, here and below; NULL = /dev/null            */
	const char *output, *errors;     /* %j the job, %a its number in an array, %u the user, %% */
	const char *waiter;     /* a socket of the one who waits, who passes descriptors: see waiter.h */
	const char *waiter_key; /* half of it proves each side to the other; NULL = of an earlier version */
	const char *mail;       /* when mail is sent: of "b" "e" "a"; NULL = never                    */
	const char *mail_to;    /* addresses, a comma between; NULL = the user                        */
	uint32_t umask;
	uint32_t flags;         /* enum launch_flag                                        */
	uint32_t uid, gid;      /* set by who took the submission, never by who sent it    */
	const char *submit_dir; /* where the user was; NULL = dir                            */
	uint32_t tasks;         /* as asked for, for the environment; 0 = those of the job   */
	uint32_t array_tasks;   /* how many tasks the array has; 0 = no array                */
	uint32_t array_first, array_last, array_step; /* its smallest and largest number          */
	uint32_t own_signal; /* sent own_signal_s before the limit, instead of the site's */
	int64_t own_signal_s;

	/* Decided at the start. */
	uint64_t job;
	uint32_t attempt; /* the how manyth start, from 1 on                         */
	/* For the environment; the user is known from submission on. */
	const char *label, *name, *user, *group, *account, *class, *qos;
	const char *nodes;   /* "n001*2 n003*1"                                        */
	const char *cpus;    /* "0-3,8": bound to these; NULL = not bound              */
	const char *devices; /* "0,2" or UUIDs, for CUDA_VISIBLE_DEVICES ...; "" = none; NULL = not said */
	const char *cgroup;  /* a folder below which it gets one of its own; NULL = none can be had */
	const char *prolog, *epilog; /* programs of the site, run as root around the job; NULL = none */
	int64_t procs;               /* processors it has                                      */
	int64_t wall_limit_s;        /* > 0                                                    */
	int64_t mem_mb;              /* of the whole job; 0 = no bound                         */
	int64_t grace_s;             /* between TERM and KILL                                  */
	int64_t warn_s;              /* this long before the limit ...                         */
	uint32_t warn_signal;        /* ... it gets this signal; 0 = none                      */
	const char *pam;             /* the PAM service of its session; NULL = none            */
	uint32_t no_new_privs;       /* 1: setuid programs give it no other rights             */
	int64_t processes;           /* and threads, at most; 0 = the system's own limits      */
};

/* Clears what is decided at the start: a client may have written it. */
void launch_forget_start(struct launch *launch);

/* Was it submitted by this account? Launches that earlier versions stored say the uid alone. */
bool launch_is_of(const struct launch *launch, uint32_t uid, const char *user);

/* Appends the bytes of a launch. */
void launch_write(const struct launch *launch, struct str *out);

/*
 * Reads them. Strings point into bytes or into what *room holds; both must outlive *out. False with
 * a sentence that names the field. Release *room with free().
 */
bool launch_read(const void *bytes, size_t size, struct launch *out, void **room, struct err *err);

/*
 * A path with its % words replaced: %j, %a ("" outside an array), %u, %%; another is refused. What comes
 * from a name has no '/'. The task 12[3] of an array has %j "12-3", so that no two tasks share a file;
 * where %a stands as well, %j is "12".
 */
bool launch_path(const char *pattern, const struct launch *launch, struct str *out, struct err *err);

/* What people call the job: its label, else its number. */
void launch_job_id(const struct launch *launch, struct str *out);

/* Its number in an array, "3" of the label "12[3]"; nothing outside an array. */
void launch_array_id(const struct launch *launch, struct str *out);

#endif
