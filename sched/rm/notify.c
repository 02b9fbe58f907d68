/* SPDX-License-Identifier: MIT */
/*
 * notify.c - notification of site programs
 *
 * The thread waits in one poll() for a new notice, the exit of a program (pidfd), and the next timeout. A
 * program is the leader of a process group, which is killed before the leader is reaped: until then, the ID
 * of the group cannot be reused.
 *
 * A user can take over a program that runs as that user. Therefore, if cgroups are available, each program
 * runs in a cgroup of its own with limits, which its processes cannot leave. A program counts as running
 * until the last process in its cgroup has exited; at the time limit all of them are killed.
 *
 * An exited program cannot be reaped while it is traced, and its user may trace it. A killed process does not
 * exit while it waits in the kernel for a file system of its user or for a tracer. Neither kind of program
 * occupies a slot for longer than NOTIFY_GONE_MS; both count toward the user's limit until they are gone.
 *
 * Programs run as the job's user, who can stop them. So each user has a queue of notices. The record of a
 * user exists while the user has a queued notice or a running program, so the limits on these also limit the
 * number of records.
 */
#include "notify.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cgroup.h"
#include "monotonic.h"
#include "orphans.h"
#include "sched/base/arena.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "shepherd.h"
#include "site_program.h"
#include "spool.h"
#include "trusted.h"

#define KEPT_LOOK_MS 1000 /* interval at which programs without a slot are checked */
#define KILLED_MS    100  /* wait at the end for the exit of killed processes */

/* Names of cgroups: FOLDER_NAME, the mark of the scheduler and the number of the notice. */
#define FOLDER_NAME "notify."
#define FOLDER_FORM FOLDER_NAME "%s.%" PRIu64
#define PATH_ROOM   4200

struct user {
	struct user *next;
	char *name;
	struct item *first, *last; /* queued notices, oldest first */
	uint32_t waiting, running;
};

/* A queued notice, copied. */
struct item {
	struct item *next;
	struct user *user;
	uint64_t number; /* sequence number of the notice */
	struct arena arena;
	struct notice notice;
};

struct running {
	struct item *item; /* NULL: this slot is free */
	pid_t pid;         /* 0: the program has exited, but other processes of its cgroup have not */
	int fd;            /* pidfd of the program; after its exit, descriptor for the events of its cgroup */
	struct cgroup cgroup;
	int64_t until_ms; /* when the program is killed; after the kill, when it loses its slot */
	bool killed;
};

/* A program that has lost its slot, but has processes that have not exited. */
struct kept {
	pid_t pid; /* 0: the program was reaped, but other processes of its cgroup have not exited */
	int fd;    /* events of the cgroup; -1: not watched */
	struct cgroup cgroup;
	struct user *user;
};

struct notify {
	struct notify_setup setup;
	struct arena arena;
	int wake;                /* eventfd that wakes the thread */
	char mark[ORPHANS_TEXT]; /* mark of this scheduler (orphans.h) */
	pthread_t thread;

	pthread_mutex_t lock; /* guards the members below, up to `stop` */
	struct user *users;
	uint32_t waiting;   /* queued notices of all users */
	uint64_t sent;      /* number of notices sent so far */
	uint64_t forgotten; /* notices dropped since the last warning */
	int64_t warn_ms;    /* earliest time of the next warning */
	bool stop;

	/* Members used by the thread only: */
	struct kept *kept; /* programs without a slot; at most twice NOTIFY_USER_RUNNING_MAX per user */
	size_t kept_count, kept_cap;
	/* Warnings about programs: */
	int64_t program_warn_ms;   /* earliest time of the next warning */
	struct str withheld;       /* the last warning that was withheld; empty = none */
	uint64_t withheld_earlier; /* number of warnings withheld before that one */
};

static void __attribute__((format(printf, 2, 3))) warn(const struct notify *n, const char *format, ...)
{
	struct str text = {0};
	va_list args;

	if (n->setup.warn == NULL)
		return;
	va_start(args, format);
	str_addv(&text, format, args);
	va_end(args);
	n->setup.warn(n->setup.self, str_text(&text));
	str_free(&text);
}

