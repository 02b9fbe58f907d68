/* SPDX-License-Identifier: MIT */
/*
 * replay_past.h - from where to where is a journal run again, and with which state does that begin?
 */
#ifndef COMMAND_REPLAY_PAST_H
#define COMMAND_REPLAY_PAST_H

#include "sched/host/rerun.h"
#include "tui/command/cmd.h"

struct store;

/* Zero but for env before it is opened. */
struct replay_past {
	struct cmd_env *env; /* options and the sentence */
	struct store *store;
	struct state *from; /* as it was before the first entry at or after record.from_s */
	struct rerun_record record;
};

/*
 * The store of --store from --since to --until, or to its last entry. REFUSED: it cannot be read, what is
 * asked for is no longer kept, or nothing happened then. Release with replay_past_close, whatever comes back.
 */
enum cmd_status replay_past_open(struct replay_past *past);
void replay_past_close(struct replay_past *past);

/* Runs it once more; NULL: env->err says why, and *status whose fault it is. Release with rerun_free. */
struct rerun *replay_past_run(struct replay_past *past, const struct rerun_setup *setup,
			      enum cmd_status *status);

#endif
