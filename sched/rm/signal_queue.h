/* SPDX-License-Identifier: MIT */
/*
 * signal_queue.h - signals requested for a job but not sent yet
 *
 * A user can request thousands of signals a second, and each costs a walk over the processes of the job. So
 * signals are sent at a limited rate, and a signal that is requested again while it is queued is sent once,
 * as the kernel does with a pending signal. Different signals keep the order of their last requests, so that
 * STOP before CONT stays before it.
 */
#ifndef RM_SIGNAL_QUEUE_H
#define RM_SIGNAL_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#define SIGNAL_QUEUE_MAX 64 /* highest signal number */

/* Zero is a valid empty queue with nothing sent yet. */
struct signal_queue {
	uint8_t number[SIGNAL_QUEUE_MAX]; /* each at most once, in sending order */
	uint8_t count;
	int64_t owed_until_ms; /* monotonic; when the cost of the signals sent so far is paid */
};

/* Numbers out of range are ignored. */
void signal_queue_add(struct signal_queue *q, int number);

/* When the next signal may be sent, on the monotonic clock; it may have passed. */
int64_t signal_queue_moment_ms(const struct signal_queue *q);

/* The next signal if one may be sent now, else 0. It stays in the queue until signal_queue_remove(). */
int signal_queue_next(const struct signal_queue *q, int64_t now_ms);
void signal_queue_remove(struct signal_queue *q);

/* Charges for a signal that was sent, queued or not: cost_ms, but at least SIGNAL_EACH_MS. */
#define SIGNAL_EACH_MS 50   /* 20 a second in the long run */
#define SIGNAL_DEBT_MS 1000 /* maximum debt, which allows 20 signals at once */
void signal_queue_charge(struct signal_queue *q, int64_t now_ms, int64_t cost_ms);

#endif
