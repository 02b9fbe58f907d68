/* SPDX-License-Identifier: MIT */
/*
 * console_session.h - a small running scheduler for tests of the console
 *
 * Eight nodes of four processors and a few days of generated jobs, without a store. Time advances only on
 * request; tests wait for the descriptors of the console, never for a fixed time.
 */
#ifndef TESTS_CONSOLE_SESSION_H
#define TESTS_CONSOLE_SESSION_H

#include <string.h>

#include "sched/base/str.h"
#include "sched/host/arrivals.h"
#include "sched/host/driver.h"
#include "sched/host/host.h"
#include "tui/console/console.h"
#include "tui/serve/session.h"

#define SESSION_BEGIN_S INT64_C(1767600000)

static const char session_conf[] = "queuetimeweight = 2\n"
				   "xfactorweight = 100\n"
				   "procweight = 1\n"
				   "reservationdepth = 2\n";

static inline struct driver *session_driver(uint64_t seed, int64_t warm_up_s)
{
	struct fake_cluster cluster = {.nodes = 8, .node_procs = 4};
	struct sim_origin origin = {
		.seed = seed, .next_index = 1, .load_pct = 150, .last_s = SESSION_BEGIN_S, .active = 1};
	struct event ev[] = {
		{.time_s = SESSION_BEGIN_S,
		 .kind = EVENT_CONFIG,
		 .who = "ops",
		 .config = {.file = "kahu.conf", .text = session_conf}},
		{.time_s = SESSION_BEGIN_S, .kind = EVENT_SIM, .who = "sched", .sim = origin},
	};
	struct driver *d = driver_new(fake_from_workload(&cluster, &origin), (struct ledger){0}, NULL);

	assert_non_null(d);
	assert_int_equal(driver_post(d, ev, 2, NULL), DRIVER_DONE);
	while (driver_next_s(d) <= SESSION_BEGIN_S + warm_up_s)
		assert_true(driver_step(d, driver_next_s(d), NULL));
	return d;
}

static inline struct session session_begin(uint64_t seed)
{
	struct host_setup setup = {.driver = session_driver(seed, 200000),
				   .start_s = SESSION_BEGIN_S + 200000};
	struct session s = {.simulated = true, .color = true, .who = "ops"};

	s.host = host_start(&setup, NULL);
	assert_non_null(s.host);
	s.source = source_of_host(s.host);
	return s;
}

static inline void session_end(struct session *s)
{
	host_stop(s->host);
}

/* Waits until no request or search is pending. */
static inline void settle(struct console *c)
{
	assert_true(console_rest(c, 3000000));
}

static inline void press(struct console *c, const char *keys)
{
	struct key key;

	for (keys += strspn(keys, " "); *keys; keys += strspn(keys, " ")) {
		assert_true(key_read(&keys, &key, NULL));
		console_key(c, key);
		settle(c);
	}
}

/* The screen as text; free it with str_free. */
static inline struct str screen_text(struct console *c)
{
	struct str text = {0};

	canvas_dump(console_draw(c), &text);
	return text;
}

static inline bool screen_has(struct console *c, const char *what)
{
	struct str text = screen_text(c);
	bool found = strstr(str_text(&text), what) != NULL;

	if (!found)
		print_message("looked for \"%s\" in\n%s\n", what, str_text(&text));
	str_free(&text);
	return found;
}

static inline bool screen_lacks(struct console *c, const char *what)
{
	struct str text = screen_text(c);
	bool found = strstr(str_text(&text), what) != NULL;

	str_free(&text);
	return !found;
}

#endif
