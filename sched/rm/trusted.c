/* SPDX-License-Identifier: MIT */
/*
 * trusted.c - permissions of programs that a configuration names
 *
 * The path is followed component by component, as the kernel does, and each folder is checked before its
 * entries. If the file and all folders and links on the way belong to root or this user, no other user can
 * change what the path refers to between this check and the exec.
 */
#include "sched/rm/trusted.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sched/base/str.h"

#define LINKS_MAX 40 /* the kernel's limit on symbolic links in a path */

/* A path that is being followed. */
struct way {
	struct str at;   /* the checked part, without symbolic links; "" = the root folder */
	struct str rest; /* the remaining part */
	unsigned links;
	int failed; /* errno if a file could not be examined, otherwise EPERM */
};

static bool is_owner(uid_t uid)
{
	return uid == 0 || uid == geteuid();
}

/*
 * Is it a folder with the sticky bit? In such a folder, only the owner of an entry or of the folder can
 * replace the entry.
 */
static bool is_sticky(const struct stat *st)
{
	return S_ISDIR(st->st_mode) && (st->st_mode & S_ISVTX) != 0;
}

static bool judge(const char *path, const struct stat *st, struct err *err)
{
	if (!is_owner(st->st_uid))
		return err_set(err, "%s belongs to user %u", path, (unsigned)st->st_uid);
	if (S_ISLNK(st->st_mode) || is_sticky(st))
		return true;
	if ((st->st_mode & S_IWOTH) != 0)
		return err_set(err, "all users can write to %s", path);
	return (st->st_mode & S_IWGRP) == 0 ||
	       err_set(err, "group %u can write to %s", (unsigned)st->st_gid, path);
}

/* Moves the next component of the remaining part to *name. Returns false if nothing remains. */
static bool take_name(struct way *way, struct str *name)
{
	const char *begin = str_text(&way->rest) + strspn(str_text(&way->rest), "/");
	size_t len = strcspn(begin, "/");
	struct str left = {0};

	str_clear(name);
	str_add_bytes(name, begin, len);
	str_add(&left, begin + len);
	str_free(&way->rest);
	way->rest = left;
	return len > 0;
}

static void go_up(struct way *way)
{
	const char *slash = strrchr(str_text(&way->at), '/');
	struct str above = {0};

	str_add_bytes(&above, str_text(&way->at), slash != NULL ? (size_t)(slash - str_text(&way->at)) : 0);
	str_free(&way->at);
	way->at = above;
}

/*
 * Inserts the target of a symbolic link before the remaining part. Returns false with errno set if the link
 * cannot be followed.
 */
static bool follow(struct way *way, const char *link)
{
	struct str rest = {0};
	char target[PATH_MAX];
	ssize_t n;

	if (++way->links > LINKS_MAX) {
		errno = ELOOP;
		return false;
	}
	n = readlink(link, target, sizeof target);
	if (n <= 0 || n == (ssize_t)sizeof target) {
		errno = n < 0 ? errno : n == 0 ? ENOENT : ENAMETOOLONG;
		return false;
	}
	if (target[0] == '/')
		str_clear(&way->at);
	str_add_bytes(&rest, target, (size_t)n);
	str_addf(&rest, "/%s", str_text(&way->rest));
	str_free(&way->rest);
	way->rest = rest;
	return true;
}

/*
 * Can the error be ignored here, because starting the program would fail with the same error and report it?
 */
static bool leads_nowhere(int why)
{
	return why == ENOENT || why == ENOTDIR || why == EACCES || why == ELOOP || why == ENAMETOOLONG;
}

static bool refuse_look(struct way *way, const char *path, int why, struct err *err)
{
	if (leads_nowhere(why))
		return true;
	way->failed = why;
	return err_set(err, "%s cannot be examined: %s", path, strerror(why));
}

/* Can other users create files in the current folder? */
static bool is_shared(const struct way *way)
{
	struct stat st;

	return lstat(way->at.len > 0 ? str_text(&way->at) : "/", &st) != 0 ||
	       (st.st_mode & (S_IWGRP | S_IWOTH)) != 0;
}

/*
 * Decides about an entry that cannot be examined. If it is missing in a folder where other users can create
 * files, another user may create it before the program is started.
 */
static bool refuse_missing(struct way *way, const char *path, int why, struct err *err)
{
	if (why == ENOENT && is_shared(way))
		return err_set(err, "%s is missing, and other users can create it", path);
	return refuse_look(way, path, why, err);
}

/*
 * Follows one component. Returns false with a message if other users can change it. *on becomes false if the
 * path does not exist.
 */
static bool step(struct way *way, const char *name, bool *on, struct err *err)
{
	struct str path = {0};
	struct stat st;
	bool good;

	if (strcmp(name, "..") == 0)
		go_up(way);
	if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
		return true;
	str_addf(&path, "%s/%s", str_text(&way->at), name);
	*on = lstat(str_text(&path), &st) == 0;
	good = *on ? judge(str_text(&path), &st, err) : refuse_missing(way, str_text(&path), errno, err);
	if (good && *on && S_ISLNK(st.st_mode)) {
		*on = follow(way, str_text(&path));
		good = *on || refuse_look(way, str_text(&path), errno, err);
	} else if (good && *on) {
		str_free(&way->at);
		way->at = path;
		return true;
	}
	str_free(&path);
	return good;
}

static bool walk(struct way *way, struct err *err)
{
	struct str name = {0};
	struct stat st;
	bool on = true,
	     good = lstat("/", &st) == 0 ? judge("/", &st, err) : refuse_look(way, "/", errno, err);

	while (good && on && take_name(way, &name))
		good = step(way, str_text(&name), &on, err);
	str_free(&name);
	return good;
}

bool trusted_program(const char *path, struct err *err)
{
	struct way way = {.failed = EPERM};
	struct err why = {{0}};
	bool good;

	str_add(&way.rest, path);
	good = walk(&way, &why);
	if (!good)
		err_set(err, "%s is not run, as %s", path, why.text);
	str_free(&way.at);
	str_free(&way.rest);
	errno = way.failed;
	return good;
}

bool trusted_config(const char *name, const struct stat *st, struct err *err)
{
	if (!is_owner(st->st_uid))
		return err_set(err, "the configuration %s belongs to user %u", name, (unsigned)st->st_uid);
	return !S_ISREG(st->st_mode) || (st->st_mode & S_IWOTH) == 0 ||
	       err_set(err, "all users can write to the configuration %s", name);
}
