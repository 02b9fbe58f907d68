/* SPDX-License-Identifier: MIT */
/*
 * shepherd_user.c - permanent change from root to the user of a job
 *
 * Groups are changed first, while that is allowed; at the end, a test confirms that the change cannot be
 * reversed.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/keyctl.h>
#include <pwd.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sched/base/str.h"
#include "shepherd_inside.h"

#define CANNOT_RUN 127

static bool is_for_good(uid_t uid)
{
	uid_t real, effective, saved;

	return getresuid(&real, &effective, &saved) == 0 && real == uid && effective == uid && saved == uid &&
	       (uid == 0 || setuid(0) != 0);
}

bool as_take_groups(const char *user, gid_t gid)
{
	return initgroups(user, gid) == 0;
}

/* Changes groups and IDs. Returns false with errno set on failure. */
static bool as_become(const char *user, uid_t uid, gid_t gid)
{
	return as_take_groups(user, gid) && as_take_ids(uid, gid);
}

bool as_take_ids(uid_t uid, gid_t gid)
{
	if (setresgid(gid, gid, gid) != 0 || setresuid(uid, uid, uid) != 0)
		return false;
	if (is_for_good(uid))
		return true;
	errno = EPERM;
	return false;
}

bool as_leave_keys(void)
{
	return getuid() != 0 || syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL) >= 0 ||
	       errno == ENOSYS || errno == EPERM;
}

void as_reset_oom_score(void)
{
	int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	(void)!write(fd, "0", 1);
	close(fd);
}

void as_bound_descriptors(const char *text)
{
	struct rlimit limit;
	int64_t soft;

	if (text == NULL || !str_read_whole(text, &soft) || soft <= 0 ||
	    getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return;
	limit.rlim_cur = limit.rlim_max < (rlim_t)soft ? limit.rlim_max : (rlim_t)soft;
	setrlimit(RLIMIT_NOFILE, &limit);
}

bool as_leave_no_core(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_CORE, &limit) != 0)
		return false;
	limit.rlim_cur = 0;
	return setrlimit(RLIMIT_CORE, &limit) == 0;
}

/* Gives up the privileges of the scheduler and leaves its cgroup, while the process is still root. */
static bool leave_scheduler(const char *descriptors, const char *folder)
{
	as_reset_oom_score();
	as_bound_descriptors(descriptors);
	return as_leave_no_core() && (folder[0] == '\0' || cgroup_enter(folder));
}

int as_user(const char *user, const char *descriptors, const char *folder, char **argv)
{
	const struct passwd *who = getpwnam(user);

	if (who == NULL || !leave_scheduler(descriptors, folder) || !as_leave_keys() ||
	    !as_become(user, who->pw_uid, who->pw_gid))
		return CANNOT_RUN;
	execv(argv[0], argv);
	return CANNOT_RUN;
}
