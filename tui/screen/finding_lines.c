/* SPDX-License-Identifier: MIT */
/*
 * finding_lines.c - lint findings in a few lines of a screen
 *
 * Each finding has one line and is cut to fit. The Config screen shows the full text, the source line and the
 * fix.
 */
#include "finding_lines.h"

#include "page.h"
#include "tui/draw/text.h"

#define LEAD   "Lint:"
#define TEXT_X 7
#define TALL_H 30 /* height from which four findings are shown */
#define MANY_H 20 /* height from which two findings are shown */
#define SOME_H 13 /* height from which one finding is shown */

enum role finding_role(const struct config_finding *finding)
{
	return finding->severity == SEVERITY_ERROR     ? ROLE_ERROR
	       : finding->severity == SEVERITY_WARNING ? ROLE_WARNING
						       : ROLE_MESSAGE;
}

static size_t count_all(const struct lint_cache *f, enum config_subject subject)
{
	size_t count = 0;

	for (int severity = SEVERITY_NOTE; severity <= SEVERITY_ERROR; severity++)
		count += lint_cache_count(f, subject, (enum config_severity)severity);
	return count;
}

void finding_lines_count(const struct lint_cache *f, enum config_severity least, struct str *out)
{
	str_add(out, "lint: ");
	for (int grave = SEVERITY_ERROR; grave >= (int)least; grave--) {
		enum config_severity severity = (enum config_severity)grave;
		size_t count = lint_count(lint_cache_shown(f), severity);

		str_addf(out, "%s%zu %s%s", severity == SEVERITY_ERROR ? "" : ", ", count,
			 config_severity_name(severity), count == 1 ? "" : "s");
	}
}

struct rect finding_lines_take(const struct lint_cache *f, enum config_subject subject, struct rect *body)
{
	size_t count = count_all(f, subject), most = body->h >= TALL_H   ? 4
						     : body->h >= MANY_H ? 2
									 : body->h >= SOME_H;

	return rect_take_bottom(body, (int)(count < most ? count : most));
}

/*
 * Writes the line of a finding. more: number of findings that are not shown, written at the end of the line.
 */
static void put_line(struct page *p, const struct lint_cache *f, const struct config_finding *finding,
		     int width, size_t more)
{
	struct str text = {0}, tail = {0}, fitted = {0};
	int room = width - 1 - TEXT_X;

	str_addf(&text, "%s%s %s", finding->id, lint_cache_is_new(f, finding) ? " (new)" : "", finding->text);
	if (more > 0)
		str_addf(&tail, "  +%zu more: 9", more);
	room -= text_width(str_text(&tail));
	text_fit(&fitted, str_text(&text), room, TEXT_LEFT, p->ascii);
	page_line(p);
	page_at(p, 1);
	page_add(p, ROLE_DIM, p->lines == 1 ? LEAD : "");
	page_at(p, TEXT_X);
	page_add(p, finding_role(finding), str_text(&fitted));
	page_add(p, ROLE_DIM, str_text(&tail));
	str_free(&text);
	str_free(&tail);
	str_free(&fitted);
}

/*
 * Is the finding caused by the draft, and not a note? Every draft causes a note that it overrides an option
 * (L11).
 */
static bool goes_first(const struct lint_cache *f, const struct config_finding *finding)
{
	return finding->severity > SEVERITY_NOTE && lint_cache_is_new(f, finding);
}

/*
 * Writes the findings for which goes_first is true (if `first` is set) or all others, while there are lines
 * left. *left is the number of findings that are not written yet.
 */
static void put_some(struct page *p, const struct lint_cache *f, enum config_subject subject, bool first,
		     struct rect r, size_t *left)
{
	const struct lint_list *shown = lint_cache_shown(f);

	for (size_t i = 0; i < shown->count && p->lines < (size_t)r.h; i++) {
		const struct config_finding *finding = &shown->item[i];

		if (config_finding_subject(finding) != subject || goes_first(f, finding) != first)
			continue;
		--*left;
		put_line(p, f, finding, r.w, p->lines + 1 == (size_t)r.h ? *left : 0);
	}
}

void finding_lines_put(const struct lint_cache *f, enum config_subject subject, struct canvas *canvas,
		       struct rect r)
{
	size_t left = count_all(f, subject);
	struct page page = {.ascii = canvas->ascii};

	put_some(&page, f, subject, true, r, &left);
	put_some(&page, f, subject, false, r, &left);
	page_draw(&page, canvas, r);
	page_free(&page);
}
