/* SPDX-License-Identifier: MIT */
/*
 * man.h - the manual pages, as the tables have them
 */
#ifndef COMMAND_MAN_H
#define COMMAND_MAN_H

struct str;

/* kahu(1): verbs and options; kahu.conf(5): every option of the configuration. In man(7) macros. */
void man_print_program(struct str *out);
void man_print_config(struct str *out);

#endif
