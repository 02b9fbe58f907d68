/* SPDX-License-Identifier: MIT */
/*
 * cmd_diagnose.c - kahu diagnose: Maui's reports by letter
 *
 * Each letter of Maui's diagnose selects a report. The table below names the verb that prints this report in
 * Kahu; the other arguments are passed to that verb.
 */
#include <stdio.h>

#include "cmd.h"

/* Options in the order in which the help lists them. */
static const struct cmd_option options[] = {
	{"-p", NULL, "'priority': the priorities of idle jobs and their components"},
	{"-f", NULL, "'fairshare': usage against targets"},
	{"-t", NULL, "'limits': throttling limits and their current usage"},
	{"-q", NULL, "'queue -b': blocked jobs with the reasons"},
	{"-j", NULL, "'job JOB', or the whole queue"},
	{"-n", NULL, "'node NODE', or all nodes"},
	{"-r", NULL, "'reservations': all reservations"},
	{"-u", NULL, "'config user[': options set for users"},
	{"-g", NULL, "options set for groups"},
	{"-a", NULL, "options set for accounts"},
	{"-c", NULL, "options set for classes"},
	{"-Q", NULL, "options set for QOS"},
	{0},
};

/* The verb of each letter. */
static const struct form {
	const char *option;
	const char *verb, *with; /* `with`: the first argument of the verb; NULL = none */
	const char *alone;       /* the verb if no argument is given; NULL = `verb` */
} forms[] = {
	{"-p", "priority", NULL, NULL},     {"-f", "fairshare", NULL, NULL},
	{"-t", "limits", NULL, NULL},       {"-q", "queue", "-b", NULL},
	{"-j", "job", NULL, "queue"},       {"-n", "node", NULL, NULL},
	{"-r", "reservations", NULL, NULL}, {"-u", "config", "user[", NULL},
	{"-g", "config", "group[", NULL},   {"-a", "config", "account[", NULL},
	{"-c", "config", "class[", NULL},   {"-Q", "config", "qos[", NULL},
};

/* Returns the row of the given letter. Returns NULL with err set if no letter is given, or several are. */
static const struct form *choose(struct cmd_env *env)
{
	const struct form *chosen = NULL;

	for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
		if (!cmd_option(env, forms[i].option))
			continue;
		if (chosen) {
			err_set(&env->err,
				"diagnose %s and %s are mutually exclusive; request one report at a time",
				chosen->option, forms[i].option);
			return NULL;
		}
		chosen = &forms[i];
	}
	if (!chosen)
		err_set(&env->err, "no report given; 'kahu help diagnose' lists the letters");
	return chosen;
}

#define WORDS_MAX 8

static enum cmd_status run_diagnose(struct cmd_env *env, int argc, char **argv)
{
	const struct form *form = choose(env);
	char verb[16], with[16], *word[WORDS_MAX + 2];
	int count = 0;

	if (!form)
		return CMD_USAGE;
	snprintf(verb, sizeof verb, "%s", argc == 1 && form->alone ? form->alone : form->verb);
	word[count++] = verb;
	if (form->with) {
		snprintf(with, sizeof with, "%s", form->with);
		word[count++] = with;
	}
	for (int i = 1; i < argc; i++)
		word[count++] = argv[i];
	return cmd_run(env, count, word);
}

const struct cmd cmd_diagnose = {
	.name = "diagnose",
	.args = "-LETTER [WORD...]",
	.help = "Print one of several reports, selected by a letter as in Maui.",
	.options = options,
	.max = WORDS_MAX,
	.flags = CMD_STORE | CMD_PAST,
	.run = run_diagnose,
};
