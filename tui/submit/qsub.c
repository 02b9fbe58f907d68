/* SPDX-License-Identifier: MIT */
/*
 * qsub.c - what does a person ask for with the options of qsub?
 *
 * A table of letters, walked over as getopt does: letters may share a word, a value stands behind its letter
 * or in the next word, "--" ends the options. "--NAME" is an option of Slurm (qsub_sbatch.c). Values are only
 * read here; what follows from all of them together is worked out in qsub_finish.
 */
#include "qsub.h"

#include <stdlib.h>
#include <string.h>

#include "qsub_inside.h"
#include "words.h"

/* --- single options --------------------------------------------------------------------------- */

static bool read_join(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	(void)by;
	if (strcmp(text, "oe") != 0 && strcmp(text, "eo") != 0 && strcmp(text, "n") != 0)
		return err_set(err,
			       "oe joins the errors to the output, eo the output to the errors, n nothing; "
			       "got \"%s\"",
			       text);
	s->draft.join_output = text[0] == 'o';
	s->draft.join_errors = text[0] == 'e';
	s->draft.errors_follow = false;
	return true;
}

/* Of "b" "e" "a" those that are named, each once. */
static bool read_mail(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	char *mail = arena_take(&s->arena, sizeof "bea");
	size_t count = 0;

	(void)by;
	s->mail = NULL;
	if (strcmp(text, "n") == 0)
		return true;
	if (strcmp(text, "p") == 0)
		return true; /* Torque: never */
	if (text[0] == '\0' || text[strspn(text, "beafj")] != '\0')
		return err_set(err,
			       "b is for the begin, e for the end, a for an abort, n for nothing; got \"%s\"",
			       text);
	for (const char *event = "bea"; *event != '\0'; event++)
		if (strchr(text, *event) != NULL || (*event == 'a' && strchr(text, 'f') != NULL))
			mail[count++] = *event;
	mail[count] = '\0';
	s->mail = mail;
	return true;
}

static bool read_priority(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	int64_t points;

	(void)by;
	if (!str_read_whole(text[0] == '+' ? text + 1 : text, &points) || points < -1024 || points > 1023)
		return err_set(err, "\"%s\" is not a whole number from -1024 to 1023", text);
	s->draft.points = points;
	return true;
}

static bool read_rerun(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	(void)by;
	if (strcmp(text, "y") != 0 && strcmp(text, "n") != 0)
		return err_set(err, "y or n, got \"%s\"", text);
	s->launch.flags &= ~(uint32_t)LAUNCH_REQUEUE;
	if (text[0] == 'y')
		s->launch.flags |= LAUNCH_REQUEUE;
	return true;
}

/* o, e, oe, eo or n; PBS Pro's d changes nothing: output is written where it belongs at once. */
static bool read_keep(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	(void)by;
	if (text[0] == '\0' || (text[strspn(text, "oed")] != '\0' && strcmp(text, "n") != 0))
		return err_set(err,
			       "o keeps the output, e the errors in the home folder, n neither; got \"%s\"",
			       text);
	s->draft.output_home = strchr(text, 'o') != NULL && strchr(text, 'd') == NULL;
	s->draft.errors_home = strchr(text, 'e') != NULL && strchr(text, 'd') == NULL;
	return true;
}

/* class@server: there is one server. */
static bool read_class(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	size_t len = strcspn(text, "@");
	char *name = arena_copy(&s->arena, text, strlen(text) + 1);

	name[len] = '\0';
	return (len == 0 && text[0] == '@') || qsub_read_class(s, by, name, err);
}

static bool read_alone(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	(void)by;
	(void)text;
	(void)err;
	s->draft.access = ACCESS_SINGLEJOB;
	return true;
}

static bool read_shell(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	(void)by;
	if (text[0] != '/')
		return err_set(err, "\"%s\" must be the path of a shell from / on, such as /bin/sh", text);
	return qsub_read_path(s, text, &s->launch.shell, err);
}

/* The arguments of the script, unless the command line has some. */
static bool read_arguments(struct submission *s, const struct submitter *by, const char *text,
			   struct err *err)
{
	int count;
	char **words = cmd_split(text, &count, err);
	const char **kept;

	(void)by;
	if (words == NULL)
		return false;
	kept = arena_take(&s->arena, ((size_t)count + 1) * sizeof *kept);
	for (int i = 0; i < count; i++)
		kept[i] = arena_string(&s->arena, words[i]);
	kept[count] = NULL;
	free(words);
	s->launch.command = (struct launch_words){kept, (uint32_t)count};
	return true;
}

