/* SPDX-License-Identifier: MIT */
/*
 * prune_store.c - prunes the journal of a store up to its last checkpoint: prune_store DIR
 *
 * Commits changes of journalkeep, as a running scheduler would, until nothing more is removed. Prints the
 * first and the last entry that are left.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "sched/state/event.h"
#include "sched/state/state.h"
#include "store/store.h"

#define COMMITS 40 /* each removes some hundred entries */

static bool change_once(const struct ledger *ledger, struct state *st, struct err *err)
{
	struct event ev = {.kind = EVENT_SETTING, .who = "root", .time_s = state_view(st)->now_s};
	struct ledger_step step = {.event = &ev, .event_count = 1};

	ev.setting.name = "journalkeep";
	ev.setting.value = "0:00:01";
	if (!event_apply(st, &ev, err))
		return false;
	step.after = state_view(st);
	return ledger->ops->commit(ledger->self, &step, err);
}

int main(int argc, char **argv)
{
	struct err err = {""};
	struct store *s = argc == 2 ? store_open(argv[1], STORE_CHANGE, &err) : NULL;
	struct state *st = state_new();
	uint64_t first = 0, last = 0;
	struct ledger ledger;
	bool good = s != NULL;

	if (good) {
		ledger = store_ledger(s);
		store_prune(s, true);
		good = ledger.ops->load(ledger.self, st, &err);
	}
	for (int i = 0; i < COMMITS && good; i++)
		good = change_once(&ledger, st, &err);
	good = good && store_journal_range(s, &first, &last, &err);
	if (good)
		printf("%" PRIu64 " %" PRIu64 "\n", first, last);
	else
		fprintf(stderr, "prune_store: %s\n", err.text);
	state_free(st);
	store_close(s);
	return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
