/* SPDX-License-Identifier: MIT */
/*
 * qsub.c - the options of qsub
 *
 * Options are single letters from a table, parsed as by getopt(): letters can be combined, a value follows
 * its letter or is the next word, and "--" ends the options. "--NAME" is an option of Slurm (sbatch.c). This
 * file only parses values; submission.c combines them.
 */
#include <stdlib.h>
#include <string.h>

#include "qsub.h"
#include "qsub_inside.h"
#include "words.h"

/* --- single options --------------------------------------------------------------------------- */

static bool read_join(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	(void)by;
	if (strcmp(text, "oe") != 0 && strcmp(text, "eo") != 0 && strcmp(text, "n") != 0)
		return err_set(err,
			       "must be oe (standard error joins standard output), eo (the reverse) or n "
			       "(neither), got \"%s\"",
			       text);
	s->draft.join_output = text[0] == 'o';
	s->draft.join_errors = text[0] == 'e';
	s->draft.errors_follow = false;
	return true;
}

/*
 * Sets the mail events: the given letters of b, e and a. The letter f (failure) means the same as a; j has no
 * effect.
 */
static bool read_mail(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	char *mail = arena_take(&s->arena, sizeof "bea");
	size_t count = 0;

	(void)by;
	s->mail = NULL;
	if (strcmp(text, "n") == 0)
		return true;
	if (strcmp(text, "p") == 0)
		return true; /* Torque's value for no mail */
	if (text[0] == '\0' || text[strspn(text, "beafj")] != '\0')
		return err_set(err, "must be b (begin), e (end), a (abort) or n (never), got \"%s\"", text);
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
		return err_set(err, "must be y or n, got \"%s\"", text);
	s->launch.flags &= ~(uint32_t)LAUNCH_REQUEUE;
	if (text[0] == 'y')
		s->launch.flags |= LAUNCH_REQUEUE;
	return true;
}

/*
 * Parses o, e, oe, eo or n. With d (PBS Pro: write output directly to its files, which is always done here),
 * nothing is kept in the home directory.
 */
static bool read_keep(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	(void)by;
	if (text[0] == '\0' || (text[strspn(text, "oed")] != '\0' && strcmp(text, "n") != 0))
		return err_set(err,
			       "must be o (standard output), e (standard error) or n (neither), got \"%s\"",
			       text);
	s->draft.output_home = strchr(text, 'o') != NULL && strchr(text, 'd') == NULL;
	s->draft.errors_home = strchr(text, 'e') != NULL && strchr(text, 'd') == NULL;
	return true;
}

/* Parses CLASS, CLASS@SERVER or @SERVER; the server is ignored. */
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
		return err_set(err, "\"%s\" must be the absolute path of a shell, such as /bin/sh", text);
	return qsub_read_path(s, text, &s->launch.shell, err);
}

/* Sets the arguments of the script; arguments on the command line take precedence. */
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
	{"block", '\0', "true|false", "not used: see kahu wait", NULL},
	{"depend", '\0', "afterok:JOB[:JOB]...[,afterany:JOB]...",
	 "jobs that this job waits for; also after, afternotok", qsub_read_depend},
	{"group_list", '\0', "GROUP[,...]", "not used: a job runs with the groups of its user", NULL},
	{"project", '\0', "NAME", NULL, NULL},
	{"run_count", '\0', "N", NULL, NULL},
	{"sandbox", '\0', "NAME", NULL, NULL},
	{"tolerate_node_failures", '\0', "X", NULL, NULL},
	{"umask", '\0', "MASK", "umask of the job (default: the umask of the submitting process)",
	 read_umask},
	{"x", '\0', "NAME:VALUE[;NAME:VALUE]...", "resources as for -l, in Maui's notation",
	 qsub_read_extensions},
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
			return err_set(err, "unknown attribute %.40s; attributes are depend=, umask= and x=",
				       pair.name);
		if (!qsub_read_row(s, by, row, "", pair.value, err))
			return false;
	}
	return bad.text[0] == '\0' || err_set(err, "%s", bad.text);
}

/* --- the table ------------------------------------------------------------------------------------- */

