/* SPDX-License-Identifier: MIT */
/*
 * console_spare.c - from where does the console take an outlook, and where does one go that nobody looks at?
 *
 * The console, and all that is made from an outlook beside the keys, hold it. The last who lets it go puts it
 * with the spares, whose memory serves the next.
 */
#include "console_inside.h"
#include "sched/base/vec.h"

struct outlook *console_new_outlook(struct console *c)
{
	struct outlook *o = (struct outlook *)c->spare;

	if (o)
		c->spare = o->work.next;
	else
		o = mem_zero(1, sizeof *o);
	o->work.ops = &outlook_work;
	o->holders = 1;
	return o;
}

void console_let_go(struct console *c, struct outlook *o)
{
	if (!o || --o->holders > 0)
		return;
	outlook_reset(o);
	o->work.next = c->spare;
	c->spare = &o->work;
}

void console_want_outlook(struct console *c)
{
	c->wanted = true;
}

void console_free_spares(struct console *c)
{
	while (c->spare) {
		struct work *spare = c->spare;

		c->spare = spare->next;
		outlook_free((struct outlook *)spare);
	}
}
