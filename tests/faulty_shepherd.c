/* SPDX-License-Identifier: MIT */
/*
 * faulty_shepherd.c - what makes kahu-shepherd one whose calls of the system fail (test_shepherd_faults.c)
 *
 * Its PAM is here as well: one service for all, whose functions fail like calls of the system.
 */
#include "tests/faulty.h"

#ifdef HAVE_PAM

#include <security/pam_appl.h>

static const struct pam_conv *conversation;

/* Each kind of failure that the shepherd tells apart. */
static int status_of(const char *name)
{
	if (!faulty_fails(name, false))
		return PAM_SUCCESS;
	switch (faulty->why) {
	case EMFILE:
		return PAM_BUF_ERR;
	case EINTR:
		return PAM_ACCT_EXPIRED;
	default:
		return PAM_SYSTEM_ERR;
	}
}

static int say(int style)
{
	const struct pam_message message = {.msg_style = style, .msg = "a word"}, *messages[] = {&message};
	struct pam_response *response = NULL;
	int status = conversation->conv(1, messages, &response, conversation->appdata_ptr);

	free(response);
	return status;
}

/* NOLINTBEGIN(readability-inconsistent-declaration-parameter-name,misc-misplaced-const): as libpam has them
 */

int pam_start(const char *service, const char *user, const struct pam_conv *conv, pam_handle_t **out)
{
	conversation = conv;
	*out = NULL;
	return service[0] == '\0' || user[0] == '\0' ? PAM_ABORT : status_of("pam_start");
}

int pam_end(pam_handle_t *handle, int status)
{
	(void)handle;
	return status;
}

int pam_set_item(pam_handle_t *handle, int type, const void *item)
{
	(void)handle;
	(void)type;
	return item == NULL ? PAM_BAD_ITEM : status_of("pam_set_item");
}

int pam_acct_mgmt(pam_handle_t *handle, int flags)
{
	(void)handle;
	(void)flags;
	return status_of("pam_acct_mgmt");
}

int pam_setcred(pam_handle_t *handle, int flags)
{
	(void)handle;
	(void)flags;
	return status_of("pam_setcred");
}

/* A message is dropped, a question is refused. */
int pam_open_session(pam_handle_t *handle, int flags)
{
	struct pam_response *response = NULL;

	(void)handle;
	(void)flags;
	if (say(PAM_TEXT_INFO) != PAM_SUCCESS || say(PAM_PROMPT_ECHO_OFF) != PAM_CONV_ERR ||
	    say(PAM_PROMPT_ECHO_ON) != PAM_CONV_ERR ||
	    conversation->conv(0, NULL, &response, conversation->appdata_ptr) != PAM_SUCCESS)
		return PAM_ABORT;
	return status_of("pam_open_session");
}

int pam_close_session(pam_handle_t *handle, int flags)
{
	(void)handle;
	(void)flags;
	return status_of("pam_close_session");
}

char **pam_getenvlist(pam_handle_t *handle)
{
	static char set[] = "SET_BY_PAM=yes", nameless[] = "=x", word[] = "word";
	static char *list[] = {set, nameless, word, NULL};

	(void)handle;
	return faulty_fails("pam_getenvlist", false) ? NULL : list;
}

const char *pam_strerror(pam_handle_t *handle, int status)
{
	(void)handle;
	return status == PAM_SUCCESS ? "success" : "a failure";
}

/* The program itself stands for the library. */
void *dlopen(const char *name, int flags)
{
	bool is_pam = name != NULL && strcmp(name, "libpam.so.0") == 0;

	return faulty_fails("dlopen", false) ? NULL : REAL(dlopen)(is_pam ? NULL : name, flags);
}

/* NOLINTEND(readability-inconsistent-declaration-parameter-name,misc-misplaced-const) */

#endif