/*
 * Warns about a program. A user can make any number of programs fail, and a line for each would fill the log.
 * So a warning is first withheld: of the warnings that follow too soon after a written one, only the latest
 * is written, with the number of the others.
 */
static void __attribute__((format(printf, 2, 3))) warn_of_program(struct notify *n, const char *format, ...)
{
	va_list args;

	if (n->withheld.len > 0)
		n->withheld_earlier++;
	str_clear(&n->withheld);
	va_start(args, format);
	str_addv(&n->withheld, format, args);
	va_end(args);
}

/* Writes the withheld warning, if there is one, as soon as it is due, or now if `at_once` is true. */
static void warn_of_programs(struct notify *n, bool at_once)
{
	int64_t now_ms = monotonic_ms();

	if (n->withheld.len == 0 || (!at_once && now_ms < n->program_warn_ms))
		return;
	if (n->withheld_earlier == 0)
		warn(n, "%s", str_text(&n->withheld));
	else
		warn(n, "%s; %" PRIu64 " earlier warnings about such programs were suppressed",
		     str_text(&n->withheld), n->withheld_earlier);
	str_clear(&n->withheld);
	n->withheld_earlier = 0;
	n->program_warn_ms = now_ms + n->setup.warn_apart_ms;
}

/* --- queued notices ------------------------------------------------------------------------------ */

/* Copies a NULL-terminated list of words, with room for `before` more words at the beginning. */
static const char **copy_words(struct arena *arena, const char *const *from, size_t before)
{
	size_t count = before;
	const char **words;

	for (const char *const *word = from; *word != NULL; word++)
		count++;
	words = arena_take(arena, (count + 1) * sizeof *words);
	for (size_t i = before; i < count; i++)
		words[i] = arena_string(arena, from[i - before]);
	words[count] = NULL;
	return words;
}

static struct item *copy_notice(const struct notice *from)
{
	struct item *item = mem_zero(1, sizeof *item);

	item->notice = (struct notice){.about = arena_string(&item->arena, from->about),
				       .argv = copy_words(&item->arena, from->argv, 0),
				       .environment = copy_words(&item->arena, from->environment, 0),
				       .input = arena_string(&item->arena, from->input)};
	return item;
}

static void free_item(struct item *item)
{
	arena_free(&item->arena);
	free(item);
}

/* Finds the record of a user, or creates one. */
static struct user *find_user(struct notify *n, const char *name)
{
	struct user *user;

	for (user = n->users; user != NULL; user = user->next)
		if (strcmp(user->name, name) == 0)
			return user;
	user = mem_zero(1, sizeof *user);
	*user = (struct user){.next = n->users, .name = mem_string(name)};
	n->users = user;
	return user;
}

/* Frees the record of a user who has no notices and no programs. */
static void release_user(struct notify *n, struct user *user)
{
	struct user **at = &n->users;

	if (user->waiting + user->running > 0)
		return;
	while (*at != user)
		at = &(*at)->next;
	*at = user->next;
	free(user->name);
	free(user);
}

static void add_item(struct notify *n, struct user *user, struct item *item)
{
	item->user = user;
	item->number = n->sent++;
	if (user->first == NULL)
		user->first = item;
	else
		user->last->next = item;
	user->last = item;
	user->waiting++;
	n->waiting++;
}

static struct item *take_oldest(struct notify *n, struct user *user)
{
	struct item *item = user->first;

	user->first = item->next;
	user->waiting--;
	n->waiting--;
	return item;
}

/*
 * Returns the user with the most queued notices; of several such users, the one with the oldest notice. At
 * least one notice must be queued.
 */
static struct user *user_with_most(const struct notify *n)
{
	struct user *most = n->users;