static const struct qsub_row options[] = {
	{"A", 'A', "ACCOUNT", "charge the job to ACCOUNT", qsub_read_account},
	{"a", 'a', "TIME", "earliest start: 16:30, 2026-03-24T16:30, +2:00:00 or [[[[CC]YY]MM]DD]hhmm[.SS]",
	 qsub_read_date},
	{"b", 'b', "SECONDS", NULL, NULL},
	{"C", 'C', "PREFIX", NULL, NULL},
	{"c", 'c', "WHEN", "not used: checkpoints", NULL},
	{"d", 'd', "DIR", "working directory of the job (default: the current directory)", qsub_read_dir},
	{"e", 'e', "PATH", "write standard error to PATH (default NAME.e%j)", qsub_read_errors},
	{"E", 'E', NULL, NULL, NULL},
	{"F", 'F', "ARGUMENTS", "arguments for the script", read_arguments},
	{"f", 'f', NULL, NULL, NULL},
	{"h", 'h', NULL, "submit the job with a user hold", qsub_hold},
	{"I", 'I', NULL, "not supported; use 'kahu run --pty'", refuse_interactive},
	{"J", 'J', "RANGES[%N]", "same as -t", qsub_read_array},
	{"j", 'j', "oe|eo|n", "join standard error to standard output (oe), or the reverse (eo)", read_join},
	{"K", 'K', "X", NULL, NULL},
	{"k", 'k', "oe|o|e|n", "keep standard output (o) and standard error (e) in the home directory",
	 read_keep},
	{"l", 'l', "NAME=VALUE[,...]", "request resources; see below", qsub_read_resources},
	{"M", 'M', "ADDRESS[,...]", "recipients of the mail requested with -m (default: the submitting user)",
	 qsub_read_mail_to},
	{"m", 'm', "abe|n", "send mail when the job is aborted (a), begins (b) or ends (e), or never (n)",
	 read_mail},
	{"N", 'N', "NAME", "name of the job (default: the name of the script or command)",
	 qsub_read_job_name},
	{"n", 'n', NULL, "allocate nodes exclusively", read_alone},
	{"o", 'o', "PATH", "write standard output to PATH (default NAME.o%j)", qsub_read_output},
	{"P", 'P', "PROJECT", "not used: a project, or the user to run as", NULL},
	{"p", 'p', "PRIORITY", "user priority from -1024 to 1023, added to the computed priority",
	 read_priority},
	{"q", 'q', "CLASS", "submit the job to CLASS", read_class},
	{"R", 'R', "X", NULL, NULL},
	{"r", 'r', "y|n", "requeue the job if it is lost (default n)", read_rerun},
	{"S", 'S', "SHELL", "shell for a script without a #! line", read_shell},
	{"t", 't', "RANGES[%N]", "submit a job array, such as 0-9 or 1,3,5-7; run at most N tasks at a time",
	 qsub_read_array},
	{"u", 'u', "USER[,...]", "not used: a job runs as the submitting user", NULL},
	{"V", 'V', NULL, "export all environment variables to the job", qsub_all_variables},
	{"v", 'v', "NAME[=VALUE][,...]", "export these variables to the job", qsub_read_variables},
	{"W", 'W', "NAME=VALUE[,...]", "additional attributes; see below", read_attributes},
	{"w", 'w', "DIR", "same as -d", qsub_read_dir},
	{"X", 'X', NULL, "not used: X11 forwarding", NULL},
	{"z", 'z', NULL, "print only the job ID", qsub_terse},
};

static const struct qsub_table option_table = {options, sizeof options / sizeof options[0]};

void qsub_list_options(struct str *out)
{
	for (size_t i = 0; i < option_table.count; i++) {
		const struct qsub_row *row = &options[i];

		if (row->help != NULL)
			str_addf(out, "  -%s%s%s\n        %s\n", row->name, row->takes == NULL ? "" : " ",
				 row->takes == NULL ? "" : row->takes, row->help);
	}
	qsub_list_unused(&option_table, "-", out);
	qsub_list_resources(out);
	for (size_t i = 0; i < attribute_table.count; i++) {
		const struct qsub_row *row = &attributes[i];

		if (row->help != NULL)
			str_addf(out, "  -W %s=%s\n        %s\n", row->name, row->takes, row->help);
	}
	qsub_list_unused(&attribute_table, "-W ", out);
}

/* --- reading the words -------------------------------------------------------------------------------- */

static bool no_such_option(char letter, struct err *err)
{
	struct str names = {0};

	qsub_add_names(&option_table, "-", &names);
	err_set(err, "unknown option -%c; options are %s", letter, str_text(&names));
	str_free(&names);
	return false;
}

/* Parses the letters of a word; *at moves to the next word if that is the value of the last letter. */
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
				return err_set(err, "-%s needs a value: %s", row->name, row->takes);
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
