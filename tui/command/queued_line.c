/* SPDX-License-Identifier: MIT */
/*
 * queued_line.c - what does one who waits for a job read meanwhile?
 */
#include "queued_line.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "sched/base/duration.h"
#include "sched/forecast/explain.h"
#include "sched/forecast/future.h"
#include "sched/rm/wallclock.h"
#include "tui/draw/text.h"
#include "tui/report/jobtext.h"

#define WIDTH 80 /* of a terminal that does not say */

static int terminal_width(void)
{
	struct winsize size;

	return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col : WIDTH;
}

/* No longer than the terminal is wide, or it could not be written over. */
static void write_line(const struct queued_line *q)
{
	struct str safe = {0};
	int width = terminal_width() - 1;

	if (text_width(str_text(&q->line)) > width)
		text_fit(&safe, str_text(&q->line), width, TEXT_LEFT, q->ascii);
	else
		text_safe(&safe, str_text(&q->line), q->ascii);
	fprintf(stderr, "\r\033[K%s", str_text(&safe));
	fflush(stderr);
	str_free(&safe);
}

void queued_line_clear(struct queued_line *q)
{
	if (q->line.len > 0)
		fputs("\r\033[K", stderr);
	str_free(&q->line);
}

static void describe(const struct snapshot *s, const struct job *job, const struct why *why, int64_t now_s,
		     struct str *out)
{
	char when[MOMENT_TEXT], label[JOB_LABEL_TEXT];

	str_addf(out, "job %s waits", snapshot_job_label(s, job, label));
	if (why->lead.gate != GATE_NONE) {
		str_add(out, ": ");
		jobtext_sentence(s, job, &why->lead, now_s, out);
	}
	if (why->estimated_s != TIME_NEVER && why->estimated_s > now_s)
		str_addf(out, " Starts about %s.", wallclock_short(when, why->estimated_s, now_s));
}

static bool never(const struct snapshot *s, const struct job *job, const struct why *why, int64_t now_s,
		  struct err *err)
{
	struct str sentence = {0};

	jobtext_sentence(s, job, &why->lead, now_s, &sentence);
	err_set(err, "job %" PRIu64 " could never start: %s", job->id, str_text(&sentence));
	str_free(&sentence);
	return false;
}

bool queued_line_tell(struct queued_line *q, const struct snapshot *s, uint64_t id, int64_t now_s,
		      struct err *err)
{
	uint32_t slot = snapshot_find_job(s, id);
	struct future future = {.side = {.s = NULL}};
	struct future_setup setup = {.now_s = now_s,
				     .full = true,
				     .most_work = FUTURE_LIST_WORK,
				     .reasons = true,
				     .one = true,
				     .slot = slot};
	struct future_start start;
	struct str line = {0};
	const struct job *job;
	struct why why;
	bool good = true;

	if (slot == INDEX_NONE || snapshot_jobs(s)[slot].state != JOB_IDLE)
		return true;
	job = &snapshot_jobs(s)[slot];
	future_build(&future, s, &setup);
	start = future_start(&future, slot);
	explain_planned(s, slot, &future.plan, &why);
	explain_dated(&why, s, &start, explain_future(&future, slot));
	if (why.verdict == VERDICT_NEVER) {
		good = never(s, job, &why, now_s, err);
	} else if (q->wanted) {
		describe(s, job, &why, now_s, &line);
		if (strcmp(str_text(&line), str_text(&q->line)) != 0) {
			str_free(&q->line);
			q->line = line;
			line = (struct str){0};
			write_line(q);
		}
	}
	str_free(&line);
	future_clear(&future);
	return good;
}
