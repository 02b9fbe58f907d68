/* SPDX-License-Identifier: MIT */
/*
 * verify_store.c - is a store whole? verify_store DIR
 *
 * Reads every record and replays the journal from its first entry. Status 1 and the first
 * fault as a sentence when it is not.
 */
#include <stdio.h>
#include <stdlib.h>

#include "store/store.h"

int main(int argc, char **argv)
{
	struct err err = {""};
	struct store *s;
	bool whole;

	if (argc != 2) {
		fprintf(stderr, "usage: verify_store DIR\n");
		return 2;
	}
	s = store_open(argv[1], STORE_READ, &err);
	whole = s && store_verify(s, &err);
	if (!whole)
		fprintf(stderr, "verify_store: %s\n", err.text);
	if (s)
		store_close(s);
	return whole ? EXIT_SUCCESS : EXIT_FAILURE;
}
