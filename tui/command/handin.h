/* SPDX-License-Identifier: MIT */
/*
 * handin.h - what does a person hand in with the words behind `submit` or `run`?
 *
 * Options as in qsub.h, then a command behind "--", the path of a script and its arguments, a line for the
 * shell as one word, or nothing: the script comes through standard input and the job is called STDIN. What is
 * handed in is kept as it is now: the script, the working folder, the named variables; so editing a script
 * afterwards changes nothing.
 */
#ifndef COMMAND_HANDIN_H
#define COMMAND_HANDIN_H

#include "tui/command/cmd.h"
#include "tui/submit/qsub.h"

#define HANDIN_DIR_ROOM 4096

/* Zero is an empty one. What is read points into argv and into the environment. */
struct handin {
	struct submission submission;
	struct submitter by;
	struct depend_list depends;
	struct str script;
	char dir[HANDIN_DIR_ROOM], host[256];
	bool slurm;    /* set before: the options are those of sbatch and srun    */
	bool command;  /* set before: the words behind the options are a command  */
	bool no_input; /* set before: there is no standard input that a script could come through */
};

/* argv[0] is the verb. CMD_REFUSED, CMD_USAGE: a sentence says why; handin_free is called all the same. */
enum cmd_status handin_read(struct handin *in, int argc, char **argv, struct err *err);

/* Are the folders of the job's output files there, and can they be written in? A job whose output cannot be
 * opened would fail at its start. Folders that only the start will name (%j) are not looked at. */
bool handin_check_folders(const struct handin *in, struct err *err);

/* Adds the event that submits it; its texts are copied. */
void handin_add(struct cmd_env *env, const struct handin *in);

void handin_free(struct handin *in);

/* The options that are read here, for help. */
void handin_list_options(struct str *out);

#endif