	for (struct user *user = n->users; user != NULL; user = user->next)
		if (user->waiting > most->waiting || (user->waiting == most->waiting && user->waiting > 0 &&
						      user->first->number < most->first->number))
			most = user;
	return most;
}

static bool comes_before(const struct user *a, const struct user *b)
{
	return a->running != b->running ? a->running < b->running : a->first->number < b->first->number;
}

/* Returns the user whose notice is handled next; NULL: no program may start now. */
static struct user *next_user(const struct notify *n)
{
	struct user *next = NULL;

	for (struct user *user = n->users; user != NULL; user = user->next)
		if (user->waiting > 0 && user->running < NOTIFY_USER_RUNNING_MAX &&
		    (next == NULL || comes_before(user, next)))
			next = user;
	return next;
}

/*
 * If too many notices are queued, removes one and returns it; otherwise returns NULL. The caller holds the
 * lock.
 */
static struct item *forget_one(struct notify *n)
{
	struct user *most;
	struct item *item;

	if (n->waiting <= NOTIFY_WAITING_MAX)
		return NULL;
	most = user_with_most(n);
	item = take_oldest(n, most);
	release_user(n, most);
	n->forgotten++;
	return item;
}

void notify_send(struct notify *n, const struct notice *notice)
{
	struct item *item = copy_notice(notice), *forgotten;

	pthread_mutex_lock(&n->lock);
	add_item(n, find_user(n, notice->user), item);
	forgotten = forget_one(n);
	pthread_mutex_unlock(&n->lock);
	if (forgotten != NULL)
		free_item(forgotten);
	eventfd_write(n->wake, 1);
}

/* --- one program --------------------------------------------------------------------------------- */

/*
 * Creates the cgroup of a program. The runner (kahu-shepherd) joins it before it executes the program;
 * without a runner, no cgroup is created.
 */
static void make_cgroup(const struct notify *n, struct cgroup *c, const struct item *item)
{
	char name[ORPHANS_FOLDER];

	*c = (struct cgroup){.level = HOLD_NONE, .parent = -1, .folder = -1};
	if (n->setup.runner == NULL || n->setup.cgroup == NULL)
		return;
	snprintf(name, sizeof name, FOLDER_FORM, n->mark, item->number);
	cgroup_open(c, n->setup.cgroup, name, NOTIFY_MEM_MB, NOTIFY_PROCESSES);
}

/*
 * Returns the command line to execute: that of the program or, if there is a runner, that of the runner,
 * which changes to the user and executes the program.
 */
static const char *const *make_argv(const struct notify *n, const struct cgroup *c, struct item *item)
{
	char folder[PATH_ROOM] = "", descriptors[24];
	const char **words;

	if (n->setup.runner == NULL)
		return item->notice.argv;
	if (c->level != HOLD_NONE)
		snprintf(folder, sizeof folder, "%s/%s", n->setup.cgroup, c->name);
	snprintf(descriptors, sizeof descriptors, "%" PRId64, n->setup.soft_files);
	words = copy_words(&item->arena, item->notice.argv, 5);
	words[0] = n->setup.runner;
	words[1] = SHEPHERD_AS;
	words[2] = item->user->name;
	words[3] = arena_string(&item->arena, descriptors);
	words[4] = arena_string(&item->arena, folder);
	return words;
}

static const char *program_of(const struct item *item)
{
	return item->notice.argv[0];
}

static int spawn_item(const struct notify *n, struct running *r, struct item *item)
{
	const struct notice *notice = &item->notice;
	struct str input = {0};
	int in, failed;

	str_add(&input, notice->input);
	in = spawn_input(&input);
	failed = in < 0 ? errno
			: spawn_program(make_argv(n, &r->cgroup, item), notice->environment, in, -1, -1,
					&r->pid);
	if (in >= 0)
		close(in);
	str_free(&input);
	return failed;
}

static void kill_program(const struct running *r)
{
	if (r->pid > 0)
		kill(-r->pid, SIGKILL);
	cgroup_kill(&r->cgroup);
}

