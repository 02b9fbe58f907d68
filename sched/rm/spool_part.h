/* SPDX-License-Identifier: MIT */
/*
 * spool_part.h - which bytes stand for what a shepherd says?
 *
 * Written by the spool_write_... of spool.h; what was read of a file of SPOOL_SIZE bytes is taken apart here.
 */
#ifndef RM_SPOOL_PART_H
#define RM_SPOOL_PART_H

#include "spool.h"

/* Sets the flags (has_begun ...) and the parts themselves, of those that are whole. Values that no
 * shepherd writes make a part as good as damaged. */
void spool_read_parts(unsigned char *file, struct spool *out);

/* Was the part ever written, whole or not? */
bool spool_has_begun(const unsigned char *file);
bool spool_has_ended(const unsigned char *file);

#endif
