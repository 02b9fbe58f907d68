/* SPDX-License-Identifier: MIT */
/*
 * shepherd_pam.c - the PAM account check and session of a job
 *
 * The shepherd stays linked with libc alone: libpam is loaded with dlopen(), by processes that the shepherd
 * has forked for this, so a module that crashes or hangs cannot take the shepherd with it. The child that
 * becomes the job checks the account and opens the session while it is still root: resource limits, the audit
 * login uid, keyrings and namespaces belong to that process and are inherited by all of the job. Another
 * child closes the session when the job has ended, however it ended, with a handle of its own: a PAM session
 * may be closed by another program than the one that opened it (pam_open_session in the PAM application
 * developers' guide).
 *
 * Without libpam at build time, without a service file, or without root there is no session. Where there is a
 * service file and libpam cannot be loaded no job starts: an account that has expired must not run jobs
 * because a library is missing or descriptors are short.
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "sched/base/failpoint.h"
#include "sched/base/vec.h"
#include "shepherd_inside.h"
#include "transient.h"

int64_t pam_limit_ms(void)
{
	return strtoll(fail_path("KAHU_PAM_LIMIT_MS", "60000"), NULL, 10);
}

#ifdef HAVE_PAM

#include <dlfcn.h>
#include <security/pam_appl.h>

#define LIBRARY "libpam.so.0"

/* The functions of libpam that are used. */
struct pam {
	int (*start)(const char *service, const char *user, const struct pam_conv *conv, pam_handle_t **out);
	int (*end)(pam_handle_t *handle, int status);
	int (*set_item)(pam_handle_t *handle, int type, const void *item);
	int (*acct_mgmt)(pam_handle_t *handle, int flags);
	int (*setcred)(pam_handle_t *handle, int flags);
	int (*open_session)(pam_handle_t *handle, int flags);
	int (*close_session)(pam_handle_t *handle, int flags);
	char **(*getenvlist)(pam_handle_t *handle);
	const char *(*strerror)(pam_handle_t *handle, int status);
	pam_handle_t *handle;
};

static bool load(struct pam *pam)
{
	/* dlsym() returns a pointer to data, and C has no conversion from that to a function pointer. */
	const struct {
		const char *name;
		void **at;
	} part[] = {{"pam_start", (void **)(void *)&pam->start},
		    {"pam_end", (void **)(void *)&pam->end},
		    {"pam_set_item", (void **)(void *)&pam->set_item},
		    {"pam_acct_mgmt", (void **)(void *)&pam->acct_mgmt},
		    {"pam_setcred", (void **)(void *)&pam->setcred},
		    {"pam_open_session", (void **)(void *)&pam->open_session},
		    {"pam_close_session", (void **)(void *)&pam->close_session},
		    {"pam_getenvlist", (void **)(void *)&pam->getenvlist},
		    {"pam_strerror", (void **)(void *)&pam->strerror}};
	void *library = dlopen(LIBRARY, RTLD_NOW);
	size_t found = 0;

	while (library != NULL && found < sizeof part / sizeof part[0] &&
	       (*part[found].at = dlsym(library, part[found].name)) != NULL)
		found++;
	return found == sizeof part / sizeof part[0];
}

/* Nobody can answer for a job: prompts for a password fail, messages are dropped. */
static int converse(int count, const struct pam_message **message, struct pam_response **response, void *self)
{
	(void)self;
	for (int i = 0; i < count; i++)
		if (message[i]->msg_style == PAM_PROMPT_ECHO_OFF ||
		    message[i]->msg_style == PAM_PROMPT_ECHO_ON)
			return PAM_CONV_ERR;
	*response = count > 0 ? calloc((size_t)count, sizeof **response) : NULL;
	return count <= 0 || *response != NULL ? PAM_SUCCESS : PAM_BUF_ERR;
}

static int begin(struct pam *pam, const char *service, const char *user)
{
	static const struct pam_conv conv = {.conv = converse};
	int status = pam->start(service, user, &conv, &pam->handle);

	if (status == PAM_SUCCESS)
		status = pam->set_item(pam->handle, PAM_TTY, "kahu");
	if (status == PAM_SUCCESS)
		status = pam->set_item(pam->handle, PAM_RUSER, user);
	return status;
}

/* One that cannot be looked for counts as there: PAM decides, and no account goes unchecked. */
static bool has_service_file(const char *service)
{
	static const char *const folder[] = {"/etc/pam.d", "/usr/lib/pam.d"};
	char path[PAM_PATH_ROOM];

	for (size_t i = 0; i < sizeof folder / sizeof folder[0]; i++) {
		snprintf(path, sizeof path, "%s/%s", folder[i], service);
		if (access(path, R_OK) == 0 || (errno != ENOENT && errno != ENOTDIR))
			return true;
	}
	return false;
}

