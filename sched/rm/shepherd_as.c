/* SPDX-License-Identifier: MIT */
/*
 * shepherd_as.c - how does a process of root become a user, for good?
 *
 * Groups first, while that is allowed, and then it is tried whether the way back is shut.
 */
#include <errno.h>
#include <grp.h>
#include <linux/keyctl.h>
#include <pwd.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

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

bool as_become(const char *user, uid_t uid, gid_t gid)
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

int as_user(const char *user, char **argv)
{
	const struct passwd *who = getpwnam(user);

	if (who == NULL || !as_leave_keys() || !as_become(user, who->pw_uid, who->pw_gid))
		return CANNOT_RUN;
	execv(argv[0], argv);
	return CANNOT_RUN;
}
