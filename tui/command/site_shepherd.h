/* SPDX-License-Identifier: MIT */
/*
 * site_shepherd.h - where is the program that watches a job?
 */
#ifndef COMMAND_SITE_SHEPHERD_H
#define COMMAND_SITE_SHEPHERD_H

#include <stddef.h>

#define SITE_PATH 4096

/* Beside this program, as it is built; else where it is installed, whether it is there or not. */
void site_find_shepherd(char out[static SITE_PATH]);

#endif
