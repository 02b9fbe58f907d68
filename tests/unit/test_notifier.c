/* SPDX-License-Identifier: MIT */
/*
 * test_notifier.c - mail, and notification of users about events of their jobs
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include <cmocka.h>

#include "sched/host/notifier.h"
#include "sched/rm/launch.h"
#include "tests/scene.h"
#include "tests/store_dir.h"

/* --- mail --------------------------------------------------------------------------------------- */

static bool is_accepted(const char *list)
{
	struct err err = {{0}};
	bool accepted = mail_check_addresses(list, &err);

	assert_true(accepted == (err.text[0] == '\0'));
	return accepted;
}

static void common_mail_addresses_are_accepted(void **state)
{
	static const char *const good[] = {
		"eva",   "eva@example.org", "eva.b+x@example.org,ops", "_ops", "0", "e=va@host-1.example.org",
		"a/b@x",
	};

	(void)state;
	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
		if (!is_accepted(good[i]))
			fail_msg("%s was refused", good[i]);
}

static void options_programs_and_control_characters_are_no_mail_addresses(void **state)
{
	static const char *const bad[] = {
		"",        "-f",      "-bd,eva",   "eva,-f",      "eva,,ops",   ",eva",      "eva,",
		"|rm",     "/etc/x",  ":include:", "eva ops",     "eva\nBcc:x", "eva\rx",    "eva\tx",
		"e\x7fva", "\"e\"@x", "<eva>",     "eva@",        "a@b@c",      "a@b,c@d@e", "j\xc3\xbcrgen",
		"@x",      "eva;ops", "eva(x)",    "eva\x1b[31m", "eva:x",      "a\\b",      "eva@x@",
	};

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		if (is_accepted(bad[i]))
			fail_msg("%s was taken", bad[i]);
}

static void number_and_length_of_mail_addresses_are_limited(void **state)
{
	struct str list = {0};

	(void)state;
	for (int i = 1; i < MAIL_ADDRESS_MAX; i++)
		str_add_char(&list, 'a');
	str_add_char(&list, 'a');
	assert_true(is_accepted(str_text(&list)));
	str_add_char(&list, 'a');
	assert_false(is_accepted(str_text(&list)));
	str_clear(&list);
	for (int i = 0; i < MAIL_ADDRESSES_MAX; i++)
		str_add(&list, i == 0 ? "a" : ",a");
	assert_true(is_accepted(str_text(&list)));
	str_add(&list, ",a");
	assert_false(is_accepted(str_text(&list)));
	str_free(&list);
}

static void control_characters_in_mail_headers_are_replaced(void **state)
{
	struct mail mail = {.from = "eva\nX: y",
			    .to = "ops",
			    .subject = "job \r\nBcc: all\x1b[2J j\xc3\xbc~\x7f",
			    .text = "Done.\n"};
	struct str out = {0};

	(void)state;
	mail_write(&mail, &out);
	assert_string_equal(str_text(&out), "From: eva?X: y\nTo: ops\nSubject: job ??Bcc: all?[2J j??~?\n"
					    "Auto-Submitted: auto-generated\nMIME-Version: 1.0\n"
					    "Content-Type: text/plain; charset=utf-8\n"
					    "Content-Transfer-Encoding: 8bit\n\nDone.\n");
	str_free(&out);
}

static void control_characters_in_a_mail_line_are_replaced(void **state)
{
	struct str out = {0};

	(void)state;
	mail_add_line(&out, "a\nb\tc\x7f j\xc3\xbc");
	assert_string_equal(str_text(&out), "a?b?c? j\xc3\xbc");
	str_free(&out);
}

/* --- notification of users about job events ---------------------------------------------------- */

#define PATIENCE_MS 60000

struct stage {
	struct scene *sc;
	struct store_dir folder;
	struct launch launch;
	struct notify *notify;
	struct notifier *notifier;
	char output_path[700];
};

/* Both programs append their name and arguments, their KAHU_ variables and their input to the output file. */
static void write_program(struct stage *st, const char *name)
{
	const char *path = name_in(&st->folder, name);
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fprintf(f,
		"#!/bin/sh\n{ echo \"<%s $*>\"; env | grep ^KAHU_ | sort; cat; echo \"</>\"; } >>%s/part.$$\n"
		"cat %s/part.$$ >>%s\n",
		name, st->folder.path, st->folder.path, st->output_path);
	fclose(f);
	assert_int_equal(chmod(path, 0700), 0);
}

static bool give_launch(void *self, uint64_t job, struct str *out, struct err *err)
{
	const struct stage *st = self;

	(void)job;
	(void)err;
	launch_write(&st->launch, out);
	return true;
}

