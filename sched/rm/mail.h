/* SPDX-License-Identifier: MIT */
/*
 * mail.h - mail to users
 *
 * Names and addresses come from users: nothing that they say begins another line of the head, or another
 * option of the program that sends it.
 */
#ifndef RM_MAIL_H
#define RM_MAIL_H

#include <stdbool.h>

#include "sched/base/err.h"
#include "sched/base/str.h"

#define MAIL_ADDRESSES_MAX 16
#define MAIL_ADDRESS_MAX   254 /* bytes of one (RFC 5321, 4.5.3.1.3) */

/*
 * One address or several, a comma between. Each begins with a letter, a digit or '_' and has only these
 * and a few signs in it. False with a sentence.
 */
bool mail_check_addresses(const char *list, struct err *err);

struct mail {
	const char *from; /* a login name                     */
	const char *to;   /* as checked by mail_check_addresses */
	const char *subject;
	const char *text;
};

/* Appends head and text. What cannot stand in a line of the head is '?' there. */
void mail_write(const struct mail *mail, struct str *out);

/* Appends a text on one line: bytes below the blank, and 127, become '?'. */
void mail_add_line(struct str *out, const char *text);

#endif
