/* SPDX-License-Identifier: MIT */
/*
 * signal_queue.h - signals requested for a job but not sent yet
 *
 * A user can request thousands of signals a second, and each signal costs a walk over the processes of the
 * job. So signals are sent at a limited rate, and a signal that is requested again while it is queued is sent
 * only once, like a pending signal in the kernel. Different signals are sent in the order of their last
 * requests, so that STOP followed by CONT is sent in this order.
 */
#ifndef RM_SIGNAL_QUEUE_H
#define RM_SIGNAL_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#define SIGNAL_QUEUE_MAX 64 /* highest signal number */

/* A zeroed struct is an empty queue from which nothing was sent yet. */
struct signal_queue {
	uint8_t number[SIGNAL_QUEUE_MAX]; /* queued signals in sending order, each at most once */
	uint8_t count;
	int64_t owed_until_ms; /* monotonic time at which the cost of the signals sent so far is paid off */
};

/* Adds a signal, or moves it to the end if it is queued already. Numbers out of range are ignored. */
void signal_queue_add(struct signal_queue *q, int number);

/* Returns the monotonic time, possibly in the past, from which the next signal may be sent. */
int64_t signal_queue_moment_ms(const struct signal_queue *q);

/*
 * Returns the next signal if one may be sent now, else 0. The signal stays in the queue until
 * signal_queue_remove() is called.
 */
int signal_queue_next(const struct signal_queue *q, int64_t now_ms);
void signal_queue_remove(struct signal_queue *q);

/*
 * Charges for a signal that was sent, whether it had been queued or not: cost_ms, but at least
 * SIGNAL_EACH_MS.
 */
#define SIGNAL_EACH_MS 50   /* allows 20 signals a second in the long run */
#define SIGNAL_DEBT_MS 1000 /* maximum debt, which allows 20 signals at once */
void signal_queue_charge(struct signal_queue *q, int64_t now_ms, int64_t cost_ms);

#endif
