/* SPDX-License-Identifier: MIT */
/* verbs.h - declarations of all verbs, with the file that defines them */
#ifndef COMMAND_VERBS_H
#define COMMAND_VERBS_H

struct cmd;

extern const struct cmd cmd_demo; /* cmd_demo.c */
extern const struct cmd cmd_suspend, cmd_resume, cmd_requeue, cmd_signal, cmd_hold, cmd_release, cmd_cancel,
	cmd_start, cmd_set, cmd_setspri, cmd_setqos;         /* cmd_job_control.c */
extern const struct cmd cmd_wait, cmd_notify;                /* cmd_wait.c */
extern const struct cmd cmd_run_here, cmd_srun;              /* cmd_run.c */
extern const struct cmd cmd_tail;                            /* cmd_tail.c */
extern const struct cmd cmd_resubmit;                        /* cmd_resubmit.c */
extern const struct cmd cmd_submit, cmd_sbatch;              /* cmd_submit.c */
extern const struct cmd cmd_init;                            /* cmd_init.c */
extern const struct cmd cmd_doctor;                          /* cmd_doctor.c */
extern const struct cmd cmd_serve, cmd_sched, cmd_reload;    /* cmd_serve.c */
extern const struct cmd cmd_replay;                          /* cmd_replay.c */
extern const struct cmd cmd_queue;                           /* cmd_queue.c */
extern const struct cmd cmd_job;                             /* cmd_job.c */
extern const struct cmd cmd_priority;                        /* cmd_priority.c */
extern const struct cmd cmd_why;                             /* cmd_why.c */
extern const struct cmd cmd_when;                            /* cmd_when.c */
extern const struct cmd cmd_reservations;                    /* cmd_reservations.c */
extern const struct cmd cmd_windows;                         /* cmd_windows.c */
extern const struct cmd cmd_fairshare;                       /* cmd_fairshare.c */
extern const struct cmd cmd_limits;                          /* cmd_limits.c */
extern const struct cmd cmd_node;                            /* cmd_node.c */
extern const struct cmd cmd_stats;                           /* cmd_stats.c */
extern const struct cmd cmd_whatif;                          /* cmd_whatif.c */
extern const struct cmd cmd_reserve, cmd_unreserve;          /* cmd_reserve.c */
extern const struct cmd cmd_config, cmd_tune;                /* cmd_config.c */
extern const struct cmd cmd_lint;                            /* cmd_lint.c */
extern const struct cmd cmd_import;                          /* cmd_import.c */
extern const struct cmd cmd_verify, cmd_backup, cmd_restore; /* cmd_backup.c */
extern const struct cmd cmd_history;                         /* cmd_history.c */
extern const struct cmd cmd_journal;                         /* cmd_journal.c */
extern const struct cmd cmd_undo, cmd_keep;                  /* cmd_undo.c */
extern const struct cmd cmd_screen, cmd_messages, cmd_console_at, cmd_filter, cmd_speed, cmd_theme, cmd_mouse,
	cmd_dump, cmd_apply, cmd_discard, cmd_detach, cmd_quit;               /* cmd_screen.c */
extern const struct cmd cmd_diagnose;                                         /* cmd_diagnose.c */
extern const struct cmd cmd_qstat, cmd_qdel, cmd_qhold, cmd_qrls, cmd_qalter; /* cmd_pbs.c */
extern const struct cmd cmd_squeue, cmd_scancel, cmd_sinfo, cmd_scontrol;     /* cmd_slurm.c */
extern const struct cmd cmd_help, cmd_version;                                /* cmd_help.c */

#endif