static bool refuse_interactive(struct submission *s, const struct submitter *by, const char *text,
			       struct err *err)
{
	(void)s;
	(void)by;
	(void)text;
	return err_set(err, "not supported in a script; use 'kahu run --pty -- bash'");
}

/* --- -W ------------------------------------------------------------------------------------------ */

static bool read_umask(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	size_t len = strspn(text, "01234567");

	(void)by;
	if (len == 0 || len > 4 || text[len] != '\0' || (len == 4 && text[0] != '0'))
		return err_set(err, "\"%s\" is not an octal number from 0 to 777, such as 027", text);
	s->draft.umask = 0;
	for (size_t i = 0; i < len; i++)
		s->draft.umask = s->draft.umask * 8 + (uint32_t)(text[i] - '0');
	s->draft.has_umask = true;
	return true;
}

static const struct qsub_row attributes[] = {
	{"block", '\0', "true|false", "no effect: see kahu wait", NULL},
	{"depend", '\0', "afterok:JOB[:JOB]...[,afterany:JOB]...",
	 "jobs that come first; also after, afternotok", qsub_read_depend},
	{"group_list", '\0', "GROUP[,...]", "no effect: a job runs with its user's groups", NULL},
	{"project", '\0', "NAME", "no effect", NULL},
	{"run_count", '\0', "N", "no effect", NULL},
	{"sandbox", '\0', "NAME", "no effect", NULL},
	{"tolerate_node_failures", '\0', "X", "no effect", NULL},
	{"umask", '\0', "MASK", "for the files it makes, instead of the umask here", read_umask},
	{"x", '\0', "NAME:VALUE[;NAME:VALUE]...", "resources of -l in Maui's way", qsub_read_extensions},
};
static const struct qsub_table attribute_table = {attributes, sizeof attributes / sizeof attributes[0]};

static bool read_attributes(struct submission *s, const struct submitter *by, const char *text,
			    struct err *err)
{
	struct qsub_pair pair = {.name = ""};
	struct err bad = {""};

	while (qsub_next_pair(s, &text, &pair, &bad)) {
		const struct qsub_row *row = qsub_find(&attribute_table, pair.name, strlen(pair.name));

		if (row == NULL)
			return err_set(err,
				       "%.40s is not known; there are depend=, umask= and x=", pair.name);
		if (!qsub_read_row(s, by, row, "", pair.value, err))
			return false;
	}
	return bad.text[0] == '\0' || err_set(err, "%s", bad.text);
}

/* --- the table ------------------------------------------------------------------------------------- */

static const struct qsub_row options[] = {
	{"A", 'A', "ACCOUNT", "who pays", qsub_read_account},
	{"a", 'a', "TIME", "not before: 16:30, 2026-03-24T16:30, +2:00:00 or [[[[CC]YY]MM]DD]hhmm[.SS]",
	 qsub_read_date},
	{"b", 'b', "SECONDS", "no effect", NULL},
	{"C", 'C', "PREFIX", "no effect", NULL},
	{"c", 'c', "WHEN", "no effect: checkpoints", NULL},
	{"d", 'd', "DIR", "the job's folder; else the one it is submitted in", qsub_read_dir},
	{"e", 'e', "PATH", "where its errors go: NAME.e%j", qsub_read_errors},
	{"E", 'E', NULL, "no effect", NULL},
	{"F", 'F', "ARGUMENTS", "the arguments of the script", read_arguments},
	{"f", 'f', NULL, "no effect", NULL},
	{"h", 'h', NULL, "it is held until 'kahu release'", qsub_hold},
	{"I", 'I', NULL, "not supported; use kahu run --pty", refuse_interactive},
	{"J", 'J', "RANGES[%N]", "as -t", qsub_read_array},
	{"j", 'j', "oe|eo|n", "errors go to the output, or the output to the errors", read_join},
	{"K", 'K', "X", "no effect", NULL},
	{"k", 'k', "oe|o|e|n", "keep output, errors in the home folder", read_keep},
	{"l", 'l', "NAME=VALUE[,...]", "what it needs; see below", qsub_read_resources},
	{"M", 'M', "ADDRESS[,...]", "who gets the mail of -m; else the user", qsub_read_mail_to},
	{"m", 'm', "abe|n", "mail when it fails or is stopped, at its begin, its end; at nothing", read_mail},
	{"N", 'N', "NAME", "its name; else that of the script or command", qsub_read_job_name},
	{"n", 'n', NULL, "it has its nodes alone", read_alone},
	{"o", 'o', "PATH", "where its output goes: NAME.o%j", qsub_read_output},
	{"P", 'P', "PROJECT", "no effect: a project, or a user to run as", NULL},
	{"p", 'p', "PRIORITY", "from -1024 to 1023, added to what is computed", read_priority},
	{"q", 'q', "CLASS", "its class", read_class},
	{"R", 'R', "X", "no effect", NULL},
	{"r", 'r', "y|n", "may it be run again when its end is not known?", read_rerun},
	{"S", 'S', "SHELL", "what runs a script without #!", read_shell},
	{"t", 't', "RANGES[%N]", "an array of jobs, such as 0-9 or 1,3,5-7; at most N at a time",
	 qsub_read_array},
	{"u", 'u', "USER[,...]", "no effect: a job runs as its user", NULL},
	{"V", 'V', NULL, "it gets all variables of the environment", qsub_all_variables},
	{"v", 'v', "NAME[=VALUE][,...]", "it gets these variables", qsub_read_variables},
	{"W", 'W', "NAME=VALUE[,...]", "more; see below", read_attributes},
	{"w", 'w', "DIR", "as -d", qsub_read_dir},
	{"X", 'X', NULL, "no effect: X11", NULL},
	{"z", 'z', NULL, "prints only the id", qsub_terse},
};
static const struct qsub_table option_table = {options, sizeof options / sizeof options[0]};

