/* SPDX-License-Identifier: MIT */
/*
 * crash_restart.c - restart in place after a crash while a request is handled
 *
 * The signal handler calls only async-signal-safe functions. The arguments and the environment of the new
 * program are prepared when the scheduler starts, in memory that is read-only afterwards. The handler itself
 * writes only the entry KAHU_CRASHED:
 *
 *     KAHU_CRASHED=SIGNAL RESTARTS SINCE_S UID:UNTIL_S ...
 *
 * with times of the monotonic clock, which an exec does not change.
 */
#include "crash_restart.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "sched/base/vec.h"
#include "shell.h"

#define CRASHED    "KAHU_CRASHED"
#define BLAMED_MAX 16
#define USERS_MAX  64
#define TEXT_MAX   4096
#define STACK_SIZE 32768 /* stack of the handler; the thread's own stack may have overflowed */
#define FREE_FD    10    /* descriptors are copied to numbers from this one on, then to their fixed numbers */
#define ARGS_MAX   8

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define CAN_ARM false
#else
#define CAN_ARM true
#endif

static const int signals[] = {SIGFPE, SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT};
#define SIGNALS (sizeof signals / sizeof signals[0])

/* The users whose requests this thread is handling. */
static _Thread_local struct {
	uid_t uid[BLAMED_MAX];
	volatile sig_atomic_t count;
} blamed;

/* A user whose requests are refused. */
struct refused {
	uid_t uid;
	int64_t until_s;
};

static struct {
	/* These point to read-only memory. */
	char **argv, **environment;
	const char *program;
	/* The members below are read from the entry that the last crash wrote. */
	struct refused refused[USERS_MAX];
	int refused_count;
	int signal_number; /* 0: ordinary start */
	int64_t restarts, since_s;
	/* Descriptors for the next program. */
	int lock, listening;
	_Atomic pid_t pid; /* the armed process; 0: disarmed. Written last */
} crash = {.lock = -1, .listening = -1};

static atomic_flag restarting = ATOMIC_FLAG_INIT;
static char entry[TEXT_MAX] = CRASHED "=";

/* clock_gettime is async-signal-safe. */
static int64_t now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

static bool is_trusted(uid_t uid)
{
	return uid == 0 || uid == geteuid();
}

/* --- in the handler: only async-signal-safe calls ------------------------------------------------------- */

struct line {
	char *text;
	size_t len, room;
};

static void add_text(struct line *line, const char *text)
{
	while (*text != '\0' && line->len + 1 < line->room)
		line->text[line->len++] = *text++;
	line->text[line->len] = '\0';
}

static void add_number(struct line *line, uint64_t number)
{
	char digits[24];
	size_t at = sizeof digits;

	digits[--at] = '\0';
	do {
		digits[--at] = (char)('0' + number % 10);
		number /= 10;
	} while (number > 0);
	add_text(line, digits + at);
}

static void add_refused(struct line *line, uid_t uid, int64_t until_s)
{
	add_text(line, " ");
	add_number(line, uid);
	add_text(line, ":");
	add_number(line, (uint64_t)until_s);
}

static bool is_blamed(uid_t uid)
{
	for (int i = 0; i < blamed.count; i++)
		if (blamed.uid[i] == uid)
			return true;
	return false;
}

static void write_entry(int number, int64_t restarts, int64_t since_s)
{
	struct line line = {.text = entry, .room = sizeof entry};
	int count = 0;

	add_text(&line, CRASHED "=");
	add_number(&line, (uint64_t)number);
	add_text(&line, " ");
	add_number(&line, (uint64_t)restarts);
	add_text(&line, " ");
	add_number(&line, (uint64_t)since_s);
	for (int i = 0; i < blamed.count; i++, count++)
		add_refused(&line, blamed.uid[i],
			    now_s() +
				    (is_trusted(blamed.uid[i]) ? CRASH_REFUSED_TRUSTED_S : CRASH_REFUSED_S));
	for (int i = 0; i < crash.refused_count && count < USERS_MAX; i++)
		if (crash.refused[i].until_s > now_s() && !is_blamed(crash.refused[i].uid)) {
			add_refused(&line, crash.refused[i].uid, crash.refused[i].until_s);
			count++;
		}
}

