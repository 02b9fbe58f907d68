/* SPDX-License-Identifier: MIT */
/*
 * qsub_common.c - what do several kinds of lines say, each by a name of its own?
 *
 * -A of qsub is --account of sbatch, and qos= of -l is --qos: read by the same function.
 */
#include <string.h>

#include "qsub_inside.h"
#include "sched/rm/mail.h"

bool qsub_read_job_name(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	(void)by;
	return qsub_read_title(s, text, &s->draft.name, err);
}

bool qsub_read_account(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	(void)by;
	return qsub_read_name(s, text, &s->draft.account, err);
}

bool qsub_read_class(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	(void)by;
	return qsub_read_name(s, text, &s->draft.class, err);
}

bool qsub_read_qos(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	(void)by;
	return qsub_read_name(s, text, &s->draft.qos, err);
}

bool qsub_read_dir(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	return qsub_read_job_path(s, by, text, &s->draft.dir, err);
}

bool qsub_read_output(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	return qsub_read_job_path(s, by, text, &s->draft.output, err);
}

bool qsub_read_errors(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	s->draft.errors_follow = false;
	return qsub_read_job_path(s, by, text, &s->draft.errors, err);
}

bool qsub_read_mail_to(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	(void)by;
	(void)err;
	/* Users copy "your.name@example.org, ..." from guides: that is no reason to refuse the job. */
	if (!mail_check_addresses(text, NULL)) {
		qsub_ignore(s, "the mail address ", qsub_is_shown(text) && strlen(text) < 60 ? text : "?");
		return true;
	}
	s->mail_to = arena_string(&s->arena, text);
	return true;
}

bool qsub_hold(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	(void)by;
	(void)text;
	(void)err;
	return s->hold = true;
}

bool qsub_terse(struct submission *s, const struct submitter *by, const char *text, struct err *err)
{
	(void)by;
	(void)text;
	(void)err;
	return s->terse = true;
}
