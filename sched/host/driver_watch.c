/* SPDX-License-Identifier: MIT */
/*
 * driver_watch.c - what may not be changed beside a resource manager that decides by itself
 */
#include "driver_inside.h"

bool driver_is_watching(const struct driver *d)
{
	return d->rm.ops != NULL && d->rm.ops->compare != NULL;
}

/* Does the event change something that only a watched manager may change, such as a job? */
static bool is_for_manager(const struct event *ev)
{
	switch (ev->kind) {
	case EVENT_SUBMIT:
	case EVENT_START:
	case EVENT_HOLD:
	case EVENT_PRIORITY:
	case EVENT_CANCEL:
	case EVENT_MODIFY:
	case EVENT_SUSPEND:
	case EVENT_REQUEUE:
	case EVENT_HALT:
	case EVENT_SIGNAL:
		return true;
	default:
		return false;
	}
}

bool driver_may_change(const struct driver *d, const struct event *ev, size_t count, struct err *err)
{
	for (size_t i = 0; driver_is_watching(d) && i < count; i++)
		if (is_for_manager(&ev[i]))
			return err_set(err,
				       "%s: Slurm decides, and this scheduler only watches it (mode = "
				       "shadow); use Slurm's commands",
				       event_kind_name(ev[i].kind));
	return true;
}