static void begin(struct stage *st)
{
	static const struct ledger_ops ops = {.launch = give_launch};
	char config[1600];

	*st = (struct stage){.sc = scene_new(2, 4)};
	make_store_dir(&st->folder);
	snprintf(st->output_path, sizeof st->output_path, "%s", name_in(&st->folder, "heard"));
	write_program(st, "hook");
	write_program(st, "mailer");
	snprintf(config, sizeof config, "notifyprogram = \"%s/hook\"\nmailprogram = \"%s/mailer\"\n",
		 st->folder.path, st->folder.path);
	scene_config(st->sc, config);
	st->notify = notify_new(&(struct notify_setup){.limit_ms = NOTIFY_LIMIT_MS}, NULL);
	assert_non_null(st->notify);
	st->notifier = notifier_new((struct ledger){&ops, st}, st->notify);
}

static void end(struct stage *st)
{
	notify_free(st->notify);
	notifier_free(st->notifier);
	remove_store_dir(&st->folder);
	scene_free(st->sc);
}

static const char *output(const struct stage *st)
{
	static char text[8192];
	FILE *f = fopen(st->output_path, "r");
	size_t n = f == NULL ? 0 : fread(text, 1, sizeof text - 1, f);

	text[n] = '\0';
	if (f != NULL)
		fclose(f);
	return text;
}

static void wait_for_output(const struct stage *st, const char *words)
{
	int64_t left_ms = PATIENCE_MS;

	for (; strstr(output(st), words) == NULL && left_ms > 0; left_ms -= 2)
		nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
	if (left_ms <= 0)
		fail_msg("never heard: %s\nbut: %s", words, output(st));
}

static void notify_event(struct stage *st, const struct event *ev, const struct ended_job *ended)
{
	static const struct driver_stats stats;
	struct ledger_step step = {.event = ev,
				   .event_count = ev != NULL,
				   .ended = ended,
				   .ended_count = ended != NULL,
				   .after = scene_view(st->sc)};

	notifier_tell(st->notifier, &step, st->sc->st, &stats);
}

static uint64_t submit_with_mail(struct stage *st, const char *mail, const char *to)
{
	struct event ev = {.kind = EVENT_SUBMIT, .who = "eva"};

	ev.submit = (struct job_record){.job = {.tasks = 1,
						.task_procs = 1,
						.wall_limit_s = 100,
						.true_run_s = -1,
						.not_before_s = TIME_NONE,
						.real = JOB_REAL_LAUNCH | JOB_REAL_MAIL},
					.cred = {[CRED_USER] = "eva"},
					.name = "mine"};
	st->launch.mail = mail;
	st->launch.mail_to = to;
	scene_apply(st->sc, &ev);
	return ev.job;
}

static void the_notify_program_is_run_at_submission(void **state)
{
	struct stage st;
	struct event ev = {.kind = EVENT_SUBMIT, .time_s = 77};

	(void)state;
	begin(&st);
	ev.job = scene_add(st.sc,
			   (struct scene_job){.procs = 1, .user = "eva", .label = "w1", .name = "a\nb"});
	notify_event(&st, &ev, NULL);
	wait_for_output(&st, "</>");
	assert_string_equal(output(&st),
			    "<hook >\nKAHU_EVENT=submit\nKAHU_JOB=w1\nKAHU_NAME=a?b\nKAHU_TIME=77\n"
			    "KAHU_USER=eva\nJob w1 (a?b) of eva was submitted.</>\n");
	end(&st);
}

static void mail_is_sent_at_the_start_if_the_job_requests_it(void **state)
{
	struct stage st;
	struct event ev = {.kind = EVENT_START};

	(void)state;
	begin(&st);
	ev.job = submit_with_mail(&st, "b", "ops@x,eva");
	scene_start(st.sc, ev.job, 0, 1, 1);
	notify_event(&st, &ev, NULL);
	wait_for_output(
		&st, "<mailer -i -- ops@x eva>\nFrom: eva\nTo: ops@x,eva\nSubject: Kahu: job 1 has begun\n");
	wait_for_output(&st, "KAHU_EVENT=begin\n");
	end(&st);
}

