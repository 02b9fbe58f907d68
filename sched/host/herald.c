/* SPDX-License-Identifier: MIT */
/*
 * herald.c - notification of users about job events
 *
 * The program has all from its environment, and the sentence on its standard input:
 *
 *     KAHU_EVENT     submit, begin, end, or abort: it was stopped, or lost, or could not be started
 *     KAHU_JOB       as the queue names it; KAHU_USER KAHU_NAME KAHU_TIME with it
 *     KAHU_OUTCOME   of end and abort: done failed limit cancelled lost refused
 *     KAHU_STATUS    of a job that ran to its end: 0-255, 256 and a signal's number
 *
 * Letters of -m: b at the begin; e when a job has ended that had begun; a when it did not end by itself with
 * status 0. Whatever of these holds, an event is one letter.
 */
#include "herald.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "chronicle.h"
#include "outputs.h"
#include "sched/base/arena.h"
#include "sched/base/vec.h"
#include "sched/rm/mail.h"

#define SENDMAIL  "/usr/sbin/sendmail"
#define FACTS_MAX 12
#define NO_STATUS (-1)

struct herald {
	struct ledger ledger;
	struct notify *notify;
	struct arena arena; /* of the step at hand */
	struct outputs_cache *outputs;
	bool barred; /* the programs of the configuration are not run */
};

/* What there is to be told. All strings are borrowed. */
struct news {
	const char *event, *job, *user, *name;
	const char *outcome; /* NULL: it has not ended */
	int32_t status;      /* NO_STATUS: it has none */
	int64_t time_s;
	const char *what;    /* the sentence goes on: "has begun" */
	const char *why;     /* or NULL                           */
	const char *letters; /* of -m that want to read this      */
	const char *mail, *mail_to;
};

static const char *phrase(struct herald *h, const char *pattern, ...) __attribute__((format(printf, 2, 3)));

static const char *phrase(struct herald *h, const char *pattern, ...)
{
	struct str text = {0}, line = {0};
	const char *kept;
	va_list args;

	va_start(args, pattern);
	str_addv(&text, pattern, args);
	va_end(args);
	mail_add_line(&line, str_text(&text));
	kept = arena_string(&h->arena, str_text(&line));
	str_free(&text);
	str_free(&line);
	return kept;
}

/* --- to whom ------------------------------------------------------------------------------------- */

static const char *sentence(struct herald *h, const struct news *news)
{
	bool named = news->name != NULL && news->name[0] != '\0';

	return phrase(h, "Job %s%s%s%s of %s %s%s%s.", news->job, named ? " (" : "", named ? news->name : "",
		      named ? ")" : "", news->user, news->what, news->why != NULL ? ": " : "",
		      news->why != NULL ? news->why : "");
}

static void tell_program(struct herald *h, const char *program, const struct news *news)
{
	const char *argv[] = {program, NULL}, *fact[FACTS_MAX];
	size_t count = 0;

	fact[count++] = phrase(h, "KAHU_EVENT=%s", news->event);
	fact[count++] = phrase(h, "KAHU_JOB=%s", news->job);
	fact[count++] = phrase(h, "KAHU_USER=%s", news->user);
	fact[count++] = phrase(h, "KAHU_NAME=%s", news->name != NULL ? news->name : "");
	fact[count++] = phrase(h, "KAHU_TIME=%" PRId64, news->time_s);
	if (news->outcome != NULL)
		fact[count++] = phrase(h, "KAHU_OUTCOME=%s", news->outcome);
	if (news->status != NO_STATUS)
		fact[count++] = phrase(h, "KAHU_STATUS=%" PRId32, news->status);
	fact[count] = NULL;
	notify_send(h->notify, &(struct notice){.user = news->user,
						.about = phrase(h, "job %s", news->job),
						.argv = argv,
						.environment = fact,
						.input = phrase(h, "%s", sentence(h, news))});
}

static bool wants_mail(const struct news *news)
{
	return news->mail != NULL && strpbrk(news->mail, news->letters) != NULL;
}

/* "a@x,b@y" as words behind the options. */
static void add_addresses(struct herald *h, const char *list, const char **argv)
{
	char *copy = arena_copy(&h->arena, list, strlen(list) + 1), *rest = NULL;

	for (char *one = strtok_r(copy, ",", &rest); one != NULL; one = strtok_r(NULL, ",", &rest))
		*argv++ = one;
	*argv = NULL;
}

/* Whoever submitted may have written any address: it is looked at once more. */
static void send_mail(struct herald *h, const char *program, const struct news *news)
{
	const char *none[] = {NULL}, *argv[MAIL_ADDRESSES_MAX + 4] = {program, "-i", "--"};
	struct mail mail = {.from = news->user, .to = news->mail_to != NULL ? news->mail_to : news->user};
	struct str text = {0};

	if (!mail_check_addresses(mail.to, NULL))
		return;
	add_addresses(h, mail.to, argv + 3);
	mail.subject = phrase(h, "Kahu: job %s %s", news->job, news->what);
	mail.text = sentence(h, news);
	mail_write(&mail, &text);
	str_add_char(&text, '\n');
	notify_send(h->notify, &(struct notice){.user = news->user,
						.about = phrase(h, "the mail on job %s", news->job),
						.argv = argv,
						.environment = none,
						.input = str_text(&text)});
	str_free(&text);
}

