/* SPDX-License-Identifier: MIT */
/*
 * failpoint.h - named failure points for tests
 *
 * A failure point is a place on the path of a job at which a test can kill the process or make a call fail.
 * They are compiled in only by ./configure --enable-failpoints; otherwise fail_at does nothing. The
 * environment selects what happens:
 *
 *     KAHU_FAILPOINT=NAME:COUNT:ACTION[:FILE][,...]     ACTION is kill, trap, abort, delay, EIO, ENOSPC,
 *                                                       EINTR, EAGAIN, EMFILE or ENOMEM
 *
 * The action happens when this process reaches the point for the COUNTth time (0 = every time). With FILE, an
 * absolute path, the processes count together: each appends one byte to the file each time. Shepherds inherit
 * the setting. KAHU_FAILPOINT=list prints the names.
 *
 * Further variables for tests: KAHU_BOOT_FILE is read instead of the kernel's boot ID, to simulate a reboot.
 * KAHU_CLOCK_FILE contains the number of seconds by which the system clock was set. KAHU_PAM_LIMIT_MS is the
 * time limit of PAM modules. A failed start is not retried if the setup of the job has run as the job's user
 * for more than KAHU_USER_SETUP_MS.
 */
#ifndef BASE_FAILPOINT_H
#define BASE_FAILPOINT_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The beginning of a name says where the point is. request_read: in the scheduler, before it reads a client's
 * request. sub_ start_ done_ cancel_ requeue_ suspend_ defer_: in the driver, before or after it commits such
 * an event. adopt_ boot_ gone_: in the resource manager of this host. fork_server_: in the server that forks
 * shepherds. shep_: in the shepherd of a job, from its start to its end.
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
	X(FORK_SERVER_BEFORE_FORK, "fork_server_before_fork")                                                \
	X(FORK_SERVER_AFTER_FORK, "fork_server_after_fork")                                                  \
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

/*
 * Performs the action that the environment selects for this point, if any. Returns true, with errno set, if
 * the call that follows must fail.
 */
bool fail_at(enum failpoint point);

/*
 * Copies to `out`, which has room for `room` pointers, the environment variables for tests that a shepherd
 * inherits.
 */
void fail_environment(const char **out, size_t room);

/* Returns the value of the environment variable if it is set, otherwise `path`. */
const char *fail_path(const char *variable, const char *path);

/* If KAHU_FAILPOINT=list is set, prints the names of the failure points and returns true. */
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
