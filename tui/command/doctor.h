/* SPDX-License-Identifier: MIT */
/*
 * doctor.h - what does this host offer a scheduler, and what does it lack?
 *
 * Each examination adds what it finds to a list; nothing lasting is changed. What must be mended before
 * `kahu serve` can run fails; what makes it less than it could be is a warning.
 */
#ifndef COMMAND_DOCTOR_H
#define COMMAND_DOCTOR_H

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
	const char *what; /* "store"; static storage               */
	char *value;      /* as it is                              */
	char *todo;       /* what to do; "" = nothing              */
};

/* Zero is a valid empty one. */
struct findings {
	struct finding *item;
	size_t count, room;
};

/* todo: NULL = nothing. */
void findings_add(struct findings *f, enum health health, const char *what, const char *todo,
		  const char *format, ...) __attribute__((format(printf, 5, 6)));
/* The worst of them; HEALTH_OK of none. */
enum health findings_worst(const struct findings *f);
size_t findings_count(const struct findings *f, enum health health);
void findings_free(struct findings *f);

/* A line each: "warn  clock: ...; what to do". */
void findings_print(const struct findings *f, bool ascii, struct str *out);
/* {"worst":"warn","findings":[{"health","what","value","todo"},...]} */
void findings_print_json(const struct findings *f, struct str *out);

/* --- doctor_host.c ------------------------------------------------------------------------------- */

/* root: "/" but in tests. job_pid: the shepherds of jobs that run. */
void doctor_hardware(struct findings *f, const char *root, const char *file);
void doctor_system(struct findings *f);
void doctor_others(struct findings *f, const char *root, const int64_t *job_pid, size_t count);

/* --- doctor_store.c ------------------------------------------------------------------------------ */

/* A store that is not there yet is looked at where it would be made. */
void doctor_store(struct findings *f, const char *dir);
/* Age of the last good copy of a store that is there. */
void doctor_last_good(struct findings *f, const char *dir, int64_t now_s);
void doctor_socket(struct findings *f, const char *dir);
void doctor_scheduler(struct findings *f, const char *store, const char *socket);

/* Does another's scheduler answer at this socket? Then jobs go there, which is said. */
bool doctor_served(struct findings *f, const char *socket);

/* --- doctor_site.c ------------------------------------------------------------------------------- */

/* file: "" = there is none. */
void doctor_config(struct findings *f, const char *file);
/* Appends the value of an option outside sections; the usual one without a file, or with one that cannot be
 * read. */
void doctor_option(const char *file, const char *name, const char *usual, struct str *out);
/* Is there a default for jobs that name no memory? people: who may submit. */
void doctor_memory(struct findings *f, const char *file, uint32_t people);
/* The PAM service that this configuration names: which limits and which account check do jobs get? */
void doctor_pam(struct findings *f, const char *file);
void doctor_shepherd(struct findings *f, const char *program);
void doctor_terminal(struct findings *f, bool ascii);

#endif
