/* SPDX-License-Identifier: MIT */
/*
 * launch.h - what to run for a job, in the form that clients, store and shepherd share
 *
 * A launch is written once, at submission, and stored with the job as bytes that only a resource manager
 * reads: the scheduler decides by the job record alone. At the start the resource manager adds what was
 * decided (processors, devices, limits) and passes the bytes to the shepherd.
 *
 * The bytes are the word "KL1" followed by fields {u8 tag, u32 length, bytes}, little-endian; a list is a
 * repeated tag. Texts include their NUL, numbers are u64. An unknown tag is refused, and a repeated one that
 * is not a list. The contents are not trusted: the submitting client may have written any bytes. uid and gid
 * are valid only where the request server has set them.
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
 * The same for new submissions. Nobody else is answered while a launch is written to the store, so the limits
 * are well above what jobs need but far below what older versions accepted; launches in the store keep
 * theirs.
 */
#define LAUNCH_NEW_MAX        ((size_t)1 << 20)
#define LAUNCH_NEW_SCRIPT_MAX ((size_t)512 << 10)

#define LAUNCH_WORDS_MAX 4096u /* words of the command line; variables of the environment */

enum launch_flag {
	LAUNCH_REQUEUE = 1, /* requeue the job if it is lost or its machine went down (-r y) */
	LAUNCH_JOIN = 2,    /* write standard error to the output file (-j oe) */
	LAUNCH_APPEND = 4,  /* append to existing output files instead of truncating them */
	LAUNCH_PTY = 8      /* a client waits at `waiter` with a terminal */
};

/* A list of strings: count of them, then NULL. */
struct launch_words {
	const char *const *item;
	uint32_t count;
};

/* Zero is a valid empty launch. Strings are borrowed; NULL = not given. */
struct launch {
	/* Set at submission. */
	struct launch_words command; /* executed without a shell; with a script, its arguments */
	const void *script;          /* any bytes; starts with "#!" or is run by the shell */
	uint32_t script_size;
	const char *shell;               /* for a script without "#!"; NULL = the user's          */
	struct launch_words environment; /* "NAME=value"; variables set by the shepherd override these */
	const char *dir;                 /* absolute; NULL = the user's home                      */
	const char *input;               /* absolute, here and below; NULL = /dev/null            */
	const char *output, *errors;     /* %j job, %a task number in the array, %u user, %% */
	const char *waiter;              /* socket of a waiting client, which passes descriptors (waiter.h) */
	const char
		*waiter_key; /* each side proves its identity with one half; NULL = from an earlier version */
	const char *mail;    /* when to send mail: any of "b" "e" "a"; NULL = never */
	const char *mail_to; /* addresses, separated by commas; NULL = the user */
	uint32_t umask;
	uint32_t flags;         /* enum launch_flag                                        */
	uint32_t uid, gid;      /* set by the request server, never by the client */
	const char *submit_dir; /* the user's working directory; NULL = dir */
	uint32_t tasks;         /* requested tasks, for the environment; 0 = those of the job */
	uint32_t array_tasks;   /* number of tasks of the array; 0 = no array */
	uint32_t array_first, array_last, array_step; /* smallest and largest task number, and step */
	uint32_t own_signal; /* sent own_signal_s before the limit, instead of the site's signal */
	int64_t own_signal_s;

	/* Set at the start. */
	uint64_t job;
	uint32_t attempt; /* number of the start, from 1 */
	/* For the environment; `user` is known from submission on. */
	const char *label, *name, *user, *group, *account, *class, *qos;
	const char *nodes;           /* "n001*2 n003*1"                                        */
	const char *cpus;            /* "0-3,8": processors to bind to; NULL = not bound */
	const char *devices;         /* "0,2" or UUIDs, for CUDA_VISIBLE_DEVICES and others; "" = none; NULL =
					unspecified */
	const char *cgroup;          /* the folder in which to create its cgroup; NULL = no cgroups */
	const char *prolog, *epilog; /* site programs, run as root before and after the job; NULL = none */
	int64_t procs;               /* allocated processors */
	int64_t wall_limit_s;        /* > 0                                                    */
	int64_t mem_mb;              /* of the whole job; 0 = unlimited */
	int64_t grace_s;             /* between TERM and KILL                                  */
	int64_t warn_s;              /* how long before the limit ... */
	uint32_t warn_signal;        /* ... to send this signal; 0 = none */
	const char *pam;             /* the PAM service of its session; NULL = none            */
	uint32_t no_new_privs;       /* 1: setuid programs give no additional rights (PR_SET_NO_NEW_PRIVS) */
	int64_t processes;           /* maximum of processes and threads; 0 = the system's limits */
};

/* Clears the fields that are set at the start: a client may have written them. */
void launch_forget_start(struct launch *launch);

/* Was it submitted by this account? Launches stored by earlier versions contain only the UID. */
bool launch_is_of(const struct launch *launch, uint32_t uid, const char *user);

/* Appends the bytes of a launch. */
void launch_write(const struct launch *launch, struct str *out);

/*
 * Decodes the bytes of a launch. Strings point into bytes or into *room; both must outlive *out. False with a
 * message that names the field. Release *room with free().
 */
bool launch_read(const void *bytes, size_t size, struct launch *out, void **room, struct err *err);

/*
 * Appends a path with its % sequences replaced: %j, %a ("" outside an array), %u, %%; any other is refused. A
 * '/' in a name is replaced. For task 12[3] of an array %j is "12-3", so that no two tasks share a file; if
 * the pattern contains %a as well, %j is "12".
 */
bool launch_path(const char *pattern, const struct launch *launch, struct str *out, struct err *err);

/* Appends the label of the job, else its ID. */
void launch_job_id(const struct launch *launch, struct str *out);

/* Appends its task number, "3" of the label "12[3]"; nothing outside an array. */
void launch_array_id(const struct launch *launch, struct str *out);

#endif