void qsub_list_options(struct str *out)
{
	for (size_t i = 0; i < option_table.count; i++) {
		const struct qsub_row *row = &options[i];

		str_addf(out, "  -%s%s%s\n        %s\n", row->name, row->takes == NULL ? "" : " ",
			 row->takes == NULL ? "" : row->takes, row->help);
	}
	qsub_list_resources(out);
	for (size_t i = 0; i < attribute_table.count; i++) {
		const struct qsub_row *row = &attributes[i];

		str_addf(out, "  -W %s=%s\n        %s\n", row->name, row->takes, row->help);
	}
}

/* --- walking ------------------------------------------------------------------------------------------ */

static bool no_such_option(char letter, struct err *err)
{
	struct str names = {0};

	qsub_add_names(&option_table, "-", &names);
	err_set(err, "-%c is no option here; there are %s", letter, str_text(&names));
	str_free(&names);
	return false;
}

/* The letters of one word, and the next word when the last one needs it: *at moves on to it. */
static bool read_word(struct submission *s, const struct submitter *by, int count, const char *const *word,
		      int *at, struct err *err)
{
	for (const char *letter = word[*at] + 1; *letter != '\0'; letter++) {
		const struct qsub_row *row = qsub_find(&option_table, letter, 1);
		const char *value = letter + 1;

		if (row == NULL)
			return no_such_option(*letter, err);
		if (row->takes != NULL && *value == '\0') {
			if (*at + 1 == count)
				return err_set(err, "-%s needs %s behind it", row->name, row->takes);
			value = word[++*at];
		}
		if (!qsub_read_row(s, by, row, "-", value, err))
			return false;
		if (row->takes != NULL) {
			qsub_skip_words(s, row, count, word, at);
			return true;
		}
	}
	return true;
}

bool qsub_read_words(struct submission *s, const struct submitter *by, int count, const char *const *word,
		     int *rest, struct err *err)
{
	for (*rest = 0; *rest < count; ++*rest) {
		const char *text = word[*rest];

		if (text[0] != '-' || text[1] == '\0')
			return true;
		if (strcmp(text, "--") == 0) {
			++*rest;
			return true;
		}
		if (!(text[1] == '-' ? qsub_read_slurm_option : read_word)(s, by, count, word, rest, err))
			return false;
	}
	return true;
}

bool qsub_needs_word(const char *word)
{
	if (word[1] == '-')
		return qsub_slurm_needs_word(word);
	for (const char *letter = word + 1; *letter != '\0'; letter++) {
		const struct qsub_row *row = qsub_find(&option_table, letter, 1);

		if (row == NULL || row->takes != NULL)
			return row != NULL && letter[1] == '\0';
	}
	return false;
}

bool qsub_read_options(struct submission *out, const struct submitter *by, int argc, const char *const *argv,
		       int *rest, struct err *err)
{
	bool good;

	out->draft.last_word = true;
	good = qsub_read_words(out, by, argc - 1, argv + 1, rest, err);
	++*rest;
	return good;
}

void submission_free(struct submission *s)
{
	arena_free(&s->arena);
	str_free(&s->ignored);
	str_free(&s->problems);
	*s = (struct submission){.range_count = 0};
}
