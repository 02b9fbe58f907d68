/* SPDX-License-Identifier: MIT */
/*
 * service.h - messages to the service manager (sd_notify)
 *
 * systemd's side of it is sd_notify(3) and the <N> of sd-daemon(3): a datagram to $NOTIFY_SOCKET, and a
 * number in front of each line when standard error is a journal. Without either nothing happens.
 */
#ifndef HOST_SERVICE_H
#define HOST_SERVICE_H

#include <stdbool.h>

/* "READY=1" once it serves; "WATCHDOG=1", "STOPPING=1", "RELOADING=1". False: there is no service manager. */
bool service_notify(const char *text);

/* A reload begins, as sd_notify(3) has it: with the monotonic time. "READY=1" ends it. */
bool service_notify_reload(void);

/* How often "WATCHDOG=1" is to be sent, in ms: at half the time that $WATCHDOG_USEC grants. 0: this process
 * is not watched. */
int service_watchdog_ms(void);

/* Does this descriptor lead to a journal, which $JOURNAL_STREAM tells? */
bool service_is_journal(int fd);

/* As syslog(3) numbers them. */
enum service_level {
	SERVICE_ERROR = 3,
	SERVICE_WARNING = 4,
	SERVICE_INFO = 6
};

#endif
