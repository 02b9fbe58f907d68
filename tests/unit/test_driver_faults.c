/* SPDX-License-Identifier: MIT */
/*
 * test_driver_faults.c - unit tests of a driver with a failing store or manager
 *
 * Each run repeats the same events of a small cluster; in run N, commit (load, recall) number N fails, until
 * a run has fewer of them. Every failure is reported, the driver's state does not stay ahead of the store,
 * and no job is started twice.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "driven.h"
#include "sched/host/driver_inside.h"

/* --- calls that fail ------------------------------------------------------------------------------ */

enum kind {
	COMMIT,
	LOAD,
	RECALL
};

static struct faulty {
	struct ledger inner;
	enum kind kind;
	unsigned countdown; /* calls of that kind until one fails; 0 = none fails */
	unsigned times;     /* number of calls that fail */
	bool has_failed;
} faulty;

static bool fails(enum kind kind, struct err *err)
{
	if (kind != faulty.kind || faulty.countdown == 0)
		return false;
	if (faulty.countdown > 1) {
		faulty.countdown--;
		return false;
	}
	if (--faulty.times == 0)
		faulty.countdown = 0;
	faulty.has_failed = true;
	return !err_set(err, "the disk is full");
}

static bool faulty_load(void *self, struct state *st, struct err *err)
{
	return !fails(LOAD, err) && faulty.inner.ops->load(self, st, err);
}

static bool faulty_commit(void *self, const struct ledger_step *step, struct err *err)
{
	return !fails(COMMIT, err) && faulty.inner.ops->commit(self, step, err);
}

static bool faulty_launch(void *self, uint64_t id, struct str *out, struct err *err)
{
	return faulty.inner.ops->launch(self, id, out, err);
}

static bool faulty_recall(void *self, const struct cookie *cookie, bool *known, struct str *out,
			  struct err *err)
{
	return !fails(RECALL, err) && faulty.inner.ops->recall(self, cookie, known, out, err);
}

static struct ledger faulty_ledger(struct ledger inner)
{
	static const struct ledger_ops ops = {.load = faulty_load,
					      .commit = faulty_commit,
					      .launch = faulty_launch,
					      .recall = faulty_recall};

	faulty.inner = inner;
	return (struct ledger){.ops = &ops, .self = inner.self};
}

/* --- the events of a run -------------------------------------------------------------------------- */

static struct err err;

/* False, with an error, if the driver has failed and cannot continue. */
static bool post(struct driver *d, struct event ev)
{
	enum driver_outcome outcome;

	err.text[0] = '\0';
	ev.who = "ann";
	outcome = driver_post(d, &ev, 1, &err);
	if (outcome != DRIVER_DONE && err.text[0] == '\0')
		fail_msg("a request was refused without a word");
	return outcome != DRIVER_FAILED;
}

static bool step(struct driver *d, int64_t now_s)
{
	err.text[0] = '\0';
	if (driver_step(d, now_s, &err))
		return true;
	if (err.text[0] == '\0')
		fail_msg("a step failed without a word");
	return false;
}

static struct event setting_of(const char *name, const char *value)
{
	return (struct event){.kind = EVENT_SETTING, .setting = {name, value}};
}

static struct event suspend_of(bool on)
{
	return (struct event){.kind = EVENT_SUSPEND, .job = 1, .suspend = {.on = on}};
}

static struct event signal_of(uint64_t job)
{
	return (struct event){.kind = EVENT_SIGNAL, .job = job, .signal = {.number = 10}};
}

/* Undoes the last change. */
static struct event undo_of(const struct driver *d)
{
	const struct snapshot *s = driver_view(d);
	uint32_t count = snapshot_count(s, TABLE_CHANGES);

	return (struct event){.kind = EVENT_UNDO,
			      .undo.seq = count > 0 ? snapshot_changes(s)[count - 1].seq : 0};
}

/* An answer can be recalled if and only if its request was committed. */
static bool check_recall(struct driver *d)
{
	struct cookie cookie = {.uid = 7};
	struct event ev = hold_of(2, true);
	struct str answer = {0};
	enum driver_outcome outcome = driver_accept(d, &ev, 1, &err);
	bool known = false, good;

	if (outcome == DRIVER_DONE) {
		driver_remember(d, &cookie, "yes", 4);
		outcome = driver_settle(d, driver_view(d)->now_s, &err);
	}
	if (outcome == DRIVER_FAILED)
		return false;
	err.text[0] = '\0';
	good = driver_recall(d, &cookie, &known, &answer, &err);
	if (good)
		assert_true(known == (outcome == DRIVER_DONE));
	else
		assert_string_not_equal(err.text, "");
	str_free(&answer);
	return true;
}

static bool run_events(struct driver *d)
{
	static const char *const hosts[] = {"devices", "systemprocs", "systemmemory", "rmpollinterval"};

	for (size_t i = 0; i < sizeof hosts / sizeof hosts[0]; i++)
		if (!post(d, setting_of(hosts[i], i == 0 ? "none" : "30")))
			return false;
	if (!step(d, 10) || !post(d, suspend_of(true)) || !post(d, suspend_of(false)) ||
	    !post(d, suspend_of(true)) || !post(d, undo_of(d)) || !post(d, signal_of(1)) || !step(d, 20) ||
	    !check_recall(d) || !post(d, hold_of(2, false)) || !post(d, undo_of(d)))
		return false;
	return post(d, (struct event){.kind = EVENT_REQUEUE, .job = 1}) && step(d, 60) && step(d, 200);
}

