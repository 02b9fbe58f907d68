/* SPDX-License-Identifier: MIT */
/*
 * hear_notify.c - receives notifications of sd_notify(3): hear_notify SOCKET
 *
 * Prints each datagram received at SOCKET as a line, with its newlines as blanks. Ends when its
 * standard input is closed.
 */
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static void print_datagram(int fd)
{
	char text[512];
	ssize_t n = recv(fd, text, sizeof text - 1, 0);

	if (n <= 0)
		return;
	text[n] = '\0';
	for (char *at = text; *at != '\0'; at++)
		if (*at == '\n')
			*at = ' ';
	puts(text);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	struct pollfd fds[2] = {{.fd = socket(AF_UNIX, SOCK_DGRAM, 0), .events = POLLIN},
				{.fd = STDIN_FILENO, .events = POLLIN}};

	if (argc != 2 || strlen(argv[1]) >= sizeof address.sun_path)
		return 2;
	strcpy(address.sun_path, argv[1]);
	if (bind(fds[0].fd, (const struct sockaddr *)&address, sizeof address) != 0)
		return 1;
	while (poll(fds, 2, -1) > 0 && fds[1].revents == 0)
		if (fds[0].revents != 0)
			print_datagram(fds[0].fd);
	return 0;
}
