/* SPDX-License-Identifier: MIT */
/*
 * figure_page.c - explanations of figures, as text on a page
 */
#include "figure_page.h"

#include "page.h"

#define NOTE_X 42 /* what stands beside a figure begins there, if it can */

void figure_page_put(struct page *p, const struct figures *f, int width)
{
	struct str text = {0};

	for (size_t i = 0; i < f->count; i++) {
		const struct figure *figure = &f->item[i];
		bool is_number = figure->part != FIGURE_NONE;

		str_clear(&text);
		str_add(&text, figure_word(f, figure->title));
		if (is_number) {
			str_add_char(&text, ' ');
			figure_text(f, figure, &text);
		}
		page_wrap(p, is_number ? ROLE_FORMULA : ROLE_TEXT, 1, width - 2, str_text(&text));
		if (figure->note)
			page_beside(p, ROLE_DIM, NOTE_X, width, figure_word(f, figure->note));
	}
	str_free(&text);
}
