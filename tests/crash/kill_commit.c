/* SPDX-License-Identifier: MIT */
/*
 * kill_commit.c - every acknowledged entry survives kill -9 at any time
 *
 * A child commits random steps and writes the last entry of each to a pipe after the
 * commit. The parent kills it at a random time, opens the store and checks: the journal
 * has every acknowledged entry and no gap, and the loaded state is the one that follows from the
 * journal. Meanwhile the beginning of the journal is pruned. The next child continues where this one ended.
 * ROUNDS rounds, 100 by default, and more if the journal was not pruned in them, because on a busy machine a
 * child commits less.
 */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "store/inside.h"
#include "tests/history.h"
#include "tests/seed.h"
#include "tests/store_dir.h"

#define MOST_MS      12
#define MOST_MORE_MS 120  /* in further rounds: the machine is so busy that a child needs longer to prune */
#define PAST         6000 /* entries: more than between two checkpoints */

/* Sets journalkeep and historykeep, so that most children prune part of the journal. */
static void keep_little(struct history *h, struct ledger_step *step)
{
	static const char *const name[] = {"journalkeep", "historykeep"};

	for (int i = 0; i < 2; i++) {
		struct event ev = {.kind = EVENT_SETTING};

		ev.setting.name = name[i];
		ev.setting.value = "0:02:00";
		history_apply(h, &ev);
	}
	step->event = h->event;
	step->event_count = h->event_count;
	step->ended = h->ended;
	step->ended_count = h->ended_count;
	step->after = state_view(h->st);
}

/* Commits until the parent kills the process; exits with a status only on an error. */
static void commit_until_killed(const char *dir, uint64_t seed, int to)
{
	struct store *s = store_open_sized(dir, STORE_CHANGE, (size_t)1 << 16, NULL);
	struct ledger ledger;
	struct history h;

	if (!s)
		_exit(1);
	ledger = store_ledger(s);
	history_begin(&h, seed);
	if (!ledger.ops->load(ledger.self, h.st, NULL))
		_exit(2);
	if (state_view(h.st)->seq > 0)
		h.now_s = state_view(h.st)->now_s;
	store_prune(s, true);
	for (bool first = true;; first = false) {
		struct ledger_step step = history_step(&h, 20);

		if (first)
			keep_little(&h, &step);
		if (!ledger.ops->commit(ledger.self, &step, NULL))
			_exit(3);
		if (write(to, &step.after->seq, sizeof step.after->seq) < 0)
			_exit(4);
	}
}

/* Writes a journal that the children prune. */
static bool make_past(const char *dir, uint64_t seed, struct err *err)
{
	struct store *s = store_open(dir, STORE_CHANGE, err);
	struct history h;
	bool good = s != NULL;

	history_begin(&h, seed);
	while (good && state_view(h.st)->seq < PAST) {
		struct ledger ledger = store_ledger(s);
		struct ledger_step step = history_step(&h, 1000);

		good = ledger.ops->commit(ledger.self, &step, err);
	}
	history_end(&h);
	store_close(s);
	return good;
}

/* The last entry that was acknowledged before the pipe was closed. */
static uint64_t last_acknowledged(int from, uint64_t before)
{
	uint64_t seq;

	while (read(from, &seq, sizeof seq) == (ssize_t)sizeof seq)
		before = seq;
	return before;
}

static void wait_us(uint64_t us)
{
	struct timespec time = {.tv_nsec = (long)us * 1000};

	nanosleep(&time, NULL);
}

/* Runs and kills a child. False if the child ended by itself. */
static bool run_and_kill(const char *dir, struct rng *rng, uint64_t most_ms, uint64_t *acknowledged)
{
	int fd[2], status = 0;
	uint64_t seed = rng_u64(rng), delay_us = rng_below(rng, most_ms * 1000);

	if (pipe(fd) < 0)
		return false;
	pid_t pid = fork();
	if (pid == 0) {
		close(fd[0]);
		commit_until_killed(dir, seed, fd[1]);
	}
	close(fd[1]);
	/* Some children die while they open and load the store, most while they commit. */
	if (rng_below(rng, 10) > 0)
		poll(&(struct pollfd){.fd = fd[0], .events = POLLIN}, 1, 10000);
	wait_us(delay_us);
	kill(pid, SIGKILL);
	*acknowledged = last_acknowledged(fd[0], *acknowledged);
	close(fd[0]);
	waitpid(pid, &status, 0);
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
		return true;
	printf("# the child ended by itself with status %d\n", WEXITSTATUS(status));
	return false;
}

static bool count_upward(void *self, const struct event *ev)
{
	uint64_t *next = self;

	return ev->seq == (*next)++;
}

static bool check_store(const char *dir, uint64_t acknowledged, uint64_t *first, uint64_t *last,
			struct err *err)
{
	struct store *s = store_open(dir, STORE_CHANGE, err);
	uint64_t next = 1;
	bool good = s && store_journal_range(s, first, last, err);

	if (good && *first > 0)
		next = *first;
	good = good && store_journal(s, 1, false, count_upward, &next, err) && store_verify(s, err);

	if (good && (next != *last + 1 || *last < acknowledged))
		good = err_set(err,
			       "%" PRIu64 " was acknowledged, the journal ends with %" PRIu64
			       ", read to %" PRIu64,
			       acknowledged, *last, next - 1);
	store_close(s);
	return good;
}

int main(void)
{
	const char *given = getenv("ROUNDS");
	long rounds = given ? strtol(given, NULL, 10) : 100;
	struct rng rng = seeded("moments to die at");
	struct store_dir dir = {.path = ""};
	uint64_t acknowledged = 0, first = 0, last = 0;
	struct err err = {""};
	bool good = true;

	make_store_dir(&dir);
	good = make_past(dir.path, rng_u64(&rng), &err);
	if (!good)
		printf("# %s\n", err.text);
	for (long i = 0; good && (i < rounds || (first <= 1 && i < rounds * 10)); i++) {
		good = run_and_kill(dir.path, &rng, i < rounds ? MOST_MS : MOST_MORE_MS, &acknowledged) &&
		       check_store(dir.path, acknowledged, &first, &last, &err);
		if (!good)
			printf("# round %ld: %s\n", i, err.text);
	}
	printf("# %" PRIu64 " entries were acknowledged, %" PRIu64 " to %" PRIu64 " are there\n",
	       acknowledged, first, last);
	printf("# soak %ld %" PRIu64 " %ld\n", rounds, acknowledged, rounds);
	if (good && (acknowledged == 0 || first <= 1)) {
		printf("# nothing was pruned\n");
		good = false;
	}
	printf("%s what was acknowledged is there after %ld times kill -9\n", good ? "ok" : "not ok", rounds);
	remove_store_dir(&dir);
	return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
