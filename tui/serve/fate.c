/* SPDX-License-Identifier: MIT */
/*
 * fate.c - what has become of a job, as words and as a number
 */
#include "fate.h"

#include <inttypes.h>
#include <string.h>

#include "sched/base/str.h"
#include "sched/host/ledger.h"
#include "sched/model/job.h"

uint8_t exit_status_of(int32_t status)
{
	if (status == STATUS_DEPEND_FAILED)
		return 1;
	return status >= STATUS_SIGNALLED ? (uint8_t)(128 + (status - STATUS_SIGNALLED)) : (uint8_t)status;
}

uint8_t fate_exit_status(const struct fate *fate)
{
	return fate->lost ? 1 : exit_status_of(fate->status);
}

static void describe_end(const struct fate *fate, struct str *out)
{
	const char *name = fate->status >= STATUS_SIGNALLED && fate->status != STATUS_DEPEND_FAILED
				   ? sigabbrev_np(fate->status - STATUS_SIGNALLED)
				   : NULL;

	if (fate->lost)
		str_add(out, "is lost: it is not known how it ended");
	else if (fate->status == STATUS_DEPEND_FAILED)
		str_add(out, "left the queue, since its dependency can no longer be met");
	else if (fate->start_s == TIME_NONE)
		str_add(out, "was cancelled before it ran");
	else if (fate->cancelled)
		str_add(out, "was cancelled");
	else if (fate->at_limit)
		str_add(out, "was ended at its wallclock limit");
	else if (name != NULL)
		str_addf(out, "was ended by %s", name);
	else
		str_addf(out, "ended with %" PRId32, fate->status);
	if (fate->why != NULL)
		str_addf(out, ": %s", fate->why);
}

void fate_describe(const struct fate *fate, struct str *out)
{
	if (fate->label != NULL)
		str_addf(out, "job %s ", fate->label);
	else
		str_addf(out, "job %" PRIu64 " ", fate->job);
	switch ((enum fate_phase)fate->phase) {
	case FATE_WAITING:
		str_add(out, "waits");
		break;
	case FATE_RUNNING:
		str_add(out, "runs");
		break;
	case FATE_ENDED:
		describe_end(fate, out);
		break;
	case FATE_UNKNOWN:
	case FATE_PHASE_COUNT:
		str_add(out, "is not known");
		break;
	}
}
