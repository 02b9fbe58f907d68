/* SPDX-License-Identifier: MIT */
/*
 * steps.c - tasks of a command inside a job, as srun starts them
 */
#include "steps.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sched/base/str.h"
#include "sched/base/vec.h"

#define TASKS_MOST 4096

bool steps_in_job(void)
{
	return getenv("KAHU_JOBID") != NULL;
}

static int64_t tasks_of_job(void)
{
	const char *text = getenv("SLURM_NTASKS");
	int64_t tasks;

	return text != NULL && str_read_whole(text, &tasks) && tasks > 0 ? tasks : 1;
}

static void set_number(const char *name, int64_t number)
{
	char text[24];

	snprintf(text, sizeof text, "%" PRId64, number);
	setenv(name, text, 1);
}

static pid_t begin(char *const *command, int64_t task, int64_t tasks)
{
	pid_t pid = fork();

	if (pid != 0)
		return pid;
	set_number("SLURM_PROCID", task);
	set_number("SLURM_LOCALID", task);
	set_number("SLURM_NTASKS", tasks);
	set_number("SLURM_NPROCS", tasks);
	set_number("SLURM_STEP_NUM_TASKS", tasks);
	execvp(command[0], command);
	fprintf(stderr, "kahu: srun: %s: %s\n", command[0], strerror(errno));
	_exit(errno == ENOENT ? 127 : 126);
}

static uint8_t status_of(int status)
{
	return (uint8_t)(WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
}

uint8_t steps_run(char *const *command, int64_t tasks, struct err *err)
{
	uint8_t worst = 0;
	int64_t begun = 0;
	int status;

	if (tasks <= 0)
		tasks = tasks_of_job();
	if (tasks > TASKS_MOST) {
		err_set(err, "srun: at most %d tasks can be started, got %" PRId64, TASKS_MOST, tasks);
		return 127;
	}
	fflush(NULL);
	while (begun < tasks && begin(command, begun, tasks) > 0)
		begun++;
	if (begun < tasks) {
		err_set(err, "srun: task %" PRId64 " of %" PRId64 " could not be started: %s", begun, tasks,
			strerror(errno));
		worst = 127;
	}
	while (begun > 0 && (wait(&status) > 0 || errno == EINTR)) {
		begun--;
		if (status_of(status) > worst)
			worst = status_of(status);
	}
	return worst;
}
