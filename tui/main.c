/* SPDX-License-Identifier: MIT */
/*
 * main.c - where does the program begin?
 */
#include <fcntl.h>
#include <locale.h>
#include <unistd.h>

#include "sched/base/failpoint.h"
#include "tui/command/command_line.h"
#include "tui/console/console.h"

/*
 * Whoever starts the program with one of the three closed must not find a report or a
 * message written into the file that got its number, such as the store. Each is taken by
 * something that can only be used the wrong way round, so that its use is an error as before.
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
	setlocale(LC_CTYPE, ""); /* what is a letter; numbers and dates are the same for all */
	return command_line_run(argc, argv, &console_verbs);
}