static void say(int number)
{
	char text[200];
	struct line line = {.text = text, .room = sizeof text};

	add_text(&line, "kahu: signal ");
	add_number(&line, (uint64_t)number);
	add_text(&line, " while handling a request from uid ");
	add_number(&line, blamed.uid[0]);
	add_text(&line, "; restarting the scheduler\n");
	(void)!write(STDERR_FILENO, text, line.len);
}

static sigset_t fatal_signals(void)
{
	sigset_t fatal;

	sigemptyset(&fatal);
	for (size_t i = 0; i < SIGNALS; i++)
		sigaddset(&fatal, signals[i]);
	return fatal;
}

/* Executes the program again; returns only on failure. The signal mask is preserved across exec: blocked
 * signals stay pending until the new program reads them. */
static void start_again(int number)
{
	sigset_t fatal = fatal_signals();
	int lock = fcntl(crash.lock, F_DUPFD, FREE_FD);
	int listening = fcntl(crash.listening, F_DUPFD, FREE_FD);

	if (lock < 0 || listening < 0 || dup2(lock, HANDOVER_LOCK_FD) < 0 ||
	    dup2(listening, HANDOVER_DOOR_FD) < 0 || close_range(HANDOVER_DOOR_FD + 1, ~0U, 0) != 0)
		return;
	signal(SIGPIPE, SIG_DFL);
	sigprocmask(SIG_UNBLOCK, &fatal, NULL);
	say(number);
	execve(crash.program, crash.argv, crash.environment);
	execve("/proc/self/exe", crash.argv, crash.environment);
}

static void on_crash(int number)
{
	int64_t at_s = now_s();
	bool again = at_s - crash.since_s < CRASH_PERIOD_S;

	/* a child between fork and exec inherits the handler, but has another process ID */
	if (blamed.count > 0 && crash.pid == getpid() && (!again || crash.restarts < CRASH_RESTARTS_MAX) &&
	    !atomic_flag_test_and_set(&restarting)) {
		write_entry(number, again ? crash.restarts + 1 : 1, again ? crash.since_s : at_s);
		start_again(number);
	}
	signal(number, SIG_DFL);
	raise(number);
}

/* --- state prepared for a restart ---------------------------------------------------------------------- */

static size_t size_of(char *const *list, size_t *count)
{
	size_t bytes = 0;

	for (*count = 0; list[*count] != NULL; ++*count)
		bytes += strlen(list[*count]) + 1;
	return bytes;
}

/* Copies the list and its texts to *at and advances *at. */
static char **put_list(char **slot, char *const *list, size_t count, char **at)
{
	for (size_t i = 0; i < count; i++) {
		size_t len = strlen(list[i]) + 1;

		slot[i] = memcpy(*at, list[i], len);
		*at += len;
	}
	return slot;
}

static bool is_entry(const char *text, const char *name)
{
	size_t len = strlen(name);

	return strncmp(text, name, len) == 0 && text[len] == '=';
}

/*
 * Stores the path, arguments and environment for a restart in one block, which becomes read-only, because a
 * crashing program may write anywhere.
 */
static void keep_words(const char *program, char *const *argv)
{
	static char handed[] = HANDOVER_ENTRY "=1";
	size_t words, entries, kept = 0;
	size_t bytes = size_of(argv, &words) + size_of(environ, &entries) +
		       (words + entries + 4) * sizeof(char *) + strlen(program) + 1;
	char **slot = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *at;

	if (slot == MAP_FAILED)
		return;
	at = (char *)(slot + words + entries + 4);
	crash.argv = put_list(slot, argv, words, &at);
	crash.environment = slot + words + 1;
	for (size_t i = 0; i < entries; i++)
		if (!is_entry(environ[i], CRASHED) && !is_entry(environ[i], HANDOVER_ENTRY))
			put_list(&crash.environment[kept++], &environ[i], 1, &at);
	crash.environment[kept++] = handed;
	crash.environment[kept++] = entry;
	crash.program = memcpy(at, program, strlen(program) + 1);
	mprotect(slot, bytes, PROT_READ);
}

/* Parses the number at *at and advances *at past the number and the following delimiter. */
static bool take_number(const char **at, char sign, int64_t *out)
{
	char *end;

	*out = strtoll(*at, &end, 10);
	if (end == *at || *out < 0 || (*end != sign && *end != '\0'))
		return false;
	*at = end + (*end != '\0');
	return true;
}

