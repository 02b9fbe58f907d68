/* SPDX-License-Identifier: MIT */
/*
 * output_read.c - reading the output file of a job as the job's user
 *
 * A process of root does not open the file itself. A child process takes on the user's groups and IDs, opens
 * the file, and reads what the parent requests over a socket pair. The caller may have threads, so the child
 * calls only async-signal-safe functions: the user and the groups are looked up before fork().
 *
 * A system call on a user's file can block for as long as that user wants, and no signal interrupts it: the
 * user's FUSE server does not answer a request, possibly below an overlay, or a lock of the file is held by a
 * thread that waits for such a server. Neither the type of the file system nor that of the file shows this.
 * So the parent holds no descriptor of the file, and waits for each answer only until a deadline. The child
 * has the user's IDs, so the user may also stop or kill it at any time. A child that kept root's real or
 * saved ID could not be stopped, but could not open files in the user's FUSE file systems either, because
 * FUSE compares all IDs.
 *
 * A child that hangs remains until the file system answers. Therefore the child refuses files in FUSE file
 * systems and overlays that a user has mounted. File systems that root has mounted are read like any others.
 */
#include "output_read.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "monotonic.h"
#include "sched/base/vec.h"

#define NAMES_ROOM      16384   /* maximum bytes of an entry of the user database */
#define ANSWER_MS       2000    /* time limit for an answer of the child; a file system may be slow */
#define END_MS          1000    /* time limit for the exit of the killed child */
#define PIECE_MAX       32768   /* maximum bytes of the file in one answer */
#define ERR_USERS_MOUNT EREMOTE /* the child's error for a file system mounted by a user */
#define ERR_NO_REGULAR  EINVAL

struct identity {
	uid_t uid;
	gid_t gid;
	gid_t *groups;
	int group_count;
};

/* A request to the child. size 0: only the size of the file is requested. */
struct question {
	off_t at;
	size_t size;
};

/*
 * An answer of the child, with `bytes` shortened to what was read. After an error, the child sends no more
 * answers.
 */
struct answer {
	int error;
	off_t size; /* size of the file */
	char bytes[PIECE_MAX];
};

#define ANSWER_HEAD offsetof(struct answer, bytes)

struct output_reader {
	int fd;     /* the file; -1: the child has it */
	int socket; /* connection to the child; -1: there is no child, or it has failed */
	pid_t child;
	int error;         /* error that ended the last request; 0 = none */
	char *path, *user; /* owned */
	struct answer answer;
};

static bool find_identity(const char *user, struct identity *out)
{
	char *room = mem_alloc(NAMES_ROOM);
	struct passwd entry, *found = NULL;
	bool good;

	*out = (struct identity){.group_count = 0};
	good = getpwnam_r(user, &entry, room, NAMES_ROOM, &found) == 0 && found != NULL;
	if (good) {
		out->uid = entry.pw_uid;
		out->gid = entry.pw_gid;
		/* The first call only counts the groups. */
		(void)getgrouplist(user, entry.pw_gid, NULL, &out->group_count);
		out->groups = mem_zero((size_t)out->group_count + 1, sizeof *out->groups);
		good = getgrouplist(user, entry.pw_gid, out->groups, &out->group_count) >= 0;
		if (!good)
			free(out->groups);
	}
	free(room);
	return good;
}

/*
 * Changes all IDs of the calling process to those of the user, and checks this. Uses system calls directly,
 * because the functions of the C library would signal other threads.
 */
static bool become(const struct identity *who)
{
	uid_t real, effective, saved;

	return syscall(SYS_setgroups, (size_t)who->group_count, who->groups) == 0 &&
	       syscall(SYS_setresgid, who->gid, who->gid, who->gid) == 0 &&
	       syscall(SYS_setresuid, who->uid, who->uid, who->uid) == 0 &&
	       getresuid(&real, &effective, &saved) == 0 && real == who->uid && effective == who->uid &&
	       saved == who->uid && syscall(SYS_setresuid, 0, 0, 0) != 0;
}

