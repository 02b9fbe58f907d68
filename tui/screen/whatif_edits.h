/* SPDX-License-Identifier: MIT */
/*
 * whatif_edits.h - edits of the draft, and the effect of each
 *
 * A list in which edits are switched off and on, written anew and taken out.
 */
#ifndef SCREEN_WHATIF_EDITS_H
#define SCREEN_WHATIF_EDITS_H

#include <stdbool.h>
#include <stddef.h>

#include "tui/draw/table.h"
#include "tui/screen/bindings.h"

struct screen_host; /* host.h */

struct whatif_edits {
	struct screen_host *host;
	struct table table;
	size_t asked; /* the edit that a line is typed for */
};

/* Release with whatif_edits_close. */
void whatif_edits_open(struct whatif_edits *l, struct screen_host *host);
void whatif_edits_close(struct whatif_edits *l);

/* Takes the rows of the draft that is open. */
void whatif_edits_update(struct whatif_edits *l);

/* Lines it would like to have, at most `most`. */
int whatif_edits_height(const struct whatif_edits *l, int most);

/* Switching, writing and taking out what is under the cursor; false: another action. */
bool whatif_edits_act(struct whatif_edits *l, enum action action);

#endif
