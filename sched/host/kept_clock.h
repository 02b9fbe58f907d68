/* SPDX-License-Identifier: MIT */
/*
 * kept_clock.h - what a scheduler leaves to the next one, so that a clock that was set in between is noticed
 *
 * A file with the id of the boot and the difference between the system's clock and the time since boot. It is
 * removed before a step becomes an entry of the journal, and written after it: a scheduler that is killed in
 * between leaves none, and no step is counted twice.
 */
#ifndef HOST_KEPT_CLOCK_H
#define HOST_KEPT_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* What the system's clock would show now if nobody had set it since. False: nothing was kept in this boot. */
bool kept_clock_read(const char *path, int64_t *now_s);

/* False: it could not be written, and nothing is kept. */
bool kept_clock_write(const char *path, int64_t difference_s);

void kept_clock_remove(const char *path);

#endif
