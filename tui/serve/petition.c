/* SPDX-License-Identifier: MIT */
/*
 * petition.c - who asks for this, and may they?
 */
#include "petition.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "admission.h"
#include "fates.h"
#include "sched/base/str.h"
#include "sched/rm/launch.h"

/* --- how many ------------------------------------------------------------------------------------ */

static bool is_of(const struct snapshot *s, uint32_t slot, uint32_t user)
{
	return snapshot_jobs(s)[slot].cred[CRED_USER] == user;
}

static uint64_t count_jobs(const struct snapshot *s, uint32_t user)
{
	uint64_t count = 0;

	for (uint32_t i = 0; i < snapshot_count(s, TABLE_WAITING); i++)
		count += is_of(s, snapshot_waiting(s)[i].slot, user);
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_RUNNING); i++)
		count += is_of(s, snapshot_running(s)[i], user);
	return count;
}

/* They are counted only where all together are so many that it may be too much. */
static bool has_room(const struct petition *p, uint64_t more, struct err *err)
{
	const struct snapshot *s = state_view(p->st);
	uint64_t most = (uint64_t)s->policy.site.user_jobs;
	uint64_t all = (uint64_t)snapshot_count(s, TABLE_WAITING) + snapshot_count(s, TABLE_RUNNING);
	uint32_t user;

	if (p->by->level == ADMIN_ALL || all + more <= most)
		return true;
	user = state_find_cred(p->st, CRED_USER, p->by->user);
	return (user == INDEX_NONE ? 0 : count_jobs(s, user)) + more <= most ||
	       err_set(err,
		       "%s would have more than the %" PRIu64
		       " jobs that maxuserqueuable lets a user have; wait until some have ended",
		       p->by->user, most);
}

/* --- what comes first ------------------------------------------------------------------------------ */

static bool can_wait_for(const struct petition *p, const struct depend *item, size_t count, struct err *err)
{
	for (size_t i = 0; i < count; i++)
		if (!fates_check_depend(p->fates, &item[i], err))
			return false;
	return true;
}

/* A text that cannot be read is refused where it is set. */
static bool check_modify(const struct petition *p, const struct event *ev, struct err *err)
{
	struct depend_list list = {0};
	bool good = true;

	if (str_same_word(ev->modify.name, JOB_DEPEND_ATTRIBUTE) &&
	    depend_list_read(ev->modify.value, &list, NULL))
		good = can_wait_for(p, list.item, list.count, err);
	free(list.item);
	return good;
}

/* --- submissions --------------------------------------------------------------------------------- */

/* What is to be run is run as the person, whoever the launch says. */
static bool sign_launch(const struct petition *p, struct event *ev, struct arena *arena, struct err *err)
{
	struct launch launch;
	struct str bytes = {0};
	void *room = NULL;
	bool good = launch_read(ev->submit.launch, ev->submit.launch_size, &launch, &room, err);

	if (good) {
		launch.uid = p->by->uid;
		launch.gid = p->by->gid;
		launch_write(&launch, &bytes);
		ev->submit.launch = arena_copy(arena, bytes.data, bytes.len);
		ev->submit.launch_size = (uint32_t)bytes.len;
	}
	free(room);
	str_free(&bytes);
	return good;
}

static bool sign_submit(const struct petition *p, struct event *ev, struct arena *arena, struct err *err)
{
	if (p->by->uid == 0 && !state_view(p->st)->policy.site.allow_root)
		return err_set(err, "root's jobs are not taken here; allowroot = true takes them");
	if (ev->submit.launch == NULL)
		return err_set(err, "the submission does not say what is to be run");
	ev->job = 0;
	ev->submit.label = NULL; /* who called his job as another's is called would be taken for it */
	ev->submit.job.submit_s = p->now_s;
	ev->submit.cred[CRED_USER] = arena_string(arena, p->by->user);
	ev->submit.cred[CRED_GROUP] = arena_string(arena, p->by->group);
	return admission_check(p->st, &ev->submit, err) &&
	       can_wait_for(p, ev->submit.depend, ev->submit.depend_count, err) &&
	       sign_launch(p, ev, arena, err);
}

/* --- all ----------------------------------------------------------------------------------------- */

bool petition_sign(const struct petition *p, struct event *ev, size_t count, struct arena *arena,
		   struct err *err)
{
	const struct asker asker = {.user = arena_string(arena, p->by->user), .level = p->by->level};
	uint64_t jobs = 0;

	for (size_t i = 0; i < count; i++) {
		ev[i].time_s = p->now_s;
		ev[i].who = asker.user;
		if (!may_ask(&asker, p->st, &ev[i], err))
			return false;
		if (ev[i].kind == EVENT_MODIFY && !check_modify(p, &ev[i], err))
			return false;
		if (ev[i].kind != EVENT_SUBMIT)
			continue;
		jobs += job_record_tasks(&ev[i].submit);
		if (!sign_submit(p, &ev[i], arena, err))
			return false;
	}
	return jobs == 0 || has_room(p, jobs, err);
}
