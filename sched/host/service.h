/* SPDX-License-Identifier: MIT */
/*
 * service.h - messages to the service manager (sd_notify)
 *
 * The protocol is that of sd_notify(3) and sd-daemon(3): a datagram to $NOTIFY_SOCKET, and <N> before each
 * line if standard error is connected to the journal. Without a service manager nothing happens.
 */
#ifndef HOST_SERVICE_H
#define HOST_SERVICE_H

#include <stdbool.h>

/*
 * Sends "READY=1", "WATCHDOG=1", "STOPPING=1" or similar. Returns false if it was not sent, usually because
 * there is no service manager.
 */
bool service_notify(const char *text);

/* Reports the beginning of a reload, with the monotonic time as sd_notify(3) requires. "READY=1" reports its
 * end. */
bool service_notify_reload(void);

/*
 * Returns the interval at which to send "WATCHDOG=1", in ms: half of $WATCHDOG_USEC. 0: this process is not
 * watched.
 */
int service_watchdog_ms(void);

/* Is this descriptor connected to the journal, according to $JOURNAL_STREAM? */
bool service_is_journal(int fd);

/* Numbers as in syslog(3). */
enum service_level {
	SERVICE_ERROR = 3,
	SERVICE_WARNING = 4,
	SERVICE_INFO = 6
};

#endif
