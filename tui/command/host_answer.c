/* SPDX-License-Identifier: MIT */
/*
 * host_answer.c - is what a configuration names on this host?
 *
 * Whoever asks may not be who runs the programs: so a program is judged by its mode, not by what this process
 * may do with it, and a folder that is closed to this process hides nothing bad.
 */
#include "host_answer.h"

#include <errno.h>
#include <pwd.h>
#include <sys/stat.h>

#include "sched/rm/trusted.h"

static enum host_state program_state(const char *path, struct err *why)
{
	struct stat st;

	if (stat(path, &st) != 0)
		return errno == ENOENT || errno == ENOTDIR ? HOST_MISSING : HOST_GOOD;
	if (!S_ISREG(st.st_mode) || (st.st_mode & (S_IXUSR | S_IXGRP | S_IXOTH)) == 0)
		return HOST_UNUSABLE;
	return trusted_program(path, why) ? HOST_GOOD : HOST_UNTRUSTED;
}

/* A list of people that cannot be read now says nothing of who is on it. */
static enum host_state user_state(const char *name)
{
	errno = 0;
	if (getpwnam(name) != NULL)
		return HOST_GOOD;
	return errno == 0 || errno == ENOENT || errno == ESRCH ? HOST_MISSING : HOST_GOOD;
}

static enum host_state config_state(const struct err *barred, struct err *why)
{
	if (barred == NULL || barred->text[0] == '\0')
		return HOST_GOOD;
	*why = *barred;
	return HOST_UNTRUSTED;
}

enum host_state host_answer(void *self, enum host_thing thing, const char *name, struct err *why)
{
	switch (thing) {
	case HOST_PROGRAM:
		return program_state(name, why);
	case HOST_CONFIG:
		return config_state(self, why);
	case HOST_USER:
		break;
	}
	return user_state(name);
}
