/* SPDX-License-Identifier: MIT */
/*
 * term_type.c - terminal type (terminfo)
 *
 * This is a separate file because terminfo's header defines another struct term. Terminfo is read before
 * curses starts, because newterm leaks memory for an unknown type, and because the sequence that a signal
 * handler writes must be prepared in advance.
 */
#include "term_type.h"

#include <stdio.h>
#include <string.h>
#include <term.h> /* of ncurses: terminfo */

#include "sched/base/str.h"

#define PASTE_AND_MOUSE_OFF "\033[?2004l\033[?1000l\033[?1006l"

/* Returns the value of a string capability of terminfo; NULL if the terminal does not have it. */
static const char *capability(const char *name)
{
	char id[8];

	snprintf(id, sizeof id, "%s", name); /* older headers do not accept const char * */
	return tigetstr(id);
}

/* Appends a capability without its delays ("$<5>"), because a signal handler cannot wait. */
static void add_capability(struct str *out, const char *name)
{
	const char *value = capability(name);

	for (; value && *value; value++) {
		const char *end = value[0] == '$' && value[1] == '<' ? strchr(value, '>') : NULL;

		if (end)
			value = end;
		else
			str_add_char(out, *value);
	}
}

static void describe(struct term_type *type)
{
	struct str rescue = {0};
	char id[8];

	type->places_cursor = capability("cup") != NULL;
	snprintf(id, sizeof id, "colors");
	type->colours = tigetnum(id) > 0 ? tigetnum(id) : 0;
	str_add(&rescue, PASTE_AND_MOUSE_OFF);
	add_capability(&rescue, "sgr0");
	add_capability(&rescue, "cnorm");
	add_capability(&rescue, "rmkx");
	add_capability(&rescue, "rmcup");
	snprintf(type->rescue, sizeof type->rescue, "%s", str_text(&rescue));
	str_free(&rescue);
}

static bool look_up(const char *name, int fd, struct term_type *out)
{
	int status;

	snprintf(out->name, sizeof out->name, "%s", name);
	if (setupterm(out->name, fd, &status) != 0)
		return false;
	describe(out);
	del_curterm(cur_term);
	return true;
}

/*
 * An unknown type is most likely a new terminal emulator, and such emulators understand the sequences of
 * xterm. "ansi" is not tried, because not every terminal understands all its sequences, for example the one
 * for a tab.
 */
bool term_type_find(const char *wanted, int fd, struct term_type *out)
{
	return look_up(wanted, fd, out) ||
	       (strstr(wanted, "256color") && look_up("xterm-256color", fd, out)) ||
	       (strncmp(wanted, "xterm", 5) == 0 && look_up("xterm-256color", fd, out)) ||
	       look_up("xterm", fd, out) || look_up("vt100", fd, out);
}
