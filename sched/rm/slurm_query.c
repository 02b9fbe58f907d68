/* SPDX-License-Identifier: MIT */
/*
 * slurm_query.c - questions to Slurm's commands, in processes of their own
 */
#include "slurm_query.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "monotonic.h"
#include "random.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "site_program.h"
#include "trusted.h"

#define PIECE       ((size_t)64 << 10)
#define TURN_PIECES 64                /* maximum number of pieces read in a turn from each command */
#define ANSWER_MOST ((size_t)1 << 30) /* bytes; a longer answer is an error */
#define ERRORS_MOST 1024              /* bytes of error messages that are kept */
#define LINGER_MS   1000              /* interval at which killed commands are checked for their exit */

static const struct question {
	const char *name; /* for messages */
	const char *argv[7];
	bool (*read)(struct slurm_cluster *c, char *text, size_t len, struct err *err);
} questions[] = {
	{"scontrol show node", {"scontrol", "-o", "-a", "show", "node", NULL}, slurm_read_nodes},
	{"scontrol show partition",
	 {"scontrol", "-o", "-a", "show", "partition", NULL},
	 slurm_read_partitions},
	{"scontrol show reservation",
	 {"scontrol", "-o", "-a", "show", "reservation", NULL},
	 slurm_read_reservations},
	{"squeue", {"squeue", "-h", "-a", "-r", "--noconvert", "-t", "all"}, NULL},
};
#define QUESTIONS (sizeof questions / sizeof questions[0])

/* A command that is running, or was. */
struct asked {
	pid_t pid;       /* 0 = none, or it was reaped */
	int out, errors; /* pipes from its standard output and standard error; -1 = closed */
	struct str answer, complaint;
};

struct slurm_query {
	char *path, *config;
	int timeout_ms;
	int epoll;
	enum slurm_query_state state;
	bool killed; /* the question has failed, and its commands were killed */
	int64_t until_ms;
	char mark[SLURM_MARK];
	struct asked asked[QUESTIONS];
	struct err fault;
};

/* --- creation ----------------------------------------------------------------------------------------- */

struct slurm_query *slurm_query_new(const struct slurm_setup *setup, struct err *err)
{
	struct slurm_query *q = mem_zero(1, sizeof *q);

