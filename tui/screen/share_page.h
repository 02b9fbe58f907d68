/* SPDX-License-Identifier: MIT */
/*
 * share_page.h - details of one share: its origin, and its projected course
 */
#ifndef SCREEN_SHARE_PAGE_H
#define SCREEN_SHARE_PAGE_H

#include "share_list.h"

struct page; /* page.h */

/*
 * About a row: the formula with its numbers, what the next rolls make of it, what other
 * settings would, and why it is off its target.
 */
void share_page_row(struct page *p, const struct forecast *f, const struct share_row *row, int width);

#endif
