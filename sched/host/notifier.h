/* SPDX-License-Identifier: MIT */
/*
 * notifier.h - notification of users about job events, by a site program and by mail
 *
 * Names and addresses come from users: they are checked so that they cannot start another header field of a
 * mail, or another option of the program that sends it.
 */
#ifndef HOST_NOTIFIER_H
#define HOST_NOTIFIER_H

#include <stdbool.h>

#include "driver.h"
#include "sched/base/err.h"
#include "sched/base/str.h"
#include "sched/rm/notify.h"

#define MAIL_ADDRESSES_MAX 16
#define MAIL_ADDRESS_MAX   254 /* maximum length of one address in bytes (RFC 5321, 4.5.3.1.3) */

/*
 * Checks a list of addresses separated by commas. An address starts with a letter, a digit or '_' and
 * contains only these and some punctuation. Returns false with err set if an address is invalid.
 */
bool mail_check_addresses(const char *list, struct err *err);

struct mail {
	const char *from; /* a login name */
	const char *to;   /* addresses that mail_check_addresses has accepted */
	const char *subject;
	const char *text;
};

/*
 * Appends the header and the text of the mail to out. Bytes that are not allowed in a header field become
 * '?'.
 */
void mail_write(const struct mail *mail, struct str *out);

/* Appends the text as one line: control bytes become '?'. */
void mail_add_line(struct str *out, const char *text);

/*
 * Reports every event to the site's notifyprogram, and sends the mails that users requested when they
 * submitted their jobs (-m, -M). It is called in the scheduler's thread after each durable step;
 * sched/rm/notify.h delivers the notices.
 */
struct notifier; /* opaque */

/* Borrows `ledger` and `notify`. The mail options of jobs are read from the ledger. */
struct notifier *notifier_new(struct ledger ledger, struct notify *notify);
void notifier_free(struct notifier *n);

/* Bars the programs that the configuration names from being run, or allows them, see driver_bar_programs. */
void notifier_bar_programs(struct notifier *n, bool barred);

/* A driver_tell; self is the notifier. */
void notifier_tell(void *self, const struct ledger_step *step, const struct state *st,
		   const struct driver_stats *stats);

#endif
