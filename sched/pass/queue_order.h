/* SPDX-License-Identifier: MIT */
/*
 * queue_order.h - in which order do jobs stand?
 *
 * The order is total: the higher rank, then the place in WAITING, which is that of submit time and id. So it
 * does not matter how the jobs stood before.
 */
#ifndef PASS_QUEUE_ORDER_H
#define PASS_QUEUE_ORDER_H

#include <stddef.h>
#include <stdint.h>

/* One eligible job. */
struct queued {
	int64_t rank;
	uint32_t slot;
	uint32_t order; /* its index in WAITING: breaks ties by submit time and id */
};

/* Memory kept from one sorting to the next. Zero is a valid empty one; queue_order_clear frees. */
struct queue_order {
	struct queued *spare;
	size_t room;
};

/* For qsort. */
int queue_compare(const void *a, const void *b);

void queue_order_sort(struct queue_order *o, struct queued *item, uint32_t count);
void queue_order_clear(struct queue_order *o);

#endif
