/* SPDX-License-Identifier: MIT */
/*
 * clock.c - the scheduler's clock, real or simulated
 */
#include "clock.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sched/base/str.h"
#include "sched/model/job.h"
#include "sched/rm/monotonic.h"
#include "sched/rm/spool.h"

#define LAST_S (TIME_NEVER - 1)
#define FAR_S  (UINT64_C(1) << 40)

/*
 * Multiplies seconds and nanoseconds by the speed separately: nanoseconds alone would overflow after 30
 * hours at full speed.
 */
int64_t clock_now_s(const struct clock *c, int64_t now_ns)
{
	int64_t passed_ns = now_ns - c->base_ns, passed_s;

	if (passed_ns <= 0)
		return c->base_s;
	passed_s = passed_ns / SECOND_NS * c->speed + passed_ns % SECOND_NS * c->speed / SECOND_NS;
	return c->base_s < LAST_S - passed_s ? c->base_s + passed_s : LAST_S;
}

/* A clock that is already later keeps its time, including the fraction of a second. */
void clock_move(struct clock *c, int64_t now_ns, int64_t at_s)
{
	if (at_s <= clock_now_s(c, now_ns))
		return;
	c->base_s = at_s < LAST_S ? at_s : LAST_S;
	c->base_ns = now_ns;
}

void clock_set(struct clock *c, int64_t now_ns, const struct timespec *system)
{
	c->base_s = system->tv_sec;
	c->base_ns = now_ns - system->tv_nsec;
}

/* If this clock is ahead of the system's, it stops until the system's clock has caught up. */
int64_t clock_follow(struct clock *c, int64_t now_ns, const struct timespec *system)
{
	int64_t shown_s = clock_now_s(c, now_ns), passed_ns = now_ns - c->base_ns;
	/* The system's clock minus the time that this clock would show if it had run at real speed. */
	int64_t ahead_s = system->tv_sec - c->base_s - passed_ns / SECOND_NS;
	int64_t rest_ns = system->tv_nsec - passed_ns % SECOND_NS;

	ahead_s += (rest_ns >= SECOND_NS / 2) - (rest_ns <= -SECOND_NS / 2);
	if (ahead_s >= CLOCK_STEP_S || ahead_s <= -CLOCK_STEP_S)
		return ahead_s;
	clock_set(c, now_ns, system);
	if (c->base_s < shown_s) {
		c->base_ns += (shown_s - c->base_s) * SECOND_NS;
		c->base_s = shown_s;
	}
	return 0;
}

void clock_set_speed(struct clock *c, int64_t now_ns, int32_t speed)
{
	c->base_s = clock_now_s(c, now_ns);
	c->base_ns = now_ns;
	c->speed = speed < 0 ? 0 : speed > CLOCK_SPEED_MAX ? CLOCK_SPEED_MAX : speed;
}

int clock_wait_ms(const struct clock *c, int64_t now_ns, int64_t at_s)
{
	uint64_t left_s; /* unsigned: two times may be more than INT64_MAX apart */
	int64_t wait_ms;

	if (at_s == TIME_NEVER || c->speed == 0)
		return -1;
	if (at_s <= c->base_s)
		return 0;
	/* A time that is more than FAR_S away is more than INT_MAX milliseconds away at any speed. */
	left_s = (uint64_t)at_s - (uint64_t)c->base_s;
	wait_ms = (int64_t)(left_s < FAR_S ? left_s : FAR_S) * 1000;
	wait_ms = (wait_ms + c->speed - 1) / c->speed - (now_ns - c->base_ns) / 1000000;
	return wait_ms < 0 ? 0 : wait_ms > INT_MAX ? INT_MAX : (int)wait_ms;
}

/* --- the kept difference between clocks --------------------------------------------------------------- */

bool kept_clock_read(const char *path, int64_t *now_s)
{
	char boot_id[BOOT_ID], line[BOOT_ID + 32] = "";
	FILE *file = fopen(path, "re");
	int64_t difference_s;
	bool good = file != NULL && fgets(line, sizeof line, file) != NULL;

	if (file != NULL)
		fclose(file);
	line[strcspn(line, "\n")] = '\0';
	if (!good || strlen(line) < BOOT_ID || line[BOOT_ID - 1] != ' ' ||
	    !str_read_whole(line + BOOT_ID, &difference_s))
		return false;
	if (!spool_boot_id(boot_id, NULL) || strncmp(boot_id, line, BOOT_ID - 1) != 0)
		return false;
	*now_s = boottime_ns() / SECOND_NS + difference_s;
	return true;
}

/* The file need not be synced: it is invalid after a reboot. */
bool kept_clock_write(const char *path, int64_t difference_s)
{
	char boot_id[BOOT_ID];
	struct str fresh = {0};
	FILE *file;
	bool good;

	str_addf(&fresh, "%s.new", path);
	file = spool_boot_id(boot_id, NULL) ? fopen(str_text(&fresh), "we") : NULL;
	good = file != NULL && fprintf(file, "%s %" PRId64 "\n", boot_id, difference_s) > 0;
	if (file != NULL)
		good = fclose(file) == 0 && good;
	good = good && rename(str_text(&fresh), path) == 0;
	str_free(&fresh);
	if (!good)
		kept_clock_remove(path);
	return good;
}

void kept_clock_remove(const char *path)
{
	unlink(path);
}