bool pam_is_used(const struct launch *launch)
{
	return launch->pam != NULL && getuid() == 0 && has_service_file(launch->pam);
}

/*
 * Whose fault is it? The directory of users does not answer, or memory is short: that passes. The service or
 * a module is broken: the host's. All else is said of the account.
 */
static enum end_reason fault_of(int status)
{
	switch (status) {
	case PAM_AUTHINFO_UNAVAIL:
	case PAM_BUF_ERR:
	case PAM_TRY_AGAIN:
		return END_TRY_AGAIN;
	case PAM_OPEN_ERR:
	case PAM_SYMBOL_ERR:
	case PAM_SERVICE_ERR:
	case PAM_SYSTEM_ERR:
	case PAM_MODULE_UNKNOWN:
	case PAM_ABORT:
	case PAM_BAD_ITEM:
		return END_HOST_FAULT;
	default:
		return END_NOT_STARTED;
	}
}

static bool refuse_load(int why, struct err *err)
{
	const char *text = dlerror();

	child_note(error_is_transient(why) ? END_TRY_AGAIN : END_HOST_FAULT);
	return err_set(err, "PAM cannot be loaded for it: %s", text != NULL ? text : "no reason is known");
}

static bool refuse(const struct pam *pam, const char *service, const char *what, int status, struct err *err)
{
	child_note(fault_of(status));
	return err_set(err, "%s (PAM service %s): %s", what, service, pam->strerror(pam->handle, status));
}

bool pam_enter(const struct shepherd *s, const char *user, struct settings *environment, struct err *err)
{
	struct pam pam = {.handle = NULL};
	const char *service = s->launch.pam;
	int status;

	errno = 0;
	if (!load(&pam))
		return refuse_load(errno, err);
	status = begin(&pam, service, user);
	if (status != PAM_SUCCESS)
		return refuse(&pam, service, "PAM cannot be used for it", status, err);
	status = pam.acct_mgmt(pam.handle, PAM_SILENT);
	if (status != PAM_SUCCESS)
		return refuse(&pam, service, "the account of its user is refused", status, err);
	status = pam.setcred(pam.handle, PAM_ESTABLISH_CRED | PAM_SILENT);
	if (status != PAM_SUCCESS)
		return refuse(&pam, service, "its user gets no credentials", status, err);
	/* From here on there is something to close, whatever ends this process. */
	snprintf(s->progress->session_user, sizeof s->progress->session_user, "%s", user);
	s->progress->opens_session = true;
	status = pam.open_session(pam.handle, PAM_SILENT);
	s->progress->opens_session = status == PAM_SUCCESS;
	if (status != PAM_SUCCESS)
		return refuse(&pam, service, "no session can be opened for its user", status, err);
	for (char **item = pam.getenvlist(pam.handle); item != NULL && *item != NULL; item++)
		environ_add(environment, *item);
	/* The handle is left as it is: the process that closes the session has one of its own. */
	return true;
}

static _Noreturn void close_session(const struct launch *launch, const char *user)
{
	struct pam pam = {.handle = NULL};
	sigset_t none;
	bool good;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (!load(&pam) || begin(&pam, launch->pam, user) != PAM_SUCCESS)
		_exit(1);
	good = pam.close_session(pam.handle, PAM_SILENT) == PAM_SUCCESS;
	good = pam.setcred(pam.handle, PAM_DELETE_CRED | PAM_SILENT) == PAM_SUCCESS && good;
	pam.end(pam.handle, PAM_SUCCESS);
	_exit(good ? 0 : 1);
}

void pam_leave(struct shepherd *s)
{
	pid_t pid;

	if (!s->progress->opens_session)
		return;
	s->progress->opens_session = false;
	pid = fork();
	if (pid == 0)
		close_session(&s->launch, s->progress->session_user);
	if (pid > 0)
		site_wait("closing the PAM session", pid, pam_limit_ms(), NULL);
	shepherd_kill_all(s);
}

#else

bool pam_is_used(const struct launch *launch)
{
	(void)launch;
	return false;
}

bool pam_enter(const struct shepherd *s, const char *user, struct settings *environment, struct err *err)
{
	(void)s;
	(void)user;
	(void)environment;
	(void)err;
	return true;
}

void pam_leave(struct shepherd *s)
{
	(void)s;
}

#endif
