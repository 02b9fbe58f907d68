/* SPDX-License-Identifier: MIT */
/*
 * test_local_order.c - does every order reach the shepherd of a job, and no flood of them anybody else?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sys/prctl.h>
#include <sys/resource.h>

#include "local_stage.h"

#define FLOOD 2000

static struct local_job *running(const struct stage *st)
{
	return &((struct local *)st->rm.self)->job[0];
}

static bool send_one(struct stage *st, int number)
{
	return st->rm.ops->signal(st->rm.self, scene_job_of(st->sc, (uint64_t)st->job), number,
				  (int64_t)time(NULL), &err);
}

/* It counts the signals that arrive; those that arrive together are one. */
static void start_counting(struct stage *st)
{
	struct launch launch =
		launch_script("trap 'echo usr >>usr' USR1\ntrap 'echo done >>usr; exit 5' USR2\n"
			      "sleep 1000 & echo >>ready\nwhile :; do wait; done\n");

	begin(st, "");
	assert_true(start_job(st, &launch, 1, 60));
	WAIT_UNTIL(access(in_home("ready"), F_OK) == 0);
}

static bool all_are_sent(struct stage *st)
{
	poll_now(st);
	return running(st)->requested.count == 0;
}

static void of_many_signals_some_are_sent_and_the_last_of_each_number_is(void **state)
{
	struct stage st;
	unsigned lines = 0;

	(void)state;
	start_counting(&st);
	for (int i = 0; i < FLOOD; i++)
		assert_true(send_one(&st, SIGUSR1));
	assert_true(send_one(&st, SIGUSR2));
	assert_in_range(running(&st)->requested.count, 1, 2);
	WAIT_UNTIL(all_are_sent(&st));
	WAIT_UNTIL(has_ended(&st));
	assert_int_equal(st.end.end.status, 5);
	for (const char *at = text_of(in_home("usr")); (at = strchr(at, '\n')) != NULL; at++)
		lines++;
	assert_in_range(lines, 2, FLOOD / 2);
	end(&st);
}

static bool is_suspended(const struct stage *st)
{
	const struct local *l = st->rm.self;

	return spool_read(l->folder, (uint64_t)st->job, 1, &spool, NULL) && spool.usage.suspended;
}

/* The kernel keeps no more signals for the shepherd's user. */
static void orders_arrive_though_no_signal_can_be_queued(void **state)
{
	const struct rlimit none = {0, 0};
	struct stage st;

	(void)state;
	start_counting(&st);
	assert_int_equal(prlimit(running(&st)->pid, RLIMIT_SIGPENDING, &none, NULL), 0);
	assert_true(send_one(&st, SIGUSR2)); /* without its number it would mean nothing: it waits */
	assert_int_equal(running(&st)->requested.count, 1);
	assert_true(st.rm.ops->suspend(st.rm.self, scene_job_of(st.sc, (uint64_t)st.job), true, &err));
	WAIT_UNTIL(is_suspended(&st));
	cancel_job(&st);
	WAIT_UNTIL(has_ended(&st));
	assert_int_equal(st.end.end.status, 256 + SIGTERM);
	end(&st);
}

static void apply_to_job(struct stage *st, struct event ev)
{
	ev.job = (uint64_t)st->job;
	scene_apply(st->sc, &ev);
}

/* A job that catches TERM is suspended, perhaps with its processors released, and then stopped; its status.
 */
static int status_when_stopped(uint8_t how, enum event_kind stop)
{
	struct launch launch =
		launch_script("trap 'exit 7' TERM\necho >>ready\nwhile :; do sleep 0.01; done\n");
	struct stage st;
	int status;

	begin(&st, "jobgrace = \"0:01:00\"\n");
	assert_true(start_job(&st, &launch, 1, 60));
	WAIT_UNTIL(access(in_home("ready"), F_OK) == 0);
	apply_to_job(&st, (struct event){.kind = EVENT_SUSPEND, .suspend = {.on = true, .how = how}});
	assert_true(st.rm.ops->suspend(st.rm.self, scene_job_of(st.sc, (uint64_t)st.job), true, &err));
	WAIT_UNTIL(is_suspended(&st));
	apply_to_job(&st, (struct event){.kind = stop});
	cancel_job(&st);
	WAIT_UNTIL(has_ended(&st));
	status = st.end.end.status;
	end(&st);
	return status;
}

static void a_cancelled_job_that_kept_its_processors_has_its_grace(void **state)
{
	(void)state;
	assert_int_equal(status_when_stopped(SUSPEND_KEEP, EVENT_CANCEL), 7);
}

static void a_cancelled_job_whose_processors_others_may_have_is_killed_at_once(void **state)
{
	(void)state;
	assert_int_equal(status_when_stopped(SUSPEND_RELEASE, EVENT_CANCEL), 256 + SIGKILL);
}

static void a_requeued_job_whose_processors_others_may_have_is_killed_at_once(void **state)
{
	(void)state;
	assert_int_equal(status_when_stopped(SUSPEND_RELEASE, EVENT_REQUEUE), 256 + SIGKILL);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		ON_A_HOST(of_many_signals_some_are_sent_and_the_last_of_each_number_is),
		ON_A_HOST(orders_arrive_though_no_signal_can_be_queued),
		ON_A_HOST(a_cancelled_job_that_kept_its_processors_has_its_grace),
		ON_A_HOST(a_cancelled_job_whose_processors_others_may_have_is_killed_at_once),
		ON_A_HOST(a_requeued_job_whose_processors_others_may_have_is_killed_at_once),
	};

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	return run_shepherd_tests("local_order", tests, sizeof tests / sizeof tests[0]);
}
