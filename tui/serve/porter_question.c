/* SPDX-License-Identifier: MIT */
/*
 * porter_question.c - what is told to somebody who only asks at the door?
 */
#include <string.h>

#include "may.h"
#include "past.h"
#include "porter_inside.h"
#include "sched/base/vec.h"

/* --- what has happened --------------------------------------------------------------------------- */

static int past_of(const struct porter *p, struct asked *a)
{
	struct answer_text *answer = &a->answer;
	const struct person *by = porter_who(p, a);
	const struct past_reader reader = {.user = by->level <= ADMIN_SEES ? NULL : by->user,
					   .names = handout_shows_names(driver_view(p->driver), by)};
	size_t rows = 0;
	int fd = -1;

	if (p->store == NULL)
		err_set(&answer->err, "this scheduler keeps no journal");
	else if (a->text.past.journal && !reader.names)
		err_set(&answer->err,
			"what others did is hidden here (hidenames); an administrator of level %d sees it",
			ADMIN_SEES);
	else
		fd = past_file(p->store, &a->text.past, &reader, &rows, &answer->err);
	answer->rows = rows;
	answer->outcome = fd >= 0 ? DRIVER_DONE : DRIVER_REFUSED;
	return fd;
}

/* --- what was so --------------------------------------------------------------------------------- */

static bool begin_rewinder(struct porter *p, struct err *err)
{
	if (p->store == NULL)
		return err_set(err, "this scheduler keeps no journal");
	p->rewinder = rewinder_new(p->store, err);
	if (p->rewinder == NULL || porter_listen_to(p, rewinder_fd(p->rewinder), err))
		return p->rewinder != NULL;
	rewinder_free(p->rewinder);
	p->rewinder = NULL;
	return false;
}

/* As today's state is shown: what is hidden now was so then, too. */
void porter_ask_moment(struct porter *p, struct asked *a)
{
	struct store_moment moment = {.seq = a->text.past.from, .time_s = a->text.past.since_s};
	const struct person *to = porter_who(p, a);
	bool whole = handout_shows_names(driver_view(p->driver), to);

	if (p->rewinder != NULL || begin_rewinder(p, &a->answer.err))
		a->rewinding = rewinder_ask(p->rewinder, to, whole, moment, &a->answer.err);
	a->refused = a->rewinding == NULL;
}

static int moment_of(struct asked *a)
{
	struct answer_text *answer = &a->answer;
	struct store_moment moment;
	int fd = rewinder_take(a->rewinding, &moment, &answer->err);

	if (fd >= 0)
		answer->now_s = moment.time_s;
	answer->outcome = fd >= 0 ? DRIVER_DONE : DRIVER_REFUSED;
	return fd;
}

/* --- the scheduler itself ------------------------------------------------------------------------ */

static void ask_site(struct porter *p, struct asked *a)
{
	bool reload = a->text.kind == ASK_RELOAD;
	struct answer_text *answer = &a->answer;

	if (porter_who(p, a)->level > ADMIN_ALL) {
		err_set(&answer->err, "%s may not do this; an administrator of level %d may",
			porter_who(p, a)->user, ADMIN_ALL);
	} else if (reload ? p->site.reload == NULL : p->site.stop == NULL) {
		err_set(&answer->err, "this scheduler %s",
			reload ? "has no configuration to read" : "is ended where it was started");
	} else if (reload) {
		answer->outcome = p->site.reload(p->site.self, p->driver, &answer->err);
		if (answer->outcome == DRIVER_FAILED)
			p->failed = answer->err;
	} else {
		p->site.stop(p->site.self);
		answer->outcome = DRIVER_DONE;
	}
}

/* --- what has become of jobs -------------------------------------------------------------------- */

/* Where the words are, and what went wrong, is the owner's business, and of those who see everything. */
static void keep_private(struct fate *fate, const struct person *by)
{
	if (by->level <= ADMIN_SEES || (fate->user != NULL && strcmp(fate->user, by->user) == 0))
		return;
	fate->user = fate->why = fate->output = fate->errors = NULL;
}

static void tell_fates(const struct porter *p, struct asked *a)
{
	const struct person *by = porter_who(p, a);
	size_t count = a->text.name_count;

	a->answer.outcome = DRIVER_DONE;
	a->answer.fate_count = count;
	a->answer.fate = mem_zero(count + 1, sizeof *a->answer.fate);
	for (size_t i = 0; i < count; i++) {
		a->answer.fate[i] = fates_find(p->fates, driver_state(p->driver), &a->text.name[i],
					       a->text.outputs, &a->arena);
		keep_private(&a->answer.fate[i], by);
	}
}

/* --- any of them --------------------------------------------------------------------------------- */

int porter_answer_question(struct porter *p, struct asked *a)
{
	int fd = -1;

	switch (a->text.kind) {
	case ASK_STATE:
		fd = handout_state(p->handout, driver_view(p->driver), porter_who(p, a), &a->answer.err);
		a->answer.outcome = fd >= 0 ? DRIVER_DONE : DRIVER_REFUSED;
		break;
	case ASK_FATES:
		tell_fates(p, a);
		break;
	case ASK_PAST:
		fd = past_of(p, a);
		break;
	case ASK_MOMENT:
		fd = moment_of(a);
		break;
	case ASK_RELOAD:
	case ASK_STOP:
		ask_site(p, a);
		break;
	case ASK_CHANGE:
	case ASK_KIND_COUNT:
		break;
	}
	return fd;
}
