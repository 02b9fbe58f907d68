/* SPDX-License-Identifier: MIT */
/*
 * host_answer.h - is what a configuration names on this host?
 */
#ifndef COMMAND_HOST_ANSWER_H
#define COMMAND_HOST_ANSWER_H

#include "sched/config/config.h"

/* A host_ask. What may not be looked at is taken to be good; self is not used. */
enum host_state host_answer(void *self, enum host_thing thing, const char *name);

#endif
