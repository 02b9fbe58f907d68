/* SPDX-License-Identifier: MIT */
/*
 * cmd_submit.c - kahu submit: a command or a script becomes a job
 */
#include "tui/qsub/handin.h"

static enum cmd_status run_submit(struct cmd_env *env, int argc, char **argv)
{
	struct handin in = {.no_input = env->console != NULL};
	enum cmd_status status = handin_read(&in, argc, argv, &env->err);

	if (status == CMD_DONE)
		handin_add(env, &in);
	handin_free(&in);
	return status;
}

const struct cmd cmd_submit = {
	.name = "submit",
	.alias = "msub",
	.args = "[OPTION]... [--] COMMAND... or SCRIPT",
	.help = "Hands in a job and prints its id; takes qsub's options and the #PBS and #SBATCH lines of a "
		"script.",
	.max = -1,
	.authority = CMD_ANYONE,
	.flags = CMD_CHANGES | CMD_SUBMITS,
	.list = handin_list_options,
	.run = run_submit,
};
