/* SPDX-License-Identifier: MIT */
/*
 * cmd_doctor.c - kahu doctor: what this host offers and lacks
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cmd.h"
#include "doctor.h"
#include "sched/base/vec.h"
#include "sched/rm/facts_users.h"
#include "sched/rm/spool.h"
#include "tui/command/site_shepherd.h"
#include "tui/serve/caller.h"
#include "tui/serve/session.h"
#include "tui/serve/shell.h"

struct pids {
	int64_t *item;
	size_t count, room;
};

/* The shepherd of a spool file; a number that is another's by now does no harm here. */
static void add_shepherd(struct pids *pids, int folder, const char *name)
{
	struct spool spool;
	char *end;
	uint64_t job = strtoull(name, &end, 10);
	uint64_t attempt = *end == '.' ? strtoull(end + 1, &end, 10) : 0;

	if (*end != '\0' || job == 0 || attempt == 0 || attempt > UINT32_MAX ||
	    !spool_read(folder, job, (uint32_t)attempt, &spool, NULL) || !spool.has_begun || spool.has_ended)
		return;
	pids->item = vec_room(pids->item, &pids->room, pids->count + 1, sizeof *pids->item);
	pids->item[pids->count++] = spool.begun.pid;
}

static void find_shepherds(const char *store, struct pids *pids)
{
	char path[SITE_PATH + 8];
	DIR *folder;

	snprintf(path, sizeof path, "%s/spool", store);
	folder = opendir(path);
	for (struct dirent *e = folder ? readdir(folder) : NULL; e != NULL; e = readdir(folder))
		add_shepherd(pids, dirfd(folder), e->d_name);
	if (folder != NULL)
		closedir(folder);
}

/* Who may submit here: whoever logs in where root's scheduler runs, else its user alone. */
static uint32_t count_people(void)
{
	struct host_users users;

	if (geteuid() != 0)
		return 1;
	facts_find_users("/", &users);
	return users.users;
}

static bool examine(struct cmd_env *env, struct findings *f)
{
	char asked[SITE_PATH], store[SITE_PATH], socket[SITE_PATH], config[SITE_PATH], shepherd[SITE_PATH];
	struct pids pids = {.item = NULL};
	bool served;

	if (!caller_place(env->shell->store, asked, sizeof asked, &env->err) ||
	    !session_store_dir(env->shell->store, store, sizeof store, &env->err) ||
	    !session_socket_dir(env->shell->store, socket, sizeof socket, &env->err) ||
	    !session_config_file(env->shell->config, config, sizeof config, &env->err))
		return false;
	served = doctor_served(f, asked);
	site_find_shepherd(shepherd);
	find_shepherds(store, &pids);
	doctor_hardware(f, "/", config);
	doctor_system(f);
	doctor_pam(f, config);
	doctor_shepherd(f, shepherd);
	doctor_config(f, config);
	doctor_memory(f, config, count_people());
	doctor_store(f, store);
	doctor_last_good(f, store, (int64_t)time(NULL));
	if (!served || strcmp(asked, socket) != 0)
		doctor_socket(f, socket);
	if (!served)
		doctor_scheduler(f, store, socket);
	doctor_others(f, "/", pids.item, pids.count);
	doctor_terminal(f, env->ascii);
	free(pids.item);
	return true;
}

static enum cmd_status run_doctor(struct cmd_env *env, int argc, char **argv)
{
	struct findings f = {.item = NULL};
	enum cmd_status status = CMD_REFUSED;

	(void)argc;
	(void)argv;
	if (examine(env, &f)) {
		if (env->json)
			findings_print_json(&f, env->out);
		else
			findings_print(&f, env->ascii, env->out);
		status = findings_worst(&f) < HEALTH_FAIL ? CMD_DONE : CMD_REFUSED;
		if (status == CMD_REFUSED)
			err_set(&env->err, "%zu of these must be mended before jobs can run here",
				findings_count(&f, HEALTH_FAIL));
	}
	findings_free(&f);
	return status;
}

const struct cmd cmd_doctor = {
	.name = "doctor",
	.args = "",
	.help = "What this host offers a scheduler, what it lacks, and what to do about it; changes nothing.",
	.flags = CMD_SHELL,
	.run = run_doctor,
};
