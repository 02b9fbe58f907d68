/* SPDX-License-Identifier: MIT */
/*
 * notifier.c - notification of users about job events, by a site program and by mail
 *
 * The program finds the event in its environment, and a sentence about it on its standard input:
 *
 *     KAHU_EVENT     submit, begin, end, or abort: the job was stopped, lost, or could not be started
 *     KAHU_JOB       the job's label in the queue; also KAHU_USER, KAHU_NAME and KAHU_TIME
 *     KAHU_OUTCOME   of end and abort: done failed limit cancelled lost refused
 *     KAHU_STATUS    of a job that ran to its end: 0-255, or 256 plus a signal number
 *
 * Letters of -m: b when the job begins; e when a job that had begun ends; a when a job does not end by itself
 * with status 0. An event sends at most one mail, even if several letters match.
 */
#include "notifier.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "event_log.h"
#include "outputs.h"
#include "sched/base/arena.h"
#include "sched/base/vec.h"

/* --- mail to users ------------------------------------------------------------------------------------ */

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

static const char signs[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"
			    "@.+-=/%~!#$&'*?^{}";

static bool is_address(const char *text, size_t len)
{
	const char *at = memchr(text, '@', len);

	if (len == 0 || len > MAIL_ADDRESS_MAX || strchr(letters, text[0]) == NULL)
		return false;
	if (at != NULL &&
	    (at == text + len - 1 || memchr(at + 1, '@', len - (size_t)(at + 1 - text)) != NULL))
		return false;
	return strspn(text, signs) >= len;
}

bool mail_check_addresses(const char *list, struct err *err)
{
	size_t count = 0;

	for (const char *at = list;; at++) {
		size_t len = strcspn(at, ",");
		struct str shown = {0};

		if (++count > MAIL_ADDRESSES_MAX)
			return err_set(err, "mail can be sent to at most %d addresses", MAIL_ADDRESSES_MAX);
		if (!is_address(at, len)) {
			str_add_bytes(&shown, at, len < 60 ? len : 60);
			err_set(err,
				"\"%s\" is not an address; an address begins with a letter, a digit or '_' "
				"and contains no blanks",
				str_text(&shown));
			str_free(&shown);
			return false;
		}
		at += len;
		if (*at == '\0')
			return true;
	}
}

void mail_add_line(struct str *out, const char *text)
{
	for (; *text != '\0'; text++) {
		unsigned char c = (unsigned char)*text;

		str_add_char(out, (char)(c < ' ' || c == 127 ? '?' : c));
	}
}

/* Appends a header field. Such fields are printable ASCII; other bytes become '?'. */
static void add_head(struct str *out, const char *name, const char *value)
{
	str_addf(out, "%s: ", name);
	for (; *value != '\0'; value++) {
		unsigned char c = (unsigned char)*value;

		str_add_char(out, (char)(c < ' ' || c >= 127 ? '?' : c));
	}
	str_add_char(out, '\n');
}

void mail_write(const struct mail *mail, struct str *out)
{
	add_head(out, "From", mail->from);
	add_head(out, "To", mail->to);
	add_head(out, "Subject", mail->subject);
	add_head(out, "Auto-Submitted", "auto-generated");
	add_head(out, "MIME-Version", "1.0");
	add_head(out, "Content-Type", "text/plain; charset=utf-8");
	add_head(out, "Content-Transfer-Encoding", "8bit");
	str_addf(out, "\n%s", mail->text);
}

/* --- notices ------------------------------------------------------------------------------------------ */

#define SENDMAIL "/usr/sbin/sendmail"

#define VARIABLES_MAX 12

#define NO_STATUS (-1)

struct notifier {
	struct ledger ledger;
	struct notify *notify;
	struct arena arena; /* texts of the current step */
	struct outputs_cache *outputs;
	bool barred; /* programs that the configuration names must not be run */
};

/* A notice. All strings are borrowed. */
struct news {
	const char *event, *job, *user, *name;
	const char *outcome; /* NULL: the job has not ended */
	int32_t status;      /* exit status, or NO_STATUS */
	int64_t time_s;
	const char *what;    /* what happened to the job, such as "has begun" */
	const char *why;     /* the reason, or NULL */
	const char *letters; /* the letters of option -m that request a mail about this notice */
	const char *mail, *mail_to;
};

static const char *phrase(struct notifier *n, const char *pattern, ...) __attribute__((format(printf, 2, 3)));

static const char *phrase(struct notifier *n, const char *pattern, ...)
{
	struct str text = {0}, line = {0};
	const char *kept;
	va_list args;

	va_start(args, pattern);
	str_addv(&text, pattern, args);
	va_end(args);
	mail_add_line(&line, str_text(&text));
	kept = arena_string(&n->arena, str_text(&line));
	str_free(&text);
	str_free(&line);
	return kept;
}

/* --- delivery ---------------------------------------------------------------------------------------- */

static const char *sentence(struct notifier *n, const struct news *news)
{
	bool named = news->name != NULL && news->name[0] != '\0';

	return phrase(n, "Job %s%s%s%s of %s %s%s%s.", news->job, named ? " (" : "", named ? news->name : "",
		      named ? ")" : "", news->user, news->what, news->why != NULL ? ": " : "",
		      news->why != NULL ? news->why : "");
}

static void tell_program(struct notifier *n, const char *program, const struct news *news)
{
	const char *argv[] = {program, NULL}, *variable[VARIABLES_MAX];
	size_t count = 0;

	variable[count++] = phrase(n, "KAHU_EVENT=%s", news->event);
	variable[count++] = phrase(n, "KAHU_JOB=%s", news->job);
	variable[count++] = phrase(n, "KAHU_USER=%s", news->user);
	variable[count++] = phrase(n, "KAHU_NAME=%s", news->name != NULL ? news->name : "");
	variable[count++] = phrase(n, "KAHU_TIME=%" PRId64, news->time_s);
	if (news->outcome != NULL)
		variable[count++] = phrase(n, "KAHU_OUTCOME=%s", news->outcome);
	if (news->status != NO_STATUS)
		variable[count++] = phrase(n, "KAHU_STATUS=%" PRId32, news->status);
	variable[count] = NULL;
	notify_send(n->notify, &(struct notice){.user = news->user,
						.about = phrase(n, "job %s", news->job),
						.argv = argv,
						.environment = variable,
						.input = phrase(n, "%s", sentence(n, news))});
}

static bool wants_mail(const struct news *news)
{
	return news->mail != NULL && strpbrk(news->mail, news->letters) != NULL;
}

/* Splits a list such as "a@x,b@y" into arguments. */
static void add_addresses(struct notifier *n, const char *list, const char **argv)
{
	char *copy = arena_copy(&n->arena, list, strlen(list) + 1), *rest = NULL;

	for (char *one = strtok_r(copy, ",", &rest); one != NULL; one = strtok_r(NULL, ",", &rest))
		*argv++ = one;
	*argv = NULL;
}

/* Checks the addresses again, because the submitting client may have sent anything. */
static void send_mail(struct notifier *n, const char *program, const struct news *news)
{
	const char *none[] = {NULL}, *argv[MAIL_ADDRESSES_MAX + 4] = {program, "-i", "--"};
	struct mail mail = {.from = news->user, .to = news->mail_to != NULL ? news->mail_to : news->user};
	struct str text = {0};

	if (!mail_check_addresses(mail.to, NULL))
		return;
	add_addresses(n, mail.to, argv + 3);
	mail.subject = phrase(n, "Kahu: job %s %s", news->job, news->what);
	mail.text = sentence(n, news);
	mail_write(&mail, &text);
	str_add_char(&text, '\n');
	notify_send(n->notify, &(struct notice){.user = news->user,
						.about = phrase(n, "the mail about job %s", news->job),
						.argv = argv,
						.environment = none,
						.input = str_text(&text)});
	str_free(&text);
}

static const char *mail_program(const struct notifier *n, const struct snapshot *s)
{
	const char *program = snapshot_site_text(s, SITE_MAIL_PROGRAM);

	if (program == NULL)
		return access(SENDMAIL, X_OK) == 0 ? SENDMAIL : "";
	return n->barred ? "" : program;
}

static void tell(struct notifier *n, const struct snapshot *s, const struct news *news)
{
	const char *program = snapshot_site_text(s, SITE_NOTIFY_PROGRAM);

	if (news->user == NULL)
		return;
	if (program != NULL && program[0] != '\0' && !n->barred)
		tell_program(n, program, news);
	if (wants_mail(news) && mail_program(n, s)[0] != '\0')
		send_mail(n, mail_program(n, s), news);
}

/* --- events ------------------------------------------------------------------------------------------ */

static struct news begin_news(struct notifier *n, const struct snapshot *s, const struct job *job,
			      const struct event *ev)
{
	char label[JOB_LABEL_TEXT];
	struct news news = {.time_s = ev->time_s, .status = NO_STATUS, .letters = ""};

	news.job = arena_string(&n->arena, snapshot_job_label(s, job, label));
	news.user = snapshot_job_cred(s, job, CRED_USER);
	news.name = job->name == 0 ? NULL : snapshot_string(s, job->name);
	return news;
}

/*
 * Finds the mail options of a job in the queue. A job that has ended in the same step is reported only as
 * ended.
 */
static void find_mail_options(struct notifier *n, const struct snapshot *s, const struct job *job,
			      struct news *news)
{
	struct outputs found;

	if ((job->real & JOB_REAL_MAIL) == 0)
		return;
	found = outputs_find(n->ledger, n->outputs, s, job, &n->arena);
	news->mail = found.mail;
	news->mail_to = found.mail_to;
}

static void tell_submit(struct notifier *n, const struct snapshot *s, const struct job *job,
			const struct event *ev)
{
	struct news news = begin_news(n, s, job, ev);

	news.event = "submit";
	news.what = "was submitted";
	tell(n, s, &news);
}

static void tell_start(struct notifier *n, const struct snapshot *s, const struct job *job,
		       const struct event *ev)
{
	struct news news = begin_news(n, s, job, ev);

	if (job->state != JOB_RUNNING)
		return;
	news.event = "begin";
	news.what = "has begun";
	news.letters = "b";
	find_mail_options(n, s, job, &news);
	tell(n, s, &news);
}

/* Reports a refused start. The start is tried again, so a mail is sent only if the job is deferred. */
static void tell_refused(struct notifier *n, const struct snapshot *s, const struct job *job,
			 const struct event *ev)
{
	struct news news = begin_news(n, s, job, ev);

	if (!ev->defer.failed_start)
		return;
	news.event = "abort";
	news.outcome = "refused";
	news.what = "could not be started";
	news.why = ev->defer.reason;
	news.letters = ev->defer.until_s != TIME_NONE && !ev->defer.retry ? "a" : "";
	find_mail_options(n, s, job, &news);
	tell(n, s, &news);
}

static const char *describe_end(struct notifier *n, enum outcome outcome, int32_t status)
{
	switch (outcome) {
	case OUTCOME_LIMIT:
		return "was stopped at its wallclock limit";
	case OUTCOME_CANCELLED:
		return "was cancelled";
	case OUTCOME_LOST:
		return "was lost";
	case OUTCOME_DEPEND:
		return "has left the queue";
	default:
		return status >= STATUS_SIGNALLED
			       ? phrase(n, "was ended by signal %" PRId32, status - STATUS_SIGNALLED)
			       : phrase(n, "has ended with status %" PRId32, status);
	}
}

static void tell_end(struct notifier *n, const struct snapshot *s, const struct ended_job *ended)
{
	const struct job_record *record = &ended->record;
	enum outcome outcome = outcome_of(ended);
	bool by_itself = outcome == OUTCOME_DONE || outcome == OUTCOME_FAILED;
	bool ran = record->job.state == JOB_RUNNING;
	struct news news = {.event = by_itself ? "end" : "abort",
			    .job = record->label,
			    .user = record->cred[CRED_USER],
			    .name = record->name,
			    .outcome = outcome_name(outcome),
			    .status = ran && !ended->lost ? ended->status : NO_STATUS,
			    .time_s = ended->end_s,
			    .what = describe_end(n, outcome, ended->status),
			    .why = ended->why,
			    .letters = outcome == OUTCOME_DONE ? "e"
				       : ran                   ? "ea"
							       : "a",
			    .mail = ended->mail,
			    .mail_to = ended->mail_to};

	if (news.job == NULL)
		news.job = phrase(n, "%" PRIu64, record->job.id);
	tell(n, s, &news);
}

static void tell_event(struct notifier *n, const struct event *ev, const struct state *st)
{
	const struct snapshot *s = state_view(st);
	uint32_t slot = state_find(st, ev->job);
	const struct job *job = slot == INDEX_NONE ? NULL : &snapshot_jobs(s)[slot];

	if (job == NULL)
		return;
	if (ev->kind == EVENT_SUBMIT)
		tell_submit(n, s, job, ev);
	else if (ev->kind == EVENT_START)
		tell_start(n, s, job, ev);
	else if (ev->kind == EVENT_DEFER)
		tell_refused(n, s, job, ev);
}

void notifier_tell(void *self, const struct ledger_step *step, const struct state *st,
		   const struct driver_stats *stats)
{
	struct notifier *n = self;

	(void)stats;
	for (size_t i = 0; i < step->event_count; i++)
		tell_event(n, &step->event[i], st);
	for (size_t i = 0; i < step->ended_count; i++)
		tell_end(n, state_view(st), &step->ended[i]);
	outputs_cache_trim(n->outputs);
	arena_reset(&n->arena);
}

struct notifier *notifier_new(struct ledger ledger, struct notify *notify)
{
	struct notifier *n = mem_zero(1, sizeof *n);

	n->ledger = ledger;
	n->outputs = outputs_cache_new();
	n->notify = notify;
	return n;
}

void notifier_bar_programs(struct notifier *n, bool barred)
{
	n->barred = barred;
}

void notifier_free(struct notifier *n)
{
	if (n == NULL)
		return;
	outputs_cache_free(n->outputs);
	arena_free(&n->arena);
	free(n);
}
