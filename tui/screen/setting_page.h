/* SPDX-License-Identifier: MIT */
/*
 * setting_page.h - details of one parameter, and of one finding of lint
 */
#ifndef SCREEN_SETTING_PAGE_H
#define SCREEN_SETTING_PAGE_H

#include "page.h"
#include "setting_list.h"

struct store; /* store/store.h */

/* store: where it is looked up who made a live change; NULL = that is not known. */
void setting_page_row(struct page *p, const struct setting_list *l, const struct setting_row *item,
		      struct store *store, int width);
void setting_page_finding(struct page *p, const struct setting_list *l, const struct config_finding *finding,
			  int width);

#endif
