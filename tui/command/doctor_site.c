/* SPDX-License-Identifier: MIT */
/*
 * doctor_site.c - are program, configuration and terminal as they should be?
 */
#include <errno.h>
#include <inttypes.h>
#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "doctor.h"
#include "host_answer.h"
#include "sched/base/duration.h"
#include "sched/base/vec.h"
#include "sched/config/config.h"
#include "sched/host/files.h"
#include "tui/draw/term_type.h"

#define FINDINGS_MAX  100
#define COLOURS_SHOWN 8

/* --- the configuration -------------------------------------------------------------------------------------
 */

/* Without notes, which ask nobody to do anything. */
static int64_t count_grave(const struct config_finding *finding, size_t found)
{
	int64_t grave = 0;

	for (size_t i = 0; i < found && i < FINDINGS_MAX; i++)
		grave += finding[i].severity > SEVERITY_NOTE;
	return grave;
}

static int64_t judge_text(const char *file, const struct str *text, struct err *barred)
{
	struct config_finding *finding = mem_zero(FINDINGS_MAX, sizeof *finding);
	int64_t grave =
		count_grave(finding, config_lint(file, str_text(text), text->len, finding, FINDINGS_MAX));

	grave += count_grave(finding, config_lint_host(file, str_text(text), text->len, host_answer, barred,
						       finding, FINDINGS_MAX));
	free(finding);
	return grave;
}

/* -1 with a sentence: it cannot be used. */
static int64_t judge_config(const char *file, struct err *err)
{
	struct config_list list = {0};
	struct str text = {0};
	struct err barred;
	int64_t found = -1;

	if (file_read_config(file, &text, &barred, err) &&
	    config_list_read(file, str_text(&text), text.len, &list, err))
		found = judge_text(file, &text, &barred);
	config_list_free(&list);
	str_free(&text);
	return found;
}

void doctor_config(struct findings *f, const char *file)
{
	struct err err = {{0}};
	int64_t found;

	if (file[0] == '\0') {
		findings_add(f, HEALTH_WARN, "configuration", "'kahu init' writes one for this host",
			     "there is none; first come, first served");
		return;
	}
	found = judge_config(file, &err);
	if (found < 0)
		findings_add(f, HEALTH_FAIL, "configuration", "mend it; 'kahu lint' says whether it is good",
			     "%s", err.text);
	else if (found > 0)
		findings_add(f, HEALTH_WARN, "configuration", "'kahu lint' tells them",
			     "%s, %" PRId64 " warning%s", file, found, found == 1 ? "" : "s");
	else
		findings_add(f, HEALTH_OK, "configuration", NULL, "%s", file);
}

void doctor_option(const char *file, const char *name, const char *usual, struct str *out)
{
	struct config_list list = {0};
	struct str text = {0};

	str_add(out, usual);
	if (file[0] != '\0' && file_read(file, OPTION_TEXT_MAX, &text, NULL) &&
	    config_list_read(file, str_text(&text), text.len, &list, NULL))
		for (size_t i = 0; i < list.count; i++) {
			const struct config_value *value = &list.item[i].value;

			if (value->row != NULL && strcmp(value->row->name, name) == 0) {
				str_clear(out);
				str_add(out, value->value.text);
			}
		}
	config_list_free(&list);
	str_free(&text);
}

void doctor_memory(struct findings *f, const char *file, uint32_t people)
{
	struct str text = {0};
	int64_t mb = 0;

	doctor_option(file, "systemdefaultjobmemory", "0", &text);
	(void)memory_parse(str_text(&text), &mb, NULL);
	if (mb > 0)
		findings_add(f, HEALTH_OK, "default memory", NULL,
			     "a job that names no memory gets %" PRId64 " MB", mb);
	else if (people > 1)
		findings_add(f, HEALTH_WARN, "default memory", "set systemdefaultjobmemory",
			     "%" PRIu32
			     " people can log in here, and nothing limits the memory of a job that "
			     "names none",
			     people);
	else
		findings_add(f, HEALTH_OK, "default memory", NULL,
			     "nothing limits the memory of a job that names none");
	str_free(&text);
}

