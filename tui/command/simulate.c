/* SPDX-License-Identifier: MIT */
/*
 * simulate.c - sessions of simulated clusters
 */
#include "simulate.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "cmd_console.h"
#include "post.h"
#include "sched/base/arena.h"
#include "sched/base/vec.h"
#include "sched/host/arrivals.h"
#include "sched/host/driver.h"
#include "sched/host/host.h"
#include "store/store.h"
#include "tui/serve/session.h"
#include "tui/serve/shell.h"

#define SPEED 60

enum cmd_status simulate_start(struct session *session, const struct shell *shell, struct driver *driver,
			       int64_t start_s, int64_t speed, struct err *err)
{
	session->simulated = true;
	session->readonly = shell->readonly;
	session->ascii = shell->ascii;
	session->color = !shell->no_color;
	session->who = session_user();
	if (shell->script || shell->batch || shell->linear)
		speed = 0;
	return session_start(session, driver, start_s, (int)speed, err) ? CMD_DONE : CMD_FAILED;
}

enum cmd_status simulate_open_store(struct session *session, const char *dir, struct err *err)
{
	session->store = store_open(dir ? dir : "", dir ? STORE_CHANGE : STORE_TEMP, err);
	if (session->store)
		return CMD_DONE;
	return dir && store_holder(dir) > 0 ? CMD_REFUSED : CMD_FAILED;
}

static enum cmd_status post(struct driver *driver, struct event *ev, size_t count, struct err *err)
{
	return post_status(driver_post(driver, ev, count, err));
}

enum cmd_status simulate_configure(struct driver *driver, const char *file, const char *text,
				   const char *const *set_name, const char *const *set_value,
				   size_t set_count, struct err *err)
{
	struct event *ev = mem_zero(set_count + 1, sizeof *ev);
	enum cmd_status status = CMD_DONE;
	size_t count = 0;

	if (text)
		ev[count++] = (struct event){.kind = EVENT_CONFIG, .config = {.file = file, .text = text}};
	for (size_t i = 0; i < set_count; i++)
		ev[count++] = (struct event){.kind = EVENT_SETTING,
					     .setting = {.name = set_name[i], .value = set_value[i]}};
	for (size_t i = 0; i < count; i++) {
		ev[i].time_s = driver_view(driver)->now_s;
		ev[i].who = session_user();
	}
	if (count > 0)
		status = post(driver, ev, count, err);
	free(ev);
	return status;
}

/* --- an existing simulation --------------------------------------------------------------------------- */

/* Returns the nodes of a state as a simulated cluster. Its texts are copied to the arena. */
static struct fake_cluster cluster_of(const struct snapshot *s, struct arena *arena)
{
	uint32_t count = snapshot_count(s, TABLE_NODES);
	struct node_record *node = arena_take(arena, (count + 1) * sizeof *node);
	struct state_parts parts = {.run = NULL};

	for (uint32_t i = 0; i < count; i++) {
		state_node_record(s, i, &node[i], &parts);
		node[i].features = arena_string(arena, node[i].features);
		node[i].classes = arena_string(arena, node[i].classes);
		node[i].gres = arena_string(arena, node[i].gres);
	}
	state_parts_free(&parts);
	return (struct fake_cluster){.nodes = count, .node = node};
}

/*
 * Creates a simulated resource manager for the cluster and the workload in the store. Sets *empty if the
 * store has none. Returns false with err set on failure.
 */
static bool find_manager(struct session *session, struct rm *out, bool *empty, struct err *err)
{
	struct ledger ledger = store_ledger(session->store);
	struct state *st = state_new();
	struct arena arena = {0};
	bool ok = ledger.ops->load(ledger.self, st, err);

	*empty = ok && state_view(st)->seq == 0;
	if (ok && !*empty) {
		struct fake_cluster cluster = cluster_of(state_view(st), &arena);

		*out = fake_from_workload(&cluster, &state_view(st)->sim);
	}
	arena_free(&arena);
	state_free(st);
	return ok;
}

/* Returns true if the store has a spool. Then its jobs are real, and their ends must not be simulated. */
static bool is_real(const struct store *store)
{
	struct str spool = {0};
	struct stat st;
	bool real;

	str_addf(&spool, "%s/spool", store_dir(store));
	real = stat(str_text(&spool), &st) == 0;
	str_free(&spool);
	return real;
}

enum cmd_status simulate_load(struct session *session, struct driver **out, struct err *err)
{
	struct rm rm;
	bool empty;

	if (is_real(session->store)) {
		err_set(err, "the store %s contains real jobs of this host; use 'kahu serve' to run them",
			store_dir(session->store));
		return CMD_REFUSED;
	}

	if (!find_manager(session, &rm, &empty, err))
		return CMD_FAILED;
	if (empty) {
		err_set(err,
			"the store %s is empty; 'kahu demo --store %s' creates a simulated cluster in it",
			store_dir(session->store), store_dir(session->store));
		return CMD_REFUSED;
	}
	*out = driver_new(rm, store_ledger(session->store), err);
	return *out ? CMD_DONE : CMD_FAILED;
}

enum cmd_status simulate_resume(const struct shell *shell, struct session *session, struct err *err)
{
	struct driver *driver;
	enum cmd_status status;
	struct stat st;
	char dir[4096];

	if (!session_store_dir(shell->store, dir, sizeof dir, err))
		return CMD_REFUSED;
	if (stat(dir, &st) != 0 && errno == ENOENT) {
		err_set(err, "no store in %s; without one, only 'kahu demo' and 'kahu replay LOG' can run",
			dir);
		return CMD_REFUSED;
	}
	status = simulate_open_store(session, dir, err);
	if (status == CMD_DONE)
		status = simulate_load(session, &driver, err);
	if (status != CMD_DONE)
		return status;
	return simulate_start(session, shell, driver, 0, SPEED, err);
}

/* --- showing ------------------------------------------------------------------------------------------ */

static enum cmd_status print_queue(const struct shell *shell, struct session *session, struct err *err)
{
	static char queue[] = "queue";
	char *words[] = {queue, NULL};
	const struct shared_snapshot *shared = session->source.ops->hold(session->source.self);
	struct str out = {0};
	struct cmd_env env = {.verbs = shell->verbs,
			      .s = shared->s,
			      .now_s = shared->now_s,
			      .json = shell->json,
			      .ascii = shell->ascii,
			      .out = &out};
	enum cmd_status status = cmd_run(&env, 1, words);

	session->source.ops->release(session->source.self, shared);
	fputs(str_text(&out), stdout);
	str_free(&out);
	*err = env.err;
	return status;
}

enum cmd_status simulate_show(const struct shell *shell, struct session *session, struct err *err)
{
	if (shell->batch || shell->linear)
		return print_queue(shell, session, err);
	return (enum cmd_status)shell->console->run(session, shell->script, err);
}