/* Decrements the number of the user's running programs. */
static void leave_user(struct notify *n, struct user *user)
{
	pthread_mutex_lock(&n->lock);
	user->running--;
	release_user(n, user);
	pthread_mutex_unlock(&n->lock);
}

static pid_t wait_now(pid_t pid, int *status)
{
	pid_t ended;

	while ((ended = waitpid(pid, status, WNOHANG)) < 0 && errno == EINTR)
		;
	return ended;
}

/* Adds a program without a slot, which counts toward its user's limit until it is gone. */
static void keep(struct notify *n, const struct kept *kept)
{
	pthread_mutex_lock(&n->lock);
	kept->user->running++;
	pthread_mutex_unlock(&n->lock);
	n->kept = vec_room(n->kept, &n->kept_cap, n->kept_count + 1, sizeof *n->kept);
	n->kept[n->kept_count++] = *kept;
}

/*
 * Reaps a program that has exited or was killed. Returns true if *status is known; otherwise the program is
 * reaped later.
 */
static bool reap(struct notify *n, pid_t pid, struct user *user, int *status)
{
	if (wait_now(pid, status) != 0)
		return true;
	keep(n, &(struct kept){.pid = pid,
			       .fd = -1,
			       .cgroup = {.level = HOLD_NONE, .parent = -1, .folder = -1},
			       .user = user});
	return false;
}

static bool is_gone(struct kept *kept)
{
	int status;

	if (kept->pid > 0 && wait_now(kept->pid, &status) != 0)
		kept->pid = 0;
	return kept->pid == 0 && (kept->fd < 0 || !cgroup_is_populated(kept->fd));
}

static void close_kept(struct notify *n, struct kept *kept)
{
	if (kept->fd >= 0)
		close(kept->fd);
	cgroup_close(&kept->cgroup);
	leave_user(n, kept->user);
}

/* Releases the programs without a slot that are gone. */
static void reap_kept(struct notify *n)
{
	size_t left = 0;

	for (size_t i = 0; i < n->kept_count; i++) {
		if (!is_gone(&n->kept[i])) {
			n->kept[left++] = n->kept[i];
			continue;
		}
		cgroup_remove(&n->kept[i].cgroup);
		close_kept(n, &n->kept[i]);
	}
	n->kept_count = left;
}

static int start_program(struct notify *n, struct running *r, struct item *item)
{
	int failed, status;

	make_cgroup(n, &r->cgroup, item);
	failed = spawn_item(n, r, item);
	if (failed == 0) {
		r->fd = pidfd_open(r->pid, 0);
		if (r->fd >= 0)
			return 0;
		failed = errno;
		kill_program(r);
		reap(n, r->pid, item->user, &status);
	}
	cgroup_remove(&r->cgroup);
	return failed;
}

static void end_item(struct notify *n, struct item *item)
{
	leave_user(n, item->user);
	free_item(item);
}

static void begin(struct notify *n, struct running *r, struct item *item)
{
	struct err why;
	int failed;

	if (!trusted_program(program_of(item), &why)) {
		warn_of_program(n, "%s: %s", item->notice.about, why.text);
		end_item(n, item);
		return;
	}
	failed = start_program(n, r, item);
	if (failed == 0) {
		r->item = item;
		r->until_ms = monotonic_ms() + n->setup.limit_ms;
		return;
	}
	warn_of_program(n, "%s could not be started for %s: %s", program_of(item), item->notice.about,
			strerror(failed));
	end_item(n, item);
}

static void clear_place(struct notify *n, struct running *r)
{
	if (r->fd >= 0)
		close(r->fd);
	cgroup_remove(&r->cgroup);
	end_item(n, r->item);
	*r = (struct running){.item = NULL};
}

/*
 * Called when the program has exited: are other processes left in its cgroup? If that is unknown, they are
 * killed.
 */
