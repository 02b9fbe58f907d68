/* SPDX-License-Identifier: MIT */
/*
 * fuse_server.h - a FUSE file system with one file of the word "word", whose server never answers a flush
 *
 * Only root can mount it. close(2) of the file, as of any of its descriptors, waits until the server is gone.
 */
#ifndef TESTS_UNIT_FUSE_SERVER_H
#define TESTS_UNIT_FUSE_SERVER_H

#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#define FUSE_FILE_NODE 2
#define FUSE_WORD      "word"

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

	while (read(device, &in, sizeof in) > 0)
		fuse_answer(device, &in.asked, owner);
	_exit(0);
}

/* Mounts it at a folder, in a mount namespace of this process alone, as if this user had done so. The process
 * of the server, which fuse_end() ends; -1: it cannot be mounted here. */
static inline pid_t fuse_begin(const char *folder, uid_t owner)
{
	int device = open("/dev/fuse", O_RDWR | O_CLOEXEC);
	char options[128];
	pid_t server;
	bool good;

	snprintf(options, sizeof options, "fd=%d,rootmode=40000,user_id=%u,group_id=%u,allow_other", device,
		 (unsigned)owner, (unsigned)owner);
	good = device >= 0 && unshare(CLONE_NEWNS) == 0 &&
	       mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
	       mount("test", folder, "fuse", MS_NOSUID | MS_NODEV, options) == 0;
	server = good ? fork() : -1;
	if (server == 0)
		fuse_serve(device, owner);
	if (device >= 0)
		close(device);
	return server;
}

static inline void fuse_end(pid_t server, const char *folder)
{
	kill(server, SIGKILL);
	waitpid(server, NULL, 0);
	umount2(folder, MNT_DETACH);
}

#endif
