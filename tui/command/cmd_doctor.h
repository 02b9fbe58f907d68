/* SPDX-License-Identifier: MIT */
/*
 * cmd_doctor.h - checks of this host for kahu doctor
 *
 * Each check adds its findings to a list and changes nothing. A finding fails if it prevents `kahu serve`
 * from running jobs; it is a warning if it restricts what the scheduler can do.
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
	const char *what; /* "store"; static storage  */
	char *value;      /* what was found           */
	char *todo;       /* what to do; "" = nothing */
};

/* Zero is a valid empty one. */
struct findings {
	struct finding *item;
	size_t count, room;
};

/* todo: NULL = nothing. */
void findings_add(struct findings *f, enum health health, const char *what, const char *todo,
		  const char *format, ...) __attribute__((format(printf, 5, 6)));

/* The worst finding; HEALTH_OK if there is none. */
enum health findings_worst(const struct findings *f);
size_t findings_count(const struct findings *f, enum health health);
void findings_free(struct findings *f);

/* A line each: "warn  clock: ...; what to do". */
void findings_print(const struct findings *f, bool ascii, struct str *out);

/* {"worst":"warn","findings":[{"health","what","value","todo"},...]} */
void findings_print_json(const struct findings *f, struct str *out);

/* root is "/" except in tests. job_pid: the shepherds of running jobs. */
void doctor_hardware(struct findings *f, const char *root, const char *file);
void doctor_others(struct findings *f, const char *root, const int64_t *job_pid, size_t count);

/* A store that does not exist is checked at the place where it would be created. */
void doctor_store(struct findings *f, const char *dir);
void doctor_socket(struct findings *f, const char *dir);
void doctor_scheduler(struct findings *f, const char *store, const char *socket);

/* file: "" = there is no configuration. */
void doctor_config(struct findings *f, const char *file);

/* The default memory of jobs. people: the number of users who may submit. */
void doctor_memory(struct findings *f, const char *file, uint32_t people);

/* The PAM service of the configuration. */
void doctor_pam(struct findings *f, const char *file);
void doctor_shepherd(struct findings *f, const char *program);

#endif
