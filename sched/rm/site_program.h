/* SPDX-License-Identifier: MIT */
/*
 * site_program.h - start of site programs, and their answers
 *
 * A program is started by its path, never through a shell. It is the leader of a session and of a process
 * group, and inherits nothing: its environment is PATH, LC_ALL and the given variables; it has only the three
 * standard descriptors, no terminal and no blocked or ignored signals, and runs in the root directory.
 */
#ifndef RM_SITE_PROGRAM_H
#define RM_SITE_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "sched/base/err.h"
#include "sched/base/str.h"

/*
 * Returns a descriptor of a file in memory with the text, positioned at its beginning; -1 with errno set on
 * failure.
 */
int spawn_input(const struct str *text);

/*
 * Starts argv[0], a path. environment: "NAME=value" strings, NULL-terminated; PATH and LC_ALL are added. in,
 * out, errors: descriptors for the three standard streams; -1 stands for /dev/null. Returns 0 and sets *pid,
 * or returns an errno.
 */
int spawn_program(const char *const *argv, const char *const *environment, int in, int out, int errors,
		  pid_t *pid);

/* --- answers ------------------------------------------------------------------------------------------ */

/*
 * For each question, the program is run once; it reads the question from standard input and writes the answer
 * to standard output. All questions are asked in parallel with one time limit; a process that has not exited
 * by then is killed with its process group.
 */

#define ASK_ANSWER_MAX ((size_t)1 << 20) /* maximum bytes of an answer; a longer one is an error */

/* One question with its answer. The caller sets the first two members and the others to zero. */
struct ask {
	struct str input;
	const char *const *environment; /* variables, as for spawn_program() */
	bool answered;                  /* the program exited with status 0 in time */
	struct str answer;              /* answer, without NUL bytes */
	struct err err;                 /* why there is no answer                   */
};

/*
 * Runs the program for each question and waits for all answers. `program` is a path; a program that other
 * users could change is not run (trusted.h).
 */
void ask_all(const char *program, struct ask *ask, size_t count, int64_t timeout_s);

/* Frees the input and the answer. */
void ask_clear(struct ask *ask);

/* --- compressed files ---------------------------------------------------------------------------------- */

/* Does the file name end in .gz, .xz or .zst? */
bool unpack_is_packed(const char *path);

/*
 * Appends the unpacked contents of a compressed file: at most max_bytes, and at most 64 times the size of the
 * file plus 16 MB. (Workload logs compress to about a tenth of their size, but a small file may expand to
 * more than the memory of the machine.) Returns false with a message, and *out unchanged, if the file or the
 * program that unpacks it is missing, or if the file is damaged or expands to more than that.
 */
bool unpack_read(const char *path, size_t max_bytes, struct str *out, struct err *err);

#endif
