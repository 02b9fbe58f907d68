/* SPDX-License-Identifier: MIT */
/*
 * config_inside.h - what the files that read configurations share and nobody else needs
 */
#ifndef CORE_CONFIG_INSIDE_H
#define CORE_CONFIG_INSIDE_H

#include "config.h"

/* The checks of rows (config_text.c): does the text mean something? */
option_check config_check_limit, config_check_target, config_check_names, config_check_name,
	config_check_qlist, config_check_gres, config_check_available, config_check_priorityf,
	config_check_program;

/* May a section of this kind have this name? DEFAULT becomes so written. */
bool config_check_section(const char *scope, const char **title, struct err *err);

/* The row by which a value goes when two rows mean one thing: reservationlevel 0 is the top level's. */
const struct option *config_one_row(const struct option *row, const char **title);

#endif