/* Parses the entry of the last restart; a malformed entry is ignored. */
static void read_entry(const char *text)
{
	int64_t number, uid;

	if (text == NULL || !take_number(&text, ' ', &number) || !take_number(&text, ' ', &crash.restarts) ||
	    !take_number(&text, ' ', &crash.since_s))
		return;
	crash.signal_number = (int)number;
	while (crash.refused_count < USERS_MAX && take_number(&text, ':', &uid)) {
		struct refused *r = &crash.refused[crash.refused_count];

		if (!take_number(&text, ' ', &r->until_s))
			break;
		r->uid = (uid_t)uid;
		crash.refused_count++;
	}
}

void crash_prepare(const struct shell *shell, const char *program)
{
	static char kahu[] = "kahu", serve[] = "serve", to_store[] = "--store", to_config[] = "--config";
	char *argv[ARGS_MAX] = {kahu, serve};
	int count = 2;

	read_entry(getenv(CRASHED));
	if (shell->store != NULL) {
		argv[count++] = to_store;
		argv[count++] = (char *)(uintptr_t)shell->store;
	}
	if (shell->config != NULL) {
		argv[count++] = to_config;
		argv[count++] = (char *)(uintptr_t)shell->config;
	}
	if (CAN_ARM)
		keep_words(program, argv);
	unsetenv(CRASHED);
}

void crash_arm(int lock, int listening)
{
	struct sigaction act = {.sa_handler = on_crash, .sa_flags = SA_ONSTACK | SA_NODEFER};

	if (crash.argv == NULL || lock < 0 || listening < 0)
		return;
	crash.lock = lock;
	crash.listening = listening;
	for (size_t i = 0; i < SIGNALS; i++)
		sigaction(signals[i], &act, NULL);
	crash.pid = getpid();
}

void crash_disarm(void)
{
	crash.pid = 0;
}

/* --- users of the requests in progress ------------------------------------------------------------------ */

/* Does the thread have a signal stack already? A sanitizer may have installed one; it must not be replaced,
 * because the sanitizer later frees the installed stack. */
static bool has_signal_stack(void)
{
	stack_t current;

	return sigaltstack(NULL, &current) == 0 && (current.ss_flags & SS_DISABLE) == 0;
}

/* Gives a thread a signal stack at its first request, and unblocks the signals that the handler catches. */
static void prepare_thread(void)
{
	static _Thread_local char stack[STACK_SIZE];
	static _Thread_local bool prepared;
	const stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
	sigset_t fatal = fatal_signals();

	if (!prepared && CAN_ARM && crash.pid != 0)
		prepared = (has_signal_stack() || sigaltstack(&alternate, NULL) == 0) &&
			   pthread_sigmask(SIG_UNBLOCK, &fatal, NULL) == 0;
}

void crash_begin(uid_t uid)
{
	prepare_thread();
	if (is_blamed(uid) || blamed.count == BLAMED_MAX)
		return;
	blamed.uid[blamed.count] = uid;
	blamed.count++;
}

void crash_end(void)
{
	blamed.count = 0;
}

bool crash_refuses(uid_t uid, struct err *err)
{
	int64_t left_s;

	for (int i = 0; i < crash.refused_count; i++) {
		left_s = crash.refused[i].until_s - now_s();
		if (crash.refused[i].uid != uid || left_s <= 0)
			continue;
		err_set(err,
			"the scheduler crashed while it handled a request of this user and was "
			"restarted; requests of the user are refused for another %lld s",
			(long long)left_s);
		return true;
	}
	return false;
}

bool crash_describe(struct str *out)
{
	if (crash.signal_number == 0)
		return false;
	str_addf(out, "the scheduler received signal %d (%s) while it handled a request, and was restarted",
		 crash.signal_number, strsignal(crash.signal_number));
	for (int i = 0; i < crash.refused_count; i++)
		str_addf(out, "%s uid %lu for %lld s", i > 0 ? "," : "; requests are refused from",
			 (unsigned long)crash.refused[i].uid,
			 (long long)(crash.refused[i].until_s - now_s()));
	return true;
}