/* --- file systems of users ----------------------------------------------------------------------- */

#define FUSE_MAGIC    0x65735546 /* f_type of statfs(2) */
#define OVERLAY_MAGIC 0x794c7630
#define LINE_ROOM     8192
#define ROOT_MOUNTS   "user_id=0"

/*
 * Is the option in a line of mountinfo? It must follow a comma or a blank and be followed by a comma, a blank
 * or the end of the line.
 */
static bool has_option(const char *options, const char *option)
{
	size_t len = strlen(option);

	for (const char *at = strstr(options, option); at != NULL; at = strstr(at + 1, option))
		if (at > options && strchr(", ", at[-1]) != NULL && strchr(", \n", at[len]) != NULL)
			return true;
	return false;
}

/*
 * Returns the options of the file system in a line of mountinfo: "36 35 98:0 /root /at options - type source
 * options". Blanks in the other fields are escaped; the source is chosen by the mounting user and may be
 * empty.
 */
static const char *super_options(const char *line)
{
	const char *at = strstr(line, " - ");

	at = at != NULL ? strchr(at + strlen(" - "), ' ') : NULL;
	return at != NULL ? strchr(at + 1, ' ') : NULL;
}

/* Does the line describe the mount with this number and this option (NULL: any options)? */
static bool is_mount(const char *line, uint64_t mount, const char *option)
{
	const char *options = super_options(line);
	char *end;

	return strtoull(line, &end, 10) == mount && *end == ' ' && options != NULL &&
	       (option == NULL || has_option(options, option));
}

/*
 * Is the mount in this mount namespace, with this option? Users can mount only in namespaces of their own, or
 * through a program of root that adds the user to the options. A line that is too long for the buffer counts
 * only if no option is requested.
 */
static bool root_has_mounted(uint64_t mount, const char *option)
{
	char line[LINE_ROOM], bytes[LINE_ROOM];
	size_t len = 0;
	bool found = false;
	ssize_t n;
	int fd = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC);

	while (fd >= 0 && !found && (n = read(fd, bytes, sizeof bytes)) > 0)
		for (ssize_t i = 0; i < n && !found; i++) {
			if (len < sizeof line - 1)
				line[len++] = bytes[i];
			if (bytes[i] != '\n')
				continue;
			line[len] = '\0';
			found = (option == NULL || line[len - 1] == '\n') && is_mount(line, mount, option);
			len = 0;
		}
	if (fd >= 0)
		close(fd);
	return found;
}

/*
 * Is the file in a FUSE file system or an overlay that was not mounted by root? If this is unknown, a FUSE
 * file system counts as mounted by a user, an overlay as mounted by root.
 */
static bool is_in_users_mount(int fd)
{
	struct statfs fs;
	struct statx st;
	bool known;

	if (fstatfs(fd, &fs) != 0 || (fs.f_type != FUSE_MAGIC && fs.f_type != OVERLAY_MAGIC))
		return false;
	known = statx(fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_MNT_ID, &st) == 0 &&
		(st.stx_mask & STATX_MNT_ID) != 0;
	return fs.f_type == FUSE_MAGIC ? !known || !root_has_mounted(st.stx_mnt_id, ROOT_MOUNTS)
				       : known && !root_has_mounted(st.stx_mnt_id, NULL);
}

/* --- the file --------------------------------------------------------------------------------------- */

/* Opens the file if it is a regular one. Returns 0 or an errno. */
static int open_regular(const char *path, int *fd)
{
	struct stat st;
	int error;

	*fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW);
	if (*fd < 0)
		return errno;
	error = fstat(*fd, &st) != 0 ? errno : S_ISREG(st.st_mode) ? 0 : ERR_NO_REGULAR;
	if (error == 0)
		return 0;
	close(*fd);
	*fd = -1;
	return error;
}