static bool others_run(struct running *r)
{
	close(r->fd);
	r->pid = 0;
	r->fd = cgroup_events(&r->cgroup);
	if (r->fd < 0)
		kill_program(r);
	return r->fd >= 0 && cgroup_is_populated(r->fd);
}

static void take_end(struct notify *n, struct running *r)
{
	int status = 0;

	if (!reap(n, r->pid, r->item->user, &status) && !r->killed)
		warn_of_program(
			n, "the exit status of %s, run for %s, is unknown, because another process traces it",
			program_of(r->item), r->item->notice.about);
	else if (!r->killed && WIFEXITED(status) && WEXITSTATUS(status) != 0)
		warn_of_program(n, "%s ended with status %d for %s", program_of(r->item), WEXITSTATUS(status),
				r->item->notice.about);
	else if (!r->killed && WIFSIGNALED(status))
		warn_of_program(n, "%s was ended by signal %d for %s", program_of(r->item), WTERMSIG(status),
				r->item->notice.about);
	if (!others_run(r))
		clear_place(n, r);
}

/* Called when the cgroup of an exited program has changed: frees the slot if the cgroup is empty. */
static void look_at_others(struct notify *n, struct running *r)
{
	if (!cgroup_is_populated(r->fd))
		clear_place(n, r);
}

static void end_late(struct notify *n, struct running *r)
{
	kill_program(r);
	if (r->pid > 0)
		warn_of_program(n, "%s took longer than %" PRId64 " s for %s and was killed",
				program_of(r->item), n->setup.limit_ms / 1000, r->item->notice.about);
	else
		warn_of_program(
			n, "processes that %s started for %s took longer than %" PRId64 " s and were killed",
			program_of(r->item), r->item->notice.about, n->setup.limit_ms / 1000);
	r->killed = true;
	r->until_ms = monotonic_ms() + NOTIFY_GONE_MS;
}

/*
 * Takes the slot from a program that was killed but has not exited, because its user can keep it in that
 * state.
 */
static void give_up(struct notify *n, struct running *r)
{
	struct kept kept = {.pid = r->pid, .fd = r->fd, .cgroup = r->cgroup, .user = r->item->user};

	if (r->pid > 0) {
		close(r->fd);
		kept.fd = cgroup_events(&r->cgroup);
	}
	warn_of_program(n, "%s for %s was killed but has not exited; its slot is free for another program",
			program_of(r->item), r->item->notice.about);
	keep(n, &kept);
	end_item(n, r->item);
	*r = (struct running){.item = NULL};
}

/* --- the thread ---------------------------------------------------------------------------------- */

/* What the thread has to do next. */
struct duty {
	struct item *item; /* notice to handle, already removed from the queue; NULL: none */
	uint64_t forgotten;
	int64_t warn_ms; /* time of the next warning; INT64_MAX: none is due */
	bool stop, waiting;
};

/*
 * Determines whether a warning about dropped notices is due. The rate of these warnings is limited, so that
 * no user can flood the log with them; when the thread stops, the last one is due at once. The caller holds
 * the lock.
 */
static void look_at_forgotten(struct notify *n, struct duty *duty)
{
	int64_t now_ms = monotonic_ms();

	if (n->forgotten > 0 && (n->stop || now_ms >= n->warn_ms)) {
		duty->forgotten = n->forgotten;
		n->forgotten = 0;
		n->warn_ms = now_ms + n->setup.warn_apart_ms;
	}
	duty->warn_ms = n->forgotten > 0 ? n->warn_ms : INT64_MAX;
}

static struct duty look(struct notify *n, bool has_place)
{
	struct duty duty = {.item = NULL};
	struct user *user;

	pthread_mutex_lock(&n->lock);
	user = has_place ? next_user(n) : NULL;
	if (user != NULL) {
		duty.item = take_oldest(n, user);
		user->running++;
	}
	look_at_forgotten(n, &duty);
	duty.waiting = n->waiting > 0;
	duty.stop = n->stop;
	pthread_mutex_unlock(&n->lock);
	return duty;
}