static const char *mail_program(const struct herald *h, const struct snapshot *s)
{
	const char *program = snapshot_site_text(s, SITE_MAIL_PROGRAM);

	if (program == NULL)
		return access(SENDMAIL, X_OK) == 0 ? SENDMAIL : "";
	return h->barred ? "" : program;
}

static void tell(struct herald *h, const struct snapshot *s, const struct news *news)
{
	const char *program = snapshot_site_text(s, SITE_NOTIFY_PROGRAM);

	if (news->user == NULL)
		return;
	if (program != NULL && program[0] != '\0' && !h->barred)
		tell_program(h, program, news);
	if (wants_mail(news) && mail_program(h, s)[0] != '\0')
		send_mail(h, mail_program(h, s), news);
}

/* --- what ---------------------------------------------------------------------------------------- */

static struct news begin_news(struct herald *h, const struct snapshot *s, const struct job *job,
			      const struct event *ev)
{
	char label[JOB_LABEL_TEXT];
	struct news news = {.time_s = ev->time_s, .status = NO_STATUS, .letters = ""};

	news.job = arena_string(&h->arena, snapshot_job_label(s, job, label));
	news.user = snapshot_job_cred(s, job, CRED_USER);
	news.name = job->name == 0 ? NULL : snapshot_string(s, job->name);
	return news;
}

/* Of one that is here; who has left in the same step is told of as ended. */
static void find_wishes(struct herald *h, const struct snapshot *s, const struct job *job, struct news *news)
{
	struct outputs wishes;

	if ((job->real & JOB_REAL_MAIL) == 0)
		return;
	wishes = outputs_find(h->ledger, h->outputs, s, job, &h->arena);
	news->mail = wishes.mail;
	news->mail_to = wishes.mail_to;
}

static void tell_submit(struct herald *h, const struct snapshot *s, const struct job *job,
			const struct event *ev)
{
	struct news news = begin_news(h, s, job, ev);

	news.event = "submit";
	news.what = "was submitted";
	tell(h, s, &news);
}

static void tell_start(struct herald *h, const struct snapshot *s, const struct job *job,
		       const struct event *ev)
{
	struct news news = begin_news(h, s, job, ev);

	if (job->state != JOB_RUNNING)
		return;
	news.event = "begin";
	news.what = "has begun";
	news.letters = "b";
	find_wishes(h, s, job, &news);
	tell(h, s, &news);
}

/* It is tried again; only when it is put off for a while is that worth a letter. */
static void tell_refused(struct herald *h, const struct snapshot *s, const struct job *job,
			 const struct event *ev)
{
	struct news news = begin_news(h, s, job, ev);

	if (!ev->defer.failed_start)
		return;
	news.event = "abort";
	news.outcome = "refused";
	news.what = "could not be started";
	news.why = ev->defer.reason;
	news.letters = ev->defer.until_s != TIME_NONE && !ev->defer.retry ? "a" : "";
	find_wishes(h, s, job, &news);
	tell(h, s, &news);
}

static const char *describe_end(struct herald *h, enum outcome outcome, int32_t status)
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
			       ? phrase(h, "was ended by signal %" PRId32, status - STATUS_SIGNALLED)
			       : phrase(h, "has ended with status %" PRId32, status);
	}
}

static void tell_end(struct herald *h, const struct snapshot *s, const struct ended_job *ended)
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
			    .what = describe_end(h, outcome, ended->status),
			    .why = ended->why,
			    .letters = outcome == OUTCOME_DONE ? "e"
				       : ran                   ? "ea"
							       : "a",
			    .mail = ended->mail,
			    .mail_to = ended->mail_to};

	if (news.job == NULL)
		news.job = phrase(h, "%" PRIu64, record->job.id);
	tell(h, s, &news);
}

static void tell_event(struct herald *h, const struct event *ev, const struct state *st)
{
	const struct snapshot *s = state_view(st);
	uint32_t slot = state_find(st, ev->job);
	const struct job *job = slot == INDEX_NONE ? NULL : &snapshot_jobs(s)[slot];

	if (job == NULL)
		return;
	if (ev->kind == EVENT_SUBMIT)
		tell_submit(h, s, job, ev);
	else if (ev->kind == EVENT_START)
		tell_start(h, s, job, ev);
	else if (ev->kind == EVENT_DEFER)
		tell_refused(h, s, job, ev);
}

void herald_tell(void *self, const struct ledger_step *step, const struct state *st,
		 const struct driver_stats *stats)
{
	struct herald *h = self;

	(void)stats;
	for (size_t i = 0; i < step->event_count; i++)
		tell_event(h, &step->event[i], st);
	for (size_t i = 0; i < step->ended_count; i++)
		tell_end(h, state_view(st), &step->ended[i]);
	outputs_cache_trim(h->outputs);
	arena_reset(&h->arena);
}

struct herald *herald_new(struct ledger ledger, struct notify *notify)
{
	struct herald *h = mem_zero(1, sizeof *h);

	h->ledger = ledger;
	h->outputs = outputs_cache_new();
	h->notify = notify;
	return h;
}

void herald_bar_programs(struct herald *h, bool barred)
{
	h->barred = barred;
}

void herald_free(struct herald *h)
{
	if (h == NULL)
		return;
	outputs_cache_free(h->outputs);
	arena_free(&h->arena);
	free(h);
}
