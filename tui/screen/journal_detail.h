/* SPDX-License-Identifier: MIT */
/*
 * journal_detail.h - details of the journal entry under the cursor
 */
#ifndef SCREEN_JOURNAL_DETAIL_H
#define SCREEN_JOURNAL_DETAIL_H

#include "journal.h"
#include "page.h"

struct screen_host; /* host.h */

/* Writes it, for lines of width cells: the entry, the queue before and after it, what undoing it would do
 * now, and what has happened because of it, as far as that is known. e NULL: there is none, for the reason
 * that err may have. */
void journal_detail(struct page *p, struct screen_host *host, const struct journal_entry *e,
		    const struct err *err, int width);

#endif