static struct running *free_place(struct running *running)
{
	for (size_t i = 0; i < NOTIFY_RUNNING_MAX; i++)
		if (running[i].item == NULL)
			return &running[i];
	return NULL;
}

static bool is_idle(const struct running *running)
{
	for (size_t i = 0; i < NOTIFY_RUNNING_MAX; i++)
		if (running[i].item != NULL)
			return false;
	return true;
}

/* Starts programs for queued notices as far as slots are free. Returns what remains to be done. */
static struct duty start_waiting(struct notify *n, struct running *running)
{
	for (;;) {
		struct running *place = free_place(running);
		struct duty duty = look(n, place != NULL);

		if (duty.forgotten > 0)
			warn(n, "%" PRIu64 " notices were dropped: more than %u were queued", duty.forgotten,
			     NOTIFY_WAITING_MAX);
		if (duty.item == NULL)
			return duty;
		begin(n, place, duty.item);
	}
}

static int wait_ms(const struct running *running, int64_t until_ms)
{
	int64_t left_ms;

	for (size_t i = 0; i < NOTIFY_RUNNING_MAX; i++)
		if (running[i].item != NULL && running[i].until_ms < until_ms)
			until_ms = running[i].until_ms;
	if (until_ms == INT64_MAX)
		return -1;
	left_ms = until_ms - monotonic_ms();
	return left_ms < 0 ? 0 : left_ms > INT_MAX ? INT_MAX : (int)left_ms;
}

/* Waits for the next event and handles it. */
static void wait_for_end(struct notify *n, struct running *running, int64_t until_ms)
{
	struct pollfd fds[NOTIFY_RUNNING_MAX + 1];
	eventfd_t count;

	for (size_t i = 0; i < NOTIFY_RUNNING_MAX; i++)
		fds[i] = (struct pollfd){.fd = running[i].item != NULL ? running[i].fd : -1,
					 .events = running[i].pid > 0 ? POLLIN : POLLPRI};
	fds[NOTIFY_RUNNING_MAX] = (struct pollfd){.fd = n->wake, .events = POLLIN};
	poll(fds, NOTIFY_RUNNING_MAX + 1, wait_ms(running, until_ms));
	if (fds[NOTIFY_RUNNING_MAX].revents != 0)
		eventfd_read(n->wake, &count);
	for (size_t i = 0; i < NOTIFY_RUNNING_MAX; i++)
		if (running[i].item != NULL && fds[i].revents != 0 && running[i].pid > 0)
			take_end(n, &running[i]);
		else if (running[i].item != NULL && fds[i].revents != 0)
			look_at_others(n, &running[i]);
		else if (running[i].item != NULL && monotonic_ms() >= running[i].until_ms)
			running[i].killed ? give_up(n, &running[i]) : end_late(n, &running[i]);
}

static void kill_all(struct notify *n, struct running *running)
{
	int64_t until_ms = monotonic_ms() + KILLED_MS;

	for (size_t i = 0; i < NOTIFY_RUNNING_MAX; i++)
		if (running[i].item != NULL) {
			kill_program(&running[i]);
			running[i].killed = true;
			running[i].until_ms = INT64_MAX;
		}
	while (!is_idle(running) && monotonic_ms() < until_ms)
		wait_for_end(n, running, until_ms);
	for (size_t i = 0; i < NOTIFY_RUNNING_MAX; i++)
		if (running[i].item != NULL) {
			cgroup_close(&running[i].cgroup); /* the next scheduler removes the cgroup */
			clear_place(n, &running[i]);
		}
}

/*
 * Returns the earliest of four times: a_ms, b_ms, that of the next warning about programs, and that of the
 * next check of programs without a slot.
 */
static int64_t earliest_ms(const struct notify *n, int64_t a_ms, int64_t b_ms)
{
	int64_t first_ms = a_ms < b_ms ? a_ms : b_ms, look_ms = monotonic_ms() + KEPT_LOOK_MS;

	if (n->kept_count > 0 && look_ms < first_ms)
		first_ms = look_ms;
	return n->withheld.len > 0 && n->program_warn_ms < first_ms ? n->program_warn_ms : first_ms;
}