/* Answers a request. Returns the number of bytes read from the file. */
static size_t look(int fd, const struct question *question, struct answer *out)
{
	struct stat st;
	ssize_t n = 0;

	out->error = fstat(fd, &st) != 0 ? errno : 0;
	out->size = out->error == 0 ? st.st_size : 0;
	if (out->error == 0 && question->size > 0)
		n = pread(fd, out->bytes, question->size, question->at);
	if (n < 0)
		out->error = errno;
	return n < 0 ? 0 : (size_t)n;
}

/* --- the child -------------------------------------------------------------------------------------- */

/*
 * Separates the child from its parent. All signals are blocked and the session is a new one, because handlers
 * of the parent must not run when the user sends a signal, and terminal signals are not for the child. All
 * other descriptors are closed, because open ones would keep the parent's locks.
 */
static void part_from_parent(int socket)
{
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	setsid();
	dup2(socket, 0);
	syscall(SYS_close_range, 1, ~0U, 0);
}

/*
 * The child: sends an answer when the file is open, then one for each request until the parent has closed the
 * socket. May hang indefinitely.
 */
static _Noreturn void serve(int socket, const char *path, const struct identity *who, struct answer *answer)
{
	struct question question = {.size = 0};
	size_t size = 0;
	int fd = -1;

	part_from_parent(socket);
	answer->error = who->uid == 0 || become(who) ? open_regular(path, &fd) : EPERM;
	if (answer->error == 0 && is_in_users_mount(fd))
		answer->error = ERR_USERS_MOUNT;
	do {
		if (answer->error == 0)
			size = look(fd, &question, answer);
		if (send(0, answer, ANSWER_HEAD + size, MSG_NOSIGNAL) < 0)
			break;
	} while (answer->error == 0 && recv(0, &question, sizeof question, 0) == (ssize_t)sizeof question);
	_exit(0);
}

/* --- the parent -------------------------------------------------------------------------------------- */

static int64_t until(int ms)
{
	return monotonic_ns() + (int64_t)ms * 1000000;
}

/*
 * Waits until fd is readable: a message has arrived, or the process of a pidfd has exited. Returns false when
 * the deadline has passed.
 */
static bool await(int fd, int64_t until_ns)
{
	struct pollfd one = {.fd = fd, .events = POLLIN};
	int64_t left_ns;

	/* Poll at least once, because this process may have been stopped until after the deadline. */
	do {
		left_ns = until_ns - monotonic_ns();
		if (poll(&one, 1, left_ns > 0 ? (int)(left_ns / 1000000) + 1 : 0) > 0)
			return true;
	} while (left_ns > 0);
	return false;
}

/*
 * Kills the child (SIGKILL also ends a stopped process) and reaps it if it exits in time. A child that hangs
 * in a file system is left behind.
 */
static void end_child(struct output_reader *r)
{
	int pidfd;

	if (r->socket < 0)
		return;
	pidfd = pidfd_open(r->child, 0);
	kill(r->child, SIGKILL);
	close(r->socket);
	r->socket = -1;
	if (pidfd >= 0) {
		(void)await(pidfd, until(END_MS));
		close(pidfd);
	}
	while (waitpid(r->child, NULL, WNOHANG) < 0 && errno == EINTR)
		;
}

/*
 * Receives an answer. Returns false with r->error set, to ETIMEDOUT if the child has not answered by the
 * deadline. *size: number of bytes read from the file.
 */
static bool hear(struct output_reader *r, int64_t until_ns, size_t *size)
{
	ssize_t n = -1;

	*size = 0;
	if (!await(r->socket, until_ns))
		r->error = ETIMEDOUT;
	else if ((n = recv(r->socket, &r->answer, sizeof r->answer, MSG_DONTWAIT)) < (ssize_t)ANSWER_HEAD)
		r->error = EIO;
	else
		r->error = r->answer.error;
	if (r->error == 0)
		*size = (size_t)n - ANSWER_HEAD;
	else
		end_child(r);
	return r->error == 0;
}

