/* SPDX-License-Identifier: MIT */
/*
 * cmd_list.c - the command table
 */
#include "cmd_list.h"

#include "verbs.h"

static const struct cmd *const cmd_all[] = {
	/* sessions and submissions */
	&cmd_demo,
	&cmd_replay,
	&cmd_init,
	&cmd_doctor,
	&cmd_serve,
	&cmd_submit,
	&cmd_resubmit,
	&cmd_run_here,
	/* reports */
	&cmd_queue,
	&cmd_job,
	&cmd_priority,
	&cmd_why,
	&cmd_when,
	&cmd_windows,
	&cmd_reservations,
	&cmd_fairshare,
	&cmd_limits,
	&cmd_node,
	&cmd_stats,
	/* act on jobs */
	&cmd_hold,
	&cmd_release,
	&cmd_start,
	&cmd_cancel,
	&cmd_suspend,
	&cmd_resume,
	&cmd_requeue,
	&cmd_signal,
	&cmd_wait,
	&cmd_notify,
	&cmd_tail,
	&cmd_set,
	&cmd_setspri,
	&cmd_setqos,
	/* advance reservations */
	&cmd_reserve,
	&cmd_unreserve,
	/* the policy */
	&cmd_tune,
	&cmd_whatif,
	&cmd_config,
	&cmd_lint,
	&cmd_import,
	/* scheduler, history and store */
	&cmd_sched,
	&cmd_reload,
	&cmd_history,
	&cmd_journal,
	&cmd_undo,
	&cmd_keep,
	&cmd_verify,
	&cmd_backup,
	&cmd_restore,
	/* the console */
	&cmd_screen,
	&cmd_messages,
	&cmd_console_at,
	&cmd_filter,
	&cmd_apply,
	&cmd_discard,
	&cmd_speed,
	&cmd_theme,
	&cmd_mouse,
	&cmd_dump,
	&cmd_detach,
	&cmd_quit,
	/* commands of PBS and Slurm */
	&cmd_qstat,
	&cmd_qdel,
	&cmd_qhold,
	&cmd_qrls,
	&cmd_qalter,
	&cmd_sbatch,
	&cmd_srun,
	&cmd_squeue,
	&cmd_scancel,
	&cmd_scontrol,
	&cmd_sinfo,
	/* reports as in Maui, and help */
	&cmd_diagnose,
	&cmd_help,
	&cmd_version,
};

const struct cmd_table cmd_verbs = {cmd_all, sizeof cmd_all / sizeof cmd_all[0]};
