/* SPDX-License-Identifier: MIT */
/*
 * test_event_log.c - the event log and counters of the scheduler
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sched/host/metrics.h"
#include "tests/scene.h"

struct stage {
	struct scene *sc;
	struct event_log *c;
	int ends[2];
	char logged[4096];
};

static struct err err;
static const struct driver_stats stats = {.passes = 3, .pass_ns = 1500000000};

static void begin(struct stage *st, bool leveled)
{
	*st = (struct stage){.sc = scene_new(2, 4)};
	assert_int_equal(pipe2(st->ends, O_NONBLOCK), 0);
	st->c = event_log_new(st->ends[1], leveled, &err);
	assert_non_null(st->c);
}

static void end(struct stage *st)
{
	event_log_free(st->c);
	scene_free(st->sc);
	close(st->ends[0]);
	close(st->ends[1]);
}

static const char *logged(struct stage *st)
{
	ssize_t n = read(st->ends[0], st->logged, sizeof st->logged - 1);

	st->logged[n > 0 ? n : 0] = '\0';
	return st->logged;
}

static void log_step(struct stage *st, const struct event *ev, const struct ended_job *ended)
{
	struct ledger_step step = {.event = ev,
				   .event_count = ev != NULL,
				   .ended = ended,
				   .ended_count = ended != NULL,
				   .after = scene_view(st->sc)};

	event_log_tell(st->c, &step, st->sc->st, &stats);
}

static struct figures take_figures(struct stage *st)
{
	struct figures figures;

	event_log_take(st->c, &figures);
	return figures;
}

static struct ended_job ended_as(int32_t status)
{
	return (struct ended_job){.record = {.job = {.id = 7, .state = JOB_RUNNING, .start_s = 40},
					     .cred = {[CRED_USER] = "eva"}},
				  .end_s = 100,
				  .status = status};
}

/* --- log lines ------------------------------------------------------------------------------------ */

static void submit_start_and_end_of_a_job_have_a_line_each(void **state)
{
	struct stage st;
	struct ended_job ended = ended_as(3);
	struct event ev = {.kind = EVENT_SUBMIT};

	(void)state;
	begin(&st, false);
	ev.job =
		scene_add(st.sc, (struct scene_job){.procs = 2, .wall_s = 600, .user = "eva", .label = "w1"});
	ev.submit.job = *scene_job_of(st.sc, ev.job);
	log_step(&st, &ev, NULL);
	assert_string_equal(logged(&st), "submit job=w1 user=eva procs=2 limit_s=600\n");
	scene_go(st.sc, 25);
	scene_start(st.sc, ev.job, 0, 1, 2);
	ev.kind = EVENT_START;
	log_step(&st, &ev, NULL);
	assert_string_equal(logged(&st), "start job=w1 user=eva procs=2 waited_s=25\n");
	log_step(&st, NULL, &ended);
	assert_string_equal(logged(&st), "end job=7 user=eva outcome=failed status=3 ran_s=60\n");
	end(&st);
}

static void lines_for_the_system_journal_have_levels(void **state)
{
	struct stage st;
	struct ended_job lost = ended_as(0);

	(void)state;
	begin(&st, true);
	lost.lost = true;
	lost.why = "its shepherd was \"killed\"\nuser=root\\";
	log_step(&st, NULL, &lost);
	assert_string_equal(logged(&st), "<4>end job=7 user=eva outcome=lost ran_s=60 why=\"its shepherd was "
					 "'killed'?user=root\\\\\"\n");
	event_log_say(st.c, 3, "warning: odd");
	assert_string_equal(logged(&st), "<3>warning: odd\n");
	end(&st);
}

static void a_refused_start_is_logged_with_its_reason(void **state)
{
	struct stage st;
	struct event ev = {.kind = EVENT_DEFER,
			   .defer = {.reason = "no more processes", .failed_start = true}};

	(void)state;
	begin(&st, false);
	ev.job = scene_submit(st.sc, 1, 60);
	log_step(&st, &ev, NULL);
	assert_string_equal(logged(&st), "refused job=1 user=u1 why=\"no more processes\"\n");
	ev.defer.failed_start = false;
	log_step(&st, &ev, NULL);
	assert_string_equal(logged(&st), "");
	end(&st);
}

/* A user or job name cannot forge a log line. */
static void special_characters_in_names_are_replaced(void **state)
{
	struct stage st;
	struct ended_job ended = ended_as(0);

	(void)state;
	begin(&st, false);
	ended.record.label = "a b\nend job=1\033[2J";
	ended.record.cred[CRED_USER] = "eva=\"x\"";
	log_step(&st, NULL, &ended);
	assert_string_equal(logged(&st),
			    "end job=a?b?end?job?1?[2J user=eva??x? outcome=done status=0 ran_s=60\n");
	end(&st);
}

