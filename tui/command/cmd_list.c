/* SPDX-License-Identifier: MIT */
/*
 * cmd_list.c - the command table
 */
#include <string.h>

#include "cmd.h"
#include "verbs.h"

const struct cmd *const cmd_all[] = {
	/* start a session */
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
	/* what happened */
	&cmd_sched,
	&cmd_reload,
	&cmd_history,
	&cmd_journal,
	&cmd_undo,
	&cmd_keep,
	&cmd_verify,
	&cmd_backup,
	&cmd_restore,
	/* the screen */
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
	/* the program */
	&cmd_diagnose,
	&cmd_help,
	&cmd_version,
};

const size_t cmd_all_count = sizeof cmd_all / sizeof cmd_all[0];

/* True if name is one of the words of list. */
static bool has_word(const char *list, const char *name)
{
	size_t len = strlen(name);
	const char *at = list;

	while (at && len > 0) {
		if (strncmp(at, name, len) == 0 && (at[len] == ' ' || at[len] == '\0'))
			return true;
		at = strchr(at, ' ');
		if (at)
			at++;
	}
	return false;
}

const struct cmd *cmd_find(const char *name, struct err *err)
{
	const char *names[128];
	size_t count = 0;
	const char *near;

	for (size_t i = 0; i < cmd_all_count; i++) {
		if (strcmp(cmd_all[i]->name, name) == 0 || has_word(cmd_all[i]->alias, name))
			return cmd_all[i];
		if (count < sizeof names / sizeof names[0])
			names[count++] = cmd_all[i]->name;
	}
	near = str_nearest(name, names, count);
	if (near)
		err_set(err, "there is no verb '%s'; did you mean '%s'? 'kahu help' lists all", name, near);
	else
		err_set(err, "there is no verb '%s'; 'kahu help' lists all", name);
	return NULL;
}