/* --- PAM --------------------------------------------------------------------------------------------------
 */

#ifdef HAVE_PAM

static bool has_service(const char *folder, const char *service)
{
	struct str path = {0};
	bool has;

	str_addf(&path, "%s/%s", folder, service);
	has = access(str_text(&path), R_OK) == 0;
	str_free(&path);
	return has;
}

void doctor_pam(struct findings *f, const char *file)
{
	struct str service = {0};
	const char *name;

	doctor_option(file, "pamservice", SITE_PAM_SERVICE_DEFAULT, &service);
	name = str_text(&service);
	if (geteuid() != 0)
		findings_add(f, HEALTH_OK, "pam", NULL, "not used: only root's scheduler opens sessions");
	else if (strcmp(name, "none") == 0)
		findings_add(f, HEALTH_WARN, "pam", "remove pamservice = none",
			     "switched off (pamservice): jobs of expired accounts start, and limits.conf is "
			     "not applied");
	else if (has_service("/etc/pam.d", name) || has_service("/usr/lib/pam.d", name))
		findings_add(f, HEALTH_OK, "pam", NULL,
			     "service %s: jobs get an account check and the limits of logins", name);
	else
		findings_add(f, HEALTH_WARN, "pam", "make install writes /etc/pam.d/kahu, or set pamservice",
			     "there is no file of service %s (the service other is not used in its place): "
			     "jobs of expired accounts start, and limits.conf is not applied",
			     name);
	str_free(&service);
}

#else

void doctor_pam(struct findings *f, const char *file)
{
	(void)file;
	findings_add(f, geteuid() == 0 ? HEALTH_WARN : HEALTH_OK, "pam",
		     "install the development files of libpam and build again",
		     "built without it: jobs of expired accounts start, and limits.conf is not applied");
}

#endif

/* --- the shepherd ------------------------------------------------------------------------------------------
 */

void doctor_shepherd(struct findings *f, const char *program)
{
	struct stat st;

	if (access(program, X_OK) != 0)
		findings_add(f, HEALTH_FAIL, "shepherd", "install Kahu whole: make install",
			     "%s, which runs the jobs, cannot be used: %s", program, strerror(errno));
	else if (stat(program, &st) == 0 && geteuid() == 0 &&
		 ((st.st_mode & S_IWOTH) != 0 || ((st.st_mode & S_IWGRP) != 0 && st.st_gid != 0)))
		findings_add(f, HEALTH_FAIL, "shepherd", "chmod go-w",
			     "%s runs as root, and others may write to it", program);
	else
		findings_add(f, HEALTH_OK, "shepherd", NULL, "%s", program);
}

/* --- the terminal ------------------------------------------------------------------------------------------
 */

static bool wants_colours(void)
{
	const char *no = getenv("NO_COLOR");

	return no == NULL || no[0] == '\0';
}

void doctor_terminal(struct findings *f, bool ascii)
{
	const char *name = getenv("TERM");
	bool utf8 = !ascii && strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
	struct term_type type;

	if (!isatty(STDOUT_FILENO)) {
		findings_add(f, HEALTH_OK, "terminal", NULL, "none here");
		return;
	}
	if (name == NULL || !term_type_find(name, STDOUT_FILENO, &type) || !type.places_cursor) {
		findings_add(f, HEALTH_WARN, "terminal", "set TERM; without it there are the verbs alone",
			     "no screen can be drawn on '%s'", name != NULL ? name : "");
		return;
	}
	findings_add(f, utf8 ? HEALTH_OK : HEALTH_WARN, "terminal",
		     utf8 ? NULL : "a locale with UTF-8 (LANG=C.UTF-8) gives finer lines",
		     "%s, %d colours%s%s", type.name, type.colours,
		     type.colours < COLOURS_SHOWN || !wants_colours() ? ", not used" : "",
		     utf8 ? "" : ", no UTF-8");
}
