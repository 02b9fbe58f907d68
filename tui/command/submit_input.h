/* SPDX-License-Identifier: MIT */
/*
 * submit_input.h - the input of submit, run, sbatch and srun: options, script and environment
 *
 * The words are options as in qsub.h, followed by one of: a command after "--"; the path of a script and its
 * arguments; a line for the shell as one word; nothing. In the last case the script is read from standard
 * input and the job is named STDIN. Script, working folder and environment variables are stored with the job,
 * so later changes of them do not affect the job.
 */
#ifndef COMMAND_SUBMIT_INPUT_H
#define COMMAND_SUBMIT_INPUT_H

#include "cmd.h"
#include "tui/submit/qsub.h"

#define SUBMIT_DIR_ROOM 4096

/* What is submitted. A zeroed struct is empty. Its members point into argv and the environment. */
struct submit_input {
	struct submission submission;
	struct submitter by;
	struct depend_list depends;
	struct str script;
	char dir[SUBMIT_DIR_ROOM], host[256];
	/* Set before submit_input_read: */
	bool slurm;    /* the options are those of sbatch and srun      */
	bool command;  /* the words after the options are a command     */
	bool no_input; /* a script cannot be read from standard input   */
};

/*
 * Reads options, script and environment; argv[0] is the verb. CMD_REFUSED and CMD_USAGE set err. Call
 * submit_input_free in every case.
 */
enum cmd_status submit_input_read(struct submit_input *in, int argc, char **argv, struct err *err);

/*
 * Checks that the input file is readable, and that the folders of the output files exist and are writable: a
 * job whose output cannot be opened fails when it starts. Folders whose names are known only then (%j) are
 * not checked. Returns false with err set if a check fails.
 */
bool submit_input_check_folders(const struct submit_input *in, struct err *err);

/* Adds the event of the submission to env->changes. Texts are copied. */
void submit_input_add(struct cmd_env *env, const struct submit_input *in);
void submit_input_free(struct submit_input *in);

/* Prints the options for help. */
void submit_input_list_options(struct str *out);

#endif
