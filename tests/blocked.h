/* SPDX-License-Identifier: MIT */
/*
 * blocked.h - memory that cannot be read
 *
 * A page of a file in a file system (FUSE) whose server answers everything but reads. Who touches it waits
 * until the server is killed, and in the kernel nobody else can look into that process meanwhile. Users can
 * do this to their own processes; here it takes root, who need not prepare anything for it.
 */
#ifndef TESTS_BLOCKED_H
#define TESTS_BLOCKED_H

#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define BLOCKED_PAGE 4096

union blocked_word {
	struct fuse_init_out init;
	struct fuse_entry_out entry;
	struct fuse_attr_out attr;
	struct fuse_open_out open;
};

/* Node 1 is the folder, node 2 the file in it. */
static inline struct fuse_attr blocked_attr(uint64_t node)
{
	return (struct fuse_attr){.ino = node,
				  .size = BLOCKED_PAGE,
				  .nlink = 1,
				  .mode = node == 1 ? S_IFDIR | 0755 : S_IFREG | 0644};
}

/* The size of an answer; negative: an error; 0: there is none. */
static inline int blocked_answer(const struct fuse_in_header *request, union blocked_word *out)
{
	switch (request->opcode) {
	case FUSE_INIT:
		out->init = (struct fuse_init_out){
			.major = FUSE_KERNEL_VERSION, .minor = 31, .max_write = BLOCKED_PAGE};
		return sizeof out->init;
	case FUSE_LOOKUP:
		out->entry = (struct fuse_entry_out){
			.nodeid = 2, .entry_valid = 1000, .attr_valid = 1000, .attr = blocked_attr(2)};
		return sizeof out->entry;
	case FUSE_GETATTR:
		out->attr = (struct fuse_attr_out){.attr_valid = 1000, .attr = blocked_attr(request->nodeid)};
		return sizeof out->attr;
	case FUSE_OPEN:
		out->open = (struct fuse_open_out){.fh = 1};
		return sizeof out->open;
	case FUSE_READ:
	case FUSE_FORGET:
	case FUSE_INTERRUPT:
		return 0;
	default:
		return -ENOSYS;
	}
}

static inline _Noreturn void blocked_serve(int device)
{
	static _Alignas(struct fuse_in_header) char request[1 << 17];

	while (read(device, request, sizeof request) > 0) {
		struct {
			struct fuse_out_header head;
			union blocked_word word;
		} answer = {.head = {.unique = ((struct fuse_in_header *)request)->unique}};
		int size = blocked_answer((struct fuse_in_header *)request, &answer.word);

		if (size == 0)
			continue;
		answer.head.error = size < 0 ? size : 0;
		answer.head.len = (uint32_t)sizeof answer.head + (uint32_t)(size < 0 ? 0 : size);
		(void)!write(device, &answer, answer.head.len);
	}
	_exit(0);
}

/* Folder is used for a moment. The server is a child of this process and dies with it. NULL: not here. */
static inline void *blocked_page(const char *folder)
{
	int device = open("/dev/fuse", O_RDWR | O_CLOEXEC), file;
	char text[4200];
	void *page;
	pid_t server;

	snprintf(text, sizeof text, "fd=%d,rootmode=40000,user_id=0,group_id=0", device);
	if (device < 0 || mount("blocked", folder, "fuse", MS_NOSUID | MS_NODEV, text) != 0)
		return NULL;
	server = fork();
	if (server == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		blocked_serve(device);
	}
	snprintf(text, sizeof text, "%s/file", folder);
	file = server > 0 ? open(text, O_RDONLY | O_CLOEXEC) : -1;
	umount2(folder, MNT_DETACH);
	close(device);
	page = mmap(NULL, BLOCKED_PAGE, PROT_READ, MAP_PRIVATE, file, 0);
	close(file);
	return page == MAP_FAILED ? NULL : page;
}

static inline void *blocked_read(void *page)
{
	int memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
	char byte;

	(void)!pread(memory, &byte, 1, (off_t)(uintptr_t)page);
	return NULL;
}

/* Changes the map until it has to wait for the thread that reads. */
static inline void *blocked_change(void *page)
{
	for (;;) {
		void *other = mmap(NULL, BLOCKED_PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (other == MAP_FAILED)
			return page;
		munmap(other, BLOCKED_PAGE);
		usleep(1000);
	}
}

/* A process is blocked when its map cannot be read, which takes a process to find out. */
static inline bool blocked_is(pid_t pid)
{
	char path[64], byte;
	int status;
	pid_t looks = fork();

	if (looks == 0) {
		snprintf(path, sizeof path, "/proc/%d/smaps_rollup", (int)pid);
		_exit(read(open(path, O_RDONLY | O_CLOEXEC), &byte, 1) == 1);
	}
	usleep(50000);
	if (waitpid(looks, &status, WNOHANG) == looks)
		return false;
	kill(looks, SIGKILL);
	waitpid(looks, &status, 0);
	return true;
}

/* This process is blocked soon after; false: not here. */
static inline bool blocked_begin(const char *folder)
{
	pthread_t reads, changes;
	pthread_attr_t small;
	void *page = blocked_page(folder);

	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 65536);
	return page != NULL && pthread_create(&reads, &small, blocked_read, page) == 0 &&
	       pthread_create(&changes, &small, blocked_change, page) == 0;
}

#endif
