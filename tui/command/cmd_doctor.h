/* SPDX-License-Identifier: MIT */
/*
 * cmd_doctor.h - checks of this host for kahu doctor
 *
 * Each check appends its findings to a list and changes nothing on the host. A finding is a failure if `kahu
 * serve` cannot run jobs because of it, and a warning if it restricts what the scheduler can do.
 */
#ifndef COMMAND_CMD_DOCTOR_H
#define COMMAND_CMD_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/base/err.h"
#include "sched/base/str.h"

enum health {
	HEALTH_OK,
	HEALTH_WARN,
	HEALTH_FAIL
};

struct finding {
	enum health health;
	const char *what; /* what was checked: "store"; static storage */
	char *value;      /* what was found           */
	char *todo;       /* what the user should do; "" = nothing */
};

/* A zeroed list is valid and empty. */
struct findings {
	struct finding *item;
	size_t count, room;
};

/* Appends a finding, whose value is formatted as by printf. todo: what the user should do; NULL = nothing. */
void findings_add(struct findings *f, enum health health, const char *what, const char *todo,
		  const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Returns the worst health of all findings; HEALTH_OK if there are none. */
enum health findings_worst(const struct findings *f);
size_t findings_count(const struct findings *f, enum health health);
void findings_free(struct findings *f);

/* Prints one line for each finding: "warn  clock: ...; what to do". */
void findings_print(const struct findings *f, bool ascii, struct str *out);

/* {"worst":"warn","findings":[{"health","what","value","todo"},...]} */
void findings_print_json(const struct findings *f, struct str *out);

/*
 * doctor_hardware checks processors, memory, devices and the containment of jobs. doctor_others checks what
 * processes outside of jobs use. `root` is "/" except in tests, `file` is the path of the configuration ("" =
 * none), and `job_pid` has the process IDs of the shepherds of running jobs.
 */
void doctor_hardware(struct findings *f, const char *root, const char *file);
void doctor_others(struct findings *f, const char *root, const int64_t *job_pid, size_t count);

/*
 * Checks the store and its disk. If the store does not exist, the folder in which it would be created is
 * checked.
 */
void doctor_store(struct findings *f, const char *dir);
void doctor_socket(struct findings *f, const char *dir);
void doctor_scheduler(struct findings *f, const char *store, const char *socket);

/* Checks the configuration. file: its path; "" = there is none. */
void doctor_config(struct findings *f, const char *file);

/* Checks whether jobs have a default memory limit. people: number of users who may submit. */
void doctor_memory(struct findings *f, const char *file, uint32_t people);

/*
 * Asks Slurm's commands, which are searched in path, what the scheduler would read with manager = slurm, and
 * reports what is wrong or cannot be mapped.
 */
void doctor_slurm(struct findings *f, const char *path, const char *slurm_conf, int timeout_ms);

/* Checks the PAM service that the configuration names. */
void doctor_pam(struct findings *f, const char *file);
void doctor_shepherd(struct findings *f, const char *program);

#endif
