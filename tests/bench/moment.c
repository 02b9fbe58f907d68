/* SPDX-License-Identifier: MIT */
/*
 * moment.c - records the time at which a measured job begins: moment FILE
 *
 * Appends the nanoseconds of CLOCK_MONOTONIC to the file. A measured job does this first.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct timespec t;
	char text[40];
	int fd, len;

	clock_gettime(CLOCK_MONOTONIC, &t);
	fd = argc == 2 ? open(argv[1], O_WRONLY | O_CREAT | O_APPEND, 0600) : -1;
	len = snprintf(text, sizeof text, "%lld%09ld\n", (long long)t.tv_sec, t.tv_nsec);
	return fd >= 0 && write(fd, text, (size_t)len) == len ? EXIT_SUCCESS : EXIT_FAILURE;
}
