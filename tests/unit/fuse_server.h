/* SPDX-License-Identifier: MIT */
/*
 * fuse_server.h - a FUSE file system with one file (content "word"), whose server leaves requests unanswered
 *
 * Only root can mount it. Requests of one kind are never answered: if these are flushes, close(2) of any
 * descriptor of the file blocks until the server exits. The server exits after 30 seconds, so that a blocked
 * test fails. If writes are not answered, written data stays in the page cache, and the exit of the last
 * process with a descriptor blocks too.
 */
#ifndef TESTS_UNIT_FUSE_SERVER_H
#define TESTS_UNIT_FUSE_SERVER_H

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/fuse.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#define FUSE_FILE_NODE 2
#define FUSE_WORD      "word"
#define FUSE_ALARM_S   30

static uint32_t fuse_unanswered = FUSE_FLUSH;
/* The source of the mount, chosen by the mounting user. */
static const char *fuse_source = "test";

static inline struct fuse_attr fuse_attr_of(uint64_t node, uid_t owner)
{
	struct fuse_attr attr = {.ino = node, .nlink = 1, .uid = owner};

	attr.mode = node == FUSE_FILE_NODE ? S_IFREG | 0644 : S_IFDIR | 0755;
	attr.size = node == FUSE_FILE_NODE ? strlen(FUSE_WORD) : 0;
	return attr;
}

static inline void fuse_reply(int device, const struct fuse_in_header *asked, int error, void *data,
			      size_t size)
{
	struct fuse_out_header head = {
		.len = (uint32_t)(sizeof head + size), .error = -error, .unique = asked->unique};
	struct iovec part[] = {{&head, sizeof head}, {data, size}};

	(void)!writev(device, part, 2);
}

static inline void fuse_answer(int device, const struct fuse_in_header *asked, uid_t owner)
{
	struct fuse_init_out init = {.major = FUSE_KERNEL_VERSION, .minor = 23, .max_write = 4096};
	struct fuse_entry_out entry = {.nodeid = FUSE_FILE_NODE, .attr = fuse_attr_of(FUSE_FILE_NODE, owner)};
	struct fuse_attr_out attr = {.attr = fuse_attr_of(asked->nodeid, owner)};
	struct fuse_open_out opened = {.fh = 1};
	struct fuse_statfs_out fs = {.st = {.bsize = 512}};
	char word[] = FUSE_WORD;

	if (fuse_unanswered == FUSE_WRITE)
		init.flags = FUSE_WRITEBACK_CACHE;
	if (asked->opcode == fuse_unanswered)
		return;
	switch (asked->opcode) {
	case FUSE_INIT:
		fuse_reply(device, asked, 0, &init, 24);
		break;
	case FUSE_LOOKUP:
		fuse_reply(device, asked, 0, &entry, sizeof entry);
		break;
	case FUSE_GETATTR:
		fuse_reply(device, asked, 0, &attr, sizeof attr);
		break;
	case FUSE_OPEN:
		fuse_reply(device, asked, 0, &opened, sizeof opened);
		break;
	case FUSE_STATFS:
		fuse_reply(device, asked, 0, &fs, sizeof fs);
		break;
	case FUSE_READ:
		fuse_reply(device, asked, 0, word, strlen(word));
		break;
	case FUSE_FLUSH:
		fuse_reply(device, asked, 0, NULL, 0);
		break;
	default:
		fuse_reply(device, asked, ENOSYS, NULL, 0);
		break;
	}
}

static inline _Noreturn void fuse_serve(int device, uid_t owner)
{
	static union {
		struct fuse_in_header asked;
		char bytes[1 << 16];
	} in;

	alarm(FUSE_ALARM_S);
	while (read(device, &in, sizeof in) > 0)
		fuse_answer(device, &in.asked, owner);
	_exit(0);
}

static inline bool fuse_mount(int device, const char *at, uid_t owner, const char *option)
{
	char options[128];

	snprintf(options, sizeof options, "fd=%d,rootmode=40000,user_id=%u,group_id=%u%s", device,
		 (unsigned)owner, (unsigned)owner, option);
	return mount(fuse_source, at, "fuse", MS_NOSUID | MS_NODEV, options) == 0;
}

