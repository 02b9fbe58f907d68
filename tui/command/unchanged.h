/* SPDX-License-Identifier: MIT */
/*
 * unchanged.h - removal of changes that set what a job or the policy has already
 */
#ifndef COMMAND_UNCHANGED_H
#define COMMAND_UNCHANGED_H

#include "cmd.h"

/* Removes events that set an attribute or a priority of a job, or an option, to the value that it has, with a
 * note for each. */
void unchanged_drop(const struct snapshot *s, struct cmd_changes *changes);

#endif
