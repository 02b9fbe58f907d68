/* SPDX-License-Identifier: MIT */
/*
 * launch.h - what to run for a job, in the form that clients, store and shepherd share
 *
 * A launch is written once, at submission, and stored with the job as bytes that only a resource manager
 * reads: the scheduler decides by the job record alone. When the job starts, the resource manager adds the
 * decisions of the scheduler (processors, devices, limits) and passes the launch to the shepherd.
 *
 * The bytes are the word "KL1" followed by fields {u8 tag, u32 length, bytes}, little-endian; a list is a
 * repeated tag. Strings include their NUL, numbers are u64. An unknown tag is an error, and so is a repeated
 * tag of a field that is not a list. The contents are not trusted: the submitting client may have written any
 * bytes. uid and gid are valid only if the request server has set them.
 */
#ifndef RM_LAUNCH_H
#define RM_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/base/err.h"
#include "sched/base/str.h"

#define LAUNCH_MAX        ((size_t)4 << 20) /* bytes of one launch, including script and environment */
#define LAUNCH_SCRIPT_MAX ((size_t)2 << 20)

/*
 * Limits for new submissions. While a launch is written to the store, no other request is answered; so these
 * limits are well above what jobs need, but far below what older versions accepted. Launches that are already
 * in the store may exceed them.
 */
#define LAUNCH_NEW_MAX        ((size_t)1 << 20)
#define LAUNCH_NEW_SCRIPT_MAX ((size_t)512 << 10)

#define LAUNCH_WORDS_MAX 4096u /* maximum number of words of the command, and of environment variables */

enum launch_flag {
	LAUNCH_REQUEUE = 1, /* requeue the job if it is lost or its host goes down (-r y) */
	LAUNCH_JOIN = 2,    /* write standard error to the output file (-j oe) */
	LAUNCH_APPEND = 4,  /* append to existing output files instead of truncating them */
	LAUNCH_PTY = 8      /* a waiting client provides a terminal (see `waiter`) */
};

/* A list of `count` strings, followed by NULL. */
struct launch_words {
	const char *const *item;
	uint32_t count;
};

/* A zeroed launch is a valid empty launch. Strings are borrowed; NULL = not given. */
struct launch {
	/* Members set at submission: */
	struct launch_words command; /* executed without a shell; with a script: its arguments */
	const void *script;          /* any bytes; run by `shell` unless it starts with "#!" */
	uint32_t script_size;
	const char *shell;               /* shell for a script without "#!"; NULL = the user's login shell */
	struct launch_words environment; /* "NAME=value"; variables set by the shepherd override these */
	const char *dir;                 /* working directory, absolute; NULL = the user's home */
	const char *input; /* path of standard input, absolute like those below; NULL = /dev/null */
	const char *output,
		*errors;        /* paths; %j job, %a task number in the array, %u user, %% percent sign */
	const char *waiter;     /* socket of a waiting client, which passes descriptors (waiter.h) */
	const char *waiter_key; /* key with which the job and the client identify each other (waiter.h); NULL
				   = client of an earlier version */
	const char *mail;       /* events that send mail: "b" begin, "e" end, "a" abort, or several of these
				   letters; NULL = none */
	const char *mail_to;    /* addresses, separated by commas; NULL = the user */
	uint32_t umask;
	uint32_t flags;    /* enum launch_flag                                        */
	uint32_t uid, gid; /* user and group of the job, set by the request server, never by the client */
	const char *submit_dir; /* directory in which the user submitted the job; NULL = dir */
	uint32_t tasks;         /* number of requested tasks, for the environment; 0 = as in the job record */
	uint32_t array_tasks;   /* number of tasks of the array; 0 = no array */
	uint32_t array_first, array_last, array_step; /* smallest and largest task number, and step */
	uint32_t own_signal; /* signal sent own_signal_s before the wallclock limit, instead of the site's
				warning; 0 = none */
	int64_t own_signal_s;

	/* Members set when the job starts: */
	uint64_t job;
	uint32_t attempt; /* number of the start, from 1 */
	/* For the job's environment; `user` is set at submission. */
	const char *label, *name, *user, *group, *account, *class, *qos;
	const char *nodes;   /* allocated nodes with their processors: "n001*2 n003*1" */
	const char *cpus;    /* processors to bind the job to, such as "0-3,8"; NULL = not bound */
	const char *devices; /* value for CUDA_VISIBLE_DEVICES and others: "0,2" or UUIDs; "" = no device;
				NULL = not set */
	const char *cgroup;  /* folder in which the job's cgroup is created; NULL = no cgroups */
	const char *prolog, *epilog; /* site programs, run as root before and after the job; NULL = none */
	int64_t procs;               /* allocated processors */
	int64_t wall_limit_s;        /* > 0                                                    */
	int64_t mem_mb;              /* memory of the whole job; 0 = unlimited */
	int64_t grace_s;             /* seconds between TERM and KILL */
	int64_t warn_s;              /* seconds before the wallclock limit ... */
	uint32_t warn_signal;        /* ... at which this signal is sent; 0 = none */
	const char *pam;             /* PAM service of the job's session; NULL = no session */
	uint32_t no_new_privs;       /* 1: setuid programs give no additional rights (PR_SET_NO_NEW_PRIVS) */
	int64_t processes;           /* maximum number of processes and threads; 0 = the system's limit */
};

/* Clears the members that are set when the job starts, because a client may have written them. */
void launch_forget_start(struct launch *launch);

/* Was the launch submitted by this account? Launches stored by earlier versions contain only the UID. */
bool launch_is_of(const struct launch *launch, uint32_t uid, const char *user);

/* Appends the bytes of a launch. */
void launch_write(const struct launch *launch, struct str *out);

/*
 * Decodes the bytes of a launch. Strings point into `bytes`, and lists into *room; both must outlive *out.
 * Release *room with free(). Returns false with a message that names the invalid field.
 */
bool launch_read(const void *bytes, size_t size, struct launch *out, void **room, struct err *err);

/*
 * Appends the path with its % sequences replaced: %j, %a ("" outside an array), %u, %%. Returns false with a
 * message if the path contains any other % sequence. A '/' in a replaced name becomes '_'. For task 12[3] of
 * an array %j is "12-3", so that no two tasks share a file; if the pattern also contains %a, %j is "12".
 */
bool launch_path(const char *pattern, const struct launch *launch, struct str *out, struct err *err);

/* Appends the label of the job; if it has none, its ID. */
void launch_job_id(const struct launch *launch, struct str *out);

/*
 * Appends the task number of the job, such as "3" for the label "12[3]"; nothing if the job is not part of an
 * array.
 */
void launch_array_id(const struct launch *launch, struct str *out);

#endif
