/* SPDX-License-Identifier: MIT */
/*
 * failpoint.h - where may a test make the program die or a call fail?
 *
 * Named places on the way of a job, compiled in by ./configure --enable-failpoints alone: without it fail_at
 * is nothing. The environment says what happens there:
 *
 *     KAHU_FAILPOINT=NAME:COUNT:ACTION[:FILE][,...]     ACTION is kill, trap, abort, delay, EIO, ENOSPC,
 * EINTR, EAGAIN, EMFILE or ENOMEM
 *
 * at the COUNTth time that this process gets there (0 = every time), or, with a FILE, that any process does:
 * an absolute path, to which each process appends one byte a time. Shepherds inherit the setting.
 * KAHU_FAILPOINT=list prints the names. KAHU_BOOT_FILE is read in place of the kernel's boot id: a reboot
 * that a test can have. KAHU_CLOCK_FILE says by how many seconds the system's clock was set.
 * KAHU_PAM_LIMIT_MS is the time limit of PAM modules, KAHU_USER_SETUP_MS how long the setup of a job may run
 * as its user and still be retried.
 */
#ifndef BASE_FAILPOINT_H
#define BASE_FAILPOINT_H

#include <stdbool.h>
#include <stddef.h>

/*
 * request_read: the scheduler, before it reads a client's request. sub_ start_ done_ cancel_ requeue_
 * suspend_ defer_: the driver around the commit of such an event. adopt_ boot_ gone_: the manager of this
 * host. nursery_: what makes shepherds. shep_: the shepherd, in the order of its life.
 */
#define FAILPOINTS(X)                                                                                        \
	X(REQUEST_READ, "request_read")                                                                      \
	X(SUB_AFTER_RECV, "sub_after_recv")                                                                  \
	X(SUB_BEFORE_COMMIT, "sub_before_commit")                                                            \
	X(SUB_AFTER_COMMIT, "sub_after_commit_before_reply")                                                 \
	X(START_BEFORE_COMMIT, "start_before_commit")                                                        \
	X(START_AFTER_COMMIT, "start_after_commit")                                                          \
	X(START_AFTER_FORK, "start_after_fork")                                                              \
	X(BEFORE_WATCH, "before_watch")                                                                      \
	X(NURSERY_BEFORE_BIRTH, "nursery_before_birth")                                                      \
	X(NURSERY_AFTER_BIRTH, "nursery_after_birth")                                                        \
	X(SHEP_BEFORE_LOCK, "shep_before_lock")                                                              \
	X(SHEP_AFTER_LOCK, "shep_after_lock")                                                                \
	X(SHEP_AFTER_BEGUN, "shep_after_begun")                                                              \
	X(SHEP_BEFORE_FORK, "shep_before_fork")                                                              \
	X(SHEP_AFTER_FORK, "shep_after_fork")                                                                \
	X(SHEP_IN_CHILD, "shep_in_child")                                                                    \
	X(SHEP_AS_USER, "shep_as_user")                                                                      \
	X(SHEP_AFTER_WAIT, "shep_after_wait")                                                                \
	X(SHEP_BEFORE_ENDED, "shep_before_ended")                                                            \
	X(SHEP_BEFORE_SYNC, "shep_before_sync")                                                              \
	X(SHEP_AFTER_ENDED, "shep_after_ended")                                                              \
	X(DONE_BEFORE_COMMIT, "done_before_commit")                                                          \
	X(DONE_AFTER_COMMIT, "done_after_commit")                                                            \
	X(GONE_BEFORE_UNLINK, "gone_before_unlink")                                                          \
	X(CANCEL_BEFORE_COMMIT, "cancel_before_commit")                                                      \
	X(CANCEL_AFTER_COMMIT, "cancel_after_commit")                                                        \
	X(REQUEUE_BEFORE_COMMIT, "requeue_before_commit")                                                    \
	X(REQUEUE_BETWEEN, "requeue_between")                                                                \
	X(SUSPEND_BEFORE_COMMIT, "suspend_before_commit")                                                    \
	X(SUSPEND_AFTER_COMMIT, "suspend_after_commit")                                                      \
	X(DEFER_BEFORE_COMMIT, "defer_before_commit")                                                        \
	X(DEFER_AFTER_COMMIT, "defer_after_commit")                                                          \
	X(ADOPT_BEFORE_BAR, "adopt_before_bar")                                                              \
	X(ADOPT_AFTER_BAR, "adopt_after_bar")                                                                \
	X(ADOPT_AFTER_JUDGE, "adopt_after_judge")                                                            \
	X(BOOT_BEFORE_RENAME, "boot_before_rename")                                                          \
	X(BOOT_AFTER_RENAME, "boot_after_rename")

#define FAILPOINT_ROW(id, name) FAIL_##id,
enum failpoint {
	FAILPOINTS(FAILPOINT_ROW) FAILPOINT_COUNT
};
#undef FAILPOINT_ROW

#ifdef KAHU_FAILPOINTS

/* Dies, waits, or says true with errno: what follows is to fail. */
bool fail_at(enum failpoint point);

/* Puts what a shepherd must be told to fail as well into the room of its environment. */
void fail_environment(const char **out, size_t room);

/* The text of the environment variable of that name; without one the path itself. */
const char *fail_path(const char *variable, const char *path);

/* KAHU_FAILPOINT=list: prints the names and says true. */
bool fail_list(void);

#else

static inline bool fail_at(enum failpoint point)
{
	(void)point;
	return false;
}

static inline void fail_environment(const char **out, size_t room)
{
	(void)out;
	(void)room;
}

static inline const char *fail_path(const char *variable, const char *path)
{
	(void)variable;
	return path;
}

static inline bool fail_list(void)
{
	return false;
}

#endif

#endif
