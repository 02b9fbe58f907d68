/* SPDX-License-Identifier: MIT */
/*
 * kept_clock.c - what a scheduler leaves to the next one, so that a clock that was set in between is noticed
 */
#include "kept_clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sched/base/str.h"
#include "sched/rm/monotonic.h"
#include "sched/rm/spool.h"

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

/* Nothing of it need survive the machine: the next boot is another one. */
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
