/* SPDX-License-Identifier: MIT */
/*
 * codec_fields.h - encoding and decoding of the fields of records, for codec.c only
 */
#ifndef STORE_CODEC_FIELDS_H
#define STORE_CODEC_FIELDS_H

#include "codec.h"
#include "sched/state/stored_field.h"

/* Appends the members of the struct at base that have a row in fields, in the order of the rows. */
void put_fields(struct str *out, const void *base, const struct stored_field *fields);

/*
 * Reads into the struct at base the members that the record's version contains. Other members keep their
 * values, except that missing fields of jobs and nodes within the struct are set to their defaults. Arrays
 * are in the scratch memory until its next use; scratch may be NULL if no row is an array or contains one.
 */
void get_fields(struct record *r, void *base, const struct stored_field *fields,
		struct codec_scratch *scratch);

#endif
