/* SPDX-License-Identifier: MIT */
/*
 * host_info_inside.h - kernel files, hardware and cgroups: internal functions of host_info
 *
 * A path is given as a printf format with its arguments, the first of which is usually the root directory.
 * Files of the kernel are small and are read as a whole. A file that does not exist, is not a regular file or
 * cannot be read counts as missing.
 */
#ifndef RM_HOST_INFO_INSIDE_H
#define RM_HOST_INFO_INSIDE_H

#include "host_info.h"

#define KERNEL_TEXT ((size_t)1 << 20) /* maximum number of bytes read from a file */

/* --- text files of the kernel in /proc and /sys ------------------------------------------------------- */

/* Returns the prefix of all paths: the root directory, or "" if it is "/". */
const char *kernel_root(const char *root);
/*
 * Replaces *out with the whole text of a file, without trailing blanks and newlines. If the file is missing,
 * returns false, and *out is "".
 */
bool kernel_text(struct str *out, const char *path, ...) __attribute__((format(printf, 2, 3)));
/* Reads a file that contains one integer. Returns false if the file is missing or contains anything else. */
bool kernel_number(int64_t *out, const char *path, ...) __attribute__((format(printf, 2, 3)));
/*
 * Replaces *out with the rest of the first line that begins with `label`. Returns false if there is no such
 * line.
 */
bool kernel_line(const char *text, const char *label, struct str *out);
/* Reads the integer after `label` at the beginning of a line; a unit after the integer is ignored. */
bool kernel_line_number(const char *text, const char *label, int64_t *out);
/* Is `word` one of the words of the text? Words are separated by blanks or newlines. */
bool kernel_has_word(const char *text, const char *word);

/* --- processors, memory and GPUs ---------------------------------------------------------------------- */

struct cpu_set {
	bool has[HOST_CPUS_MAX];
};

/*
 * Parses a processor list of the kernel such as "0-3,8"; IDs of HOST_CPUS_MAX and above are ignored. Returns
 * false if the text is not such a list.
 */
bool cpu_set_read(const char *text, struct cpu_set *out);

/* Sets mem_mb and swap_mb. */
void host_info_read_memory(const char *root, struct host_info *out);
/* Sets device and device_count. Returns false if `devices` is not a list of devices. */
bool host_info_read_devices(const char *root, const char *devices, struct host_info *out, struct err *err);

/* --- cgroups ------------------------------------------------------------------------------------------ */

struct cgroup_place {
	struct str mount;  /* mount point of the tree, including the root directory */
	struct str folder; /* directory of this process's cgroup; for the root of the tree, the mount point */
};

/*
 * Finds the cgroup of this process. `controller` is "memory" for version 1, NULL for version 2. Returns false
 * if no such tree is mounted, or if this process is outside of the visible part of the tree.
 */
bool cgroup_find(const char *root, const char *controller, struct cgroup_place *out);
void cgroup_place_free(struct cgroup_place *place);

/*
 * Tests whether cgroups below `home` can use the controller. If `lasting` is true, it stays enabled for them,
 * and this process may have moved into home/scheduler to make that possible; otherwise nothing is changed. If
 * the controller cannot be used, returns false and appends the reason to *why.
 */
bool cgroup_control(const char *home, const char *controller, bool lasting, struct str *why);

#endif