/* Mounts the file system at `at`, in a private mount namespace of this process, as owned by this user.
 * Returns the process of the server, which fuse_end() ends; -1 if it cannot be mounted. */
static inline pid_t fuse_begin(const char *at, uid_t owner)
{
	int device = open("/dev/fuse", O_RDWR | O_CLOEXEC);
	pid_t server;
	bool good = device >= 0 && unshare(CLONE_NEWNS) == 0 &&
		    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
		    fuse_mount(device, at, owner, ",allow_other");

	server = good ? fork() : -1;
	if (server == 0)
		fuse_serve(device, owner);
	if (device >= 0)
		close(device);
	return server;
}

/* --- mounted in a user namespace ------------------------------------------------------------------ */

static inline bool fuse_put(const char *where, const char *text)
{
	int fd = open(where, O_WRONLY | O_CLOEXEC);
	bool good = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	if (fd >= 0)
		close(fd);
	return good;
}

/* Switches this process to the user, in new user and mount namespaces where it is root. */
static inline bool fuse_enter_namespace(uid_t uid, gid_t gid)
{
	char users[64], groups[64];

	snprintf(users, sizeof users, "0 %u 1", (unsigned)uid);
	snprintf(groups, sizeof groups, "0 %u 1", (unsigned)gid);
	return setgroups(0, NULL) == 0 && setresgid(gid, gid, gid) == 0 && setresuid(uid, uid, uid) == 0 &&
	       prctl(PR_SET_DUMPABLE, 1) == 0 && unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0 &&
	       fuse_put("/proc/self/setgroups", "deny") && fuse_put("/proc/self/uid_map", users) &&
	       fuse_put("/proc/self/gid_map", groups);
}

static inline bool fuse_mount_overlay(const char *base)
{
	char at[600], options[2048];

	snprintf(at, sizeof at, "%s/overlay", base);
	snprintf(options, sizeof options, "lowerdir=%s/fuse:%s/lower,userxattr", base, base);
	return mount("test", at, "overlay", MS_NOSUID | MS_NODEV | MS_RDONLY, options) == 0;
}

/* Returns the device mounted at base/fuse, or -1. */
static inline int fuse_mount_as_user(const char *base, uid_t uid, gid_t gid)
{
	char where[600];
	int device;

	if (!fuse_enter_namespace(uid, gid))
		return -1;
	/* The kernel requires that the device is opened in the user namespace of the mount. */
	snprintf(where, sizeof where, "%s/device", base);
	device = open(where, O_RDWR | O_CLOEXEC);
	snprintf(where, sizeof where, "%s/fuse", base);
	return device >= 0 && fuse_mount(device, where, 0, ",default_permissions") ? device : -1;
}

/* As fuse_begin(), but the user mounts it at base/fuse in new namespaces, with an overlay at base/overlay.
 * Other processes see both in /proc/SERVER/root. The caller creates the folders, base/lower, and a device
 * base/device that the user can open. */
static inline pid_t fuse_begin_overlay(const char *base, uid_t uid, gid_t gid)
{
	int ready[2], device;
	pid_t server;
	char byte;
	bool good;

	if (pipe2(ready, O_CLOEXEC) != 0)
		return -1;
	server = fork();
	if (server == 0) {
		device = fuse_mount_as_user(base, uid, gid);
		if (device < 0)
			_exit(1);
		/* Mounting the overlay sends requests to the server. */
		if (fork() == 0) {
			if (fuse_mount_overlay(base))
				(void)!write(ready[1], "", 1);
			_exit(0);
		}
		close(ready[1]);
		fuse_serve(device, 0);
	}
	close(ready[1]);
	good = server > 0 && read(ready[0], &byte, 1) == 1;
	close(ready[0]);
	if (good || server < 0)
		return server;
	kill(server, SIGKILL);
	waitpid(server, NULL, 0);
	return -1;
}

static inline void fuse_end(pid_t server, const char *at)
{
	kill(server, SIGKILL);
	waitpid(server, NULL, 0);
	umount2(at, MNT_DETACH);
}

#endif
