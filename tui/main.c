/* SPDX-License-Identifier: MIT */
/* main.c - entry point of the program */
#include <fcntl.h>
#include <locale.h>
#include <unistd.h>

#include "sched/base/failpoint.h"
#include "tui/command/command_line.h"
#include "tui/console/console.h"

/*
 * If the program is started with standard input, output or error closed, the next file that it opens, such as
 * the store, would get that descriptor, and messages would be written into the file. So each closed
 * descriptor is opened on /dev/null in the wrong direction: using it still fails.
 */
static void take_standard_files(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			(void)!open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

int main(int argc, char **argv)
{
	take_standard_files();
	if (fail_list())
		return 0;
	/* which characters are letters; numbers and dates look the same in every locale */
	setlocale(LC_CTYPE, "");
	return command_line_run(argc, argv, &console_verbs);
}
