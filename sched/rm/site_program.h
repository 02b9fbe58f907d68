/* SPDX-License-Identifier: MIT */
/*
 * site_program.h - start of site programs, and their answers
 *
 * A program is started by its path, never through a shell. It leads a session and a process group and
 * inherits nothing: its environment is PATH, LC_ALL and the given variables; it has only the three standard
 * descriptors, no terminal, no blocked or ignored signals, and runs in the root directory.
 */
#ifndef RM_SITE_PROGRAM_H
#define RM_SITE_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "sched/base/err.h"
#include "sched/base/str.h"

/* Returns a file in memory with the text, positioned at its beginning; -1 with errno. */
int spawn_input(const struct str *text);

/*
 * Starts argv[0], a path. environment: "NAME=value" strings, NULL-terminated; PATH and LC_ALL are added. out:
 * -1 is /dev/null. Returns 0 or an errno value.
 */
int spawn_program(const char *const *argv, const char *const *environment, int in, int out, pid_t *pid);

/* --- answers ------------------------------------------------------------------------------------------ */

/*
 * Each question is a process, which reads the question from standard input and writes the answer to standard
 * output. All questions run in parallel within one time limit; a process that has not exited by then is
 * killed with its process group.
 */

#define ASK_ANSWER_MAX ((size_t)1 << 20) /* bytes; a longer answer is refused */

/* One question. The caller sets the first two members; the others start with zero. */
struct ask {
	struct str input;
	const char *const *environment; /* as for spawn_program */
	bool answered;                  /* the program exited with status 0 in time */
	struct str answer;              /* without NUL bytes                        */
	struct err err;                 /* why there is no answer                   */
};

/* Runs the program for all questions and waits for the answers. program is a path; a program that other users
 * could change is not run (trusted.h). */
void ask_all(const char *program, struct ask *ask, size_t count, int64_t timeout_s);

/* Frees input and answer. */
void ask_clear(struct ask *ask);

/* --- compressed files ---------------------------------------------------------------------------------- */

/* Does the file name end in .gz, .xz or .zst? */
bool unpack_is_packed(const char *path);

/*
 * Appends the contents of a compressed file: at most max_bytes, and at most 64 times the file's size plus 16
 * MB. Workload logs compress to about a tenth of their size, and a small file may expand to more than the
 * memory of the machine. False with a message and *out unchanged if the file or its program is missing, or
 * the file is damaged or expands to more.
 */
bool unpack_read(const char *path, size_t max_bytes, struct str *out, struct err *err);

#endif
