/* SPDX-License-Identifier: MIT */
/*
 * signal_queue.c - signals requested for a job but not sent yet
 */
#include "signal_queue.h"

#include <string.h>

static void remove_at(struct signal_queue *q, unsigned i)
{
	q->count--;
	memmove(q->number + i, q->number + i + 1, q->count - i);
}

void signal_queue_add(struct signal_queue *q, int number)
{
	if (number < 1 || number > SIGNAL_QUEUE_MAX)
		return;
	for (unsigned i = 0; i < q->count; i++)
		if (q->number[i] == number) {
			remove_at(q, i);
			break;
		}
	q->number[q->count++] = (uint8_t)number;
}

int64_t signal_queue_moment_ms(const struct signal_queue *q)
{
	return q->owed_until_ms - SIGNAL_DEBT_MS;
}

int signal_queue_next(const struct signal_queue *q, int64_t now_ms)
{
	return q->count > 0 && signal_queue_moment_ms(q) <= now_ms ? q->number[0] : 0;
}

void signal_queue_charge(struct signal_queue *q, int64_t now_ms, int64_t cost_ms)
{
	if (q->owed_until_ms < now_ms)
		q->owed_until_ms = now_ms;
	q->owed_until_ms += cost_ms > SIGNAL_EACH_MS ? cost_ms : SIGNAL_EACH_MS;
}

void signal_queue_remove(struct signal_queue *q)
{
	if (q->count > 0)
		remove_at(q, 0);
}
