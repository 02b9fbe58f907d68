/* SPDX-License-Identifier: MIT */
/*
 * host_info_inside.h - text files of the kernel and cgroups, read for the files about this host
 *
 * Paths consist of the root directory and a format. The kernel's files are small and are read as a whole. A
 * file that does not exist, is not a regular file or cannot be read counts as missing.
 */
#ifndef RM_HOST_INFO_INSIDE_H
#define RM_HOST_INFO_INSIDE_H

#include "host_info.h"

#define KERNEL_TEXT ((size_t)1 << 20) /* bytes of the longest text that is read */

/* --- text files of the kernel in /proc and /sys ------------------------------------------------------- */

/* The prefix of paths: the root directory, "" for "/". */
const char *kernel_root(const char *root);
/* Replaces *out by the whole text without trailing blanks. False: no such file, and *out is "". */
bool kernel_text(struct str *out, const char *path, ...) __attribute__((format(printf, 2, 3)));
/* Reads a file that consists of one integer. */
bool kernel_number(int64_t *out, const char *path, ...) __attribute__((format(printf, 2, 3)));
/* The rest of the line that begins with `label`; false: no such line. */
bool kernel_line(const char *text, const char *label, struct str *out);
/* The integer after `label`; a unit after it is ignored. */
bool kernel_line_number(const char *text, const char *label, int64_t *out);
/* True if `word` is one of the words of the text, which blanks or newlines separate. */
bool kernel_has_word(const char *text, const char *word);

/* --- processors, memory and GPUs ---------------------------------------------------------------------- */

struct cpu_set {
	bool has[HOST_CPUS_MAX];
};

/* Reads a list of the kernel such as "0-3,8"; larger ids are ignored. False: not such a list. */
bool cpu_set_read(const char *text, struct cpu_set *out);

/* Sets mem_mb and swap_mb. */
void host_info_read_memory(const char *root, struct host_info *out);
/* Sets device and device_count. */
bool host_info_read_devices(const char *root, const char *devices, struct host_info *out, struct err *err);

/* --- cgroups ------------------------------------------------------------------------------------------ */

struct cgroup_place {
	struct str mount;  /* where the tree is mounted, below the root directory               */
	struct str folder; /* the cgroup of this process in it; equals mount at the tree's root */
};

/*
 * Finds the cgroup of this process. controller: "memory" of version 1, or NULL for version 2. False: no such
 * tree is mounted, or this process is outside of what is visible of it.
 */
bool cgroup_find(const char *root, const char *controller, struct cgroup_place *out);
void cgroup_place_free(struct cgroup_place *place);

/*
 * Checks whether directories in home can have the controller. lasting: they have it afterwards, and this
 * process may have moved into home/scheduler for that; otherwise everything is left as it was. Where they
 * cannot, the reason is appended to *why.
 */
bool cgroup_control(const char *home, const char *controller, bool lasting, struct str *why);

#endif
