/* SPDX-License-Identifier: MIT */
/*
 * moving.c - movement keys of lists and texts
 */
#include "moving.h"

#include "page.h"
#include "tui/draw/table.h"

bool moving_table(struct table *t, enum action action)
{
	switch (action) {
	case ACTION_DOWN:
		table_move(t, 1);
		return true;
	case ACTION_UP:
		table_move(t, -1);
		return true;
	case ACTION_PAGE_DOWN:
		table_page(t, 2);
		return true;
	case ACTION_PAGE_UP:
		table_page(t, -2);
		return true;
	case ACTION_HALF_DOWN:
		table_page(t, 1);
		return true;
	case ACTION_HALF_UP:
		table_page(t, -1);
		return true;
	case ACTION_HOME:
		table_home(t);
		return true;
	case ACTION_END:
		table_end(t);
		return true;
	default:
		return false;
	}
}

bool moving_page(struct page *p, enum action action)
{
	switch (action) {
	case ACTION_DOWN:
		page_move(p, 1);
		return true;
	case ACTION_UP:
		page_move(p, -1);
		return true;
	case ACTION_PAGE_DOWN:
		page_move(p, p->body);
		return true;
	case ACTION_PAGE_UP:
		page_move(p, -p->body);
		return true;
	case ACTION_HALF_DOWN:
		page_move(p, p->body / 2);
		return true;
	case ACTION_HALF_UP:
		page_move(p, -(p->body / 2));
		return true;
	case ACTION_HOME:
		page_home(p);
		return true;
	case ACTION_END:
		page_end(p);
		return true;
	default:
		return false;
	}
}
