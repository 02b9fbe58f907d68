/* SPDX-License-Identifier: MIT */
/*
 * facts_inside.h - what do the files that look at this host share?
 *
 * Paths are put together from the root folder and a format; what the kernel writes is small text that is
 * read whole. A file that is not there, is no file or cannot be read is simply not there.
 */
#ifndef RM_FACTS_INSIDE_H
#define RM_FACTS_INSIDE_H

#include "facts.h"

#define KERNEL_TEXT ((size_t)1 << 20) /* bytes of the longest text that is read */

/* --- facts_file.c --------------------------------------------------------------------------- */

/* What paths begin with: the root folder, "" for "/". */
const char *kernel_root(const char *root);
/* The whole text without blanks at its end, in place of what *out held. False: there is none, *out is "". */
bool kernel_text(struct str *out, const char *path, ...) __attribute__((format(printf, 2, 3)));
/* A text that is one whole number. */
bool kernel_number(int64_t *out, const char *path, ...) __attribute__((format(printf, 2, 3)));
/* The word behind `label` at the beginning of a line, as far as the line goes; false: no such line. */
bool kernel_line(const char *text, const char *label, struct str *out);
/* The whole number behind `label`; what follows it (a unit) is not read. */
bool kernel_line_number(const char *text, const char *label, int64_t *out);
/* Is it one of the words, which blanks or newlines part? */
bool kernel_has_word(const char *text, const char *word);

/* --- facts_list.c: which processors are meant by a list? ------------------------------------------ */

struct cpu_set {
	bool has[FACTS_CPUS_MAX];
};

/* The kernel's lists: "0-3,8"; ids that are too large are left out. False: it is not such a list. */
bool cpu_set_read(const char *text, struct cpu_set *out);

/* --- one file each -------------------------------------------------------------------------------- */

/* Fills cpu, cpu_count, core_count, numa_count. */
bool facts_read_processors(const char *root, struct facts *out, struct err *err);
/* Fills mem_mb, swap_mb. */
void facts_read_memory(const char *root, struct facts *out);
/* Fills device, device_count. */
bool facts_read_devices(const char *root, const char *devices, struct facts *out, struct err *err);

/* --- facts_place.c: where in the trees of cgroups are we? ------------------------------------------ */

struct cgroup_place {
	struct str mount;  /* where the tree is seen, below the root folder       */
	struct str folder; /* our own in it; mount + "" when we are at its top    */
};

/* controller: "memory" of version 1, or NULL = version 2. False: there is no such tree, or we are not seen in
 * it. */
bool cgroup_find(const char *root, const char *controller, struct cgroup_place *out);
void cgroup_place_free(struct cgroup_place *place);

/* --- facts_cgroup.c --------------------------------------------------------------------------------- */

/*
 * Can folders in home have the controller? lasting: they have it afterwards, and this process may have moved
 * into home/scheduler for it; else all is as it was. False with a sentence.
 */
bool cgroup_control(const char *home, const char *controller, bool lasting, struct str *why);

#endif
