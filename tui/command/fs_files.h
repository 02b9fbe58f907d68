/* SPDX-License-Identifier: MIT */
/*
 * fs_files.h - how do windows of fairshare usage come and go as files?
 */
#ifndef COMMAND_FS_FILES_H
#define COMMAND_FS_FILES_H

#include "cmd.h"

/* Writes each window that has usage as DIR/FS.<epoch>; says what it wrote. */
bool fs_files_export(struct cmd_env *env, const struct fairshare *f, const char *dir);

/* Adds an event for each window of DIR's files that still counts; older ones are left out, and said so. */
bool fs_files_import(struct cmd_env *env, const char *dir);

#endif