/* A job that left the queue within the same step is counted, and logged only as ended. */
static void events_of_jobs_that_left_the_queue_are_counted(void **state)
{
	static const enum event_kind kind[] = {EVENT_SUBMIT, EVENT_START, EVENT_DEFER};
	struct stage st;
	struct event ev = {.job = 99};

	(void)state;
	begin(&st, false);
	for (size_t i = 0; i < 3; i++) {
		ev.kind = kind[i];
		ev.defer.failed_start = kind[i] == EVENT_DEFER;
		log_step(&st, &ev, NULL);
	}
	ev = (struct event){.kind = EVENT_START, .job = scene_submit(st.sc, 1, 60)}; /* it is idle again */
	log_step(&st, &ev, NULL);
	assert_string_equal(logged(&st), "");
	assert_int_equal(take_figures(&st).submitted, 1);
	assert_int_equal(take_figures(&st).started, 2);
	assert_int_equal(take_figures(&st).refused, 1);
	assert_int_equal(take_figures(&st).waits, 0);
	end(&st);
}

static void empty_fields_are_omitted(void **state)
{
	struct stage st;
	struct ended_job ended = ended_as(0);

	(void)state;
	begin(&st, false);
	ended.lost = true;
	ended.record.cred[CRED_USER] = "";
	ended.why = "";
	log_step(&st, NULL, &ended);
	assert_string_equal(logged(&st), "end job=7 outcome=lost ran_s=60\n");
	ended.record.cred[CRED_USER] = NULL;
	ended.why = "a\177b\xe2\x80\xa8\xd8\x9c c\xff\"\\";
	log_step(&st, NULL, &ended);
	assert_string_equal(logged(&st), "end job=7 outcome=lost ran_s=60 why=\"a?b?"
					 "? c?'\\\\\"\n");
	end(&st);
}

static bool eventfd_fails;

/* NOLINTBEGIN(readability-inconsistent-declaration-parameter-name): replacement of a function of libc */
int eventfd(unsigned first, int flags)
{
	if (!eventfd_fails)
		return (int)syscall(SYS_eventfd2, first, flags);
	errno = EMFILE;
	return -1;
}

/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */

static void without_a_log_counters_work_and_without_descriptors_there_is_an_error(void **state)
{
	struct stage st;
	struct ended_job ended = ended_as(0);
	int log;

	(void)state;
	begin(&st, false);
	log = st.ends[1];
	event_log_free(st.c);
	st.c = event_log_new(-1, false, &err);
	event_log_say(st.c, 3, "a warning");
	log_step(&st, NULL, &ended);
	assert_int_equal(take_figures(&st).ended[OUTCOME_DONE], 1);
	eventfd_fails = true;
	assert_null(event_log_new(log, false, &err));
	eventfd_fails = false;
	assert_string_equal(err.text, "no file descriptor is left for the log: Too many open files");
	assert_string_equal(logged(&st), "");
	end(&st);
}

static void a_full_log_pipe_does_not_block(void **state)
{
	struct stage st;
	struct ended_job ended = ended_as(0);
	int room;

	(void)state;
	begin(&st, false);
	assert_true(fcntl(st.ends[1], F_SETFL, 0) == 0); /* a write to it blocks */
	room = fcntl(st.ends[1], F_SETPIPE_SZ, 4096);
	for (int i = 0; i < 2 * room / 20; i++)
		log_step(&st, NULL, &ended);
	while (logged(&st)[0] != '\0')
		;
	log_step(&st, NULL, &ended);
	assert_non_null(strstr(logged(&st), " lines were lost) end job=7"));
	assert_int_equal(take_figures(&st).ended[OUTCOME_DONE], 2 * room / 20 + 1);
	end(&st);
}

#define MANY 300

/* The lines are written in batches. */
static void a_step_with_many_lines_loses_none(void **state)
{
	static struct ended_job ended[MANY];
	const struct ledger_step step = {.ended = ended, .ended_count = MANY};
	struct str all = {0}, line = {0};
	const char *at;
	struct stage st;

	(void)state;
	begin(&st, false);
	for (int i = 0; i < MANY; i++) {
		ended[i] = ended_as(i);
		ended[i].record.job.id = (uint64_t)i + 1;
	}
	event_log_tell(st.c, &step, st.sc->st, &stats);
	while (logged(&st)[0] != '\0')
		str_add(&all, st.logged);
	at = str_text(&all);
	for (int i = 0; i < MANY; i++) {
		str_clear(&line);
		str_addf(&line, "end job=%d user=eva outcome=%s status=%d ran_s=60\n", i + 1,
			 i == 0 ? "done" : "failed", i);
		assert_int_equal(strncmp(at, str_text(&line), line.len), 0);
		at += line.len;
	}
	assert_string_equal(at, "");
	str_free(&all);
	str_free(&line);
	end(&st);
}

