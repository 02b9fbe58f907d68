/* SPDX-License-Identifier: MIT */
/*
 * delegate.h - a verb that is carried out by another one, with other words
 *
 * The commands of PBS and Slurm are rows of the command table whose words are translated: qdel 12.server is
 * cancel 12.
 */
#ifndef COMMAND_DELEGATE_H
#define COMMAND_DELEGATE_H

#include "cmd.h"

#define DELEGATE_WORDS 256

/* Words for a verb; zero is none. */
struct delegate {
	char *word[DELEGATE_WORDS + 1];
	int count;
	struct str terms; /* of -w, as they are added */
	struct arena arena;
};

/* Adds a word, formatted; more than there is room for are an error of delegate_run. */
void delegate_add(struct delegate *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Adds KEY=VALUE to the terms of -w, whatever is in the value. */
void delegate_term(struct delegate *d, const char *key, const char *value);
/*
 * Adds a job as PBS or Slurm writes it: 12, 12.server, 12[3].server, 12_3, 12_[1-3]. A number that is an
 * array's means all its tasks.
 */
void delegate_job(const struct snapshot *s, struct delegate *d, const char *text);
/* The same for a list with commas between. */
void delegate_jobs(const struct snapshot *s, struct delegate *d, const char *list);

/* Runs the verb with the words and the terms; releases both. */
void delegate_free(struct delegate *d);
enum cmd_status delegate_run(struct cmd_env *env, struct delegate *d, const struct cmd *cmd);

/* The label that such a text means, "12[3]" for 12_3; in memory of the arena. */
const char *delegate_label(const struct snapshot *s, struct arena *arena, const char *text);

#endif