static bool ask(struct output_reader *r, const struct question *question, int64_t until_ns, size_t *size)
{
	if (r->fd >= 0) {
		*size = look(r->fd, question, &r->answer);
		r->error = r->answer.error;
		return r->error == 0;
	}
	/* After a failure, answers would no longer match the requests. */
	if (r->socket < 0)
		return false;
	/* If the child has exited, receiving the answer fails. */
	(void)send(r->socket, question, sizeof *question, MSG_NOSIGNAL | MSG_DONTWAIT);
	return hear(r, until_ns, size);
}

static bool begin_child(struct output_reader *r, const struct identity *who)
{
	int pair[2];
	size_t size;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) {
		r->error = errno;
		return false;
	}
	r->child = fork();
	if (r->child == 0)
		serve(pair[1], r->path, who, &r->answer);
	r->error = r->child < 0 ? errno : 0;
	close(pair[1]);
	if (r->child < 0) {
		close(pair[0]);
		return false;
	}
	r->socket = pair[0];
	return hear(r, until(ANSWER_MS), &size);
}

/* --- readers ---------------------------------------------------------------------------------------- */

/* Writes the message for r->error and sets errno. */
static void explain(const struct output_reader *r, struct err *err)
{
	const char *path = r->path, *user = r->user;

	if (r->error == ETIMEDOUT)
		err_set(err,
			"%s cannot be read: reading it as %s takes more than %d s; check whether its file "
			"system hangs or %s stops processes, then try again",
			path, user, ANSWER_MS / 1000, user);
	else if (r->error == ERR_USERS_MOUNT)
		err_set(err,
			"%s cannot be read: it is in a FUSE or overlay file system of a user, which could "
			"keep the reader waiting indefinitely; read it as %s",
			path, user);
	else if (r->error == ERR_NO_REGULAR)
		err_set(err, "%s is not a regular file; output written to it is not stored", path);
	else
		err_set(err, "%s cannot be read: %s", path,
			r->error == ELOOP ? "it is a symbolic link" : strerror(r->error));
	errno = r->error == ERR_USERS_MOUNT ? ETIMEDOUT : r->error;
}

struct output_reader *output_read_open(const char *path, const char *user, struct err *err)
{
	struct output_reader *r;
	struct identity who = {.groups = NULL};
	int error;

	if (geteuid() == 0 && (user == NULL || !find_identity(user, &who))) {
		err_set(err, "%s cannot be read: this host does not know its user %s", path,
			user != NULL ? user : "");
		errno = EPERM;
		return NULL;
	}
	r = mem_zero(1, sizeof *r);
	r->fd = r->socket = -1;
	r->path = mem_string(path);
	r->user = mem_string(user != NULL ? user : "");
	if (geteuid() != 0)
		r->error = open_regular(r->path, &r->fd);
	else
		(void)begin_child(r, &who);
	free(who.groups);
	if (r->error == 0)
		return r;
	explain(r, err);
	error = errno;
	output_read_close(r);
	errno = error;
	return NULL;
}

bool output_read_size(struct output_reader *r, off_t *size, struct err *err)
{
	static const struct question question = {.size = 0};
	size_t none;

	if (!ask(r, &question, until(ANSWER_MS), &none)) {
		explain(r, err);
		return false;
	}
	*size = r->answer.size;
	return true;
}

ssize_t output_read_at(struct output_reader *r, void *bytes, size_t size, off_t at, struct err *err)
{
	int64_t until_ns = until(ANSWER_MS);
	size_t done = 0, n = 1;

	while (done < size && n > 0) {
		size_t left = size - done;
		struct question question = {.at = at + (off_t)done,
					    .size = left < PIECE_MAX ? left : PIECE_MAX};

		if (!ask(r, &question, until_ns, &n)) {
			explain(r, err);
			return -1;
		}
		memcpy((char *)bytes + done, r->answer.bytes, n);
		done += n;
	}
	return (ssize_t)done;
}

void output_read_close(struct output_reader *r)
{
	if (r == NULL)
		return;
	end_child(r);
	if (r->fd >= 0)
		close(r->fd);
	free(r->path);
	free(r->user);
	free(r);
}