static void *run(void *self)
{
	struct running running[NOTIFY_RUNNING_MAX] = {{.item = NULL}};
	struct notify *n = self;
	int64_t until_ms = INT64_MAX;

	for (;;) {
		struct duty duty;

		reap_kept(n);
		duty = start_waiting(n, running);
		if (duty.stop && until_ms == INT64_MAX)
			until_ms = monotonic_ms() + NOTIFY_CLOSE_MS;
		if (duty.stop && ((!duty.waiting && is_idle(running)) || monotonic_ms() >= until_ms))
			break;
		warn_of_programs(n, false);
		wait_for_end(n, running, earliest_ms(n, duty.warn_ms, until_ms));
	}
	kill_all(n, running);
	while (n->kept_count > 0)
		close_kept(n, &n->kept[--n->kept_count]);
	warn_of_programs(n, true);
	return NULL;
}

/* Starts the thread with all signals blocked: the main thread handles them. */
static int start_thread(struct notify *n)
{
	sigset_t all, before;
	int failed;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	failed = pthread_create(&n->thread, NULL, run, n);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return failed;
}

static void free_all(struct notify *n)
{
	while (n->users != NULL) { /* no program is running, so each user has a notice */
		struct user *user = n->users;

		free_item(take_oldest(n, user));
		release_user(n, user);
	}
	if (n->wake >= 0)
		close(n->wake);
	pthread_mutex_destroy(&n->lock);
	arena_free(&n->arena);
	str_free(&n->withheld);
	free(n->kept);
	free(n);
}

/*
 * Is `name` the cgroup, "notify.PID.START.NUMBER", of a scheduler that has exited, or of this process before
 * it called exec?
 */
static bool is_left(void *self, const char *name)
{
	char mark[ORPHANS_TEXT], exact[ORPHANS_FOLDER];
	int64_t number[3];

	(void)self;
	if (strncmp(name, FOLDER_NAME, sizeof FOLDER_NAME - 1) != 0 ||
	    !orphans_read_numbers(name + sizeof FOLDER_NAME - 1, 3, number))
		return false;
	orphans_mark(number[0], number[1], mark);
	snprintf(exact, sizeof exact, FOLDER_FORM, mark, (uint64_t)number[2]);
	return strcmp(name, exact) == 0 && (number[0] == getpid() || spool_pid_is_gone(number[0], number[1]));
}

static void copy_setup(struct notify *n, const struct notify_setup *setup)
{
	n->setup = *setup;
	if (setup->runner != NULL)
		n->setup.runner = arena_string(&n->arena, setup->runner);
	if (setup->cgroup != NULL)
		n->setup.cgroup = arena_string(&n->arena, setup->cgroup);
	orphans_mark(getpid(), spool_pid_start(getpid()), n->mark);
}

struct notify *notify_new(const struct notify_setup *setup, struct err *err)
{
	struct notify *n = mem_zero(1, sizeof *n);
	int failed;

	copy_setup(n, setup);
	if (n->setup.cgroup != NULL)
		cgroup_sweep(n->setup.cgroup, true, is_left, NULL);
	pthread_mutex_init(&n->lock, NULL);
	n->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	failed = n->wake < 0 ? errno : start_thread(n);
	if (failed == 0)
		return n;
	err_set(err, "site programs cannot be notified: %s", strerror(failed));
	free_all(n);
	return NULL;
}

void notify_free(struct notify *n)
{
	if (n == NULL)
		return;
	pthread_mutex_lock(&n->lock);
	n->stop = true;
	pthread_mutex_unlock(&n->lock);
	eventfd_write(n->wake, 1);
	pthread_join(n->thread, NULL);
	if (n->waiting > 0)
		warn(n, "%u queued notices were dropped at shutdown", n->waiting);
	free_all(n);
}
