/* SPDX-License-Identifier: MIT */
/*
 * config_inside.h - check functions of option rows
 */
#ifndef CONFIG_CONFIG_INSIDE_H
#define CONFIG_CONFIG_INSIDE_H

#include "config.h"

/* Syntax checks for rows (config_text.c). */
option_check config_check_limit, config_check_target, config_check_names, config_check_name,
	config_check_qlist, config_check_gres, config_check_available, config_check_priorityf,
	config_check_program, config_check_devices, config_check_pam_service, config_check_admins,
	config_check_umask;

#endif
