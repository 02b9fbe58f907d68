/* SPDX-License-Identifier: MIT */
/*
 * test_at.c - which moment do people mean?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "sched/rm/wallclock.h"
#include "sched/state/state.h"
#include "tui/command/at.h"

#define T0  INT64_C(1774368000) /* 2026-03-24 16:00:00 UTC */
#define NOW (T0 + 3 * 86400 + 1800)

static struct store *store;

/* Two entries: a day apart. */
static int make_store(void **state)
{
	struct state *st = state_new();
	struct event ev[2] = {{.kind = EVENT_SIM, .time_s = T0, .who = "sched"},
			      {.kind = EVENT_SIM, .time_s = T0 + 86400, .who = "sched"}};
	struct ledger_step step = {.event = ev, .event_count = 2};
	struct ledger ledger;
	bool good = true;

	(void)state;
	store = store_open(NULL, STORE_TEMP, NULL);
	ledger = store_ledger(store);
	for (int i = 0; i < 2; i++)
		good = event_apply(st, &ev[i], NULL) && good;
	step.after = state_view(st);
	good = good && ledger.ops->commit(ledger.self, &step, NULL);
	state_free(st);
	return good ? 0 : -1;
}

static int drop_store(void **state)
{
	(void)state;
	store_close(store);
	return 0;
}

static void a_moment_is_understood(void **state)
{
	static const struct {
		const char *text;
		int64_t time_s;
		uint64_t seq;
	} row[] = {
		{"1", T0, 1},
		{"2", T0 + 86400, 2},
		{"2026-03-24T16:00", T0, 1},
		{"2026-03-25T15:59:59", T0 + 86399, 1},
		{"2026-03-25T16:00:00", T0 + 86400, 2},
		{"-0", NOW, 2},
		{"-3d", NOW - 3 * 86400, 1},
		{"-48:30:00", T0 + 86400, 2},
		{"16:30", NOW, 2},                /* this second                  */
		{"16:29:59", NOW - 1, 2},         /* today                        */
		{"16:30:01", NOW + 1 - 86400, 2}, /* was yesterday the last time */
		{"00:00", NOW - 16 * 3600 - 1800, 2},
	};

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
		struct store_moment m;
		struct err err;

		if (!at_moment(store, row[i].text, NOW, &m, &err))
			fail_msg("%s: %s", row[i].text, err.text);
		assert_int_equal(m.time_s, row[i].time_s);
		assert_int_equal(m.seq, row[i].seq);
	}
}

static void what_is_none_is_refused_with_a_sentence(void **state)
{
	static const struct {
		const char *text, *says;
	} row[] = {
		{"", "is no moment"},
		{"soon", "is no moment"},
		{"+1h", "still to come"},
		{"+x", "is no moment"},
		{"2026-03-28T00:00", "still to come"},
		{"-x", "x"},
		{"-4d", "is before the journal begins"},
		{"2020-01-01T00:00", "is before the journal begins (entry 1, 2026-03-24T16:00:00"},
		{"0", "entries of the journal are numbered from 1, got '0'"},
		{"3", "entry 3 has not been written yet"},
		{"99999999999999999999", "is no moment"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
		struct store_moment m;
		struct err err = {""};

		assert_false(at_moment(store, row[i].text, NOW, &m, &err));
		if (!strstr(err.text, row[i].says))
			fail_msg("%s: \"%s\" does not say \"%s\"", row[i].text, err.text, row[i].says);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_moment_is_understood),
		cmocka_unit_test(what_is_none_is_refused_with_a_sentence),
	};

	setenv("TZ", "UTC", 1);
	return cmocka_run_group_tests(tests, make_store, drop_store);
}