/* --- trials --------------------------------------------------------------------------------------- */

static unsigned count_of(const struct str *text, const char *word)
{
	unsigned count = 0;

	for (const char *at = str_text(text); (at = strstr(at, word)) != NULL; at++)
		count++;
	return count;
}

/* Without faults, the next driver loads the stored state. */
static void expect_reload(struct driven *s)
{
	s->manager.next = s->manager.again = NULL;
	s->driver = driver_new(manager_rm(&s->manager), memory_ledger(&s->ledger), &err);
	if (s->driver == NULL)
		fail_msg("%s", err.text);
	for (int64_t now_s = 300; now_s <= 400; now_s += 100)
		if (!driver_step(s->driver, now_s, &err))
			fail_msg("%s", err.text);
	assert_as_stored(s);
}

/* What the manager refuses in addition. */
enum refusal {
	NOTHING,
	CANCEL, /* also suspend and signal */
	START,
	ADOPT /* a second time, after the store has failed */
};

static const struct reported endless_jobs[] = {
	{10, EVENT_SUBMIT, 1, "u1", 4, 100},
	{20, EVENT_SUBMIT, 2, "u2", 4, 100},
	{0},
};

/* False if the run made fewer calls. */
static bool run_trial(enum kind kind, unsigned number, unsigned times, enum refusal refusal)
{
	const struct reported *list = refusal == START ? endless_jobs : two_jobs;
	struct driven s;
	bool again, good;

	driven_begin_reloadable(&s, list);
	driver_free(s.driver);
	s.manager = (struct manager){.next = list, .again = list, .nodes = 1};
	s.manager.refuse_cancel = refusal == CANCEL;
	s.manager.short_of_memory = refusal == START;
	faulty = (struct faulty){.kind = kind, .countdown = number, .times = times};
	s.driver = driver_new(manager_rm(&s.manager), faulty_ledger(memory_ledger(&s.ledger)), &err);
	s.manager.next = list;
	s.manager.refuse_adopt = refusal == ADOPT;
	good = s.driver != NULL && run_events(s.driver);
	if (good && !driver_is_stalled(s.driver, 200))
		assert_as_stored(&s);
	if (!good)
		assert_string_not_equal(err.text, "");
	if (!good && !faulty.has_failed)
		fail_msg("without a fault: %s", err.text);
	again = faulty.has_failed;
	if (s.driver != NULL)
		driver_free(s.driver);
	faulty.countdown = 0;
	s.manager.refuse_adopt = false;
	assert_in_range(count_of(&s.manager.commands, "start 2 "), 0, 1);
	expect_reload(&s);
	s.manager.closed = 0;
	driven_end(&s);
	return again;
}

static void fail_calls(enum kind kind, unsigned times, enum refusal refusal, unsigned at_least)
{
	unsigned number = 1;

	while (run_trial(kind, number, times, refusal))
		number++;
	assert_in_range(number, at_least, 1000);
}

static void the_driver_survives_a_failure_of_any_commit(void **state)
{
	(void)state;
	for (int refusal = NOTHING; refusal <= ADOPT; refusal++) {
		fail_calls(COMMIT, 1, (enum refusal)refusal, 10);
		fail_calls(COMMIT, 3, (enum refusal)refusal, 10);
	}
}

static void the_driver_survives_a_failure_of_any_load_or_recall(void **state)
{
	(void)state;
	fail_calls(LOAD, 1, NOTHING, 2);
	fail_calls(RECALL, 1, NOTHING, 1);
}

/* --- invalid nodes -------------------------------------------------------------------------------- */

static bool reports_invalid;

static void report_nodes(void *self, const struct snapshot *s, rm_report *report, void *to)
{
	struct event nameless = {.kind = EVENT_NODE, .who = "sched", .node = {.name = "", .procs = 4}};

	if (reports_invalid)
		report(to, &nameless);
	else
		manager_nodes(self, s, report, to);
}

static void an_invalid_node_is_reported(void **state)
{
	struct manager manager = {.next = two_jobs, .nodes = 1};
	struct rm rm = manager_rm(&manager);
	struct rm_ops ops = *rm.ops;
	struct event ev = setting_of("devices", "none");
	struct memory_ledger ledger;
	struct driver *d;

	(void)state;
	ops.nodes = report_nodes;
	rm.ops = &ops;
	memory_begin(&ledger);
	reports_invalid = true;
	err.text[0] = '\0';
	assert_null(driver_new(rm, memory_ledger(&ledger), &err));
	assert_string_not_equal(err.text, "");
	reports_invalid = false;
	d = driver_new(rm, memory_ledger(&ledger), &err);
	assert_non_null(d);
	reports_invalid = true;
	ev.who = "ann";
	err.text[0] = '\0';
	assert_int_equal(driver_post(d, &ev, 1, &err), DRIVER_FAILED);
	assert_string_not_equal(err.text, "");
	driver_free(d);
	memory_end(&ledger);
	str_free(&manager.commands);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_driver_survives_a_failure_of_any_commit),
		cmocka_unit_test(the_driver_survives_a_failure_of_any_load_or_recall),
		cmocka_unit_test(an_invalid_node_is_reported),
	};

	return cmocka_run_group_tests_name("driver_faults", tests, NULL, NULL);
}