/* Mail would be in the output once notify_free() has returned. */
static void no_mail_is_sent_unrequested_or_to_invalid_addresses(void **state)
{
	static const struct {
		const char *mail, *to;
	} no_mail[] = {
		{"ea", "eva"}, {"b", "-f/etc/passwd"}, {"b", "eva\nBcc: all"}, {"", "eva"}, {NULL, "eva"}};

	(void)state;
	for (size_t i = 0; i < sizeof no_mail / sizeof no_mail[0]; i++) {
		struct event ev = {.kind = EVENT_START};
		struct stage st;

		begin(&st);
		ev.job = submit_with_mail(&st, no_mail[i].mail, no_mail[i].to);
		scene_start(st.sc, ev.job, 0, 1, 1);
		notify_event(&st, &ev, NULL);
		wait_for_output(&st, "KAHU_EVENT=begin\n");
		notify_free(st.notify); /* waits until all queued notices are delivered */
		st.notify = NULL;
		if (strstr(output(&st), "mailer") != NULL)
			fail_msg("-m %s -M %s: %s", no_mail[i].mail, no_mail[i].to, output(&st));
		end(&st);
	}
}

static struct ended_job job_ended(int32_t status, const char *mail)
{
	return (struct ended_job){.record = {.job = {.id = 7, .state = JOB_RUNNING, .start_s = 40},
					     .cred = {[CRED_USER] = "eva"}},
				  .end_s = 100,
				  .status = status,
				  .mail = mail};
}

static void notifications_report_the_outcome_of_an_ended_job(void **state)
{
	struct stage st;
	struct ended_job ended = job_ended(0, "e");

	(void)state;
	begin(&st);
	notify_event(&st, NULL, &ended);
	wait_for_output(
		&st,
		"KAHU_EVENT=end\nKAHU_JOB=7\nKAHU_NAME=\nKAHU_OUTCOME=done\nKAHU_STATUS=0\nKAHU_TIME=100\n");
	wait_for_output(&st, "Subject: Kahu: job 7 has ended with status 0\n");
	ended = job_ended(3, "a");
	notify_event(&st, NULL, &ended);
	wait_for_output(&st, "KAHU_EVENT=end\nKAHU_JOB=7\nKAHU_NAME=\nKAHU_OUTCOME=failed\nKAHU_STATUS=3\n");
	wait_for_output(&st, "Subject: Kahu: job 7 has ended with status 3\n");
	ended = job_ended(STATUS_SIGNALLED + 9, NULL);
	notify_event(&st, NULL, &ended);
	wait_for_output(&st, "KAHU_STATUS=265\n");
	wait_for_output(&st, "Job 7 of eva was ended by signal 9.");
	ended.at_limit = true;
	ended.mail = "ea";
	notify_event(&st, NULL, &ended);
	wait_for_output(&st, "KAHU_EVENT=abort\nKAHU_JOB=7\nKAHU_NAME=\nKAHU_OUTCOME=limit\n");
	wait_for_output(&st, "Subject: Kahu: job 7 was stopped at its wallclock limit\n");
	ended = job_ended(0, "a");
	ended.lost = true;
	ended.why = "its shepherd\nwas killed";
	notify_event(&st, NULL, &ended);
	wait_for_output(&st, "KAHU_OUTCOME=lost\nKAHU_TIME=100\n");
	wait_for_output(&st, "Job 7 of eva was lost: its shepherd?was killed.");
	end(&st);
}

static void notifications_report_a_failed_start(void **state)
{
	struct stage st;
	struct event ev = {.kind = EVENT_DEFER,
			   .defer = {.until_s = TIME_NONE, .reason = "no room", .failed_start = true}};

	(void)state;
	begin(&st);
	ev.job = submit_with_mail(&st, "a", NULL);
	notify_event(&st, &ev, NULL);
	wait_for_output(&st, "KAHU_EVENT=abort\n");
	wait_for_output(&st, "Job 1 (mine) of eva could not be started: no room.");
	ev.defer.until_s = 4000; /* deferred until 4000 instead of indefinitely */
	notify_event(&st, &ev, NULL);
	wait_for_output(&st, "<mailer -i -- eva>\n");
	wait_for_output(&st, "Subject: Kahu: job 1 could not be started\n");
	end(&st);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(common_mail_addresses_are_accepted),
		cmocka_unit_test(options_programs_and_control_characters_are_no_mail_addresses),
		cmocka_unit_test(number_and_length_of_mail_addresses_are_limited),
		cmocka_unit_test(control_characters_in_mail_headers_are_replaced),
		cmocka_unit_test(control_characters_in_a_mail_line_are_replaced),
		cmocka_unit_test(the_notify_program_is_run_at_submission),
		cmocka_unit_test(mail_is_sent_at_the_start_if_the_job_requests_it),
		cmocka_unit_test(no_mail_is_sent_unrequested_or_to_invalid_addresses),
		cmocka_unit_test(notifications_report_the_outcome_of_an_ended_job),
		cmocka_unit_test(notifications_report_a_failed_start),
	};

	return cmocka_run_group_tests_name("notifier", tests, NULL, NULL);
}
