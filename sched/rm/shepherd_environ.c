/* SPDX-License-Identifier: MIT */
/*
 * shepherd_environ.c - what does the job find in its environment?
 *
 * Nothing is inherited. First come defaults, which the user's own settings may replace; then those
 * settings; last what says which job it is and what it was given, which nobody replaces.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"
#include "shepherd_inside.h"

#define NUMBER_ROOM 24

/* --- settings ---------------------------------------------------------------------------------- */

/* Both are "NAME=..." with the same name. */
static bool is_same_name(const char *a, const char *b)
{
	size_t len = strcspn(a, "=");

	return strncmp(a, b, len + 1) == 0;
}

/* Takes the text. */
static void put(struct settings *out, char *setting)
{
	size_t i = 0;

	while (i < out->count && !is_same_name(out->item[i], setting))
		i++;
	if (i < out->count) {
		free(out->item[i]);
	} else {
		out->item = vec_room(out->item, &out->cap, out->count + 2, sizeof *out->item);
		out->item[++out->count] = NULL;
	}
	out->item[i] = setting;
}

void environ_set(struct settings *out, const char *name, const char *value)
{
	size_t room = strlen(name) + strlen(value) + 2;
	char *setting = mem_alloc(room);

	snprintf(setting, room, "%s=%s", name, value);
	put(out, setting);
}

static void environ_drop(struct settings *out, const char *name)
{
	size_t len = strlen(name);

	for (size_t i = 0; i < out->count; i++)
		if (strncmp(out->item[i], name, len) == 0 && out->item[i][len] == '=') {
			free(out->item[i]);
			out->item[i] = out->item[--out->count];
			out->item[out->count] = NULL;
			return;
		}
}

void environ_add(struct settings *out, const char *item)
{
	if (item[0] != '=' && strchr(item, '=') != NULL)
		put(out, mem_string(item));
}

static bool has(const struct settings *out, const char *name)
{
	size_t len = strlen(name);

	for (size_t i = 0; i < out->count; i++)
		if (strncmp(out->item[i], name, len) == 0 && out->item[i][len] == '=')
			return true;
	return false;
}

static void set_default(struct settings *out, const char *name, const char *value)
{
	if (!has(out, name))
		environ_set(out, name, value);
}

static void set_known(struct settings *out, const char *name, const char *value)
{
	if (value != NULL)
		environ_set(out, name, value);
}

static void set_number(struct settings *out, const char *name, int64_t value)
{
	char text[NUMBER_ROOM];

	snprintf(text, sizeof text, "%" PRId64, value);
	environ_set(out, name, text);
}

/* --- what is in it ----------------------------------------------------------------------------- */

static void set_defaults(const struct launch *launch, const struct identity *who, struct settings *out)
{
	set_default(out, "HOME", who->home);
	set_default(out, "SHELL", who->shell);
	set_default(out, "PATH", "/usr/local/bin:/usr/bin:/bin");
	set_default(out, "LANG", "C.UTF-8");
	if (launch->procs > 0)
		set_number(out, "OMP_NUM_THREADS", launch->procs);
}

/* Job scripts written for PBS find what they look for. */
static void set_as_pbs(const struct launch *launch, const char *id, const char *array_id,
		       const struct identity *who, struct settings *out)
{
	environ_set(out, "PBS_JOBID", id);
	set_known(out, "PBS_JOBNAME", launch->name);
	set_known(out, "PBS_QUEUE", launch->class);
	environ_set(out, "PBS_O_WORKDIR", launch->dir != NULL ? launch->dir : who->home);
	environ_set(out, "PBS_ENVIRONMENT", launch->waiter != NULL ? "PBS_INTERACTIVE" : "PBS_BATCH");
	if (array_id[0] != '\0')
		environ_set(out, "PBS_ARRAYID", array_id);
}

/*
 * Each maker of devices has a name of its own for the same list; "" hides all of them. CUDA by itself numbers
 * the fastest first, our numbers follow the bus. Of AMD's two names only one is set: the second would be
 * applied to what the first has left, and so is one that the user brought along.
 */
static void set_devices(const char *devices, struct settings *out)
{
	if (devices == NULL)
		return;
	environ_set(out, "CUDA_DEVICE_ORDER", "PCI_BUS_ID");
	environ_set(out, "CUDA_VISIBLE_DEVICES", devices);
	environ_set(out, "ROCR_VISIBLE_DEVICES", devices);
	environ_drop(out, "HIP_VISIBLE_DEVICES");
	environ_set(out, "NVIDIA_VISIBLE_DEVICES", devices[0] == '\0' ? "void" : devices);
}

void environ_add_job(const struct launch *launch, struct settings *out)
{
	struct str id = {0}, array_id = {0};

	launch_job_id(launch, &id);
	launch_array_id(launch, &array_id);
	environ_set(out, "KAHU_JOBID", str_text(&id));
	set_number(out, "KAHU_ATTEMPT", launch->attempt);
	set_number(out, "KAHU_PROCS", launch->procs);
	set_known(out, "KAHU_JOBNAME", launch->name);
	set_known(out, "KAHU_NODES", launch->nodes);
	set_known(out, "KAHU_CPUS", launch->cpus);
	set_known(out, "KAHU_DEVICES", launch->devices);
	set_known(out, "KAHU_QUEUE", launch->class);
	set_known(out, "KAHU_ACCOUNT", launch->account);
	if (array_id.len > 0)
		environ_set(out, "KAHU_ARRAY_ID", str_text(&array_id));
	str_free(&id);
	str_free(&array_id);
}

void environ_make(const struct launch *launch, const struct identity *who, struct settings *out)
{
	struct str id = {0}, array_id = {0};

	set_defaults(launch, who, out);
	for (uint32_t i = 0; i < launch->environment.count; i++)
		put(out, mem_string(launch->environment.item[i]));
	environ_set(out, "USER", who->user);
	environ_set(out, "LOGNAME", who->user);
	environ_add_job(launch, out);
	launch_job_id(launch, &id);
	launch_array_id(launch, &array_id);
	set_as_pbs(launch, str_text(&id), str_text(&array_id), who, out);
	set_devices(launch->devices, out);
	str_free(&id);
	str_free(&array_id);
}