	q->path = mem_string(setup->path != NULL ? setup->path : "");
	q->config = setup->config != NULL ? mem_string(setup->config) : NULL;
	q->timeout_ms = setup->timeout_ms;
	for (size_t i = 0; i < QUESTIONS; i++)
		q->asked[i].out = q->asked[i].errors = -1;
	q->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (q->epoll >= 0)
		return q;
	err_set(err, "cannot create an epoll instance: %s", strerror(errno));
	slurm_query_free(q);
	return NULL;
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* Kills the commands. They are reaped later, when they have exited, which may take long if a disk hangs. */
static void kill_all(struct slurm_query *q)
{
	for (size_t i = 0; i < QUESTIONS; i++) {
		struct asked *a = &q->asked[i];

		close_fd(&a->out);
		close_fd(&a->errors);
		if (a->pid > 0)
			kill(-a->pid, SIGKILL);
	}
}

void slurm_query_free(struct slurm_query *q)
{
	if (q == NULL)
		return;
	kill_all(q);
	for (size_t i = 0; i < QUESTIONS; i++) {
		if (q->asked[i].pid > 0)
			waitpid(q->asked[i].pid, NULL, WNOHANG);
		str_free(&q->asked[i].answer);
		str_free(&q->asked[i].complaint);
	}
	if (q->epoll >= 0)
		close(q->epoll);
	free(q->path);
	free(q->config);
	free(q);
}

int slurm_query_fd(const struct slurm_query *q)
{
	return q->epoll;
}

const char *slurm_query_fault(const struct slurm_query *q)
{
	return q->fault.text;
}

/* --- start -------------------------------------------------------------------------------------------- */

static void fail(struct slurm_query *q, const char *name, const char *why)
{
	if (!q->killed)
		err_set(&q->fault, "Slurm cannot be read: %s: %s", name, why);
	q->killed = true;
	kill_all(q);
}

/* Finds a program in the folders of q->path. Returns false if it is in none of them. */
static bool find_program(const struct slurm_query *q, const char *name, struct str *out)
{
	for (const char *at = q->path; *at != '\0';) {
		size_t len = strcspn(at, ":");

		str_clear(out);
		str_add_bytes(out, at, len);
		str_addf(out, "/%s", name);
		if (*at == '/' && access(str_text(out), X_OK) == 0)
			return true;
		at += len + (at[len] == ':');
	}
	return false;
}

static bool watch(const struct slurm_query *q, int fd)
{
	struct epoll_event wanted = {.events = EPOLLIN};

	return fcntl(fd, F_SETFL, O_NONBLOCK) == 0 && epoll_ctl(q->epoll, EPOLL_CTL_ADD, fd, &wanted) == 0;
}

/* Starts a command whose standard output and standard error are pipes. Returns 0 or an errno. */
static int start(struct slurm_query *q, struct asked *a, const char *const *argv,
		 const char *const *environment)
{
	int out[2], errors[2], failed;

	if (pipe2(out, O_CLOEXEC) != 0)
		return errno;
	if (pipe2(errors, O_CLOEXEC) != 0) {
		failed = errno;
		close(out[0]);
		close(out[1]);
		return failed;
	}
	failed = spawn_program(argv, environment, -1, out[1], errors[1], &a->pid);
	close(out[1]);
	close(errors[1]);
	a->out = out[0];
	a->errors = errors[0];
	if (failed == 0 && (!watch(q, a->out) || !watch(q, a->errors)))
		failed = errno;
	return failed;
}

static void ask(struct slurm_query *q, size_t i, const char *const *environment)
{
	const struct question *question = &questions[i];
	const char *argv[8] = {NULL};
	struct str program = {0};
	struct err why;
	int failed;

	memcpy(argv, question->argv, sizeof question->argv);
	str_clear(&q->asked[i].answer);
	str_clear(&q->asked[i].complaint);
	if (!find_program(q, question->argv[0], &program)) {
		fail(q, question->name, "the command is not installed, or not in $PATH");
	} else if (!trusted_program(str_text(&program), &why)) {
		fail(q, question->name, why.text);
	} else {
		argv[0] = str_text(&program);
		failed = start(q, &q->asked[i], argv, environment);
		if (failed != 0)
			fail(q, question->name, strerror(failed));
	}
	str_free(&program);
}

static bool make_mark(struct slurm_query *q)
{
	/* no digits: they would continue the width of the field */
	static const char signs[] = "abcdefghijklmnopqrstuvwxyzABCDEF";
	unsigned char bytes[SLURM_MARK - 1];
	struct err err;

	if (!random_bytes(bytes, sizeof bytes, &err)) {
		fail(q, "squeue", err.text);
		return false;
	}
	for (size_t i = 0; i < sizeof bytes; i++)
		q->mark[i] = signs[bytes[i] % 32];
	return true;
}

/*
 * The commands print times in UTC, and their environment contains no setting of a user that would change the
 * output. The format, which contains the secret mark, is passed in the environment, because all users can
 * read the arguments of a process.
 */
void slurm_query_begin(struct slurm_query *q)
{
	const char *environment[5] = {"TZ=UTC0", "SLURM_TIME_FORMAT=standard"};
	struct str format = {0}, config = {0};

	if (q->state == QUERY_RUNNING)
		return;
	q->killed = false;
	q->fault = (struct err){{0}};
	q->state = QUERY_RUNNING;
	q->until_ms = monotonic_ms() + q->timeout_ms;
	if (make_mark(q)) {
		str_add(&format, "SQUEUE_FORMAT2=");
		slurm_job_format(q->mark, &format);
		environment[2] = str_text(&format);
		str_addf(&config, "SLURM_CONF=%s", q->config != NULL ? q->config : "");
		environment[3] = q->config != NULL ? str_text(&config) : NULL;
		for (size_t i = 0; i < QUESTIONS && !q->killed; i++)
			ask(q, i, environment);
	}
	str_free(&format);
	str_free(&config);
}

/* --- answers ------------------------------------------------------------------------------------------ */

/*
 * Appends what can be read from a pipe to the text, and closes the pipe at its end. Returns false if the text
 * is longer than `most`.
 */
static bool read_pipe(int *fd, struct str *text, size_t most)
{
	for (unsigned i = 0; i < TURN_PIECES && *fd >= 0; i++) {
		ssize_t n;

		str_reserve(text, PIECE + 1);
		n = read(*fd, text->data + text->len, PIECE);
		if (n > 0) {
			text->len += (size_t)n;
			text->data[text->len] = '\0';
			if (text->len > most)
				return false;
		} else if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
			close_fd(fd);
		} else {
			return true;
		}
	}
	return true;
}

