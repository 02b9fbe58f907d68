/* SPDX-License-Identifier: MIT */
/*
 * fingerprint.h - hash of decisions
 *
 * A number over all starts and plans in their order: (time, job, kind, where).
 */
#ifndef HOST_FINGERPRINT_H
#define HOST_FINGERPRINT_H

#include <stdint.h>

#include "sched/state/event.h"

#define FINGERPRINT_BEGIN UINT64_C(0xcbf29ce484222325)

/* Of kinds that are no start or plan nothing is counted. */
void fingerprint_add(uint64_t *h, const struct event *ev);

#endif