/* --- counters ------------------------------------------------------------------------------------- */

static void ends_are_counted_by_outcome(void **state)
{
	struct stage st;
	struct ended_job job[] = {ended_as(0),
				  ended_as(1),
				  ended_as(0),
				  ended_as(0),
				  ended_as(0),
				  ended_as(271),
				  ended_as(STATUS_DEPEND_FAILED)};

	(void)state;
	begin(&st, false);
	job[2].at_limit = true;
	job[3].lost = true;
	job[4].record.job.state = JOB_IDLE; /* cancelled while it waited */
	job[5].record.job.flags = JOB_CANCELLED;
	job[6].record.job.state = JOB_IDLE;
	for (size_t i = 0; i < sizeof job / sizeof job[0]; i++)
		log_step(&st, NULL, &job[i]);
	for (int o = 0; o < OUTCOME_COUNT; o++)
		assert_int_equal(take_figures(&st).ended[o], o == OUTCOME_CANCELLED ? 2 : 1);
	end(&st);
}

static void the_descriptor_is_readable_when_counters_have_changed(void **state)
{
	struct stage st;
	struct ended_job ended = ended_as(0);
	struct pollfd fd;

	(void)state;
	begin(&st, false);
	fd = (struct pollfd){.fd = event_log_fd(st.c), .events = POLLIN};
	assert_int_equal(poll(&fd, 1, 0), 0);
	log_step(&st, NULL, &ended);
	assert_int_equal(poll(&fd, 1, 0), 1);
	take_figures(&st);
	assert_int_equal(poll(&fd, 1, 0), 0);
	end(&st);
}

static void expect_line(const struct str *text, const char *line)
{
	if (strstr(str_text(text), line) == NULL)
		fail_msg("'%s' is not in\n%s", line, str_text(text));
}

static void counters_are_printed_in_prometheus_format(void **state)
{
	struct stage st;
	struct event ev = {.kind = EVENT_START};
	struct figures figures;
	struct str text = {0};

	(void)state;
	begin(&st, false);
	scene_hold(st.sc, scene_submit(st.sc, 1, 60), JOB_HOLD_USER);
	ev.job = scene_submit(st.sc, 3, 60);
	scene_go(st.sc, 12);
	scene_start(st.sc, ev.job, 0, 1, 3);
	log_step(&st, &ev, NULL);
	figures = take_figures(&st);
	metrics_print(scene_view(st.sc), &figures, &text);
	expect_line(&text, "# TYPE kahu_jobs gauge\nkahu_jobs{state=\"running\"} 1\n");
	expect_line(&text, "\nkahu_jobs{state=\"held\"} 1\n");
	expect_line(&text, "\nkahu_jobs{state=\"waiting\"} 0\n");
	expect_line(&text, "\nkahu_procs 8\n");
	expect_line(&text, "\nkahu_procs_busy 3\n");
	expect_line(&text, "\nkahu_jobs_started_total 1\n");
	expect_line(&text, "\nkahu_queue_wait_seconds_sum 12\nkahu_queue_wait_seconds_count 1\n");
	expect_line(&text, "\nkahu_pass_seconds_sum 1.5\nkahu_pass_seconds_count 3\n");
	expect_line(&text, "\nkahu_jobs_ended_total{outcome=\"lost\"} 0\n");
	assert_int_equal(text.data[text.len - 1], '\n');
	str_free(&text);
	end(&st);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(submit_start_and_end_of_a_job_have_a_line_each),
		cmocka_unit_test(lines_for_the_system_journal_have_levels),
		cmocka_unit_test(a_refused_start_is_logged_with_its_reason),
		cmocka_unit_test(special_characters_in_names_are_replaced),
		cmocka_unit_test(events_of_jobs_that_left_the_queue_are_counted),
		cmocka_unit_test(empty_fields_are_omitted),
		cmocka_unit_test(without_a_log_counters_work_and_without_descriptors_there_is_an_error),
		cmocka_unit_test(a_full_log_pipe_does_not_block),
		cmocka_unit_test(a_step_with_many_lines_loses_none),
		cmocka_unit_test(ends_are_counted_by_outcome),
		cmocka_unit_test(the_descriptor_is_readable_when_counters_have_changed),
		cmocka_unit_test(counters_are_printed_in_prometheus_format),
	};

	return cmocka_run_group_tests_name("event_log", tests, NULL, NULL);
}