/*
 * Reads error messages, of which only the first bytes are kept. The pipe is not closed before its end: a
 * command that prints many warnings and then answers would be ended by SIGPIPE.
 */
static void read_errors(struct asked *a)
{
	for (unsigned i = 0; i < TURN_PIECES && a->errors >= 0; i++) {
		if (read_pipe(&a->errors, &a->complaint, ERRORS_MOST))
			return;
		a->complaint.len = ERRORS_MOST;
		a->complaint.data[ERRORS_MOST] = '\0';
	}
}

/*
 * Returns the first line of the command's error messages or, if there are none, a sentence with its exit
 * status.
 */
static const char *complaint_of(struct asked *a, int status, struct str *out)
{
	char *text = a->complaint.len > 0 ? a->complaint.data : NULL;

	if (text != NULL)
		text[strcspn(text, "\n")] = '\0';
	if (text != NULL && text[0] != '\0')
		str_add(out, text);
	else if (WIFSIGNALED(status))
		str_addf(out, "it was ended by signal %d", WTERMSIG(status));
	else
		str_addf(out, "it ended with status %d", WEXITSTATUS(status));
	for (char *c = out->data; *c != '\0'; c++)
		if ((unsigned char)*c < ' ')
			*c = ' ';
	return str_text(out);
}

static void reap(struct slurm_query *q, size_t i)
{
	struct asked *a = &q->asked[i];
	struct str why = {0};
	int status;

	if (a->pid <= 0 || a->out >= 0 || waitpid(a->pid, &status, WNOHANG) != a->pid)
		return;
	a->pid = 0;
	read_errors(a);
	close_fd(&a->errors);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		fail(q, questions[i].name, complaint_of(a, status, &why));
	str_free(&why);
}

static void turn_one(struct slurm_query *q, size_t i)
{
	struct asked *a = &q->asked[i];

	if (a->out >= 0 && !read_pipe(&a->out, &a->answer, ANSWER_MOST))
		fail(q, questions[i].name, "its answer is too long");
	read_errors(a);
	reap(q, i);
}

enum slurm_query_state slurm_query_turn(struct slurm_query *q, int *left_ms)
{
	int64_t left = q->until_ms - monotonic_ms();
	bool running = false, lingers = false;

	*left_ms = -1;
	if (q->state != QUERY_RUNNING)
		return q->state;
	for (size_t i = 0; i < QUESTIONS; i++) {
		if (left <= 0 && q->asked[i].pid > 0 && !q->killed)
			fail(q, questions[i].name, "no answer within its time limit");
		turn_one(q, i);
		running = running || q->asked[i].pid > 0;
		lingers = lingers || (q->asked[i].pid > 0 && q->asked[i].out < 0);
	}
	if (!running)
		return q->state = q->killed ? QUERY_FAILED : QUERY_ANSWERED;
	*left_ms = q->killed || left > INT32_MAX ? LINGER_MS : left > 0 ? (int)left : 0;
	if (lingers && *left_ms > LINGER_MS / 20)
		*left_ms = LINGER_MS / 20;
	return QUERY_RUNNING;
}

bool slurm_query_read(struct slurm_query *q, struct slurm_cluster *c, struct err *err)
{
	struct err why;
	bool good = true;

	slurm_cluster_reset(c);
	for (size_t i = 0; i < QUESTIONS && good; i++) {
		struct str *answer = &q->asked[i].answer;

		str_reserve(answer, 1); /* an empty answer is a text, too */
		answer->data[answer->len] = '\0';
		good = questions[i].read != NULL
			       ? questions[i].read(c, answer->data, answer->len, &why)
			       : slurm_read_jobs(c, answer->data, answer->len, q->mark, &why);
		if (!good)
			err_set(err, "Slurm cannot be read: %s: %s", questions[i].name, why.text);
	}
	if (!good)
		slurm_cluster_reset(c);
	q->state = QUERY_IDLE;
	return good;
}
