/* SPDX-License-Identifier: MIT */
/*
 * doctor_slurm.c - kahu doctor: what can be read of Slurm, and what has no equivalent here
 */
#include <inttypes.h>
#include <poll.h>
#include <time.h>

#include "cmd_doctor.h"
#include "sched/rm/monotonic.h"
#include "sched/rm/slurm_query.h"
#include "sched/trace/slurm_compare.h"

/* Waits for the answers of Slurm's commands. */
static bool ask_slurm(struct slurm_query *q, struct slurm_cluster *c, struct err *err)
{
	enum slurm_query_state state;
	int left_ms;

	slurm_query_begin(q);
	while ((state = slurm_query_turn(q, &left_ms)) == QUERY_RUNNING) {
		struct pollfd fd = {.fd = slurm_query_fd(q), .events = POLLIN};

		poll(&fd, 1, left_ms);
	}
	if (state == QUERY_FAILED)
		return err_set(err, "%s", slurm_query_fault(q));
	return slurm_query_read(q, c, err);
}

/* Receives the events of a comparison with an empty state. */
struct trial {
	struct state *st;
	uint32_t refused;
	struct err why; /* the first refusal */
};

static void take_report(void *self, const struct event *reported)
{
	struct trial *t = self;
	struct event ev = *reported;
	struct err why;

	if (state_view(t->st)->now_s != TIME_NONE && ev.time_s < state_view(t->st)->now_s)
		ev.time_s = state_view(t->st)->now_s;
	if (event_apply(t->st, &ev, &why))
		return;
	if (t->refused++ == 0)
		t->why = why;
}

/* Reports the parts of the Slurm cluster that have no equivalent here. */
static void report_mapping(struct findings *f, const struct slurm_cluster *c)
{
	struct trial t = {.st = state_new()};
	struct slurm_memory memory = {.polled_s = 0};

	slurm_compare(&memory, c, t.st, (int64_t)time(NULL), take_report, &t);
	memory.map.notes.count[NOTE_REFUSED] = t.refused;
	for (enum slurm_note n = 0; n < NOTE_COUNT; n++) {
		const char *why = n == NOTE_REFUSED     ? t.why.text
				  : n == NOTE_BAD_LINES ? c->bad.shown[0].why
							: "";

		if (memory.map.notes.count[n] > 0)
			findings_add(f, n < NOTE_REFUSED ? HEALTH_OK : HEALTH_WARN, "slurm, not mapped", NULL,
				     "%" PRIu32 " %s%s%s", memory.map.notes.count[n], slurm_note_text(n),
				     why[0] != '\0' ? ": " : "", why);
	}
	slurm_memory_free(&memory);
	state_free(t.st);
}

void doctor_slurm(struct findings *f, const char *path, const char *slurm_conf, int timeout_ms)
{
	const struct slurm_setup setup = {.path = path, .config = slurm_conf, .timeout_ms = timeout_ms};
	struct slurm_cluster c = {.node = NULL};
	struct err err = {{0}};
	struct slurm_query *q = slurm_query_new(&setup, &err);
	int64_t began_ms = monotonic_ms();

	if (q == NULL || !ask_slurm(q, &c, &err)) {
		findings_add(f, HEALTH_FAIL, "slurm", "the scheduler tries again at every poll", "%s",
			     err.text);
	} else {
		findings_add(f, HEALTH_OK, "slurm", NULL,
			     "%zu nodes, %zu partitions, %zu jobs and %zu reservations read in %" PRId64
			     " ms; nothing in Slurm is changed (mode = shadow)",
			     c.nodes, c.partitions, c.jobs, c.reservations, monotonic_ms() - began_ms);
		report_mapping(f, &c);
	}
	slurm_query_free(q);
	slurm_cluster_free(&c);
}
